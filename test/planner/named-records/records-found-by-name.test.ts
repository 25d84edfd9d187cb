// A record that was found by its name is what the prompts behind it go on with, and what was only searched is not.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const I = { type: "integer" };
const T = { type: "string" };
const STATE = { type: "string", enum: ["tuned", "broken"] };

/** A music school: keys called by their noun, a list with one record, and records that have no names. */
const SCHOOL = createApplication({
  pupils: {
    key: "pupil_id",
    keyType: I,
    fields: { name: T, email: T, instrument: T },
    required: ["name"],
    rows: [
      { pupil_id: 4, name: "Maja Brandt", email: "maja@mail.example", instrument: "cello" },
      { pupil_id: 9, name: "Otto Vang", email: "otto@mail.example", instrument: "harp" },
      { pupil_id: 11, name: "Nils Ek", email: "nils@mail.example", instrument: "horn" },
      { pupil_id: 12, name: "Nils Ek", email: "ek@mail.example", instrument: "flute" },
    ],
  },
  pianos: {
    key: "piano_id",
    keyType: I,
    fields: { name: T, state: STATE },
    required: ["name"],
    rows: [{ piano_id: 1, name: "Bechstein", state: "tuned" }],
  },
  rooms: {
    key: "room_id",
    keyType: I,
    fields: { name: T, seats: I },
    required: ["name"],
    rows: [
      { room_id: 21, name: "Cellar", seats: 12 },
      { room_id: 22, name: "Attic", seats: 8 },
    ],
  },
  recitals: {
    key: "recital_id",
    keyType: I,
    filters: { pupil_id: I, state: { type: "string", enum: ["planned", "held"] } },
    fields: { pupil_id: I, piece: T, fee: I },
    required: ["pupil_id", "piece"],
    actions: { postpone: {} },
    rows: [
      { recital_id: 70, pupil_id: 4, piece: "Suite in G", fee: 20, state: "planned" },
      { recital_id: 71, pupil_id: 9, piece: "Aria in D", fee: 30, state: "planned" },
      { recital_id: 72, pupil_id: 4, piece: "Sonata in E", fee: 50, state: "held" },
    ],
  },
});

const isSearch = ([name, args]: [string, JsonObject]): boolean =>
  name.startsWith("list_") && Object.keys(args).length === 0;

/** The last turn of a conversation. */
async function lastTurn(prompts: readonly string[]) {
  const ask = createSession(SCHOOL.tools, SCHOOL.reply);
  for (const prompt of prompts.slice(0, -1)) await ask(prompt);
  return ask(prompts.at(-1) ?? "");
}

describe("The offline planner, behind a record that was found by its name,", () => {
  for (const [prompts, call] of [
    [
      ["who is Maja Brandt", "what's her email"],
      ["get_pupil", { pupil_id: 4 }],
    ],
    [
      ["who is maja brandt?", "and which recitals does she have"],
      ["list_recitals", { pupil_id: 4 }],
    ],
    [
      ["instrument of Otto Vang", "and his email?"],
      ["get_pupil", { pupil_id: 9 }],
    ],
    [
      ["who is Otto Vang", "list his recitals"],
      ["list_recitals", { pupil_id: 9 }],
    ],
    [
      ["who is Otto Vang", "set his email to o@mail.example"],
      ["update_pupil", { pupil_id: 9, email: "o@mail.example" }],
    ],
    [
      ["who is Otto Vang", "thanks", "delete him"],
      ["delete_pupil", { pupil_id: 9 }],
    ],
    [
      ["who is Otto Vang", "list his recitals", "postpone that one"],
      ["postpone_recital", { recital_id: 71 }],
    ],
    [
      ["who is Maja Brandt", "show her recitals", "postpone the second one"],
      ["postpone_recital", { recital_id: 72 }],
    ],
    [
      ["who is Nils Ek", "delete the second one"],
      ["delete_pupil", { pupil_id: 12 }],
    ],
    [
      ["how many planned recitals are there", "list them"],
      ["list_recitals", { state: "planned" }],
    ],
    [
      ["how many recitals does Maja Brandt have", "which ones?"],
      ["list_recitals", { pupil_id: 4 }],
    ],
    [
      ["how many recitals does Maja Brandt have", "list them", "postpone the first one"],
      ["postpone_recital", { recital_id: 70 }],
    ],
  ] as [string[], [string, JsonObject]][])
    it(`goes on with ${prompts.map((one) => `"${one}"`).join(", ")}`, async () => {
      const { calls } = await lastTurn(prompts);
      expect(calls).to.deep.equal([call]);
    });

  for (const prompts of [
    ["how many seats does cellar have?", "and attic?"],
    ["how many seats does Cellar have?", "what about attic"],
  ])
    it(`reads "${prompts.at(-1) ?? ""}" for the other record`, async () => {
      const { calls, text } = await lastTurn(prompts);
      expect(calls.every(isSearch)).to.equal(true);
      expect(text).to.include("**seats**: 8").and.not.include("12");
    });

  // The only piano, and what was searched without success, was never shown.
  for (const prompts of [
    ["who is Nils Ek", "only those of the harp"],
    ["who is Maja Brandt", "postpone it"],
    ["who is Maja Brandt", "show her recitals", "postpone it"],
    ["who is Karl Quist", "delete him"],
    ["who is Maja Brandt", "who is Karl Quist", "delete her"],
    ["who is Karl Quist", "list her recitals"],
    ["who is Nils Ek", "delete him"],
    ["how many recitals does Nils Ek have", "list them"],
    ["who is Maja Brandt", "list them"],
    ["what is the total fee of the recitals", "list them"],
    ["list them"],
    ["which ones?"],
    ["who is coming tonight"],
    ["who is your favourite composer"],
  ])
    it(`calls nothing for ${prompts.map((one) => `"${one}"`).join(", ")}`, async () => {
      const { calls } = await lastTurn(prompts);
      expect(calls).to.deep.equal([]);
    });

  it("changes no record that was only searched", async () => {
    const { calls } = await lastTurn(["who is Maja Brandt", "set its state to broken"]);
    expect(calls.filter((one) => !isSearch(one))).to.deep.equal([]);
  });
});
