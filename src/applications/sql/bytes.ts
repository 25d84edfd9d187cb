// Bytes of a column as a data: URL, in results and in arguments.
import { DatabaseFailure } from "./database.js";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const PREFIX = "data:application/octet-stream;base64,";

/** Bytes as results have them. */
export function toDataUrl(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString("base64");
}

/**
 * The bytes of a base64 text; undefined when it is none. Node's own reader leaves out what it does not know, so that other bytes than
 * were meant would be stored.
 */
export function fromBase64(text: string): Buffer | undefined {
  const digits = text.replace(/=+$/, "");
  if (!BASE64.test(text) || digits.length % 4 === 1) return undefined;
  if (text !== digits && text.length % 4 !== 0) return undefined;
  return Buffer.from(text, "base64");
}

/** Undefined when the text is no percent-encoding of UTF-8. */
function fromPercent(text: string): Buffer | undefined {
  try {
    return Buffer.from(decodeURIComponent(text), "utf8");
  } catch {
    return undefined;
  }
}

/** The bytes of a data: URL in the argument of a column. Throws DatabaseFailure `invalid_value`. */
export function fromDataUrl(url: string, column: string): Buffer {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  const invalid = (message: string) => new DatabaseFailure("invalid_value", message, { details: { column } });
  if (data === undefined) throw invalid(`${column} holds bytes: give them as a data: URL, such as ${PREFIX}AAEC`);
  const bytes = isBase64 ? fromBase64(data) : fromPercent(data);
  if (!bytes) throw invalid(`${column}: what follows the comma of the data: URL cannot be read`);
  return bytes;
}
