// Records whose noun has two words, of which either may be a verb: "work order".
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const status = { ...text, enum: ["Open", "OnHold", "Done"] };
const order = { id, status, title: text };
const TOOLS = [
  tool("list_work_orders", "list", "GET /WorkOrders", { status }),
  tool("get_work_order", "get", "GET /WorkOrders/{id}", { id }, ["id"]),
  tool("create_work_order", "create", "POST /WorkOrders", { title: text, status }, []),
  tool("update_work_order", "update", "PATCH /WorkOrders/{id}", order, ["id"]),
];
const ROWS = [
  { id: 6, status: "Open", title: "Leak", installedOn: "2014-05-01" },
  { id: 7, status: "Open", title: "Noise", installedOn: "2020-05-01" },
];
const ask = (prompt: string) => createSession(TOOLS, ({ verb }) => (verb === "list" ? ROWS : (ROWS[0] ?? {})))(prompt);

describe("The offline planner takes a noun of two words for one", () => {
  for (const [prompt, calls, said] of [
    ["work order 6", [["get_work_order", { id: 6 }]], /^- \*\*id\*\*: 6/],
    ["open work orders", [["list_work_orders", { status: "Open" }]], /^2 work orders with status = Open:/],
    ["how many work orders are there", [["list_work_orders", {}]], /^2 work orders\./],
    ["work orders installed before 2015", [["list_work_orders", {}]], /^1 work order with installedOn < 2015-01-01/],
    ["put work order 6 on hold", [["update_work_order", { id: 6, status: "OnHold" }]], /^Updated/],
    ["order pizza for the night shift", [], /./],
    ["create a work order titled Leak", [["create_work_order", { title: "Leak" }]], /^Created/],
  ] as [string, [string, JsonObject][], RegExp][])
    it(`in "${prompt}"`, async () => {
      const turn = await ask(prompt);
      expect(turn.calls).to.deep.equal(calls);
      expect(turn.text).to.match(said);
    });
});
