// "The first one", "it": the record of a list that the offline planner has shown, and never the one that holds the list.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const I = { type: "integer" };
const TRACKER = [
  tool("listTickets", "list", "GET /tickets"),
  tool("getTicket", "get", "GET /tickets/{ticket_id}", { ticket_id: I }, ["ticket_id"]),
  tool("deleteTicket", "delete", "DELETE /tickets/{ticket_id}", { ticket_id: I }, ["ticket_id"]),
  tool("listNotes", "list", "GET /tickets/{ticket_id}/notes", { ticket_id: I }, ["ticket_id"]),
  tool("listWatchers", "list", "GET /tickets/{id}/watchers", { id: I }, ["id"]),
];
const DELETE_NOTE = tool("deleteNote", "delete", "DELETE /tickets/{ticket}/notes/{id}", { ticket: I, id: I }, [
  "ticket",
  "id",
]);
const ROWS: Readonly<Record<string, JsonObject[]>> = {
  listTickets: [{ id: 5 }, { id: 6 }],
  listNotes: [
    { id: 100, ticket_id: 5, text: "one" },
    { id: 101, ticket_id: 5, text: "two" },
  ],
  listWatchers: [{ id: 9, ticket_id: 5, name: "Ann" }],
};
const visit = (tools: readonly ReturnType<typeof tool>[]) =>
  createSession(tools, ({ name }) => ROWS[name] ?? { id: 5 });

describe("After a list of what belongs to a record the offline planner takes an ordinal", () => {
  it("for a record of that list, with the key of the one that holds it", async () => {
    const ask = visit([...TRACKER, DELETE_NOTE]);
    await ask("list the notes of ticket 5");
    expect((await ask("delete the second one")).calls).to.deep.equal([["deleteNote", { ticket: 5, id: 101 }]]);
  });

  for (const list of ["notes", "watchers"])
    it(`never for the one that holds it: ${list}`, async () => {
      const ask = visit(TRACKER);
      await ask(`list the ${list} of ticket 5`);
      const { calls } = await ask("delete the first one");
      expect(calls.filter(([name]) => name === "deleteTicket")).to.deep.equal([]);
    });

  it("and still for the one that holds it, where its own list was shown", async () => {
    const ask = visit([...TRACKER, DELETE_NOTE]);
    await ask("list tickets");
    expect((await ask("delete the second one")).calls).to.deep.equal([["deleteTicket", { ticket_id: 6 }]]);
  });

  it('and "its notes" for those of the record that was shown', async () => {
    const ask = visit(TRACKER);
    await ask("show ticket 5");
    expect((await ask("list its notes")).calls).to.deep.equal([["listNotes", { ticket_id: 5 }]]);
  });
});

describe("The offline planner reads the record that another refers to", () => {
  const tools = [
    tool("getVisit", "get", "GET /visits/{id}", { id: I }, ["id"]),
    tool("getPatient", "get", "GET /patients/{id}", { id: I }, ["id"]),
  ];
  for (const [maxIterations, read] of [
    [2, ["getVisit"]],
    [3, ["getVisit", "getPatient"]],
  ] as const)
    it(`where a turn of ${maxIterations} model calls has an answer behind it: ${read}`, async () => {
      const ask = createSession(tools, () => ({ id: 7, patient_id: 4 }), { maxIterations });
      expect((await ask("show the patient of visit 7")).calls.map(([name]) => name)).to.deep.equal(read);
    });
});
