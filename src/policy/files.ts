/** File permissions: bare `read` and `write`, or narrowed by a glob that is matched against resolved paths. */

import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { approve, deny } from "./decision.ts";
import type { Decision } from "./decision.ts";
import { isProtectedPath } from "./protected-path.ts";
import type { FileAccess, Rule } from "./rules.ts";

/** An absolute path without symbolic links, as far as it exists; undefined if that cannot be told. */
export type ResolveLinks = (path: string) => string | undefined;

type Found = { readonly path: string; readonly exists: boolean };

const onDisk = (path: string): Found | undefined => {
  try {
    return { path: realpathSync.native(path), exists: true };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDangling = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return (code !== "ENOENT" && code !== "ENOTDIR") || isDangling ? undefined : { path, exists: false };
  }
};

/** For one decision: asks the disk once about each path, and not at all below a folder that is not there. */
export const createLinks = (ask = onDisk): ResolveLinks => {
  const known = new Map<string, Found | undefined>();
  const below = (folder: Found | undefined, name: string): Found | undefined => {
    if (folder === undefined) return undefined;
    const path = join(folder.path, name);
    return folder.exists ? ask(path) : { path, exists: false };
  };
  const find = (path: string): Found | undefined => {
    if (known.has(path)) return known.get(path);
    const folder = dirname(path);
    const found = folder === path ? ask(path) : below(find(folder), basename(path));
    known.set(path, found);
    if (found !== undefined) known.set(found.path, found);
    return found;
  };
  return (path) => find(path)?.path;
};

export type FileUse = {
  readonly access: FileAccess;
  /** Every spelling of the same file that was given; all of them have to be allowed. */
  readonly paths: readonly string[];
  /** What relative paths start from; undefined if that cannot be told. */
  readonly folder: string | undefined;
};

export type Place = {
  readonly workspace: string;
  readonly links: ResolveLinks;
  readonly isFolder: (path: string) => boolean;
};

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const longestPath = 4096;
const mostSegments = 128;

const isUsable = (path: string): boolean =>
  path !== "" &&
  path.length <= longestPath &&
  !path.includes("\0") &&
  path.split(/[\\/]+/).length <= mostSegments;

/** The kernel walks `link/..` through the link, most programs do not: both readings have to be allowed. */
const readingsOf = (path: string, links: ResolveLinks): (string | undefined)[] => {
  const lexical = links(resolve(path));
  if (!path.split(sep).includes("..")) return [lexical];
  let physical: string | undefined = sep;
  for (const segment of path.split(sep))
    if (physical !== undefined) physical = links(join(physical, segment));
  return [lexical, physical];
};

/** The file before its own link is followed: `/dev/fd/3` leads anywhere, and is a file of another process. */
const entryOf = (path: string, links: ResolveLinks): string | undefined => {
  const folder = links(dirname(resolve(path)));
  return folder && join(folder, basename(path));
};

const wildcards: Readonly<Record<string, string>> = {
  "/**": "(?:/.*)?",
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

const globPattern = (glob: string): RegExp => {
  const plain = glob.replace(/^(?:\.\/)+/, "").replace(/(?<=.)\/$/, "/**");
  const source = plain.replace(
    /\/\*\*$|\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g,
    (token) => wildcards[token] ?? `\\${token}`,
  );
  return new RegExp(`^${source}$`, "s");
};

/** Whoever reads a folder searches all that is below it. */
const someFileBelow = "a/b";

const matchesGlob = (glob: string, path: string, { workspace, links }: Place): boolean => {
  if (isAbsolute(glob)) return globPattern(glob).test(path);
  const root = links(resolve(workspace));
  if (root === undefined) return false;
  const inside = relative(root, path);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return false;
  return globPattern(glob).test(inside.split(sep).join("/"));
};

const withWhatIsBelow = (path: string | undefined, { workspace, links, isFolder: asks }: Place) =>
  path !== undefined && (path === links(resolve(workspace)) || asks(path))
    ? [path, join(path, someFileBelow)]
    : [path];

export const decideFile = (rules: readonly Rule[], file: FileUse, place: Place): Decision => {
  const { access, folder } = file;
  const mine = rules.filter((rule): rule is Extract<Rule, { kind: FileAccess }> => rule.kind === access);
  const [shown = ""] = file.paths;
  const refuse = (why: string): Decision =>
    deny("no-rule", `The ${access} of \`${shown}\` ${why}.`, shown, mine[0]?.text);
  if (mine.length === 0) return refuse(`needs the permission \`${access}\``);
  if (!file.paths.every(isUsable)) return deny("malformed-request", "The request has no usable path.");
  const absolute = file.paths.map((path) =>
    isAbsolute(path) ? path : folder === undefined ? undefined : `${folder}${sep}${path}`,
  );
  const readings = absolute.flatMap((path) =>
    path === undefined ? [undefined] : readingsOf(path, place.links),
  );
  const entries = absolute.map((path) => path && entryOf(path, place.links));
  if ([...file.paths, ...absolute, ...entries, ...readings].some((path) => path && isProtectedPath(path)))
    return deny("protected-path", `\`${shown}\` holds the secrets of processes.`, shown);
  const bare = mine.find((rule) => rule.glob === undefined);
  if (bare !== undefined) return approve(bare.text);
  if (file.paths.some((path) => path.startsWith("~"))) return refuse("depends on what `~` means");
  const wanted = access === "read" ? readings.flatMap((path) => withWhatIsBelow(path, place)) : readings;
  const narrow = mine.find((rule) =>
    wanted.every(
      (path) => path !== undefined && rule.glob !== undefined && matchesGlob(rule.glob, path, place),
    ),
  );
  if (narrow !== undefined) return approve(narrow.text);
  return refuse(
    readings.includes(undefined)
      ? "leads to a place that cannot be told"
      : wanted.length > readings.length
        ? `is that of a folder with all that is below it, which no \`${access}(…)\` entry matches`
        : `matches no \`${access}(…)\` entry`,
  );
};
