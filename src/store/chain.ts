// Tamper evidence: a history row, when it becomes final, gets the next number in the order of completion and a hash over the
// hash before it and its own content. Changing, removing or inserting a final row breaks the chain from there on. It shows an
// edit; it does not stop an editor who recomputes the whole chain: keep a backup elsewhere against that. The row of a held call
// carries the hash of its confirmation, so the chain covers decisions, too.
// Our own, because a chain is one hash over one canonical text; what ledger libraries add is a format and a server.
import { createHash } from "node:crypto";

/** The hash before the first row of a chain that was never pruned. */
const GENESIS = "0".repeat(64);

/** A position in the chain: a row's number and hash, or where the chain begins. */
export interface ChainLink {
  seq: number;
  hash: string;
}

/** Where a chain begins when nothing was pruned. */
export const CHAIN_START: ChainLink = { seq: 0, hash: GENESIS };

/** The content of a final row, apart from its position in the chain; JSON as the text that is stored. */
export interface FinalRow {
  id: number;
  ts: string;
  session_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  arguments: string;
  safety: string;
  policy: string;
  request: string | null;
  provider: string;
  model: string;
  client: string;
  boot_id: string;
  status: string;
  result: string | null;
  duration_ms: number | null;
  /** Hash of the confirmation of a call that was held. */
  confirmation: string | null;
  /** Name of the application, "" for the one without a name. */
  application: string;
  /** Name of the token, "" for none. */
  asked_by: string;
  /** What it did, or would do. */
  effect: string | null;
}

/** What a person saw and decided of a held call; JSON as the text that is stored. */
export interface ConfirmationContent {
  id: string;
  history_id: number;
  session_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  safety: string;
  arguments: string;
  request: string;
  policy: string;
  provider: string;
  model: string;
  client: string;
  status: string;
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  reason: string;
  /** Name of the application, "" for the one without a name. */
  application: string;
  /** Names of tokens, "" for none. */
  asked_by: string;
  decided_by: string;
  /** What it would do, whether that could be undone, and the fingerprint: all of them or none. */
  effect: string | null;
  undo: string | null;
  fingerprint: string | null;
  /** What an application asked. */
  input: string | null;
}

/** Each value with its length before it, so that no two lists have the same text. */
function canonical(parts: readonly (string | number | null)[]): string {
  let text = "";
  for (const part of parts) {
    const piece = String(part ?? "");
    text += `${part === null ? "-" : piece.length}:${piece}`;
  }
  return text;
}

/**
 * The values of a row. What a row does not have is left out at the end, so that rows of before there was such a thing keep their
 * hashes: first the effect, then the token, then the application, then the confirmation (a call that was not held has none, nor has one whose
 * confirmation is older than the hashes).
 */
function valuesOf(row: FinalRow, seq: number): (string | number | null)[] {
  const values = [
    seq,
    row.id,
    row.ts,
    row.session_id,
    row.turn_id,
    row.call_id,
    row.tool,
    row.arguments,
    row.safety,
    row.policy,
    row.request,
    row.provider,
    row.model,
    row.client,
    row.boot_id,
    row.status,
    row.result,
    row.duration_ms,
  ];
  if (row.effect !== null) return [...values, row.confirmation, row.application, row.asked_by, row.effect];
  if (row.asked_by !== "") return [...values, row.confirmation, row.application, row.asked_by];
  if (row.application !== "") return [...values, row.confirmation, row.application];
  return row.confirmation === null ? values : [...values, row.confirmation];
}

/** SHA-256 in hex of a confirmation as it is. */
export function confirmationHash(row: ConfirmationContent): string {
  const values = [
    row.id,
    row.history_id,
    row.session_id,
    row.turn_id,
    row.call_id,
    row.tool,
    row.safety,
    row.arguments,
    row.request,
    row.policy,
    row.provider,
    row.model,
    row.client,
    row.status,
    row.created_at,
    row.expires_at,
    row.decided_at,
    row.reason,
  ];
  const effect = [row.application, row.asked_by, row.decided_by, row.effect, row.undo, row.fingerprint];
  if (row.input !== null) values.push(...effect, row.input);
  else if (row.effect !== null) values.push(...effect);
  else if (row.asked_by !== "" || row.decided_by !== "") values.push(row.application, row.asked_by, row.decided_by);
  else if (row.application !== "") values.push(row.application);
  return createHash("sha256").update(canonical(values)).digest("hex");
}

/** The link of a row behind `previous`: SHA-256 in hex over the previous hash and the row's content. */
export function nextLink(previous: ChainLink, row: FinalRow): ChainLink {
  const seq = previous.seq + 1;
  return {
    seq,
    hash: createHash("sha256")
      .update(previous.hash)
      .update(canonical(valuesOf(row, seq)))
      .digest("hex"),
  };
}
