// "From A to B" in a change: A is left out where both are certainly values of one field.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const day = { type: "string", format: "date" };
const status = { ...text, enum: ["open", "in_progress", "done"] };
const LOAN = { due_date: day, courier: text, fee: { type: "number" }, status, artwork_id: id };
const TOOLS = [
  tool("list_loans", "list", "GET /loans"),
  tool("get_loan", "get", "GET /loans/{loan_id}", { loan_id: id }, ["loan_id"]),
  tool("update_loan", "update", "PATCH /loans/{loan_id}", { loan_id: id, ...LOAN }, ["loan_id"]),
  tool("extend_lease", "update", "PATCH /leases/{id}", { id, start_date: day, end_date: day }, ["id"]),
  tool("move_stock", "action", "POST /stock/{id}/move", { id, to_warehouse: id, quantity: id }, ["id", "to_warehouse"]),
];
const ask = (prompt: string) => createSession(TOOLS, () => [{ id: 1 }])(prompt);

describe("A change by the offline planner leaves out the value a field has now", () => {
  for (const [prompt, args] of [
    ["change the due date of loan 1 from 15 december to 20 december", { loan_id: 1, due_date: "2026-12-20" }],
    ["change courier of loan 1 from Artex to Hasenkamp", { loan_id: 1, courier: "Hasenkamp" }],
    ["change loan 2's courier from Artex to Hasenkamp", { loan_id: 2, courier: "Hasenkamp" }],
    ["please change the fee of loan 5 from 100 to 120.5", { loan_id: 5, fee: 120.5 }],
    ["change status of loan 1 from Open to In Progress", { loan_id: 1, status: "in_progress" }],
  ] as [string, JsonObject][])
    it(`in "${prompt}"`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([["update_loan", args]]);
    });

  for (const prompt of [
    "change the fee of loan 5 from Artex to 100",
    "change the fee of loan 1 from 5 to 2026-12-01",
    "change lease 4 from 2026-12-01 to 2026-12-31",
    "move 5 of stock 3 from warehouse 1 to warehouse 2",
    "change the loans from Artex to Hasenkamp",
    "don't change courier of loan 1 from Artex to Hasenkamp",
  ])
    it(`but not in "${prompt}"`, async () => {
      expect((await ask(prompt)).calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
