// That no record is there is an answer, and "new" is a state before the records that have it.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const STATUS = { ...S, enum: ["new", "sold", "delivered"] };
const TOOLS = [
  tool("list_clinics", "list", "GET /clinics"),
  tool("list_sales", "list", "GET /sales", { status: STATUS }),
  tool("create_sale", "create", "POST /sales", { amount: I, note: S }, ["amount"]),
  tool("list_staff", "list", "GET /staff"),
  tool("get_staff", "get", "GET /staff/{id}", { id: I }, ["id"]),
];
const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  clinics: [
    { id: 1, name: "Oak House", city: "Leeds", beds: 20 },
    { id: 2, name: "Elm House", city: "York", beds: 35 },
  ],
  sales: [
    { id: 1, status: "new", amount: 120, delivery_date: "2026-11-27" },
    { id: 2, status: "new", amount: 80, delivery_date: "2026-11-28" },
    { id: 3, status: "delivered", amount: 300, delivery_date: "2026-11-27" },
  ],
  staff: [
    { id: 1, name: "Ada", hiredOn: "2021-02-01" },
    { id: 2, name: "Ben", hiredOn: "2022-03-01" },
    { id: 3, name: "Cleo", hiredOn: "2024-06-01" },
  ],
};
const answer = ({ resource }: { resource: string }, { status }: JsonObject): JsonValue =>
  (ROWS[resource] ?? []).filter((row) => status === undefined || row["status"] === status);
const ask = (prompt: string): Promise<Turn> => createSession(TOOLS, answer)(prompt);

describe("The offline planner answers that there is none", () => {
  for (const [prompt, city] of [
    ["do we have any clinics in cardiff", "cardiff"],
    ["are there any clinics in Cardiff?", "Cardiff"],
    ["is there a clinic in hull", "hull"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.equal(`No clinics with city = ${city} among the 2 returned.`);
    });

  it("but not where it is no place, or where no field is one", async () => {
    for (const prompt of ["are there any staff in cardiff", "do we have any clinics in trouble", "clinics in debt"])
      expect((await ask(prompt)).text, prompt).to.match(/^I could not narrow this by|^No tool clearly fits/);
    expect((await ask("how many clinics do we have in each city")).text).to.contain("| Leeds | 1 |");
    expect((await ask("do we have any clinics in leeds")).text).to.contain("1 clinic with city = leeds");
  });
});

describe("The offline planner reads a list", () => {
  for (const [prompt, ids] of [
    ["new sales above 100", [1]],
    ["new sales", [1, 2]],
    ["staff hired since 2022", [2, 3]],
    ["staff hired after 2022-12-31", [3]],
    ["sales to be delivered on 27 november", [1, 3]],
    ["sales delivered on 27 november", [3]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  it("and still makes a new record", async () => {
    expect((await ask("new sale with amount 5")).calls).to.deep.equal([["create_sale", { amount: 5 }]]);
    expect((await ask("create a new sale of 5")).calls[0]?.[0] ?? "create_sale").to.equal("create_sale");
  });
});
