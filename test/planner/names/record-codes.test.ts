// A record that is called by a code, where its key is a number or a UUID: the code is looked up, and the call has the key.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const S = { type: "string" };
const N = { type: "integer" };
const U = { type: "string", format: "uuid" };
const DAY = { type: "string", format: "date" };
const STATE = { type: "string", enum: ["open", "done", "cancelled"] };

const uuid = (n: number): string => `6f1c2b3a-0000-4000-8000-0000000000${10 + n}`;
const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  bikes: Array.from({ length: 45 }, (_, i) => ({ id: i + 1, tag: `BK-${101 + i}`, colour: "red", rack: "A-1" })),
  repairs: Array.from({ length: 8 }, (_, i) => ({
    id: uuid(i),
    number: `R26A-${String(i + 1).padStart(3, "0")}`,
    bike_tag: `BK-${101 + i}`,
    status: "open",
    due: "2026-12-01",
  })),
  mechanics: [{ id: 1, name: "Ada Holm", badge: "BK-101X" }],
  // Two lists with one kind of code.
  invoices: [{ id: 4, number: "F-77", total: 20 }],
  refunds: [{ id: 9, number: "F-77", total: 5 }],
};
const TOOLS = [
  tool("list_bikes", "list", "GET /bikes", { offset: N, limit: { ...N, default: 20 } }),
  tool("get_bike", "get", "GET /bikes/{bike_id}", { bike_id: N }, ["bike_id"]),
  tool("update_bike", "update", "PATCH /bikes/{bike_id}", { bike_id: N, colour: S, rack: S }, ["bike_id"]),
  tool("delete_bike", "delete", "DELETE /bikes/{bike_id}", { bike_id: N }, ["bike_id"]),
  tool("lend_bike", "action", "POST /bikes/{bike_id}/lend", { bike_id: N, borrower: S }, ["bike_id", "borrower"]),
  tool("create_bike", "create", "POST /bikes", { colour: S, rack: S }, ["colour"]),
  tool("list_repairs", "list", "GET /repairs", { status: STATE }),
  tool("get_repair", "get", "GET /repairs/{id}", { id: U }, ["id"]),
  tool("update_repair", "update", "PATCH /repairs/{id}", { id: U, due: DAY, status: STATE }, ["id"]),
  tool("cancel_repair", "action", "POST /repairs/{id}/cancel", { id: U, reason: S }, ["id"]),
  tool("list_notes", "list", "GET /repairs/{id}/notes", { id: U }, ["id"]),
  tool("add_note", "create", "POST /repairs/{id}/notes", { id: U, text: S }, ["id", "text"]),
  tool("create_repair", "create", "POST /repairs", { bike_id: N, due: DAY }, ["bike_id"]),
  tool("list_mechanics", "list", "GET /mechanics"),
  tool("update_mechanic", "update", "PATCH /mechanics/{id}", { id: N, name: S }, ["id"]),
  tool("list_invoices", "list", "GET /invoices"),
  tool("void_invoice", "action", "POST /invoices/{id}/void", { id: N }, ["id"]),
  tool("list_refunds", "list", "GET /refunds"),
  tool("delete_refund", "delete", "DELETE /refunds/{id}", { id: N }, ["id"]),
];

const session = () =>
  createSession(TOOLS, ({ transport: { path = "", method } }, args) => {
    const [, plural = "", key, part] = path.split("/");
    const rows = ROWS[plural] ?? [];
    if (key === undefined) {
      if (method !== "GET" || plural !== "bikes") return method === "GET" ? [...rows] : args;
      const [from, size] = [Number(args["offset"] ?? 0), Number(args["limit"] ?? 20)];
      return { items: rows.slice(from, from + size), total: rows.length };
    }
    const row = rows.find(({ id }) => id === Object.values(args).find((value) => value === id));
    if (!row) return { error: "404 Not Found" };
    if (method !== "GET") return { ...row, ...args };
    return part === "notes" ? [{ id: 1, text: "chain" }] : row;
  });
const ask = (prompt: string) => session()(prompt);
const lists = (calls: readonly [string, JsonObject][]) => calls.filter(([name]) => name.startsWith("list_"));
const changes = (calls: readonly [string, JsonObject][]) => calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner looks a code up", () => {
  for (const [prompt, call] of [
    ["cancel R26A-003", ["cancel_repair", { id: uuid(2) }]],
    ["cancel repair R26A-003", ["cancel_repair", { id: uuid(2) }]],
    ["cancel repair r26a-003", ["cancel_repair", { id: uuid(2) }]],
    ["change the due of R26A-003 to 5 december 2026", ["update_repair", { id: uuid(2), due: "2026-12-05" }]],
    ["move R26A-003 to 5 december 2026", ["update_repair", { id: uuid(2), due: "2026-12-05" }]],
    ["set the due of R26A-004 to 2026-12-06", ["update_repair", { id: uuid(3), due: "2026-12-06" }]],
    ["delete bike BK-104", ["delete_bike", { bike_id: 4 }]],
    ["delete BK104", ["delete_bike", { bike_id: 4 }]],
    ["lend BK-139 to Ada Holm", ["lend_bike", { bike_id: 39, borrower: "Ada Holm" }]],
    ["change the colour of BK-139 to green", ["update_bike", { bike_id: 39, colour: "green" }]],
    ["add a note to repair R26A-005: brakes done", ["add_note", { id: uuid(4), text: "brakes done" }]],
    ["create a repair for bike BK-105", ["create_repair", { bike_id: 5 }]],
  ] as [string, [string, JsonObject]][])
    it(`for "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(changes(calls), text).to.deep.equal([call]);
    });

  for (const [prompt, expected] of [
    ["notes of repair R26A-002", "chain"],
    ["notes on R26A-002", "chain"],
    ["show BK-143", "BK-143"],
    ["where is BK-123 kept", "A-1"],
    ["show repair R26A-002", "R26A-002"],
  ] as const)
    it(`to read "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(text)
        .to.include(expected)
        .and.not.match(/could not narrow/);
      expect(changes(calls)).to.deep.equal([]);
    });

  it("and knows the record in the next prompt", async () => {
    const say = session();
    await say("show R26A-006");
    expect(changes((await say("cancel it")).calls)).to.deep.equal([["cancel_repair", { id: uuid(5) }]]);
  });

  it("in the list of its noun alone", async () => {
    expect(lists((await ask("cancel repair R26A-003")).calls)).to.have.length(1);
  });

  for (const [prompt, said] of [
    ["cancel repair R26A-999", /^I found nothing called "R26A-999" among the repairs, so I went no further\./],
    ["delete XQ-12", /^I found nothing called "XQ-12" among the /],
    ["delete F-77", /^2 records are called so/],
    ["print a label for BK-104", /^I did not understand "print", so I called nothing\./],
    ["lend BK-104", /^(?:Which|What) borrower/],
    ["Jonas cancelled R26A-003 because of the rain", /./],
    ["don't cancel R26A-003", /./],
  ] as [string, RegExp][])
    it(`and changes nothing for "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(changes(calls)).to.deep.equal([]);
      expect(text).to.match(said);
    });
});
