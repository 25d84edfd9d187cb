// An effect as the page draws it: which tables, which columns, what was and what is.
import { expect } from "chai";
import type { Effect } from "../../src/domain/effect.js";
import { changedFields, effectLabel, listDifference, tablesOf } from "../../static/turn/effect.js";
import { unsaidArguments, unsaidInLine } from "../../static/turn/said.js";

describe("An effect in the web UI", () => {
  it("has changed anything only where its call succeeded", () => {
    expect(effectLabel("ok")).to.equal("What changed");
    expect(effectLabel("held")).to.equal("What will change");
    expect(effectLabel("dry_run")).to.equal("What would change");
    for (const status of ["denied", "blocked", "error", "interrupted", "stopped", undefined] as const)
      expect(effectLabel(status), status).to.equal("What it was to change");
  });

  it("is a line of the fields that change where a single row does, and of no other", () => {
    const row = {
      resource: "stock",
      key: { id: 2 },
      before: { sku: "T", quantity: 25 },
      after: { sku: "T", quantity: 40 },
    };
    const counted = (updated: number) => [{ name: "stock", inserted: 0, updated, deleted: 0 }];
    const quantity = { name: "quantity", before: 25, after: 40, isChanged: true };
    expect(changedFields({ changes: [row], complete: false })).to.deep.equal([quantity]);
    expect(changedFields({ changes: [row], tables: counted(1), complete: true })).to.deep.equal([quantity]);
    expect(changedFields({ changes: [row], tables: counted(2), complete: true })).to.deep.equal([]);
    expect(changedFields({ changes: [row, row], complete: true })).to.deep.equal([]);
    expect(changedFields({ changes: [{ ...row, after: null }], complete: true })).to.deep.equal([]);
  });

  it("has the key of a row once, by the name that the row has for it", () => {
    const before = { id: 4, name: "Night" };
    const keyed = (key: Record<string, number>): Effect => ({
      changes: [{ resource: "products", key, before, after: null }],
      complete: true,
    });
    for (const key of ["id", "productId", "product_id", "product-ID"])
      expect(tablesOf(keyed({ [key]: 4 }))[0]?.columns, key).to.deep.equal(["id", "name"]);
    expect(tablesOf(keyed({ productId: 5 }))[0]?.columns).to.deep.equal(["productId", "id", "name"]);
    expect(tablesOf(keyed({ sku: 4 }))[0]?.columns).to.deep.equal(["sku", "id", "name"]);
  });

  it("says an argument only where its whole value is in the difference of the one row", () => {
    const change = {
      resource: "pets",
      key: { petId: 2 },
      before: { id: 2, name: "Rex", age: 4, home: { city: "Bonn", zip: "1" }, note: "", tags: ["a"] },
      after: { id: 2, name: "Max", age: 4, home: { city: "Jena", zip: "1" }, note: "x".repeat(201), tags: ["a", "b"] },
    };
    const effect: Effect = { changes: [change], complete: true };
    const args = (given: Record<string, unknown>) => ({ petId: 2, ...given }) as Parameters<typeof unsaidArguments>[0];
    const unsaid = (given: Record<string, unknown>, of: Effect | undefined = effect) =>
      Object.keys(unsaidArguments(args(given), of));
    expect(unsaid({ name: "Max" })).to.deep.equal([]);
    expect(unsaid({ tags: ["a", "b"], home: { city: "Jena" } })).to.deep.equal([]);
    // What stays as it is, what the difference says otherwise, cuts, or does not have.
    expect(unsaid({ age: 4 })).to.deep.equal(["age"]);
    const home = { city: "Jena", zip: "1" };
    expect(unsaidArguments(args({ home }), effect)).to.deep.equal({ home: { zip: "1" } });
    expect(unsaid({ tags: ["a", "c"] })).to.deep.equal(["tags"]);
    expect(unsaid({ name: "Tom", age: "4" })).to.deep.equal(["name", "age"]);
    expect(unsaid({ note: "x".repeat(201), notify: true })).to.deep.equal(["note", "notify"]);
    expect(unsaid({ home: {} })).to.deep.equal(["home"]);
    // Without a difference, or with one of several rows.
    expect(unsaidArguments(args({ name: "Max" }), undefined)).to.deep.equal({ petId: 2, name: "Max" });
    expect(unsaid({ name: "Max" }, { changes: [change, change], complete: true })).to.deep.equal(["petId", "name"]);
    const counts = [{ name: "pets", inserted: 0, updated: 9, deleted: 0 }];
    expect(unsaid({ name: "Max" }, { ...effect, tables: counts })).to.deep.equal(["petId", "name"]);
    expect(unsaid({ name: "Rex" }, { changes: [{ ...change, after: null }], complete: true })).to.deep.equal(["name"]);
    const line = changedFields(effect).slice(0, 1);
    expect(unsaidInLine(args({ name: "Max", note: "y" }), effect, line)).to.deep.equal({ note: "y" });
    expect(unsaidInLine(args({ name: "Max" }), undefined, [])).to.deep.equal({ petId: 2, name: "Max" });
    expect(unsaidInLine(args({}), { changes: [{ ...change, after: null }], complete: true }, [])).to.deep.equal({});
  });

  it("displays of a changed row its key and what is different, of others every column", () => {
    const effect: Effect = {
      tables: [
        { name: "stock", inserted: 0, updated: 1, deleted: 1 },
        { name: "movements", inserted: 0, updated: 0, deleted: 3 },
      ],
      changes: [
        {
          resource: "stock",
          key: { id: 2 },
          before: { id: 2, sku: "T", quantity: 25 },
          after: { id: 2, sku: "T", quantity: 40 },
        },
      ],
      complete: true,
    };
    const [stock, movements] = tablesOf(effect);
    expect(stock?.counts).to.equal("1 changed, 1 deleted");
    expect(stock?.columns).to.deep.equal(["id", "quantity"]);
    expect(stock?.rows).to.deep.equal([
      {
        kind: "updated",
        cells: [
          { before: 2, after: 2, isChanged: false },
          { before: 25, after: 40, isChanged: true },
        ],
      },
    ]);
    expect(stock?.hidden).to.equal(1);
    expect(movements).to.deep.include({ name: "movements", counts: "3 deleted", rows: [], hidden: 3 });
  });

  it("is what came into a list of plain values and what left it", () => {
    expect(listDifference(["new", "vip"], ["vip", "wholesale"])).to.deep.equal({
      added: ["wholesale"],
      removed: ["new"],
    });
    expect(listDifference([1, 1, null], [1])).to.deep.equal({ added: [], removed: [1, null] });
    expect(listDifference(["1"], [1])).to.deep.equal({ added: [1], removed: ["1"] });
    expect(listDifference(["a", "b"], ["b", "a"])).to.equal(undefined);
    expect(listDifference([{ a: 1 }], [{ a: 2 }])).to.equal(undefined);
    expect(listDifference(["a"], null)).to.equal(undefined);
    const change = { resource: "t", key: { id: 1 }, before: { tags: ["new", "x"] }, after: { tags: ["old", "x"] } };
    expect(changedFields({ changes: [change], complete: true }).map(({ name }) => name)).to.deep.equal(["tags"]);
  });

  it("tells null from nothing, and integers beyond 2^53 apart", () => {
    const [table] = tablesOf({
      changes: [
        {
          resource: "t",
          key: { id: 1 },
          before: { n: 9007199254740992n, x: null },
          after: { n: 9007199254740993n, x: 0 },
        },
        { resource: "t", key: { id: 2 }, before: null, after: { n: null } },
      ],
      complete: false,
    });
    expect(table?.columns).to.deep.equal(["id", "n", "x"]);
    expect(table?.rows[0]?.cells.map(({ isChanged }) => isChanged)).to.deep.equal([false, true, true]);
    expect(table?.rows[1]).to.deep.equal({
      kind: "inserted",
      cells: [
        { before: undefined, after: 2, isChanged: true },
        { before: undefined, after: null, isChanged: true },
        { before: undefined, after: undefined, isChanged: true },
      ],
    });
    expect(table?.counts).to.equal("1 added, 1 changed");
  });
});
