// Searches by time in a history whose clock was wrong for a while.
import { expect } from "chai";
import { createTimeRanges } from "../../../src/store/sqlite/queries/time-ranges.js";
import { cleanUp, intent, OK, open, peek, tempDir } from "./fixture.js";

const ROWS = 1_000;
const DAY_MS = 86_400_000;
const START = Date.parse("2025-01-01T00:00:00.000Z");

const at = (ms: number): string => new Date(ms).toISOString();
/** One row in eight hours, by a right clock. */
const rightTime = (id: number): string => at(START + (id * DAY_MS) / 3);

/** A history of a year, with the times of some rows. */
async function historyWith(wrong: ReadonlyMap<number, string>) {
  const dir = tempDir();
  const store = await open(dir);
  await Promise.all(Array.from({ length: ROWS }, () => store.recordCall(intent(), OK)));
  peek(dir, (db) => {
    const date = db.prepare("UPDATE history SET ts = ? WHERE id = ?");
    db.transaction(() => {
      for (let id = 1; id <= ROWS; id++) date.run(wrong.get(id) ?? rightTime(id), id);
    })();
  });
  return { dir, store };
}

const idsBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Rows dated by a clock that ran on from a wrong time. */
const dated = (ids: readonly number[], start: string): [number, string][] =>
  ids.map((id, index) => [id, at(Date.parse(start) + index * 1000)]);

describe("A search by time", () => {
  afterEach(cleanUp);

  for (const [what, wrong] of [
    ["never was wrong", []],
    ["was ten years ahead for one row", dated([500], "2035-01-01T00:00:00.000Z")],
    ["began in 1970 after a start, for three rows", dated([500, 501, 502], "1970-01-01T00:00:00.000Z")],
    ["was ten years ahead for a while", dated(idsBetween(430, 570), "2035-01-01T00:00:00.000Z")],
    [
      "was behind for a while, and ahead later",
      [
        ...dated(idsBetween(200, 290), "1970-01-01T00:00:00.000Z"),
        ...dated(idsBetween(747, 755), "2035-01-01T00:00:00.000Z"),
      ],
    ],
    ["was ahead from the start on", dated(idsBetween(1, 120), "2035-01-01T00:00:00.000Z")],
    ["is wrong now", dated(idsBetween(990, ROWS), "1970-01-01T00:00:00.000Z")],
  ] as [string, [number, string][]][])
    it(`finds every row that was dated right where the clock ${what}`, async () => {
      const times = new Map(wrong);
      const { store } = await historyWith(times);
      const isRight = (id: number): boolean => !times.has(id);
      for (const [first, last] of [
        [1, ROWS],
        [498, 505],
        [300, 300],
        [571, 900],
        [3, 60],
        [740, 760],
        [980, ROWS],
      ] as [number, number][])
        for (const query of [
          { from: rightTime(first), to: rightTime(last) },
          { from: rightTime(first) },
          { to: rightTime(last) },
          { from: rightTime(first), after: 0 },
        ]) {
          const { entries } = await store.searchHistory({ limit: ROWS, ...query }, { budgetMs: 60_000 });
          const [from, to] = ["from" in query ? first : 1, "to" in query ? last : ROWS];
          const found = entries.map(({ id }) => id);
          expect(found.filter(isRight), JSON.stringify(query)).to.deep.equal(
            idsBetween(from, to).filter(isRight).reverse(),
          );
          const isWithin = entries.every(({ ts }) => ts >= (query.from ?? "") && ts <= (query.to ?? "9"));
          expect(isWithin).to.equal(true);
        }
    });

  it("pages through the parts where rows of the time are", async () => {
    const { store } = await historyWith(new Map(dated(idsBetween(430, 570), "2035-01-01T00:00:00.000Z")));
    const query = { from: rightTime(425), to: rightTime(575), limit: 2 };
    const found: number[] = [];
    for (let before: number | undefined; ; before = found.at(-1)) {
      const { entries } = await store.searchHistory({ ...query, before }, { budgetMs: 60_000 });
      found.push(...entries.map(({ id }) => id));
      if (entries.length === 0) break;
    }
    expect(found).to.deep.equal([...idsBetween(425, 429), ...idsBetween(571, 575)].reverse());
  });

  it("looks at few others where the clock was right", async () => {
    const { dir } = await historyWith(new Map());
    peek(dir, (db) => {
      const sum = (query: { from?: string; to?: string }): number =>
        createTimeRanges(db)(query).reduce(
          (rows, { after, before }) => rows + Math.min(before, ROWS + 1) - after - 1,
          0,
        );
      expect(sum({ from: rightTime(500), to: rightTime(510) })).to.be.within(11, 50);
      expect(sum({ from: rightTime(990) })).to.be.within(11, 50);
      expect(sum({ to: rightTime(10) })).to.be.within(10, 50);
      expect(sum({})).to.equal(ROWS);
      expect(sum({ from: "2099-01-01T00:00:00.000Z" })).to.equal(0);
    });
  });
});
