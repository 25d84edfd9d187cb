// Where commands write: results to stdout, everything else to stderr. Nothing that a description, a model or a target wrote acts
// on the terminal, whatever command prints it. A closed pipe ends nothing; an answer that could not be written is a failure.
import { pipeline } from "node:stream/promises";
import { visible, visibleJson } from "../../lib/invisible-characters.js";
import { toJson } from "../../lib/json.js";
import { writeQuietly } from "../../lib/log.js";
import { withOwnSigns } from "./ascii-forms.js";
import { columnsOf } from "./look.js";
import { makeRoom } from "./room.js";

// Loaded for a terminal only: what knows how wide characters are takes as long to load as half a start of Node.
const { wrapWords } =
  process.stderr.isTTY || process.stdout.isTTY ? await import("./wrap-words.js") : { wrapWords: undefined };

/** A text for a stream: on a terminal it is broken between words, with the signs that it has. */
const fitted = (text: string, stream: NodeJS.WriteStream): string =>
  stream.isTTY ? withOwnSigns(wrapWords?.(text, columnsOf(stream)) ?? text, stream) : text;

/**
 * Keeps what stdout and stderr cannot take from ending the process. A reader that left has what it wanted; any other failure of
 * stdout is told, once, and makes the exit code 1.
 */
export function surviveLostOutput(): void {
  process.stderr.on("error", () => {});
  let isTold = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isTold) return;
    isTold = true;
    say(`agentd: cannot write to stdout: ${error.message}. Is the disk full?`);
    process.once("exit", (code) => {
      if (code === 0) process.exitCode = 1;
    });
  });
}

/** To stdout. */
export function print(text: string): void {
  makeRoom();
  process.stdout.write(withOwnSigns(visible(text), process.stdout));
}

/** Sentences to stdout; on a terminal they are broken between words. */
export function printProse(text: string): void {
  makeRoom();
  process.stdout.write(fitted(visible(text), process.stdout));
}

/** Text that was painted, and made visible before that, to stdout. */
export function printPainted(text: string): void {
  makeRoom();
  process.stdout.write(withOwnSigns(text, process.stdout));
}

/**
 * Pieces to stdout as they are, no faster than it takes them; the exit code. A reader that left has what it wanted; what is lost for
 * another reason is told by surviveLostOutput(). Throws what the pieces throw.
 */
export async function printPieces(pieces: AsyncIterable<string | Uint8Array>): Promise<number> {
  let lost: NodeJS.ErrnoException | undefined;
  const onLost = (error: NodeJS.ErrnoException): void => void (lost ??= error);
  process.stdout.once("error", onLost);
  try {
    await pipeline(pieces, process.stdout, { end: false });
    return 0;
  } catch (error) {
    if (!lost) throw error;
    return lost.code === "EPIPE" ? 0 : 1;
  } finally {
    process.stdout.off("error", onLost);
  }
}

/** A value as JSON, `indent` deep or on one line, without its line break; what would act on a terminal is escaped as JSON does. */
export function jsonText(value: unknown, indent = 0): string {
  return visibleJson(toJson(value, indent));
}

/** A value as JSON to stdout. */
export function printJson(value: unknown, indent = 0): void {
  print(`${jsonText(value, indent)}\n`);
}

/** A line to stdout that is a notice and no answer: it is lost without a failure. */
export function announce(text: string): void {
  writeQuietly(1, `${visible(text)}\n`);
}

/** A line to stderr; on a terminal it is broken between words. */
export function say(text: string): void {
  makeRoom();
  writeQuietly(2, `${fitted(visible(text), process.stderr)}\n`);
}

/** A painted line to stderr. */
export function sayPainted(text: string): void {
  makeRoom();
  writeQuietly(2, `${withOwnSigns(text, process.stderr)}\n`);
}

/** A warning to stderr. */
export function warn(text: string): void {
  say(`agentd: warning: ${text}`);
}
