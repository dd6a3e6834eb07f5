/** Log lines are static messages plus fields: `[prefix] message key=value`. They are an interface and are tested. */

export const logLevels = ["none", "error", "warning", "info", "debug", "all"] as const;
export type LogLevel = (typeof logLevels)[number];

export type Fields = Record<string, string | number | boolean | undefined>;

export type Log = {
  /** Entries that the specification requires at every level: lifecycle and denials. */
  always: (message: string, fields?: Fields) => void;
  error: (message: string, fields?: Fields) => void;
  warning: (message: string, fields?: Fields) => void;
  info: (message: string, fields?: Fields) => void;
  debug: (message: string, fields?: Fields) => void;
};

/** Control characters could forge a line or drive a terminal: quoted values show them escaped. */
const needsQuotes = /[\s"=\u0000-\u001f\u007f-\u009f\u2028\u2029]|^$/;
const quote = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Redacted before it is quoted: the letter of an escape could hide where a credential begins. */
const formatFields = (fields: Fields, redact: (text: string) => string): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = redact(String(value));
      return ` ${key}=${needsQuotes.test(text) ? quote(text) : text}`;
    })
    .join("");

export const createLog = (options: {
  prefix: string;
  level: LogLevel;
  write: (line: string) => void;
  redact?: (text: string) => string;
}): Log => {
  const { prefix, level, write, redact = (text) => text } = options;
  const threshold = logLevels.indexOf(level);
  const at =
    (needed: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      if (threshold < logLevels.indexOf(needed)) return;
      write(`[${prefix}] ${message}${formatFields(fields, redact)}\n`);
    };
  return {
    always: at("none"),
    error: at("error"),
    warning: at("warning"),
    info: at("info"),
    debug: at("debug"),
  };
};
