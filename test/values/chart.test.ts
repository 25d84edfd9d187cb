// Which chart is proposed for which rows, and what it draws.
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { fittingTypes, groupedChart, proposeChart, withType } from "../../static/values/chart.js";
import { chartSummary, dataOfGroups, dataOfRows } from "../../static/values/chart-data.js";
import { columnsOf } from "../../static/values/column.js";
import { momentOf } from "../../static/values/time.js";

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
    "months of several categories",
    many(36, (i) => ({
      month: `2025-${String((i % 12) + 1).padStart(2, "0")}`,
      category: `c${i % 3}`,
      revenue: i,
    })).sort((a, b) => (String(a["month"]) < String(b["month"]) ? -1 : 1)),
    { type: "line", x: "month", y: "revenue", split: "category", aggregate: "sum", granularity: undefined },
  ],
  [
    "quarters",
    many(8, (i) => ({ quarter: `${2024 + Math.floor(i / 4)}-Q${(i % 4) + 1}`, revenue: i })),
    { type: "line", x: "quarter", y: "revenue", aggregate: "none" },
  ],
  [
    "weeks",
    many(8, (i) => ({ week: `2025-W0${i + 1}`, revenue: i })),
    { type: "line", x: "week", y: "revenue", aggregate: "none" },
  ],
  [
    "years",
    many(8, (i) => ({ fiscal_year: 2015 + i, revenue: i })),
    { type: "line", x: "fiscal_year", y: "revenue", aggregate: "none" },
  ],
  ["four digits that are no years", many(8, (i) => ({ room: String(2015 + i), stock: i })), undefined],
  [
    "more moments than a line has room for",
    many(900, (i) => ({ created_at: new Date(Date.UTC(2024, 0, 1) + i * 86_400_000).toISOString(), total: i })),
    { type: "line", x: "created_at", y: "total", aggregate: "sum", granularity: "month" },
  ],
  ["numbers that no map has", many(4, (i) => ({ name: `n${i}`, lat: 500 + i, long: 10 + i })), undefined],
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

  it("draws places of GeoJSON on a map: points, shapes with their outlines, named by their properties", () => {
    const ring = [
      [0, 0],
      [4, 0],
      [4, 2],
      [0, 2],
      [0, 0],
    ];
    const rows: JsonObject[] = [
      { type: "Feature", geometry: { type: "Point", coordinates: [4.4, 51.9] }, properties: { name: "Rotterdam" } },
      { type: "Feature", geometry: { type: "Polygon", coordinates: [ring] }, properties: { title: "Gulf" } },
      { type: "Feature", geometry: null, properties: {} },
    ];
    const spec = propose(rows);
    expect(spec).to.include({ type: "map", x: "geometry", y: "geometry" });
    if (spec === undefined) return;
    const data = dataOfRows(rows, spec);
    expect(data.points).to.deep.equal([
      { x: 4.4, y: 51.9, name: "Rotterdam", size: null },
      { x: 2, y: 1, name: "Gulf", size: null },
    ]);
    expect(data.outlines).to.deep.equal([ring]);
    expect(chartSummary(data, spec)).to.equal("Map of 2 places: Geometry.");
    const columns = columnsOf(Object.keys(rows[0] ?? {}), rows);
    expect(withType(spec, "bars", { columns, rows })).to.include({ type: "bars", x: "type", aggregate: "count" });
    expect(withType({ ...spec, type: "bars", x: "type" }, "map", { columns, rows })).to.include(spec);
  });

  it("draws a single place, also one that is the row itself", () => {
    const point = { type: "Point", coordinates: [4.4, 51.9] };
    const collection = { type: "GeometryCollection", geometries: [point] };
    const rows: [row: JsonObject, column: string][] = [
      [point, ""],
      [collection, ""],
      [{ type: "Feature", geometry: point, properties: { name: "Rotterdam" } }, "geometry"],
      [{ id: 7, name: "Rotterdam", location: point }, "location"],
    ];
    for (const [row, column] of rows) {
      const spec = propose([row]);
      expect(spec, JSON.stringify(row)).to.include({ type: "map", x: column, y: column });
      const name = column === "" ? "" : "Rotterdam";
      expect(spec && dataOfRows([row], spec).points).to.deep.equal([{ x: 4.4, y: 51.9, name, size: null }]);
    }
    const harbour = propose([{ name: "Rotterdam", latitude: 51.9, longitude: 4.4 }]);
    expect(harbour).to.include({ type: "map", x: "longitude", y: "latitude" });
    const spec = propose([point, point]);
    expect(spec).to.include({ type: "map", x: "", y: "" });
    expect(spec && chartSummary(dataOfRows([point, point], spec), spec)).to.equal("Map of 2 places.");
    expect(spec && chartSummary(dataOfRows([point], spec), spec)).to.equal("Map of 1 place.");
    expect(propose([{ day: "2025-01-01", total: 4 }])).to.equal(undefined);
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

  it("takes the span of all rows where the daemon says what it is", () => {
    const rows = many(200, (i) => ({
      created_at: new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString(),
      total: i,
    }));
    const columns = columnsOf(["created_at", "total"], rows);
    expect(proposeChart(columns, rows)?.granularity).to.equal("day");
    const facts = [{ name: "created_at", min: "2024-01-01T00:00:00Z", max: "2026-04-01T00:00:00Z" }];
    expect(proposeChart(columns, rows, facts)?.granularity).to.equal("month");
  });

  it("offers only what the rows can be drawn as, and begins with the groups of the table", () => {
    const rows = many(6, (i) => ({ status: `s${i % 2}`, price: i + 0.5, created_at: month(i), lat: i, lon: i }));
    const of = (...names: string[]) => fittingTypes(columnsOf(names, rows), rows);
    expect(of("status", "price")).to.deep.equal(["bars", "donut"]);
    expect(of("created_at", "price")).to.deep.equal(["line", "area", "bars", "donut"]);
    expect(of("status", "lat", "lon")).to.deep.equal(["bars", "donut", "map"]);
    const columns = columnsOf(["status", "price", "created_at"], rows);
    expect(groupedChart(columns, { field: "status" })).to.include({
      type: "bars",
      x: "status",
      y: "price",
      aggregate: "sum",
    });
    expect(groupedChart(columns, { field: "created_at", granularity: "month" })).to.include({
      type: "line",
      granularity: "month",
    });
  });

  it("places quarters and weeks where they begin", () => {
    const day = (text: string) => new Date(momentOf(text)).toDateString();
    expect(day("2025-Q4")).to.equal("Wed Oct 01 2025");
    // ISO 8601: the first week has the fourth of January.
    expect(day("2025-W01")).to.equal("Mon Dec 30 2024");
    expect(day("2026-W53")).to.equal("Mon Dec 28 2026");
    expect(day("2023-02")).to.equal("Wed Feb 01 2023");
  });
});
