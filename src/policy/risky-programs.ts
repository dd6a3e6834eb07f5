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
