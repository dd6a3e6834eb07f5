/** Completion scripts for shells. */
import { Failure } from "../errors.ts";
import { parseArguments } from "./arguments.ts";
import { commands } from "./commands.ts";

export const help = `Usage: copilot-driver completion bash|zsh|fish

Prints a script that completes commands and their options.

Exit codes: 0 it worked, 2 wrong options.

Examples:
  source <(copilot-driver completion bash)
  copilot-driver completion zsh >> ~/.zshrc
  copilot-driver completion fish > ~/.config/fish/completions/copilot-driver.fish
`;

const names = (): string => Object.keys(commands).join(" ");

/** Options are asked of the command's own help, so that they are never out of date. */
const scripts: Record<string, () => string> = {
  bash: () => `_copilot_driver() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names()} --help --version"
  elif [[ $current == -* ]]; then words=$(copilot-driver "\${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _copilot_driver copilot-driver
`,
  zsh: () => `autoload -U compinit bashcompinit && compinit && bashcompinit
${scripts["bash"]!()}`,
  fish: () =>
    Object.entries(commands)
      .map(
        ([name, { summary }]) =>
          `complete -c copilot-driver -n __fish_use_subcommand -f -a ${name} -d ${JSON.stringify(summary)}`,
      )
      .join("\n")
      .concat(
        `\ncomplete -c copilot-driver -n 'not __fish_use_subcommand' -a "(copilot-driver (commandline -opc)[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]+' | sort -u)"\n`,
      ),
};

export const run = (args: string[]): number => {
  const { positionals } = parseArguments({ args, allowPositionals: true });
  const [shell = ""] = positionals;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new Failure("configuration", `Which shell? One of ${Object.keys(scripts).join(", ")}.`);
  process.stdout.write(script());
  return 0;
};
