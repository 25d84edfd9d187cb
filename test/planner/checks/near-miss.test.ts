// Prompts that come near to what a tool does: what is more or other in them is said, or keeps the planner from a call.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { table } from "../samples/warehouse.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const day = { type: "string", format: "date" };
const TOOLS = [
  tool("getOrder", "get", "GET /orders/{order_id}", { order_id: id }, ["order_id"]),
  tool("getRevenue", "get", "GET /revenue"),
  tool("getGuest", "get", "GET /guests/{guest_id}", { guest_id: id }, ["guest_id"]),
  tool("deleteGuest", "delete", "DELETE /guests/{guest_id}", { guest_id: id }, ["guest_id"]),
  tool("listBookings", "list", "GET /bookings", { guest_id: id }),
  tool("createContact", "create", "POST /contacts", { name: text }, ["name"]),
  tool("createPet", "create", "POST /pets", { name: text, breed: text, sex: { ...text, enum: ["male", "female"] } }, [
    "name",
  ]),
  tool("listContacts", "list", "GET /contacts", { status: { ...text, enum: ["active", "bounced"] } }),
  tool("gradeStudent", "action", "POST /students/{student_id}/grade", { student_id: id, course_id: id, points: id }, [
    "student_id",
    "course_id",
    "points",
  ]),
  tool("getCourse", "get", "GET /courses/{course_id}", { course_id: id }, ["course_id"]),
  ...table("invoices", { id, customer: text, due_date: day }),
];
const ORDER = { id: 7, total: 5, note: "nothing was changed" };
const ask = createSession.bind(undefined, TOOLS, ({ verb }) => (verb === "list" ? [{ id: 1 }] : ORDER));

describe("The offline planner, of prompts that a tool nearly fits,", () => {
  for (const [prompt, calls, said] of [
    ["only cancel order 7", [], /^I did not understand what is to be done, so I called nothing\./],
    ["show order 7 and then delete it", [["getOrder", { order_id: 7 }]], /I only looked; nothing was changed\.$/],
    ["revenue last month", [["getRevenue", {}]], /^I could not narrow this by "last month"\./],
    ["cancel guest 3 and delete guest 9", [], /^I make one change a prompt, so I called nothing\./],
    ["get guest 7 bookings", [["listBookings", { guest_id: 7 }]], /^1 booking with guest_id = 7:/],
    [
      "create a contact called emma watson status bounced",
      [],
      /^I cannot tell whether all of "emma watson status bounced" is one text/,
    ],
    ["add pet Zorro breed Doberman male", [], /^I cannot tell whether all of "Doberman male" is one text/],
    [
      "grade student 2 course 1 points 66",
      [["gradeStudent", { student_id: 2, course_id: 1, points: 66 }]],
      /^Done: `gradeStudent`/,
    ],
    [
      "invoices due after 2026-05-01",
      [["list_invoices", { where: { due_date: { gt: "2026-05-01" } } }]],
      /^1 invoice with due_date > 2026-05-01:/,
    ],
    ["invoices paid after 2026-05-01", [["list_invoices", {}]], /^I could not narrow this by "paid" or "2026-05-01"\./],
  ] as [string, [string, JsonObject][], RegExp][])
    it(`"${prompt}"`, async () => {
      const turn = await ask()(prompt);
      expect(turn.calls).to.deep.equal(calls);
      expect(turn.text).to.match(said);
    });
});
