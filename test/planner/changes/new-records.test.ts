// New records, and keys that a change needs, said in everyday words.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { tool } from "../session.js";

const I = { type: "integer" };
const T = { type: "string" };
const DAY = { type: "string", format: "date" };

const base = createApplication({
  rowers: {
    key: "rower_id",
    keyType: I,
    fields: { name: T, phone: T },
    required: ["name"],
    rows: [
      { rower_id: 6, name: "Signe Dahl", phone: "555 06" },
      { rower_id: 8, name: "Per Moe", phone: "555 08" },
    ],
  },
  boats: {
    key: "boat_id",
    keyType: I,
    fields: { model: T, seats: I },
    required: ["model"],
    rows: [{ boat_id: 30, model: "Quad", seats: 4 }],
  },
  regattas: {
    key: "regatta_id",
    keyType: I,
    fields: { title: T, held_on: DAY },
    required: ["title", "held_on"],
    rows: [{ regatta_id: 5, title: "Spring Sprint", held_on: "2027-04-10" }],
  },
  faults: {
    key: "fault_id",
    keyType: I,
    fields: { boat_id: I, description: T, severity: { type: "string", enum: ["low", "high"] } },
    required: ["boat_id", "description"],
    rows: [],
  },
  penalties: {
    key: "penalty_id",
    keyType: I,
    fields: { rower_id: I, amount: { type: "number" }, reason: T },
    required: ["rower_id", "amount"],
    rows: [],
  },
  reservations: {
    key: "reservation_id",
    keyType: I,
    fields: { rower_id: I, boat_id: I, from: DAY, to: DAY },
    required: ["rower_id", "boat_id", "from", "to"],
    rows: [],
  },
});
const ENTRY = { regatta_id: I, rower_id: I };
const CLUB = {
  ...base,
  tools: [
    ...base.tools,
    tool("create_entry", "create", "POST /regattas/{regatta_id}/entries", ENTRY, ["regatta_id", "rower_id"]),
  ],
};
/** Two tools that need the same two keys. */
const TWO_LISTS = {
  ...base,
  tools: [
    ...CLUB.tools,
    tool("create_standby", "create", "POST /regattas/{regatta_id}/standbys", ENTRY, ["regatta_id", "rower_id"]),
  ],
};

const changes = (calls: readonly [string, JsonObject][]): [string, JsonObject][] =>
  calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner makes a new record", () => {
  for (const [prompt, name, args] of [
    ["create a penalty of 50 for rower 6", "create_penalty", { rower_id: 6, amount: 50 }],
    ["give rower 6 a penalty of 12.5", "create_penalty", { rower_id: 6, amount: 12.5 }],
    ["report a fault on boat 30: cracked rigger", "create_fault", { boat_id: 30, description: "cracked rigger" }],
    ["log a fault for boat 30, loose seat", "create_fault", { boat_id: 30, description: "loose seat" }],
    ["sign rower 6 up for regatta 5", "create_entry", { regatta_id: 5, rower_id: 6 }],
    ["please sign up rower 8 for regatta 5", "create_entry", { regatta_id: 5, rower_id: 8 }],
    ["enrol rower 8 in regatta 5.", "create_entry", { regatta_id: 5, rower_id: 8 }],
    ["put rower 8 down for regatta 5", "create_entry", { regatta_id: 5, rower_id: 8 }],
    [
      "create a reservation of boat 30 for Signe Dahl from 2027-05-03 to 2027-05-05",
      "create_reservation",
      { boat_id: 30, from: "2027-05-03", to: "2027-05-05", rower_id: 6 },
    ],
  ] as [string, string, JsonObject][])
    it(`for "${prompt}"`, async () => {
      const { calls } = await askOf(CLUB, prompt);
      expect(changes(calls)).to.deep.equal([[name, args]]);
    });

  for (const prompt of [
    "create a penalty for rower 6",
    "sign rower 6 up for regatta 5 and regatta 7",
    "sign rower 6 up for boat 30",
    "report a fault on boat 30",
    "report a fault on rower 6: cracked rigger",
    "report a fault on boat 30: cracked rigger, and delete boat 30",
    "don't report a fault on boat 30: cracked rigger",
    "should I sign rower 6 up for regatta 5?",
    "create a reservation of boat 30 for Signe from 2027-05-03 to 2027-05-05",
    "create a reservation of boat 30 for Karl Quist from 2027-05-03 to 2027-05-05",
    "create a reservation of boat 30 for Signe Dahl or Per Moe from 2027-05-03 to 2027-05-05",
    "create a reservation of boat 30 for Signe Dahl",
  ])
    it(`and none for "${prompt}"`, async () => {
      const { calls } = await askOf(CLUB, prompt);
      expect(changes(calls)).to.deep.equal([]);
    });

  it("and none where two tools take what was said", async () => {
    const { calls } = await askOf(TWO_LISTS, "sign rower 6 up for regatta 5");
    expect(calls).to.deep.equal([]);
  });
});
