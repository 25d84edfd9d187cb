// The header Idempotency-Key: a string as structured fields write it (RFC 8941, section 3.3.3), as draft-ietf-httpapi-idempotency-
// key-header has it, or the bare text that most clients send. And what tells whether two prompts ask for the same.
import { createHash } from "node:crypto";
import type { Caller } from "../../domain/caller.js";
import { AppError } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import type { Prompt } from "./request.js";

/** As Node gives header names. */
export const KEY_HEADER = "idempotency-key";
/** Characters of a key: far more than a UUID has. */
export const MAX_KEY_CHARS = 255;

const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;

/** The key of a request; undefined without one. Throws AppError bad_request for one that is none. */
export function parseKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, "$1") ?? BARE.exec(text)?.[0] ?? "";
  if (key !== "" && key.length <= MAX_KEY_CHARS) return key;
  throw new AppError(
    "bad_request",
    `Idempotency-Key must be given once, as 1 to ${MAX_KEY_CHARS} printable ASCII characters, between double quotes when there are spaces in it.`,
  );
}

/** What a prompt of another format asks for beside the fields of ours. */
interface FurtherFields {
  form?: string;
  context?: unknown;
}

/** The same for two prompts of one token that ask for the same: a field that is left out is one that is off. */
export function fingerprintOf({ policy, ...prompt }: Prompt & FurtherFields, caller: Caller): string {
  const fields = Object.entries({ ...prompt, ...policy, caller: caller.name })
    .filter(([, value]) => value !== undefined && value !== false)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(toJson(fields)).digest("hex");
}

/**
 * Where a key counts: in its session, without one in the daemon. The keys of a read-only token are its own, so that they are in
 * nobody's way: no name of a session begins with a space.
 */
export function keyScopeOf({ session_id = "" }: Prompt, caller: Caller): string {
  return caller.readOnly ? ` ${caller.name} ${session_id}` : session_id;
}
