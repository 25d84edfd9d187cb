// Questions to the results of recorded calls, as far as the record is read for them.
import { expect } from "chai";
import { createResults } from "../../src/agent/results.js";
import type { HistoryEntry, HistoryQuery } from "../../src/domain/record.js";
import { toResultQuery } from "../../src/server/request/result-query.js";

describe("Questions to a result", () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, note: "lorem ipsum ".repeat(10) }));
  const signal = new AbortController().signal;
  const question = toResultQuery({ offset: 7, limit: 1 });

  /** A record of long rows that counts how often one is read whole. */
  function openRecord() {
    const whole: number[] = [];
    const history = async ({ before = 0, results }: HistoryQuery): Promise<HistoryEntry[]> => {
      const id = before - 1;
      const entry = { id, ts: "2026-01-01T00:00:00.000Z", tool: "list_pets", status: "ok" } as HistoryEntry;
      if (results === "small") return [{ ...entry, result: null, result_bytes: 13_000 }];
      whole.push(id);
      return [{ ...entry, result: rows }];
    };
    return { whole, results: createResults({ history, keptRows: async () => undefined }) };
  }

  it("M17 read a long row once for all that come together, and for the next ones", async () => {
    const { whole, results } = openRecord();
    const ask = (id: number): ReturnType<typeof results.result> => results.result(id, question, signal);
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(3)));
    for (const answer of answers) expect(answer).to.deep.include({ items: [rows[7]] });
    await ask(3);
    expect(whole).to.deep.equal([3]);
    await Promise.all([ask(4), ask(5)]);
    expect(whole).to.deep.equal([3, 4, 5]);
  });
});
