// What the store keeps of changes: their effects, in the rows, and the images that undoing them needs, beside the record.
import type { Store } from "../store.js";
import { toEffectRow } from "./queries/effects.js";
import { toEntry } from "./queries/entry.js";
import { NO_FILES } from "./queries/kept-results.js";
import type { OpenRecord } from "./record.js";
import type { WriteKind, Writer } from "./writing/writer.js";

/** The change becomes final once this is on the disk. */
const EFFECT: WriteKind = { what: "what the call does", isSynced: true };

/** Of an open record. */
export function effectMethods(
  { history, effects, images }: OpenRecord,
  writer: Writer,
): Pick<Store, "keepEffect" | "images" | "newestUndoable" | "unsettledCalls"> {
  return {
    async keepEffect(id, kept) {
      const row = toEffectRow(kept);
      if (kept.images) await images.write(id, history.timeOf(id), kept.images);
      await writer.run(EFFECT, () => history.keepEffect(id, row));
    },
    images: async (id) => images.read(id, history.timeOf(id)),
    async newestUndoable(session_id) {
      for (const id of effects.undoable(session_id)) if (images.has(id)) return id;
      return undefined;
    },
    unsettledCalls: async () =>
      effects.unsettled().map((row) => ({
        entry: toEntry(row, NO_FILES),
        transaction: row.transaction_id ?? "",
      })),
  };
}
