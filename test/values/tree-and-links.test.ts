// Rows found in results, trees of JSON, and the tools that get what a value names.
import { expect } from "chai";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonValue } from "../../src/lib/json.js";
import { firstDepth, foldAll, jsonLines } from "../../static/values/json-lines.js";
import { thingTool } from "../../static/values/links.js";
import { rowsIn, totalOf } from "../../static/values/rows.js";

function tool(name: string, resource: string, required: string[], more: Partial<Tool> = {}): Tool {
  const properties = Object.fromEntries(required.map((one) => [one, { type: "integer" }]));
  return {
    name,
    application: "",
    description: "",
    input_schema: { type: "object", properties, required },
    resource,
    verb: required.length === 0 ? "list" : "get",
    safety: "read_only",
    provenance: "declared",
    transport: { kind: "http" },
    ...more,
  };
}

describe("what a result is made of", () => {
  it("finds rows in a list, in an object around one, and in a list of plain values", () => {
    expect(rowsIn([{ a: 1 }])).to.include({ isPart: false, rest: null });
    expect(rowsIn({ data: { items: [{ a: 1 }], page: 2 }, total: 9 })).to.deep.include({
      path: ["data", "items"],
      rest: { data: { page: 2 }, total: 9 },
      isPart: false,
    });
    expect(rowsIn(["a", "b"])?.rows).to.deep.equal([{ value: "a" }, { value: "b" }]);
    expect(rowsIn([[1, "x"], [3]])).to.deep.include({ columns: ["0", "1"], rows: [{ "0": 1, "1": "x" }, { "0": 3 }] });
    expect([[[]], [[1], { a: 1 }], [[[1]]], [[{ a: 1 }]]].filter((value) => rowsIn(value) !== null)).to.deep.equal([]);
    expect(rowsIn({ id: 7, items: [{ a: 1 }] })).to.include({ isPart: true });
    const others: JsonValue[] = [[], {}, "a", [1, { a: 1 }], { a: [{ x: 1 }], b: [{ x: 1 }] }];
    expect(others.filter((value) => rowsIn(value) !== null)).to.deep.equal([]);
  });

  it("knows how many rows there are where only the first came", () => {
    const rows = rowsIn({ truncated: true, total_items: 90, preview: [{ a: 1 }] });
    expect(rows && totalOf(rows)).to.equal(90);
  });

  it("has a line for each value of a tree, and folds", () => {
    const value = { a: [1, { "b/c": null }], d: {} };
    const paths = (lines: { path: string }[]) => lines.map(({ path }) => path);
    expect(paths(jsonLines(value, new Map(), 9))).to.deep.equal(["", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/d"]);
    expect(paths(jsonLines(value, new Map([["/a", false]]), 9))).to.deep.equal(["", "/a", "/d"]);
    expect(paths(jsonLines(value, foldAll(value, false), 9))).to.deep.equal(["", "/a", "/d"]);
    expect(firstDepth(Array.from({ length: 500 }, () => ({ a: 1 })))).to.equal(1);
  });

  it("leads from a key to the tool that gets the thing, in the same application", () => {
    const list = tool("list_orders", "orders", []);
    const order = tool("get_order", "orders", ["id"]);
    const customer = tool("get_customer", "customers", ["customer_id"]);
    const tools = [list, order, customer, tool("delete_customer", "customers", ["id"], { safety: "destructive" })];
    expect(thingTool("customer_id", list, tools)).to.deep.equal({ tool: "get_customer", argument: "customer_id" });
    expect(thingTool("customerId", list, tools)?.tool).to.equal("get_customer");
    expect(thingTool("id", list, tools)?.tool).to.equal("get_order");
    expect(thingTool("id", order, tools), "the thing itself").to.equal(undefined);
    expect(thingTool("total", list, tools)).to.equal(undefined);
    expect(thingTool("supplier_id", list, tools)).to.equal(undefined);
    expect(thingTool("customer_id", { ...list, application: "other" }, tools)).to.equal(undefined);
    expect(thingTool("customer_id", list, [tool("find", "customers", ["id", "shop"])])).to.equal(undefined);
  });
});
