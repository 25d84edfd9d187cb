// Which chart is proposed for which rows, and what it draws.
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { proposeChart } from "../../static/values/chart.js";
import { chartSummary, dataOfGroups, dataOfRows } from "../../static/values/chart-data.js";
import { columnsOf } from "../../static/values/column.js";

const many = (count: number, row: (i: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, i) => row(i));
const propose = (rows: JsonObject[]) => proposeChart(columnsOf(Object.keys(rows[0] ?? {}), rows), rows);
const month = (i: number): string => `2025-${String((i % 12) + 1).padStart(2, "0")}-01`;

const SHAPES: readonly [what: string, rows: JsonObject[], expected: object | undefined][] = [
  [
    "a value for each month",
    many(12, (i) => ({ month: month(i), sales: i })),
    { type: "line", x: "month", y: "sales", aggregate: "none" },
  ],
  [
    "rows with moments that repeat",
    many(40, (i) => ({ day: month(i), total: i, name: `n${i}` })),
    { type: "line", x: "day", y: "total", aggregate: "sum" },
  ],
  [
    "a number for each name",
    many(10, (i) => ({ product: `p${i}`, stock: i })),
    { type: "bars", x: "product", y: "stock" },
  ],
  [
    "shares of a hundred",
    [
      { browser: "a", share: 60 },
      { browser: "b", share: 40 },
    ],
    { type: "donut", x: "browser", y: "share" },
  ],
  [
    "few numbers that add to nothing",
    [
      { product: "a", stock: 6 },
      { product: "b", stock: 4 },
    ],
    { type: "bars" },
  ],
  ["two numbers", many(10, (i) => ({ height: i, weight: i * 2.5 })), { type: "scatter", x: "height", y: "weight" }],
  [
    "coordinates",
    many(4, (i) => ({ city: `c${i}`, lat: 40.5 + i, lng: 3.5 * i })),
    { type: "map", x: "lng", y: "lat" },
  ],
  [
    "states of many things",
    many(90, (i) => ({ id: i, status: i % 3 ? "open" : "closed" })),
    { type: "bars", x: "status", y: "", aggregate: "count" },
  ],
  [
    "money before other numbers",
    many(6, (i) => ({ name: `n${i}`, pages: i, price: i * 1.5 })),
    { type: "bars", y: "price" },
  ],
  ["texts", many(5, (i) => ({ name: `n${i}`, note: `long ${i}` })), undefined],
  ["ids", many(5, (i) => ({ id: i, customer_id: i * 3 })), undefined],
  ["one row", [{ name: "a", price: 3 }], undefined],
];

describe("the chart of a result", () => {
  for (const [what, rows, expected] of SHAPES)
    it(`is ${expected === undefined ? "not proposed" : "proposed"} for ${what}`, () => {
      const spec = propose(rows);
      if (expected === undefined) expect(spec).to.equal(undefined);
      else expect(spec).to.include(expected);
    });

  it("sorts bars by their size, and leaves out the least of too many", () => {
    const spec = { type: "bars", x: "name", y: "n", split: "", aggregate: "none", isStacked: false } as const;
    const data = dataOfRows(
      many(50, (i) => ({ name: `n${i}`, n: i })),
      spec,
    );
    expect(data.categories.slice(0, 2)).to.deep.equal(["n49", "n48"]);
    expect(data.series[0]?.values.slice(0, 2)).to.deep.equal([49, 48]);
    expect(data.hidden).to.equal(10);
  });

  it("draws the largest shares and the rest as one, also of what looks like a year", () => {
    const spec = { type: "donut", x: "id", y: "n", split: "", aggregate: "none", isStacked: false } as const;
    const from = (first: number) => many(15, (i) => ({ id: first + i, n: i + 1 }));
    for (const first of [1000, 2000]) {
      const data = dataOfRows(from(first), spec);
      expect(data.series[0]?.values).to.deep.equal([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 15]);
      expect(data.categories.at(-1)).to.equal("5 others");
      expect(data.hidden).to.equal(0);
    }
    const average = dataOfRows(from(1000), { ...spec, aggregate: "avg" });
    expect([average.categories.length, average.hidden]).to.deep.equal([10, 5]);
  });

  it("puts years and months in their order, and numbers that are none by their size", () => {
    const spec = { type: "bars", x: "x", y: "n", split: "", aggregate: "none", isStacked: false } as const;
    const placesOf = (list: (string | number)[]) =>
      dataOfRows(
        list.map((x, n) => ({ x, n })),
        spec,
      ).categories;
    expect(placesOf([2023, 2021, 2022])).to.deep.equal(["2021", "2022", "2023"]);
    expect(placesOf(["2023-Q2", "2023-Q1"])).to.deep.equal(["2023-Q1", "2023-Q2"]);
    expect(placesOf([10115, 80331, 20095])).to.deep.equal(["20095", "80331", "10115"]);
  });

  it("makes a series of each value that splits it, with gaps where there is none", () => {
    const spec = { type: "line", x: "month", y: "n", split: "shop", aggregate: "sum", isStacked: false } as const;
    const groups = [
      { key: ["2025-02", "a"], count: 1, values: { "sum:n": 3 } },
      { key: ["2025-01", "a"], count: 2, values: { "sum:n": 5 } },
      { key: ["2025-01", "b"], count: 1, values: { "sum:n": 7 } },
    ];
    const data = dataOfGroups(groups, spec);
    expect(data.categories).to.deep.equal(["2025-01", "2025-02"]);
    expect(data.series).to.deep.equal([
      { name: "a", values: [5, 3] },
      { name: "b", values: [7, null] },
    ]);
    expect(chartSummary(data, spec)).to.equal(
      "Sum of n by month, 2 values in 2 series: from 3 (2025-02) to 7 (2025-01).",
    );
  });
});
