// The number of records that the answer of a list tool tells of.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { recordCount } from "../../static/values/record-count.js";

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
});
