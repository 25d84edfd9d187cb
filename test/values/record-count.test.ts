// The number of records that the answer of a list tool tells of.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { recordCount, statedCount } from "../../static/values/record-count.js";
import { rowsIn } from "../../static/values/rows.js";

const count = (result: JsonValue, items: number, properties: JsonObject = {}, limit?: number) =>
  recordCount({ result, items, isIncomplete: false, schema: { properties }, limit });

describe("Counting records", () => {
  it("is all of them where the tool has no pages", () => {
    expect(count([1, 2, 3], 3)).to.deep.equal({ count: 3, isAll: true });
    expect(count([1, 2, 3], 3, { category: { type: "string" } })).to.deep.equal({ count: 3, isAll: true });
  });

  it("is the total that the answer names", () => {
    expect(count({ items: [1, 2], total: 24 }, 2, { limit: {} })).to.deep.equal({ count: 24, isAll: true });
    expect(count({ data: [1], meta: { totalCount: 9 } }, 1)).to.deep.equal({ count: 9, isAll: true });
    expect(count({ count: 40, next: "/pets?page=2", results: [1] }, 1)).to.deep.equal({ count: 40, isAll: true });
    // A total of something else, such as of money, is smaller or no whole number.
    expect(count({ items: [1, 2], total: 1 }, 2)).to.deep.equal({ count: 2, isAll: true });
    expect(count({ items: [1, 2], total: 12.5 }, 2)).to.deep.equal({ count: 2, isAll: true });
  });

  it("is the least there can be where the answer is a page", () => {
    expect(count({ items: [1, 2], next_cursor: "x" }, 2)).to.deep.equal({ count: 2, isAll: false });
    expect(count({ items: [1, 2], next_cursor: null }, 2)).to.deep.equal({ count: 2, isAll: true });
    expect(count([1, 2], 2, { page: { type: "integer" } })).to.deep.equal({ count: 2, isAll: false });
    expect(count([1, 2], 2, { limit: { default: 2 } })).to.deep.equal({ count: 2, isAll: false });
    expect(count([1, 2], 2, { limit: { default: 20 } })).to.deep.equal({ count: 2, isAll: true });
    expect(count([1, 2], 2, { limit: {} }, 2)).to.deep.equal({ count: 2, isAll: false });
    expect(count([1, 2], 2, { limit: {} }, 10)).to.deep.equal({ count: 2, isAll: true });
    expect(recordCount({ result: [], items: 9, isIncomplete: true, schema: {} })).to.have.property("isAll", false);
  });

  it("is stated beside the rows of a page, by a count of rows and by nothing else", () => {
    const stated = (value: JsonValue): number | undefined => {
      const rows = rowsIn(value);
      return rows === null ? undefined : statedCount(rows);
    };
    const items = Array.from({ length: 20 }, (_, id) => ({ id, name: `Thing ${id}`, price: 1 }));
    for (const name of ["total", "total_count", "totalCount", "count", "total_items"])
      expect(stated({ items, [name]: 40 }), name).to.equal(40);
    expect(stated({ items, meta: { total: 40 } })).to.equal(40);
    expect(stated({ items, total: 20 })).to.equal(undefined);
    expect(stated({ items, total: 12 })).to.equal(undefined);
    expect(stated({ items, total: 40.5 })).to.equal(undefined);
    expect(stated({ items, total: "40" })).to.equal(undefined);
    expect(stated(items)).to.equal(undefined);
    // Money, by what stands beside it, by the sum of a column, or because the rows are those of a bill.
    expect(stated({ items, total: 40, currency: "EUR" })).to.equal(undefined);
    expect(stated({ items, totals: { total: 40, tax: 7 } })).to.equal(undefined);
    expect(stated({ items: [{ points: 15 }, { points: 25 }], total: 40 })).to.equal(undefined);
    expect(stated({ items: [{ quantity: 2, price: 20 }], total: 40 })).to.equal(undefined);
    expect(stated({ items: [{ quantity: 2, price: 20 }], total: 40, page: 1 })).to.equal(40);
    expect(stated({ items: [{ id: { toString: 1, valueOf: 1 } }], total: 40 })).to.equal(40);
    // The list is only a part of a thing.
    expect(stated({ id: 7, items, total: 40 })).to.equal(undefined);
  });
});
