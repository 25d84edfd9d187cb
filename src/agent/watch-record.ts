// What a record of an application was before a change over HTTP and is after it, where a declared tool reads it: so that the change can
// be shown and undone. Nothing is read for any other call.
// Source: docs/reference.md, "Undo".
import type { Outcome } from "../applications/transport.js";
import { isObject, type JsonObject } from "../lib/json.js";
import type { Catalogue } from "../tools/catalogue.js";
import type { SendContext } from "./context.js";
import { shownEffect } from "./effect.js";
import type { ReadyCall } from "./prepare-call.js";
import { type ReadFor, readRecord } from "./read-record.js";
import { readerOf, recordEffect, recordKey, recordUndo } from "./record-images.js";
import { resultRedactor } from "./redact-arguments.js";

/** Gets the answer of a change before its row is complete, unredacted, and puts what it did on record. */
type Watch = (answer: Outcome, rowId: number) => Promise<void>;

/** Whether two records have the same fields: then one is what became of the other. */
function hasSameFields(before: JsonObject, value: Outcome["value"]): value is JsonObject {
  return isObject(value) && Object.keys(value).sort().join("\n") === Object.keys(before).sort().join("\n");
}

/** Reads what a call is about to change, in a row of its own; undefined where nothing reads it, or it cannot be read. */
export async function watchRecord(
  ready: ReadyCall,
  asked: ReadFor,
  { store, redactor, signal, catalogue }: SendContext & { catalogue: Catalogue },
): Promise<Watch | undefined> {
  const { action, transport, target } = ready;
  const isWanted = target.undo !== false && ready.undoes === undefined;
  const reader = isWanted ? readerOf(action, ready.arguments, catalogue.actions) : undefined;
  if (!reader) return undefined;
  const read = () => readRecord(reader, asked, { store, redactor, signal, transport, target });
  // A record that cannot be read is changed all the same; it cannot be undone then.
  const found = await read().catch(() => undefined);
  if (!found) return undefined;
  const before = found.value;
  const key = recordKey(action, ready.arguments) ?? {};
  return async ({ status, value }, rowId) => {
    if (status !== "ok") return;
    const isGone = action.transport["method"] === "DELETE";
    const after = isGone ? null : hasSameFields(before, value) ? value : (await read())?.value;
    if (after === undefined) return;
    const own = resultRedactor({ sent: ready.arguments, shown: ready.shownArguments }, redactor);
    const effect = shownEffect(recordEffect(action, { key, before, after }), own);
    const undo = after ? recordUndo(action, { key, before, after }) : "impossible";
    const images =
      undo === "impossible" ? undefined : { kind: "http", images: { tool: action.name, key, before, after } };
    await store.keepEffect(rowId, { effect, undo, images });
  };
}
