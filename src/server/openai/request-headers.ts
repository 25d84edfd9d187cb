// What a client of this format says in headers, because its library drops fields it does not know: the modes of the turn, and the
// session it belongs to. Source: docs/reference.md, "OpenAI-compatible routes".
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import { didYouMean } from "../../lib/did-you-mean.js";

const PREFIX = "x-agentd-";
const MODES: Readonly<Record<string, keyof Policy>> = {
  "x-agentd-read-only": "read_only",
  "x-agentd-dry-run": "dry_run",
  "x-agentd-strict": "strict",
  "x-agentd-confirm": "confirm",
};
/** Headers of the same kind that are no mode. */
const OTHERS: readonly string[] = ["x-agentd-client"];
const ON: ReadonlySet<string> = new Set(["true", "1"]);
const OFF: ReadonlySet<string> = new Set(["false", "0"]);

/** The first is ours; Open WebUI sends the second where it is told to forward who asks. */
const SESSION_HEADERS = ["x-session-id", "x-openwebui-chat-id"] as const;

/** The modes that headers turn on; they can turn none off. Throws AppError for one that cannot be read, a misspelt one too. */
export function modesOf(headers: IncomingHttpHeaders): Partial<Policy> {
  const policy: Partial<Policy> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(PREFIX) || OTHERS.includes(name)) continue;
    const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
    if (mode === undefined)
      throw new AppError("bad_request", `There is no header ${name}.${didYouMean(name, Object.keys(MODES))}`);
    const text = String(value).trim().toLowerCase();
    if (ON.has(text)) policy[mode] = true;
    else if (!OFF.has(text)) throw new AppError("bad_request", `${name} must be true or false, given once.`);
  }
  return policy;
}

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
