/** Pseudo-files that hold the secrets of processes, however they are spelled. */

import { posix } from "node:path";
import { outlines, unknown } from "./shell-word.ts";

const harmless = new RegExp(
  "^(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts|swaps|partitions|diskstats|vmstat|net/dev" +
    "|sys(?:/\\w+)+|(?:self|\\d+)/(?:status|stat|statm|cgroup|mountinfo|mounts|limits|comm|io|oom_score))$",
);
const longestHarmless = 6;

const process = /^(?:self|thread-self|\d+)$/;

const couldBe = (segment: string, name: string): boolean => {
  const pieces = segment.split(unknown);
  if (pieces.length === 1) return segment === name;
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    at = name.indexOf(piece, at);
    if (at === -1) return false;
    at += piece.length;
  }
  return at <= name.length - last.length;
};

/** A glob of digits names processes too: `2*`, `[1-9]?`. */
const someNumber = /^[\d\0]+$/;

const couldBeProcess = (segment: string): boolean =>
  process.test(segment) ||
  someNumber.test(segment) ||
  ["self", "thread-self"].some((name) => couldBe(segment, name));

/** Options and URLs put something before the path: `-f/proc/…`, `if=/proc/…`, `@/proc/…`, `file:///proc/…`. */
const absolute = /^(?:-\w)?\/|[=:@,]\//;
const prefixSegment = /^-\w$|[=:@,]$/;

const namesSecrets = (path: string): boolean => {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const isAbsolute = absolute.test(path);
  const first = !path.startsWith("/") && prefixSegment.test(segments[0] ?? "") ? 1 : 0;
  return segments.some((segment, at) => {
    const named = segment === "proc" || (at === 0 && segment.endsWith("proc"));
    const next = segments[at + 1];
    const isFirst = isAbsolute && at === first;
    if (!named && !isFirst && next !== "self" && next !== "thread-self") return false;
    if (!named && !couldBe(segment, "proc")) return false;
    if (next === undefined) return named && isFirst;
    if (next === ".." || (!isFirst && !couldBeProcess(next))) return false;
    const rest = segments.slice(at + 1, at + 2 + longestHarmless);
    return rest.length > longestHarmless || !harmless.test(rest.join("/"));
  });
};

/** What such a file is called from inside `/proc`, wherever the command has gone before. */
const seenFromInside =
  /^(?:\.{1,2}\/+)*(?:(?:self|thread-self|\d+)\/+(?:environ|mem|auxv|fd|fdinfo|map_files)|(?:thread-)?self\/+(?:task|root|cwd))(?:\/|$)/;

const isProtectedOutline = (word: string): boolean => {
  const [path = ""] = word.split(/\s/, 1);
  if (seenFromInside.test(path)) return true;
  if (/\/dev\/+(?:k?mem|port|fd\/+[^/]*\/.*)$/.test(path)) return true;
  return namesSecrets(path) || (path.includes("..") && namesSecrets(posix.normalize(path)));
};

/** Whether a resolved, absolute path is a secret-bearing pseudo-file, or a folder that holds them. */
export const isProtectedPath = (path: string): boolean => path === "/" || isProtectedOutline(path);

/** Whether a folder to go to is `/proc` or inside it, from where its files have harmless names. */
export const isProcessFolder = (path: string): boolean =>
  /^(?:proc|\/+proc(?:\/.*)?)$/.test(posix.normalize(path).replace(/(?<=.)\/$/, ""));

const startsLikeProcess = /^(?:\.{1,2}\/+)*(?:self|thread-self|\d)/;
const mayHide = /[*?[{$\\"'`]/;

/** Whether a word of shell source names such a file; expansions and globs count as whatever they could become. */
export const isProtectedWord = (text: string): boolean =>
  text.includes("/") &&
  (text.includes("proc") || text.includes("/dev/") || mayHide.test(text) || startsLikeProcess.test(text)) &&
  (outlines(text)?.some(isProtectedOutline) ?? true);
