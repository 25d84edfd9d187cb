// The planner where a change is mentioned but not plainly commanded: conditions, reported speech, statements, parts of the record
// that is named, whole collections. On applications of three shapes: nested paths, one path a method, dotted methods.
import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const date: JsonObject = { type: "string", format: "date" };
const status: JsonObject = { type: "string", enum: ["booked", "cancelled", "invited", "deleted"] };

const CLINIC = [
  tool("listPatients", "list", "GET /patients", { name: text }),
  tool("getPatient", "get", "GET /patients/{patient-id}", { "patient-id": text }, ["patient-id"]),
  tool("updatePatient", "update", "PATCH /patients/{patient-id}", { "patient-id": text, status, email: text }, [
    "patient-id",
  ]),
  tool("deletePatient", "delete", "DELETE /patients/{patient-id}", { "patient-id": text }, ["patient-id"]),
  tool("invite", "create", "POST /patients/invite", { email: text }, ["email"]),
  tool("bookStay", "create", "POST /stays", { "patient-id": text, arrival: date, departure: date }, [
    "patient-id",
    "arrival",
    "departure",
  ]),
  tool("updateSettings", "update", "PUT /settings", { notifications: { type: "boolean" } }),
  tool("updateWard", "update", "PATCH /wards/{id}", { id: number, sold: { type: "boolean" } }, ["id"]),
  tool("listWards", "list", "GET /wards"),
  tool("deleteWard", "delete", "DELETE /wards/{id}", { id: number }, ["id"]),
];
const STORE = [
  tool("deleteItem", "delete", "POST /deleteItem", { item_id: number }, ["item_id"]),
  tool("deleteAllItems", "delete", "POST /deleteAllItems", { confirm: { type: "boolean" } }),
  tool("dispatchShipment", "create", "POST /dispatchShipment", { shipment_id: number, carrier: text }, ["shipment_id"]),
  tool("SetCardLimit", "create", "POST /SetCardLimit", { cardId: text, limit: number }, ["cardId", "limit"]),
  tool("archiveShelf", "create", "POST /archiveShelf", { shelf_id: text }, ["shelf_id"]),
];
const CHORES = [tool("addTodo", "create", "POST /todos", { title: text }), tool("listTodos", "list", "GET /todos")];
const LIBRARY = [
  tool("books_list", "list", "GET /Library/Books.list", { author: text }),
  tool("books_remove", "delete", "POST /Library/Books.remove", { bookId: number }, ["bookId"]),
  tool("books_giveBack", "action", "POST /Library/Books.giveBack", { bookId: number }, ["bookId"]),
  tool("readers_remove", "delete", "POST /Library/Readers.remove", { readerId: number }, ["readerId"]),
];

async function changes(tools: Tool[], prompt: string): Promise<[string, JsonObject][]> {
  const ask = createSession(tools, ({ safety }) =>
    safety === "read_only" ? [{ id: "p1", name: "Ada Lovelace", email: "ada@x.org" }] : { ok: true },
  );
  const { calls } = await ask(prompt);
  return calls.filter(([name]) => tools.find((one) => one.name === name)?.safety !== "read_only");
}

const nothing: readonly (readonly [Tool[], readonly string[]])[] = [
  [
    CLINIC,
    [
      "delete patient p3 if she has no stays",
      "delete patient p3 unless she is ill",
      "delete patient p3 later",
      "delete patient p3 before the visit",
      "delete patient p3 but keep the stays",
      "delete ward 3 and its patients",
      "the doctor asked me to delete patient p3",
      "pretend to delete patient p3",
      "I'm not sure I want to delete ward 3",
      "example: delete ward 3",
      "to delete ward 3 use the form",
      "delete everything except ward 3",
      "delete all wards but 3",
      "delete ward 3 door",
      "delete the id of ward 3",
      "sold ward 3",
      "we sold ward 3",
      "delete patient p3 from the ward",
      "delete ward 3 and notify Ada",
      "delete the patient Ada Love",
    ],
  ],
  [
    STORE,
    [
      "delete all items of shelf 3",
      "delete all items older than a year",
      "delete all lost shipments",
      "delete them all",
      "dispatch shipment 3 and 4",
      "dispatch shipment of item 3",
      "delete item 4's shipment",
      "card K1 limit 500",
    ],
  ],
  [LIBRARY, ["remove the reader of book 2", "remove author of book 2", "book 2 is back", "book 2 was given back"]],
];

const done: readonly (readonly [Tool[], string, string, JsonObject])[] = [
  [CLINIC, "I'd like to delete patient p3", "deletePatient", { "patient-id": "p3" }],
  [CLINIC, "please delete patient p3 permanently", "deletePatient", { "patient-id": "p3" }],
  [CLINIC, "delete patient Ada Lovelace", "deletePatient", { "patient-id": "p1" }],
  [CLINIC, "delete patient ada@x.org", "deletePatient", { "patient-id": "p1" }],
  [CLINIC, "turn off notifications", "updateSettings", { notifications: false }],
  [CLINIC, "mark ward 3 as sold", "updateWard", { id: 3, sold: true }],
  [CLINIC, "invite bob@x.org", "invite", { email: "bob@x.org" }],
  [
    CLINIC,
    "book a stay for patient p3 from 2026-12-01 to 2026-12-05",
    "bookStay",
    { "patient-id": "p3", arrival: "2026-12-01", departure: "2026-12-05" },
  ],
  [STORE, "delete item 4", "deleteItem", { item_id: 4 }],
  [STORE, "delete all items", "deleteAllItems", {}],
  [STORE, "set the limit of card K1 to 500", "SetCardLimit", { cardId: "K1", limit: 500 }],
  [CHORES, "add a todo to call mom when she is home", "addTodo", { title: "call mom when she is home" }],
  [LIBRARY, "remove book 2", "books_remove", { bookId: 2 }],
];

describe("The offline planner in doubt", () => {
  for (const [tools, prompts] of nothing)
    for (const prompt of prompts)
      it(`changes nothing for "${prompt}"`, async () => {
        expect(await changes(tools, prompt)).to.deep.equal([]);
      });

  for (const [tools, prompt, name, args] of done)
    it(`does what "${prompt}" plainly commands`, async () => {
      expect(await changes(tools, prompt)).to.deep.equal([[name, args]]);
    });

  for (const answer of [
    "not 3",
    "3 if she left",
    "3 and 4",
    "maybe 3",
    "ward 3's neighbour",
    "3 minutes ago I said no",
  ])
    it(`asks again when "${answer}" answers its question`, async () => {
      const ask = createSession(CLINIC, () => ({ ok: true }));
      await ask("delete ward");
      const { calls, text } = await ask(answer);
      expect(calls).to.deep.equal([]);
      expect(text).to.contain("Which id?");
    });

  it("takes a plain answer to its question", async () => {
    const ask = createSession(CLINIC, () => ({ ok: true }));
    await ask("delete ward");
    expect((await ask("ward 3, please")).calls).to.deep.equal([["deleteWard", { id: 3 }]]);
  });
});
