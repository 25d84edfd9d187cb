// Questions to the rows of a result, against what a few plain lines over the same rows in memory say.
import { expect } from "chai";
import fc from "fast-check";
import {
  parseAggregates,
  parseGroup,
  parseSort,
  type ResultPage,
  type ResultQuery,
} from "../../src/domain/result-query.js";
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { createSemaphore } from "../../src/lib/semaphore.js";
import { answerQuery } from "../../src/results/answer.js";
import { datePart } from "../../src/results/date-part.js";
import { createExactSum } from "../../src/results/exact-sum.js";
import { createOrderCache, SCANS_AT_ONCE } from "../../src/results/query.js";
import { toResult } from "../../src/results/result.js";

const PLAIN: ResultQuery = {
  offset: 0,
  limit: 10_000,
  sort: [],
  count: false,
  group: [],
  aggregate: [],
  columns: false,
};

async function ask(result: JsonValue, query: Partial<ResultQuery> = {}): Promise<ResultPage> {
  const answer = await answerQuery(toResult(result), {
    history_id: 1,
    query: { ...PLAIN, ...query },
    orders: createOrderCache(),
    scans: createSemaphore(SCANS_AT_ONCE),
    signal: new AbortController().signal,
  });
  if (!("items" in answer)) throw new Error("no list");
  return answer;
}

const Row = fc.record({
  id: fc.integer(),
  price: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constant(null)),
  name: fc.constantFrom("ann", "Bob", "bob", "eve", "", "zoë"),
  at: fc
    .date({ min: new Date("2020-01-01"), max: new Date("2025-12-31"), noInvalidDate: true })
    .map((one) => one.toISOString()),
});
const Rows = fc.array(Row, { maxLength: 60 });

describe("A question to the rows of a result", () => {
  it("sorts as a stable sort with nulls last does, in both directions", async () => {
    await fc.assert(
      fc.asyncProperty(Rows, fc.boolean(), async (rows, descending) => {
        const sort = parseSort(descending ? "-price" : "price");
        const { items, indexes } = await ask(rows, { sort });
        const naive = rows
          .map((row, at) => ({ row, at }))
          .sort((a, b) => {
            if (a.row.price === null || b.row.price === null)
              return Number(a.row.price === null) - Number(b.row.price === null) || a.at - b.at;
            return (descending ? b.row.price - a.row.price : a.row.price - b.row.price) || a.at - b.at;
          });
        expect(items).to.deep.equal(naive.map(({ row }) => row));
        expect(indexes).to.deep.equal(naive.map(({ at }) => at));
      }),
      { numRuns: 60 },
    );
  });

  it("sorts more rows than one run holds, by several fields", async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, a: (at * 7919) % 13, b: (at * 104_729) % 101 }));
    const { items } = await ask(rows, { sort: parseSort("a,-b") });
    const naive = [...rows].sort((x, y) => x.a - y.a || y.b - x.b || x.at - y.at);
    expect(items).to.deep.equal(naive);
  });

  it("filters as the same conditions in a line of code do", async () => {
    await fc.assert(
      fc.asyncProperty(Rows, fc.integer({ min: -500, max: 500 }), async (rows, bound) => {
        const filter = [
          { field: "price", op: "ge", value: bound },
          { field: "name", op: "ne", value: "eve" },
        ] as const;
        const { items, matching_items } = await ask(rows, { filter });
        const naive = rows.filter(({ price, name }) => price !== null && price >= bound && name !== "eve");
        expect(items).to.deep.equal(naive);
        expect(matching_items).to.equal(naive.length);
      }),
      { numRuns: 60 },
    );
  });

  it("groups and sums as a loop over integers does", async () => {
    await fc.assert(
      fc.asyncProperty(Rows, async (rows) => {
        const { groups = [] } = await ask(rows, {
          group: parseGroup("name,at:year"),
          aggregate: parseAggregates("count,sum:price,min:price"),
          limit: 0,
        });
        const naive = new Map<string, { count: number; prices: number[] }>();
        for (const { name, at, price } of rows) {
          const key = JSON.stringify([name, at.slice(0, 4)]);
          const one = naive.get(key) ?? { count: 0, prices: [] };
          naive.set(key, { count: one.count + 1, prices: price === null ? one.prices : [...one.prices, price] });
        }
        expect(groups.length).to.equal(naive.size);
        for (const { key, values } of groups) {
          const own = naive.get(JSON.stringify([key["name"], key["at"]]));
          expect(values["count"]).to.equal(own?.count);
          const prices = own?.prices ?? [];
          expect(values["sum:price"]).to.equal(prices.length > 0 ? prices.reduce((a, b) => a + b, 0) : null);
          expect(values["min:price"]).to.equal(prices.length > 0 ? Math.min(...prices) : null);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("adds decimals as people do, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 200 }), (cents) => {
        const sum = createExactSum();
        for (const one of cents) sum.add(one / 100);
        expect(sum.sum()).to.equal(cents.reduce((a, b) => a + b, 0) / 100);
      }),
    );
    const tenth = createExactSum();
    for (const one of [0.1, 0.2, "0.30", 9_007_199_254_740_993n, 1e21, 1e-7]) tenth.add(one);
    expect(String(tenth.sum())).to.equal("1.0000090071992547e+21");
    const thirds = createExactSum();
    for (const one of [0.1, 0.1, 0.1]) thirds.add(one);
    expect([thirds.sum(), thirds.average()]).to.deep.equal([0.3, 0.1]);
    const big = createExactSum();
    for (const one of [9_007_199_254_740_993n, 9_007_199_254_740_993n]) big.add(one);
    expect(big.sum()).to.equal(18_014_398_509_481_986n);
  });

  it("orders mixed types: numbers, digits too, then texts, booleans, objects, and nothing last", async () => {
    const values = [null, "b", true, 3, "a", { x: 1 }, "2.5", false, 12_345_678_901_234_567_890n, "A"];
    const rows = values.map((v) => ({ v }));
    const sorted = ["2.5", 3, 12_345_678_901_234_567_890n, "a", "A", "b", false, true, { x: 1 }, null];
    const order = async (sort: string) =>
      (await ask(rows, { sort: parseSort(sort) })).items.map((row) => isObject(row) && row["v"]);
    expect(await order("v")).to.deep.equal(sorted);
    expect(await order("-v")).to.deep.equal([...sorted.slice(0, -1).reverse(), null]);
  });

  it("takes parts of dates as they are written", () => {
    const parts = (value: JsonValue) =>
      (["year", "quarter", "month", "week", "day", "hour"] as const).map((by) => datePart(value, by));
    expect(parts("2024-12-30T23:15:00-05:00")).to.deep.equal([
      "2024",
      "2024-Q4",
      "2024-12",
      "2025-W01",
      "2024-12-30",
      "2024-12-30T23",
    ]);
    expect(parts("2021-01-03")).to.deep.equal(["2021", "2021-Q1", "2021-01", "2020-W53", "2021-01-03", null]);
    expect(parts(1_700_000_000)).to.deep.equal([
      "2023",
      "2023-Q4",
      "2023-11",
      "2023-W46",
      "2023-11-14",
      "2023-11-14T22",
    ]);
    for (const none of ["soon", "2024-13-01", null, 12, {}, "x".repeat(10_000)])
      expect(parts(none)).to.deep.equal(Array(6).fill(null));
  });

  it("describes columns, and groups, of rows that nobody would send on purpose @all", async () => {
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`c${at}`, at]));
    const proto = JSON.parse('{"__proto__": 7, "constructor": 1}') as JsonObject;
    let deep: JsonValue = 1;
    for (let at = 0; at < 400; at++) deep = [deep];
    const rows: JsonValue[] = [wide, proto, proto, { deep }, { text: "x".repeat(5_000_000) }, 5, "five", null];
    const { columns = [], more_columns } = await ask(rows, { columns: true, limit: 0 });
    expect([columns.length, more_columns]).to.deep.equal([500, true]);
    const { items, groups } = await ask(rows, { sort: parseSort("-__proto__"), group: [], fields: ["__proto__"] });
    expect(groups).to.equal(undefined);
    expect(Object.getOwnPropertyNames(items[0])).to.deep.equal(["__proto__"]);
    const grouped = await ask(rows, { group: parseGroup("__proto__"), limit: 0 });
    expect(grouped.groups?.map(({ values }) => values["count"])).to.deep.equal([2, 6]);
    const many = Array.from({ length: 10_050 }, (_, at) => ({ at }));
    const cut = await ask(many, { group: parseGroup("at"), aggregate: parseAggregates("distinct:at"), limit: 0 });
    expect([cut.groups?.length, cut.more_groups, cut.sums]).to.deep.equal([10_000, true, { "distinct:at": 10_050 }]);
  });

  it("says what the columns are like", async () => {
    const rows = [
      { id: 1, price: 1.25, at: "2024-01-02", mail: "a@b.example", tone: "#fff", none: null },
      { id: 2, price: 12.5, at: "2023-01-02", mail: "c@d.example", tone: "#a1b2c3", none: null },
    ];
    const { columns } = await ask(rows, { columns: true });
    expect(columns).to.deep.equal([
      { name: "id", types: { number: 2 }, distinct: 2, min: 1, max: 2, decimals: 0 },
      { name: "price", types: { number: 2 }, distinct: 2, min: 1.25, max: 12.5, decimals: 2 },
      { name: "at", types: { string: 2 }, distinct: 2, min: "2023-01-02", max: "2024-01-02", format: "date" },
      { name: "mail", types: { string: 2 }, distinct: 2, format: "email" },
      { name: "tone", types: { string: 2 }, distinct: 2, format: "color" },
      { name: "none", types: { null: 2 }, distinct: 0 },
    ]);
  });

  it("counts no digits that only a double prints", async () => {
    const { columns } = await ask([{ sum: 1.1099999999999999 }, { sum: 0.1 + 0.2 }, { sum: 1e21 }], { columns: true });
    expect(columns?.[0]?.decimals).to.equal(2);
  });

  it("finds texts anywhere, empty fields, and dates by their text", async () => {
    const rows: JsonValue[] = [
      { a: { b: ["Deep Text"] }, at: "2024-05-01" },
      { a: "", at: "2024-06-01", n: "9" },
      { a: "x", at: "2023-01-01", n: 10 },
    ];
    const found = async (query: Partial<ResultQuery>) => (await ask(rows, query)).indexes;
    expect(await found({ q: "deep" })).to.deep.equal([0]);
    expect(await found({ filter: [{ field: "a", op: "empty" }] })).to.deep.equal([1]);
    expect(await found({ filter: [{ field: "at", op: "ge", value: "2024-01-01" }] })).to.deep.equal([0, 1]);
    expect(await found({ filter: [{ field: "n", op: "lt", value: 10 }] })).to.deep.equal([1]);
    expect(await found({ filter: [{ field: "n", op: "in", value: ["10", 9] }] })).to.deep.equal([1, 2]);
    expect(await found({ filter: [{ field: "a", op: "starts", value: "X" }] })).to.deep.equal([2]);
  });

  it("says where numbers stand, as a loop over all values does", async () => {
    const Value = fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom("12", "12.50", "012", "x", null, true));
    const Nested = fc.record({ a: Value, b: Value, c: fc.oneof(Value, fc.array(Value, { maxLength: 2 })) });
    const numbers = ["12", "12.5", "012", "-7", "20"];
    await fc.assert(
      fc.asyncProperty(fc.array(Nested, { maxLength: 12 }), async (rows) => {
        const { numbers: found = [] } = await ask(rows as JsonValue[], { numbers, limit: 0 });
        const spells = (value: unknown, number: string): boolean =>
          typeof value === "string"
            ? value.replace(/(\.\d*?)0+$/, "$1") === number
            : typeof value === "number" && String(value) === number;
        const naive = numbers.flatMap((number) => {
          const cells = rows.flatMap((row, index) =>
            Object.entries(row).flatMap(([field, value]) => (spells(value, number) ? [{ index, field }] : [])),
          );
          const inner = rows.flatMap(({ c }) => (Array.isArray(c) ? c.filter((one) => spells(one, number)) : []));
          const count = cells.length + inner.length;
          return count === 0 ? [] : [{ number, count, fields: [...new Set(cells.map(({ field }) => field))].sort() }];
        });
        expect(found.map(({ number, count, fields }) => ({ number, count, fields: fields.toSorted() }))).to.deep.equal(
          naive,
        );
        for (const { count, index, fields, number } of found)
          if (count === 1 && fields.length === 1)
            expect(spells((rows[index ?? -1] as never)[fields[0] ?? ""], number)).to.equal(true);
      }),
    );
    expect((await ask([{ a: 1 }, { a: 0 }], { numbers: ["1", "0", "x"] })).numbers).to.deep.equal([]);
  });

  it("says where numbers stand beside the list, wherever that is", async () => {
    const result = { total: 40, meta: { rows: [{ a: 40 }, { a: 7 }], page: 7 }, sums: [12.5, 12.5] };
    const { numbers, numbers_around } = await ask(result, { path: "/meta/rows", numbers: ["40", "7", "12.5", "99"] });
    expect(numbers?.map(({ number, count }) => [number, count])).to.deep.equal([
      ["40", 1],
      ["7", 1],
    ]);
    expect(numbers_around).to.deep.equal([
      { number: "40", count: 1, fields: ["total"] },
      { number: "7", count: 1, fields: [] },
      { number: "12.5", count: 2, fields: [] },
    ]);
    expect(await ask([{ a: 40 }], { numbers: ["40"] })).not.to.have.property("numbers_around");
  });
});
