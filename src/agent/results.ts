// The results of recorded calls, for those who look at them: pages, and files of all rows.
// Source: docs/reference.md, "Whole results"
import type { Agent } from "../domain/agent.js";
import type { HistoryEntry } from "../domain/record.js";
import { createSemaphore } from "../lib/semaphore.js";
import { answerQuery } from "../results/answer.js";
import { createOrderCache, SCANS_AT_ONCE } from "../results/query.js";
import { recordedResult } from "../results/recorded.js";
import { fileOf } from "../results/result-file.js";
import type { Store } from "../store/store.js";
import { historyRow } from "./calls/undone.js";

/** A row that has its result. */
async function finalRow(store: Pick<Store, "history">, id: number): Promise<HistoryEntry | undefined> {
  const entry = await historyRow(store, id);
  return entry?.status === "held" || entry?.status === "pending" ? undefined : entry;
}

/** The results of a record. */
export function createResults(store: Pick<Store, "history" | "keptRows">): Pick<Agent, "result" | "resultFile"> {
  const orders = createOrderCache();
  const scans = createSemaphore(SCANS_AT_ONCE);
  return {
    async result(history_id, query, signal) {
      const rows = await store.keptRows(history_id);
      try {
        const entry = await finalRow(store, history_id);
        return (
          entry && (await answerQuery(recordedResult(entry.result, rows), { history_id, query, orders, scans, signal }))
        );
      } finally {
        await rows?.close();
      }
    },
    async resultFile(history_id, query, { format, signal }) {
      const rows = await store.keptRows(history_id);
      const close = async (): Promise<void> => rows?.close();
      try {
        const entry = await finalRow(store, history_id);
        if (entry) {
          const question = { history_id, query, orders, scans, signal };
          const chunks = await fileOf(recordedResult(entry.result, rows), question, format);
          return { tool: entry.tool, format, chunks, close };
        }
      } catch (error) {
        await close();
        throw error;
      }
      await close();
      return undefined;
    },
  };
}
