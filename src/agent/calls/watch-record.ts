// What a record of an application was before a change over HTTP and is after it, where a declared tool reads it: so that the change can
// be shown and undone. Nothing is read for any other call.
// Source: docs/reference.md, "Undo".
import type { Outcome, Preview } from "../../applications/transport.js";
import type { Foreseen } from "../../domain/effect.js";
import { isObject, type JsonObject } from "../../lib/json.js";
import type { Catalogue } from "../../tools/catalogue.js";
import type { SendContext } from "../context.js";
import { shownEffect, toForeseen } from "./effect.js";
import { absentPreview, recordPreview } from "./foreseen-record.js";
import type { ReadyCall } from "./prepare-call.js";
import { type ReadFor, readRecord } from "./read-record.js";
import { type ImageReader, readerOf, recordEffect, recordKey, recordUndo } from "./record-images.js";
import { resultRedactor } from "./redact-arguments.js";

/** Gets the answer of a change before its row is complete, unredacted, and puts what it did on record. */
type Watch = (answer: Outcome, rowId: number) => Promise<void>;

/** Whether two records have the same fields: then one is what became of the other. */
function hasSameFields(before: JsonObject, value: Outcome["value"]): value is JsonObject {
  return isObject(value) && Object.keys(value).sort().join("\n") === Object.keys(before).sort().join("\n");
}

/** What reading a record for a call needs. */
type WatchContext = Pick<SendContext, "store" | "redactor" | "signal" | "stop"> & { catalogue: Catalogue };

/** The tool that reads what a call changes, where it is to be read. */
function wantedReader({ action, target, undoes, arguments: args }: ReadyCall, catalogue: Catalogue) {
  const isWanted = target.undo !== false && undoes === undefined;
  return isWanted ? readerOf(action, args, catalogue.actions) : undefined;
}

/** Reads the record of a call; "absent" where there is none, undefined where it cannot be read: nothing waits or fails for that. */
async function found(
  ready: ReadyCall,
  { reader, asked }: { reader: ImageReader; asked: ReadFor },
  context: WatchContext,
): Promise<JsonObject | "absent" | undefined> {
  const { transport, target } = ready;
  const record = await readRecord(reader, asked, { ...context, transport, target }).catch(() => undefined);
  return record === "absent" ? record : record?.value;
}

/**
 * What a call would do to the record that it is about, which is read for that, in a row of its own; undefined where nothing reads it,
 * it cannot be read, or a limit of use forbids it: nothing else bounds the requests of calls that nobody says yes to. Throws AppError
 * when it cannot be counted.
 */
export async function foreseeRecord(
  ready: ReadyCall,
  asked: ReadFor,
  context: WatchContext & Pick<SendContext, "useLimits">,
): Promise<Foreseen | undefined> {
  const { catalogue, redactor, useLimits } = context;
  const reader = ready.verdict.kind === "confirm" ? wantedReader(ready, catalogue) : undefined;
  if (!reader || (await useLimits.refusalOf("calls", asked.session_id)) !== undefined) return undefined;
  const before = await found(ready, { reader, asked }, context);
  if (!before || before === "absent") return undefined;
  const preview = recordPreview(ready, { before, readAt: new Date() }, catalogue.actions);
  return preview && toForeseen(preview, ready, redactor);
}

/**
 * Reads what a call is about to change, in a row of its own. `changed` when it would do something else than the fingerprint of what was
 * shown says; otherwise a watch, where it could be read.
 */
export async function watchRecord(
  ready: ReadyCall,
  { asked, expected }: { asked: ReadFor; expected?: string | undefined },
  context: WatchContext,
): Promise<{ changed?: Preview | undefined; seen?: Watch }> {
  const { catalogue } = context;
  const reader = wantedReader(ready, catalogue);
  // A record that cannot be read is changed all the same; it cannot be undone then.
  const before = reader && (await found(ready, { reader, asked }, context));
  if (!before) return {};
  const readAt = new Date();
  const preview =
    before === "absent" ? absentPreview(ready, readAt) : recordPreview(ready, { before, readAt }, catalogue.actions);
  if (expected && preview && preview.fingerprint !== expected) return { changed: preview };
  if (before === "absent") return {};
  return { seen: watchOf(ready, before, { reader, asked, context }) };
}

function watchOf(
  ready: ReadyCall,
  before: JsonObject,
  { reader, asked, context }: { reader: ImageReader; asked: ReadFor; context: WatchContext },
): Watch {
  const { action } = ready;
  const { store, redactor } = context;
  const key = recordKey(action, ready.arguments) ?? {};
  return async ({ status, value }, rowId) => {
    if (status !== "ok") return;
    const isGone = action.transport["method"] === "DELETE";
    const after = isGone ? null : hasSameFields(before, value) ? value : await found(ready, { reader, asked }, context);
    if (after === undefined || after === "absent") return;
    const own = resultRedactor({ sent: ready.arguments, shown: ready.shownArguments }, redactor);
    const effect = shownEffect(recordEffect(action, { key, before, after }), own);
    const undo = after ? recordUndo(action, { key, before, after }) : "impossible";
    const images =
      undo === "impossible" ? undefined : { kind: "http", images: { tool: action.name, key, before, after } };
    await store.keepEffect(rowId, { effect, undo, images });
  };
}
