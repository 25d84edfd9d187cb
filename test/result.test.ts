// What becomes of a large result.
import { expect } from "chai";
import { type JsonValue, parseJson, toJson } from "../src/json.js";
import { readResult } from "../src/read-result.js";
import { forModel, forRecord, RECORD_LIMIT } from "../src/result.js";

const rows = Array.from({ length: 5_000 }, (_, id) => ({
  id,
  name: `name ${id}`,
  state: id % 2 ? "open" : "closed",
  note: "x".repeat(100),
}));

describe("Large results", () => {
  it("shows a small result whole", () => {
    expect(forModel({ a: 1 }, 100, "c")).to.deep.equal({ text: '{"a":1}', cut: false });
  });

  it("shows the model valid JSON under the budget, with shape and counts", () => {
    const nested = { deep: { deep: { deep: { list: rows } } } };
    const keyed = Object.fromEntries(rows.map((row) => [`key${row.id}`, row]));
    const values: JsonValue[] = [rows, { data: rows }, "y".repeat(100_000), nested, keyed];
    for (const value of values)
      for (const budget of [500, 2_000, 20_000]) {
        const view = forModel(value, budget, "call_1");
        expect(view.cut).to.equal(true);
        expect(view.text.length).to.be.at.most(budget + 100);
        expect(parseJson(view.text)).to.include({ truncated: true, call_id: "call_1" });
      }
    expect(forModel(rows, 5_000, "c").text)
      .to.contain('"total_items":5000')
      .and.contain("array of 5000 objects with id, name");
  });

  it("keeps up to 1 MiB for events and the history, and says what was left out", () => {
    const small = rows.slice(0, 10);
    expect(forRecord(small)).to.equal(small);
    const big = Array.from({ length: 20 }, () => rows).flat();
    const kept = forRecord(big);
    expect(toJson(kept).length).to.be.at.most(RECORD_LIMIT);
    expect(kept).to.include({ truncated: true, total_items: 100_000 });
  });

  it("pages, filters, picks and counts", () => {
    const read = (query: object): unknown => parseJson(readResult(rows, query, 10_000));
    expect(read({ offset: 10, limit: 2, fields: ["id"] })).to.deep.equal({
      matching_items: 5000,
      total_items: 5000,
      offset: 10,
      items: [{ id: 10 }, { id: 11 }],
      next_offset: 12,
    });
    expect(read({ where: { state: "open" }, count: true })).to.deep.equal({ count: 2500, total_items: 5000 });
    expect(read({ where: { id: 4999 }, fields: ["name"] })).to.deep.include({ items: [{ name: "name 4999" }] });
    expect(read({ path: "/3/name" })).to.deep.include({ text: "name 3" });
    expect(read({ path: "/99999" })).to.include({ error: "no_such_path" });
  });

  it("finds the rows inside an object that wraps them", () => {
    expect(parseJson(readResult({ data: rows, more: true }, { count: true }, 1_000))).to.deep.equal({
      count: 5000,
      total_items: 5000,
    });
  });

  it("fits its pages into the budget and says where the next one starts", () => {
    let offset = 0;
    let seen = 0;
    for (;;) {
      const text = readResult(rows.slice(0, 200), { offset, limit: 200 }, 3_000);
      expect(text.length).to.be.at.most(3_000);
      const page = parseJson(text) as { items: unknown[]; next_offset?: number };
      seen += page.items.length;
      if (page.next_offset === undefined) break;
      offset = page.next_offset;
    }
    expect(seen).to.equal(200);
  });
});
