// Rows filtered, searched, sorted, grouped and written as text, in slices.
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { toCsv, toTsv } from "../../static/values/delimited.js";
import { aggregateRows, groupRows } from "../../static/values/group.js";
import { type Filter, matchingOrder, type Query, toggleSort, WHOLE } from "../../static/values/query.js";

/** A generator run to its end. */
function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const ROWS: JsonObject[] = [
  { id: 1, name: "Rex", price: 10, born: "2024-03-01", tags: ["old"] },
  { id: 2, name: "tom", price: 9.5, born: "2024-03-20", tags: [] },
  { id: 3, name: "Ada 10", price: null, born: "2025-01-02" },
  { id: 9007199254740993n, name: "Ada 9", price: 100, born: "2025-01-03" },
];
const found = (query: Partial<Query>) => finish(matchingOrder(ROWS, { ...WHOLE, ...query }));
const filtered = (field: string, op: Filter["op"], value?: Filter["value"]) =>
  found({ filters: [value === undefined ? { field, op } : { field, op, value }] });

describe("the rows of a result in the page", () => {
  it("are filtered by every condition", () => {
    expect(filtered("price", "gt", 9.5)).to.deep.equal([0, 3]);
    expect(filtered("price", "le", 10)).to.deep.equal([0, 1]);
    expect(filtered("price", "empty")).to.deep.equal([2]);
    expect(filtered("price", "not_empty")).to.deep.equal([0, 1, 3]);
    expect(filtered("name", "contains", "ADA")).to.deep.equal([2, 3]);
    expect(filtered("name", "starts", "r")).to.deep.equal([0]);
    expect(filtered("name", "eq", "tom")).to.deep.equal([1]);
    expect(filtered("name", "ne", "tom")).to.deep.equal([0, 2, 3]);
    expect(filtered("name", "in", ["tom", "Rex"])).to.deep.equal([0, 1]);
    expect(filtered("born", "ge", "2025-01-01")).to.deep.equal([2, 3]);
    expect(filtered("id", "eq", 9007199254740993n)).to.deep.equal([3]);
    expect(filtered("toString", "not_empty")).to.deep.equal([]);
  });

  it("are searched in all fields, nested ones too", () => {
    expect(found({ q: "OLD" })).to.deep.equal([0]);
    expect(found({ q: "740993" })).to.deep.equal([3]);
  });

  it("are sorted as people count, rows without a value last in both directions", () => {
    expect(found({ sort: [{ field: "name", descending: false }] })).to.deep.equal([3, 2, 0, 1]);
    expect(found({ sort: [{ field: "price", descending: false }] })).to.deep.equal([1, 0, 3, 2]);
    expect(found({ sort: [{ field: "price", descending: true }] })).to.deep.equal([3, 0, 1, 2]);
  });

  it("are sorted by several columns, and the same as a plain sort where they are many", () => {
    const many = Array.from({ length: 9001 }, (_, i) => ({ a: (i * 7919) % 13, b: (i * 104729) % 9001 }));
    const query = {
      ...WHOLE,
      sort: [
        { field: "a", descending: true },
        { field: "b", descending: false },
      ],
    };
    const plain = many
      .map((_, i) => i)
      .sort((x, y) => {
        const [left, right] = [many[x] ?? { a: 0, b: 0 }, many[y] ?? { a: 0, b: 0 }];
        return right.a - left.a || left.b - right.b || x - y;
      });
    expect(finish(matchingOrder(many, query))).to.deep.equal(plain);
  });

  it("stop between slices, so that the page goes on answering", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ a: i }));
    let stops = 0;
    for (const work = matchingOrder(many, { ...WHOLE, sort: [{ field: "a", descending: true }] }); !work.next().done; )
      stops++;
    expect(stops).to.be.greaterThan(10);
  });

  it("are grouped with sums that keep their digits", () => {
    const order = ROWS.map((_, i) => i);
    const groups = finish(
      groupRows(ROWS, order, {
        by: [{ field: "born", granularity: "month" }],
        computed: [{ aggregate: "sum", field: "price" }],
      }),
    );
    expect(groups).to.deep.equal([
      { key: ["2024-03"], count: 2, values: { "sum:price": 19.5 } },
      { key: ["2025-01"], count: 2, values: { "sum:price": 100 } },
    ]);
    const totals = finish(
      aggregateRows(ROWS, order, [
        { aggregate: "sum", field: "id" },
        { aggregate: "avg", field: "price" },
      ]),
    );
    expect(totals).to.deep.equal({ "sum:id": 9007199254740999n, "avg:price": 119.5 / 3 });
  });

  it("are written as delimited text with what is special in quotes", () => {
    const rows = [
      { a: 'say "hi"', b: "one\ttwo" },
      { a: null, b: 9007199254740993n },
    ];
    expect(toCsv(rows, ["a", "b"])).to.equal('a,b\r\n"say ""hi""",one\ttwo\r\n,9007199254740993\r\n');
    expect(toTsv(rows, ["b"])).to.equal('b\r\n"one\ttwo"\r\n9007199254740993');
  });

  it("are sorted by a click, reversed by a second, as they were by a third; with shift by a column more", () => {
    const first = toggleSort([], "a", false);
    const second = toggleSort(first, "a", false);
    expect([first, second, toggleSort(second, "a", false)]).to.deep.equal([
      [{ field: "a", descending: false }],
      [{ field: "a", descending: true }],
      [],
    ]);
    expect(toggleSort(first, "b", true)).to.deep.equal([
      { field: "a", descending: false },
      { field: "b", descending: false },
    ]);
  });
});

describe("Rows as delimited text", () => {
  it("O14 has an apostrophe before what would be a formula, in values and names", () => {
    const rows = [{ "=a": "=1+1", b: -5, c: '"=1+1"', d: "-5" }];
    const columns = ["=a", "b", "c", "d"];
    expect(toTsv(rows, columns)).to.equal(`'=a\tb\tc\td\r\n'=1+1\t-5\t"'""=1+1"""\t-5`);
    expect(toCsv(rows, columns)).to.equal(`'=a,b,c,d\r\n'=1+1,-5,"'""=1+1""",-5\r\n`);
  });
});
