/** Programs whose arguments alone can start any other program: a rule for one of them is a rule for all. */

const families: readonly (readonly [why: string, programs: string])[] = [
  [
    "starts the programs named in its arguments",
    "chroot chrt command builtin doas env entr exec find fd flock gdb ionice ltrace nice nohup nsenter parallel rg " +
      "setarch setpriv setsid stdbuf strace sudo su systemd-run screen script tmux jobs start-stop-daemon run-parts install taskset time timeout unshare watch xargs busybox",
  ],
  [
    "runs code given in its arguments",
    "awk gawk mawk nawk bc bun dash bash zsh sh ksh fish deno ed ex emacs eval expect jshell julia lua m4 nano node " +
      "nodejs osascript perl php psql pwsh powershell python python2 python3 R Rscript ruby sed source . sqlite3 " +
      "tclsh ts-node tsx vi vim nvim mysql irb ipython",
  ],
  [
    "runs commands from its options, its configuration or the repository's hooks",
    "git gh hg svn ssh scp sftp wget rsync tar zip 7z man less more cpio split sort tcpdump crontab at batch make gmake " +
      "cmake ninja ant mvn gradle gradlew bazel docker podman kubectl helm terraform ansible ansible-playbook vagrant " +
      "gcc g++ cc clang ld pre-commit act just rake",
  ],
  [
    "runs scripts of packages and projects",
    "npm npx pnpm pnpx yarn yarnpkg corepack bunx pip pip3 pipx uv uvx poetry hatch tox nox gem bundle bundler cargo " +
      "go dotnet composer mix cabal stack conda mamba brew apt apt-get dpkg yum dnf apk snap eslint webpack vite rollup babel jest mocha vitest pytest",
  ],
  [
    "changes what later commands mean",
    "alias bind complete compgen coproc declare enable export fc getopts hash let local readonly shopt trap typeset unset",
  ],
];

const programs: ReadonlyMap<string, string> = new Map(
  families.flatMap(([why, names]) => names.split(" ").map((name) => [name, why] as const)),
);

/** Why a rule for this executable name grants the execution of any program, if it does. */
export const whyAnyProgram = (executable: string): string | undefined =>
  programs.get(executable.slice(executable.lastIndexOf("/") + 1));

/** Programs that only start another one: what counts is that other one. */
const transparent = new Set(
  (
    "builtin chrt command doas env exec ionice nice nohup setarch setsid stdbuf sudo systemd-run taskset time timeout " +
    "unshare watch xargs busybox"
  ).split(" "),
);

/** Programs that start others whatever stands before: `find . -name x` may go on with `-exec`. */
const startsLater = new Set(["find", "fd"]);

/** Verbs after which the name of a program or script follows. */
const runningVerbs = new Set(
  (
    "npm run,npm run-script,npm exec,npm x,pnpm run,pnpm exec,pnpm dlx,yarn run,yarn exec,yarn dlx,bun run,bun x," +
    "uv run,uv tool run,poetry run,pipx run,hatch run,bundle exec,conda run,mamba run,go run,dotnet run,deno run," +
    "deno eval,docker run,docker exec,podman run,podman exec,kubectl run,kubectl exec,git bisect run," +
    "git submodule foreach,gh alias,gh alias set,gh extension,gh extension exec,ssh-agent"
  ).split(","),
);

const isOption = (word: string): boolean => word.startsWith("-");

/** The words of the program that another one starts, after its options, variables and numbers. */
const startedBy = (words: readonly string[]): readonly string[] => {
  const at = words.findIndex((word) => !/^-|^\d|^\w+=/.test(word));
  return at === -1 ? [] : words.slice(at);
};

/** Why a rule for commands that begin with these words grants the execution of any program, if it does. */
export const whyAnyProgramOf = (words: readonly string[]): string | undefined => {
  const [name = "", ...rest] = words;
  const why = whyAnyProgram(name);
  if (why === undefined) return undefined;
  const base = name.slice(name.lastIndexOf("/") + 1);
  const started = transparent.has(base) ? startedBy(rest) : [];
  if (started.length > 0) return whyAnyProgramOf(started);
  const isOpen = rest.every(isOption) || startsLater.has(base) || runningVerbs.has([base, ...rest].join(" "));
  return isOpen ? `\`${[name, ...rest].join(" ")}\` ${why}` : undefined;
};

const runsItsInput = new Set([...families[0]![1].split(" "), ...families[1]![1].split(" ")]);

/** Whether a program runs what its arguments or its input say, even if its arguments are known. */
export const isInterpreter = (executable: string): boolean =>
  runsItsInput.has(executable.slice(executable.lastIndexOf("/") + 1));
