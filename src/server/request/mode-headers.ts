// The safety modes that a request turns on by headers, for protocols whose bodies have no place for them.
// Source: docs/reference.md, "Modes by headers"
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { type JsonValue, objectOf } from "../../lib/json.js";

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

/** For what a request says in another place than its headers. */
export const ONLY_BY_HEADERS =
  "modes are set by headers here, X-Agentd-Read-Only, -Dry-Run, -Strict and -Confirm; this field would do nothing.";

/** The mode that an object of such a request has a field of: its sender would believe in it. */
export function misplacedMode(value: JsonValue | undefined): keyof Policy | undefined {
  const fields = objectOf(value);
  return Object.values(MODES).find((mode) => Object.hasOwn(fields, mode));
}

/** The mode that a header is of; undefined for a header of another kind. Throws AppError for a misspelt one. */
function modeOf(name: string): keyof Policy | undefined {
  // With underscores it is one that some proxies drop and others rename.
  if (!name.replaceAll("_", "-").startsWith(PREFIX) || OTHERS.includes(name)) return undefined;
  const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (mode !== undefined) return mode;
  throw new AppError("bad_request", `There is no header ${name}.${didYouMean(name, Object.keys(MODES))}`);
}

/** For routes whose modes stand in the body: one in a header would do nothing, and its sender would believe in it. Throws AppError. */
export function refuseModeHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    const mode = modeOf(name);
    if (mode !== undefined)
      throw new AppError("bad_request", `${name} is read by /-/v1 and /-/mcp only. Send ${mode} in the JSON.`);
  }
}

/** The modes that headers turn on; they can turn none off. Throws AppError for one that cannot be read, a misspelt one too. */
export function modesOf(headers: IncomingHttpHeaders): Partial<Policy> {
  const policy: Partial<Policy> = {};
  for (const [name, value] of Object.entries(headers)) {
    const mode = modeOf(name);
    if (mode === undefined) continue;
    const text = String(value).trim().toLowerCase();
    if (ON.has(text)) policy[mode] = true;
    else if (!OFF.has(text)) throw new AppError("bad_request", `${name} must be true or false, given once.`);
  }
  return policy;
}
