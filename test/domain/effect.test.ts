// What differs between a record before and after a change, at any depth.
import { expect } from "chai";
import { effectLines } from "../../src/cli/terminal/effect.js";
import { differencesBetween } from "../../src/domain/effect.js";
import type { JsonObject } from "../../src/lib/json.js";
import { fieldDifferences, tablesOf } from "../../static/turn/effect.js";

const BEFORE: JsonObject = {
  id: 4,
  name: "Ada",
  address: { city: "Paris", zip: "75001", geo: { lat: 48.85, lon: 2.35 } },
  lines: [
    { sku: "A", quantity: 1 },
    { sku: "B", quantity: 2 },
  ],
  tags: ["a", "b"],
};
const AFTER: JsonObject = {
  id: 4,
  name: "Ada",
  address: { city: "Lyon", zip: "75001", geo: { lat: 48.85, lon: 4.83 }, floor: 3 },
  lines: [
    { sku: "A", quantity: 1 },
    { sku: "B", quantity: 5 },
  ],
  tags: ["a", "b", "c"],
};

describe("Differences of a record", () => {
  it("are told by their paths, objects field by field, lists of the same length item by item, other lists as a whole", () => {
    expect(differencesBetween(BEFORE, AFTER)).to.deep.equal([
      { path: "address.city", before: "Paris", after: "Lyon" },
      { path: "address.geo.lon", before: 2.35, after: 4.83 },
      { path: "address.floor", before: undefined, after: 3 },
      { path: "lines[1].quantity", before: 2, after: 5 },
      { path: "tags", before: ["a", "b"], after: ["a", "b", "c"] },
    ]);
    expect(differencesBetween(BEFORE, BEFORE)).to.deep.equal([]);
  });

  it("compare what is of another kind, or deeper than four levels, as a whole", () => {
    expect(differencesBetween({ a: { b: 1 } }, { a: [1] })).to.deep.equal([
      { path: "a", before: { b: 1 }, after: [1] },
    ]);
    const deep = (value: number): JsonObject => ({ a: { b: { c: { d: { e: value } } } } });
    expect(differencesBetween(deep(1), deep(2))).to.deep.equal([
      { path: "a.b.c.d", before: { e: 1 }, after: { e: 2 } },
    ]);
  });

  it("are the columns of the table in the web UI, and the lines on the terminal", () => {
    const change = { resource: "people", key: { id: 4 }, before: BEFORE, after: AFTER };
    const [table] = tablesOf({ changes: [change], complete: true });
    const paths = ["address.city", "address.geo.lon", "address.floor", "lines[1].quantity", "tags"];
    expect(table?.columns).to.have.members(["id", ...paths]);
    expect(table?.columns[0]).to.equal("id");
    expect(fieldDifferences(change).map(({ name }) => name)).to.deep.equal(paths);
    expect(effectLines({ changes: [change], complete: true })).to.deep.equal([
      '  changed in people {"id":4}',
      '    address.city: "Paris" -> "Lyon"',
      "    address.geo.lon: 2.35 -> 4.83",
      "    address.floor: nothing -> 3",
      "    lines[1].quantity: 2 -> 5",
      '    tags: ["a","b"] -> ["a","b","c"]',
    ]);
  });
});
