// Of an answer over HTTP: its text within bounds, and what it says it is.
import type { Answer, AnswerBody } from "../../lib/http-exchange.js";

/** Throws RangeError for one that is longer, and what breaks the connection. */
export async function readAnswerText({ body }: Answer, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    if ((length += chunk.length) > maxBytes) {
      body.destroy();
      throw new RangeError(`it sent a message of more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** In lower case, without parameters; "" for none. */
export const mediaType = ({ headers }: Answer): string =>
  String(headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase() ?? "";

/** What may come behind the last thing that is wanted of a body, in milliseconds. */
const LATE_MS = 1_000;

/** Ends a body in a moment, unless it ends by itself. */
export function endsSoon(body: AnswerBody): true {
  setTimeout(() => body.destroy(), LATE_MS).unref();
  return true;
}
