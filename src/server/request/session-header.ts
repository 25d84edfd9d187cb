// The session that a client of this format names in a header, because its library drops fields it does not know.
// Source: docs/reference.md, "OpenAI-compatible routes".
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/error.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";

/** The first is ours; Open WebUI sends the second where it is told to forward who asks. */
const SESSION_HEADERS = ["x-session-id", "x-openwebui-chat-id"] as const;

/** The session that a header names; undefined without one. Throws AppError for a name that is none. */
export function sessionHeader(headers: IncomingHttpHeaders): string | undefined {
  for (const name of SESSION_HEADERS) {
    const value = headers[name];
    if (value === undefined || value === "") continue;
    const text = String(value);
    if (!SESSION_ID.test(text)) throw new AppError("bad_request", `${name} ${SESSION_ID_RULE}.`);
    return text;
  }
  return undefined;
}
