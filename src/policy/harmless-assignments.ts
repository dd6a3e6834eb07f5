/** Variables that may be set: they change how a command looks or speaks, or only what arguments say, never what runs. */

import type { Part } from "./shell.ts";
import { freeVariable } from "./shell-names.ts";

const word = /^[\w.+@,-]*$/;
const zone = /^(?!.*\.\.)\w[\w+/-]*$/;
/** In some other encodings a backslash can be half of a character, which changes how the shell reads the next line. */
const locale = /^(?:|C|POSIX|en_US|(?:C|[a-z]{2,3}_[A-Z]{2})\.(?:UTF-8|utf8))$/;
const cat = /^cat$/;

const harmless: ReadonlyMap<string, RegExp> = new Map([
  ...[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "GIT_TERMINAL_PROMPT",
    "LANGUAGE",
    "LINES",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "TERM",
  ].map((name) => [name, word] as const),
  ...["LANG", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME"].map(
    (name) => [name, locale] as const,
  ),
  ["HUSKY", /^0$/],
  ["GIT_OPTIONAL_LOCKS", /^[01]$/],
  ["GIT_EDITOR", /^(?:true|:)$/],
  ["TZ", zone],
  ["PAGER", cat],
  ["GIT_PAGER", cat],
  ["GH_PAGER", cat],
]);

/** On its own, `x=1` reaches no program: only arguments can hold `$x`, and these may hold any text. */
export const isHarmlessAssignment = (part: Extract<Part, { kind: "assignment" }>): boolean =>
  (part.isAlone && freeVariable.test(part.name)) ||
  (part.value !== undefined && harmless.get(part.name)?.test(part.value) === true);
