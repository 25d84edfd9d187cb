// New records that are told in a row of values without their names: what each can only be is placed, and all else is asked for by name.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const B = { type: "boolean" };
const D = { type: "string", format: "date" };

const TOWN = createApplication({
  guests: {
    key: "guest_id",
    keyType: I,
    rows: [{ id: 1, name: "Pia Roth" }],
    fields: { name: S, email: { type: "string", format: "email" }, nights: I, phone: S, vip: B },
    required: ["name", "email", "nights"],
  },
  rooms: { key: "room_id", keyType: I, rows: [], fields: { name: S, beds: I, rate: N, heated: B }, required: ["name"] },
  boats: {
    key: "boat_id",
    keyType: I,
    rows: [],
    fields: { name: S, sail_no: S, colour: S, length_m: N, berth: S },
    required: ["name", "sail_no"],
  },
  courses: {
    key: "course_id",
    keyType: I,
    rows: [],
    fields: { title: S, starts_on: D, price: N, places: I },
    required: ["title", "starts_on"],
  },
  households: {
    key: "household_id",
    keyType: I,
    rows: [{ id: 4, name: "Marlow" }],
    fields: { name: S, address: S, phone: S },
    required: ["name"],
  },
  children: {
    key: "child_id",
    keyType: I,
    rows: [],
    fields: { name: S, born: D, household_id: I, group: S, allergies: S },
    required: ["name", "born", "household_id"],
  },
});
const changes = (calls: readonly [string, JsonObject][]) => calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner makes a new record of a row of values", () => {
  for (const [prompt, call] of [
    [
      "add a guest: Mira Holt, mira@x.example, 4 nights",
      ["create_guest", { name: "Mira Holt", email: "mira@x.example", nights: 4 }],
    ],
    [
      "add guest Mira Holt, mira@x.example, 4",
      ["create_guest", { name: "Mira Holt", email: "mira@x.example", nights: 4 }],
    ],
    [
      "new guest: mira holt; mira@x.example; 4 nights; +47 600 90 12",
      ["create_guest", { name: "mira holt", email: "mira@x.example", nights: 4, phone: "+47 600 90 12" }],
    ],
    [
      "add a guest - Mira Holt, mira@x.example, 555-7788, 4, vip",
      ["create_guest", { name: "Mira Holt", email: "mira@x.example", nights: 4, phone: "555-7788", vip: true }],
    ],
    ["add a room: Loft, 2 beds, 75", ["create_room", { name: "Loft", beds: 2, rate: 75 }]],
    [
      "new boat: Skua, MX-60, red, 7.5 m",
      ["create_boat", { name: "Skua", sail_no: "MX-60", colour: "red", length_m: 7.5 }],
    ],
    ["new course: Knots, 2026-12-12, 30 kr", ["create_course", { title: "Knots", starts_on: "2026-12-12", price: 30 }]],
    [
      "add a household: Rossi, 3 Oak St, 700 55",
      ["create_household", { name: "Rossi", address: "3 Oak St", phone: "700 55" }],
    ],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(TOWN, prompt);
      expect(changes(calls), text).to.deep.equal([call]);
    });
});

describe("The offline planner asks by name for a value of a row that may be for several parameters, or for none by its form:", () => {
  for (const [prompt, said] of [
    ["add a room: Loft, 2", 'It may be beds or rate: say all of it again with that name, such as "beds: 2".'],
    ["new boat: Skua, MX-60, 7.5", "It may be length_m or berth"],
    ["new course: Knots, 2026-12-12, 30", "It may be price or places"],
    ["new child: Noa Marlow, 2022-05-01, Owls", "It may be group, allergies or household"],
    ["new child: Noa Marlow, 2022-05-01, household 4, Owls", "It may be group or allergies"],
    ["add a household: Rossi, vegetarian", "It may be its address"],
    ["add a guest: Mira Holt, mira@x.example", "Which nights?"],
    ["add a guest: Mira Holt, 4 nights", "Which email?"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(TOWN, prompt);
      expect(changes(calls)).to.deep.equal([]);
      expect(text).to.include(said);
    });

  it("and drops it for no answer to another question", async () => {
    const ask = createSession(TOWN.tools, TOWN.reply);
    await ask("new child: Noa Marlow, 2022-05-01, Owls");
    expect(changes((await ask("4")).calls)).to.deep.equal([]);
  });
});

describe("The offline planner makes nothing new of", () => {
  for (const prompt of [
    "add a guest: Mira Holt, mira@x.example, about 4 nights",
    "add a guest: Mira Holt, mira@x.example, 4 or 5 nights",
    "add a guest: Mira Holt, mira@x.example, 4, 5",
    "add a guest: Mira Holt, mira@x.example, -4",
    "add a guest: Mira Holt, mira@x.example, 4.5",
    "add a guest: Mira Holt, mira@x.example, 2026-12-01, 4",
    "add a guest: Mira Holt, Ole Bo, mira@x.example, 4 nights",
    "add a guest: Mira Holt, mira@x.example, ole@x.example, 4 nights",
    "add a guest: Mira Holt, mira@x.example, 4, red",
    "add a guest: Mira Holt, mira@x.example, 4, 1999-2001",
    "add guest Mira Holt, mira@x.example, 4, and delete guest 1",
    "don't add a guest: Mira Holt, mira@x.example, 4",
    "should I add a guest: Mira Holt, mira@x.example, 4?",
    "how do I add a guest: Mira Holt, mira@x.example, 4",
    "I added a guest: Mira Holt, mira@x.example, 4",
    "add the child Noa, 555 77",
    "room Attic, 2",
  ])
    it(`"${prompt}"`, async () => {
      expect(changes((await askOf(TOWN, prompt)).calls)).to.deep.equal([]);
    });
});
