// The log: one JSON object a line on stderr, or readable lines at a terminal. Fields and a sentence come in; secrets and
// `token=` values never go out. A full disk or a closed pipe loses log lines and never ends the process.
import { writeSync } from "node:fs";
import { visible, visibleJson } from "./invisible-characters.js";
import type { Redactor } from "./redact/redact.js";

/** Structured fields beside the sentence. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A log by level. Its methods never throw. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const TOKEN_QUERY = /([?&]token=)[^&\s"'\\]+/gi;

/** How pino-pretty switches colours; with a group, so that splitting by it keeps them. */
const COLOUR = /(\u001b\[\d+m)/;

/**
 * Writes to a file descriptor at once and ignores every failure: a log must not end the process (EPIPE, ENOSPC), and
 * waiting for a reader that has stopped reading (EAGAIN) would stop it.
 */
export function writeQuietly(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // There is no other stream to report it on.
  }
}

/** What a pipe takes whole or not at all (POSIX, PIPE_BUF, on Linux): no line is cut when its reader is slow. */
const MAX_HELD_CHARS = 4_096;

let held = "";

function writeHeld(): void {
  if (held === "") return;
  const text = held;
  held = "";
  writeQuietly(2, text);
}

/**
 * Writes a line to stderr with the others of this moment, behind the answers of this moment: a write that wakes a reader costs more
 * than the line. None is lost when the process exits.
 */
function writeSoon(line: string): void {
  if (held === "") setImmediate(writeHeld);
  if (held.length + line.length > MAX_HELD_CHARS) writeHeld();
  held += line;
}

/** Creates the log on stderr. `pretty` gives readable lines; the module that makes them is loaded only then. */
export async function createLog(options: {
  redactor: Redactor;
  level?: "debug" | "info" | "warn" | "silent";
  pretty?: boolean;
  write?: (text: string) => void;
}): Promise<Log> {
  const { redactor, level = "info", pretty = false, write = writeSoon } = options;
  if (write === writeSoon) process.once("exit", writeHeld);
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
  // The text between the colours may hold control characters of its own.
  return (line) =>
    (paint(line) ?? "")
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : visible(part)))
      .join("");
}
