// Of an answer over HTTP: its text within bounds, and what it says it is.
import { messageOf } from "../../domain/error.js";
import { ByteCollector } from "../../lib/byte-collector.js";
import type { Answer, AnswerBody } from "../../lib/http-exchange.js";
import { networkFailureOf } from "../../lib/network-failure.js";
import { cleanText } from "./clean.js";
import { ServerFailure } from "./failures.js";

/** Characters of an address that is only told. */
const MAX_ADDRESS = 300;

/** Throws RangeError for one that is longer, and what breaks the connection. */
export async function readAnswerText({ body }: Answer, maxBytes: number): Promise<string> {
  const read = new ByteCollector();
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    read.add(chunk);
    if (read.length <= maxBytes) continue;
    body.destroy();
    throw new RangeError(`it sent a message of more than ${maxBytes} bytes`);
  }
  return read.bytes().toString("utf8");
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

/** The failure that a redirect is. Where it leads is the server's to say, and read by a person. */
export function redirected(host: string, { status, headers }: Answer): ServerFailure {
  const next = cleanText(String(headers["location"] ?? "another address"), MAX_ADDRESS);
  const message = `${host} redirects with ${status} to ${next}; redirects are not followed. Give agentd sync mcp the address itself`;
  return new ServerFailure("redirect", message);
}

/** What became of an exchange that failed; a failure that was found already is returned as it is. */
export function exchangeFailure(host: string, error: unknown): unknown {
  if (error instanceof ServerFailure) return error;
  const { kind, code, mayBeSent: mayBeDone } = networkFailureOf(error);
  if (kind === "refused")
    return new ServerFailure(
      "connection_refused",
      `nothing listens at ${host}; start the server or correct its address`,
    );
  const name = mayBeDone ? "connection_closed" : "connection_failed";
  const message = `the connection to ${host} failed (${code || messageOf(error)})`;
  return new ServerFailure(name, message, { cause: error, mayBeDone });
}
