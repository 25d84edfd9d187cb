// A prompt from words and from what stands on standard input: the words first, then all of the input, bounded. A terminal is
// not read, and a pipe that a caller left open and never writes to holds nothing up. Source: docs/reference.md, "Prompts in scripts".
import { fstatSync } from "node:fs";
import { type StartError, usageError } from "../../domain/error.js";
import { say } from "./output.js";

/** A prompt is at most 1 MiB of JSON, with its other fields: what the daemon reads. */
const MAX_JSON_BYTES = 1024 * 1024 - 4096;
/** How long its first byte may take beside a prompt that could do without: programs start others with a pipe they never use. */
const FIRST_BYTE_MS = 3_000;

const tooLong = (): StartError =>
  usageError(
    `the prompt is over ${MAX_JSON_BYTES} bytes as JSON, the most there can be. Give a part of standard input, with head -c or grep.`,
  );

/** Whether something was given there: a pipe, a socket or a file. */
function isInputGiven(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    // It is closed.
    return false;
  }
}

async function readBounded(isAwaited: boolean): Promise<Buffer> {
  const stopWaiting = (): void => {
    say(
      `agentd: nothing came on standard input for ${FIRST_BYTE_MS / 1000} s, so the prompt goes without it; with - as the last word it is waited for`,
    );
    process.stdin.destroy();
  };
  const timer = isAwaited ? undefined : setTimeout(stopWaiting, FIRST_BYTE_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > MAX_JSON_BYTES) throw tooLong();
      chunks.push(chunk);
    }
  } catch (error) {
    // What the end of waiting does to a reader.
    if (!(process.stdin.destroyed && bytes === 0)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

/** Standard input to its end, without the line break it ends with. Throws StartError when it is too long or no text. */
async function readInput(isAwaited: boolean): Promise<string> {
  const bytes = await readBounded(isAwaited);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (error) {
    throw usageError("standard input is no UTF-8 text.", error);
  }
}

/**
 * The prompt of a command. A last word "-" stands for standard input, for as long as it takes; without it, input is waited for
 * only where there is no other prompt. Throws StartError when there is none or it is too long.
 */
export async function promptText(given: string): Promise<string> {
  const [, words = "", dash] = /^(.*?)(?:(?:^| )(-))?$/s.exec(given) ?? [];
  const isAwaited = dash !== undefined || words === "";
  const input = dash !== undefined || isInputGiven() ? await readInput(isAwaited) : "";
  const message = [words, input].filter((part) => part.trim() !== "").join("\n\n");
  if (Buffer.byteLength(JSON.stringify(message)) > MAX_JSON_BYTES) throw tooLong();
  if (message !== "") return message;
  throw usageError(
    dash === undefined
      ? "agentd run needs <prompt..>. See agentd run --help."
      : 'what shall it do? agentd run "<prompt>", or agentd run - to read it from stdin.',
  );
}
