// The results of recorded calls, for those who look at them: pages, and files of all rows.
// Source: docs/reference.md, "Whole results"
import { setImmediate } from "node:timers/promises";
import type { Agent } from "../domain/agent.js";
import type { HistoryEntry } from "../domain/record.js";
import { createSemaphore } from "../lib/semaphore.js";
import { answerQuery } from "../results/answer.js";
import { createOrderCache, SCANS_AT_ONCE } from "../results/query.js";
import { recordedResult } from "../results/recorded.js";
import { fileOf } from "../results/result-file.js";
import type { Store } from "../store/store.js";
import { historyRow } from "./calls/undone.js";

/** Milliseconds for which the longest row that was read last is kept: a person asks it one question after another. */
const KEPT_MS = 5_000;

/**
 * Reads rows that have their result, the long ones one at a time: such a row is parsed in one step, and other work goes on between two.
 * The newest of them is kept for the next questions, and for those that wait for it.
 */
function createRowReader(store: Pick<Store, "history">): (id: number) => Promise<HistoryEntry | undefined> {
  let newest: { key: string; entry: Promise<HistoryEntry | undefined> } | undefined;
  let forget: NodeJS.Timeout | undefined;
  const read = async (id: number, before: typeof newest): Promise<HistoryEntry | undefined> => {
    await before?.entry.catch(() => {});
    await setImmediate();
    return historyRow(store, id).catch((error: unknown) => {
      newest = undefined;
      throw error;
    });
  };
  return async (id) => {
    // Whether it is there, and as it was, is seen without its result.
    const [row] = await store.history({ before: id + 1, after: id - 1, limit: 1, results: "small" });
    if (!row || row.status === "held" || row.status === "pending") return undefined;
    if (row.result_bytes === undefined) return row;
    const key = `${id} ${row.ts} ${row.result_bytes}`;
    if (newest?.key !== key) newest = { key, entry: read(id, newest) };
    clearTimeout(forget);
    forget = setTimeout(() => {
      newest = undefined;
    }, KEPT_MS).unref();
    return newest.entry;
  };
}

/** The results of a record. */
export function createResults(store: Pick<Store, "history" | "keptRows">): Pick<Agent, "result" | "resultFile"> {
  const orders = createOrderCache();
  const scans = createSemaphore(SCANS_AT_ONCE);
  const finalRow = createRowReader(store);
  return {
    async result(history_id, query, signal) {
      const rows = await store.keptRows(history_id);
      try {
        const entry = await finalRow(history_id);
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
        const entry = await finalRow(history_id);
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
