// Codes of digits alone: "2026-018" is the number of an invoice, and neither a day nor a phone number that is set.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const OFFICE = createApplication({
  invoices: {
    key: "invoice_id",
    keyType: I,
    rows: [
      { id: 1, invoice_no: "2026-018", amount: 20, status: "open" },
      { id: 2, invoice_no: "2026-015", amount: 30, status: "open" },
    ],
    fields: { amount: { type: "number" }, status: { type: "string", enum: ["open", "paid"] } },
    actions: { remind: {} },
  },
  members: {
    key: "member_id",
    keyType: I,
    rows: [
      { id: 3, name: "Ada Holm", phone: "555-1234" },
      { id: 4, name: "Bo Lund", phone: "555-9999" },
    ],
    fields: { name: S, phone: S, joined: { type: "string", format: "date" } },
  },
});

describe("The offline planner looks codes of digits up", () => {
  for (const [prompt, call] of [
    ["mark invoice 2026-018 as paid", ["update_invoice", { invoice_id: 1, status: "paid" }]],
    ["remind invoice 2026-015", ["remind_invoice", { invoice_id: 2 }]],
    ["change the amount of 2026-018 to 12", ["update_invoice", { invoice_id: 1, amount: 12 }]],
    ["delete invoice 2026-018", ["delete_invoice", { invoice_id: 1 }]],
    ["set the phone of Ada Holm to 555-7777", ["update_member", { member_id: 3, phone: "555-7777" }]],
    ["set the phone of member 3 to 555-9999", ["update_member", { member_id: 3, phone: "555-9999" }]],
    ["set joined of member 4 to 2026-11-02", ["update_member", { member_id: 4, joined: "2026-11-02" }]],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(OFFICE, prompt))).to.deep.equal(call);
    });

  it("and changes nothing where none is found", async () => {
    const { calls, text } = await askOf(OFFICE, "delete invoice 2026-999");
    expect(calls.map(([name]) => name)).to.deep.equal(["list_invoices"]);
    expect(text).to.match(/^I found nothing called "2026-999" among the invoices/);
  });
});
