// The log: one JSON object a line on stderr, or readable lines when a person looks at it.
// Fields and a sentence come in; secrets and `token=` values never go out. A full disk or a closed pipe loses log lines,
// never the daemon.
import { writeSync } from "node:fs";
import { visible, visibleJson } from "./invisible-characters.js";
import type { Redactor } from "./redact/redact.js";

/** What is known besides the sentence. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the parts of the daemon say what happened. Never throws. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const TOKEN_QUERY = /([?&]token=)[^&\s"'\\]+/gi;

/** How pino-pretty switches colours; with a group, so that splitting by it keeps them. */
const COLOUR = /(\u001b\[\d+m)/;

/** A log that says nothing. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Writes to a file descriptor at once and survives whatever comes of it: a log is not worth dying for (EPIPE, ENOSPC),
 * and waiting for a reader that has stopped reading (EAGAIN) would stop the daemon.
 */
export function writeQuietly(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // There is nowhere left to say so.
  }
}

/** Keeps a closed stdout or stderr from ending the process through an unheard `error` event. */
export function surviveClosedOutput(): void {
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
}

/** Creates the log on stderr. `pretty` for a person at a terminal; the module that does it is loaded only then. */
export async function createLog(options: {
  redactor: Redactor;
  level?: "debug" | "info" | "warn" | "silent";
  pretty?: boolean;
  write?: (text: string) => void;
}): Promise<Log> {
  const { redactor, level = "info", pretty = false, write = (text) => writeQuietly(2, text) } = options;
  const { pino } = await import("pino");
  const paint = pretty ? await painter() : visibleJson;
  const destination = {
    write: (line: string) => write(paint(redactor.text(line).replace(TOKEN_QUERY, "$1[redacted]"))),
  };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    debug: (fields, message) => logger.debug(fields, visible(message)),
    info: (fields, message) => logger.info(fields, visible(message)),
    warn: (fields, message) => logger.warn(fields, visible(message)),
    error: (fields, message) => logger.error(fields, visible(message)),
  };
}

async function painter(): Promise<(line: string) => string> {
  const { prettyFactory } = await import("pino-pretty");
  const paint = prettyFactory({ colorize: !process.env["NO_COLOR"], translateTime: "SYS:HH:MM:ss", singleLine: true });
  // Whatever the colours stand around came from elsewhere.
  return (line) =>
    (paint(line) ?? "")
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : visible(part)))
      .join("");
}
