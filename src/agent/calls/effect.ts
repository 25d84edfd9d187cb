// What a call would do, found out before anyone is asked, and what it does, put on record before it is final: as the transport tells it
// whole, and as it may be shown, redacted and cut.
// Source: docs/reference.md, "Effects".
import type { Evidence, Preview } from "../../applications/transport.js";
import { type Effect, type Foreseen, MAX_SHOWN_BYTES, MAX_SHOWN_CHANGES } from "../../domain/effect.js";
import { messageOf } from "../../domain/error.js";
import type { ForeseenUndo } from "../../domain/undo-state.js";
import { isObject, type JsonObject, toJson } from "../../lib/json.js";
import type { Redactor } from "../../lib/redact/redact.js";
import type { KeptEffect } from "../../store/store.js";
import type { SendContext } from "../context.js";
import { unlessShutdown } from "../state/shutdown.js";
import type { ReadyCall } from "./prepare-call.js";
import { resultRedactor } from "./redact-arguments.js";
import { withLaterCalls } from "./undone.js";

/** Most of what undoing one call may need; beyond, it cannot be undone. Source: docs/reference.md, "Undo". */
const MAX_IMAGE_ROWS = 1_000;
const MAX_IMAGE_BYTES = 16 * 1024 * 1024;

/** A call that would fail, and so is neither held nor shown as possible; its error redacted. */
interface Failed {
  error: JsonObject;
}

const UNKEPT =
  "what this call changes could not be put on record, so that nothing was changed; is the disk of the data directory full?";

/** Whether it was found that a call would fail. */
export function wouldFail(found: Foreseen | Failed | undefined): found is Failed {
  return found !== undefined && "error" in found;
}

/** Counted by the tables where they are, else by what there is. */
function countOf({ tables, changes }: Effect): number {
  const sum = (tables ?? []).reduce((all, { inserted, updated, deleted }) => all + inserted + updated + deleted, 0);
  return Math.max(sum, changes.length);
}

/** An effect as it may be stored and shown: secrets redacted, cut at a limit; the counts are those of all of it. */
export function shownEffect(effect: Effect, redactor: Pick<Redactor, "text" | "value">): Effect {
  const changes: Effect["changes"] = [];
  let bytes = 0;
  for (const { resource, key, before, after } of effect.changes.slice(0, MAX_SHOWN_CHANGES)) {
    // Each by itself: a column is judged by its own name.
    const values = { key: redactor.value(key), before: before && redactor.value(before) };
    const shown = { resource, ...values, after: after && redactor.value(after) };
    bytes += Buffer.byteLength(toJson(shown));
    if (bytes > MAX_SHOWN_BYTES) break;
    changes.push(shown);
  }
  const { tables, complete, read_at } = effect;
  const note = effect.note && redactor.text(effect.note);
  const rest = `the first ${changes.length} of ${countOf(effect)} changes are shown`;
  const isCut = changes.length < effect.changes.length;
  const notes = [note, isCut ? rest : undefined].filter((one) => one !== undefined && one !== "");
  const shown: Effect = tables ? { tables, changes, complete } : { changes, complete };
  if (read_at !== undefined) shown.read_at = read_at;
  return notes.length === 0 ? shown : { ...shown, note: notes.join("; ") };
}

/** Whether what is left of a call would be enough to undo it, by what is kept at most and what the operator wants. */
function foreseenUndo({ effect, undo }: Pick<Preview, "effect" | "undo">, ready: ReadyCall): ForeseenUndo {
  // A record is set back by the call that changed it.
  const isPossible = ready.transport.prepareUndo !== undefined || ready.transport.kind === "http";
  const isKept = ready.target.undo !== false && ready.undoes === undefined && isPossible;
  return isKept && effect.changes.length <= MAX_IMAGE_ROWS ? undo : "impossible";
}

function redactorOf(ready: ReadyCall, redactor: Redactor): Pick<Redactor, "text" | "value"> {
  return resultRedactor({ sent: ready.arguments, shown: ready.shownArguments }, redactor);
}

/** A preview as it is stored and shown. */
export function toForeseen(preview: Preview, ready: ReadyCall, redactor: Redactor): Foreseen {
  const effect = shownEffect(preview.effect, redactorOf(ready, redactor));
  return { effect, undo: foreseenUndo(preview, ready), fingerprint: preview.fingerprint };
}

/**
 * What a call that changes something would do, where its transport can find that out without doing it; or that it would fail.
 * Throws the signal's reason when the daemon ends meanwhile, and nothing else.
 */
export async function foresee(
  ready: ReadyCall,
  { redactor, signal, store }: Pick<SendContext, "redactor" | "signal" | "store">,
): Promise<Foreseen | Failed | undefined> {
  const { action, transport, prepared, target } = ready;
  if (action.safety === "read_only" || !transport.preview) return undefined;
  const own = redactorOf(ready, redactor);
  let found: Awaited<ReturnType<typeof transport.preview>>;
  try {
    found = await unlessShutdown(transport.preview(prepared, target, { signal }), signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error;
    return { error: { error: "transport_failed", message: own.text(messageOf(error)) } };
  }
  if (!("outcome" in found)) return toForeseen(found, ready, redactor);
  await found.outcome.rows?.close();
  const value = own.value(found.outcome.value);
  if (!isObject(value)) return { error: { error: "transport_failed", message: toJson(value) } };
  return { error: ready.undoes === undefined ? value : await withLaterCalls(value, ready.undoes, store) };
}

/** Puts what a call does on record, before it is final. */
export function effectKeeper(
  ready: ReadyCall,
  rowId: number,
  { store, redactor }: Pick<SendContext, "store" | "redactor">,
): (evidence: Evidence) => Promise<void> {
  return async (evidence) => {
    const { transaction } = evidence;
    const effect = shownEffect(evidence.effect, redactorOf(ready, redactor));
    const undo = evidence.images ? foreseenUndo(evidence, ready) : "impossible";
    const images: JsonObject = { kind: ready.action.transport.kind, images: evidence.images ?? null };
    const isKept = undo !== "impossible" && Buffer.byteLength(toJson(images)) <= MAX_IMAGE_BYTES;
    const kept: KeptEffect = isKept
      ? { effect, undo, images, transaction }
      : { effect, undo: "impossible", transaction };
    await store.keepEffect(rowId, kept).catch((cause: unknown) => {
      // The result of the call says this: it names no file of this machine.
      throw new Error(UNKEPT, { cause });
    });
  };
}
