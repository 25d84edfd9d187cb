// Names of records in small letters, without the noun of their list, in two fields, and in part.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const state = (...options: string[]) => ({ type: "string", enum: options });

const GARDEN = createApplication({
  plants: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Silver birch", colour: "white", price: 12, stock: 4, condition: "healthy" },
      { id: 2, name: "The Weeping Willow", colour: "green", price: 30, stock: 1, condition: "sick" },
      { id: 3, name: "Dwarf maple", colour: "red", price: 25, stock: 2, condition: "healthy" },
    ],
    fields: { name: S, colour: S, price: I, condition: state("healthy", "sick") },
    actions: { water: { litres: I } },
  },
  gardeners: {
    key: "id",
    keyType: I,
    rows: [
      { id: 7, firstName: "Ines", lastName: "Quant", email: "iq@garden.example", phone: "555 07" },
      { id: 8, firstName: "Ben", lastName: "Lee", email: "bl@garden.example", phone: "555 08" },
      { id: 9, firstName: "Ben", lastName: "Ortega", email: "bo@garden.example", phone: "555 09" },
    ],
    fields: { firstName: S, lastName: S, email: S, phone: S, onDuty: { type: "boolean" } },
  },
  sheds: {
    key: "id",
    keyType: I,
    rows: [{ id: 4, name: "North Gate", phone: "555 04", size: 20 }],
    fields: { name: S, phone: S, size: I },
  },
});
const LENDING = createApplication({
  loans: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, player_id: 5, due: "2026-12-01" },
      { id: 2, player_id: 6, due: "2026-12-02" },
    ],
    filters: { player_id: I },
  },
  players: {
    key: "id",
    keyType: I,
    rows: [
      { id: 5, name: "Nora Quinn" },
      { id: 6, name: "Silver Fox" },
    ],
  },
});
const changes = (calls: readonly [string, JsonObject][]) => calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner looks up a name in small letters", () => {
  for (const [prompt, call] of [
    ["set silver birch to sick", ["update_plant", { id: 1, condition: "sick" }]],
    ["set the condition of silver birch to sick", ["update_plant", { id: 1, condition: "sick" }]],
    ["delete the dwarf maple", ["delete_plant", { id: 3 }]],
    ["water the dwarf maple with 30", ["water_plant", { id: 3, litres: 30 }]],
    ["change the price of dwarf maple to 27", ["update_plant", { id: 3, price: 27 }]],
    ["change the phone number of north gate to 555 44", ["update_shed", { id: 4, phone: "555 44" }]],
    ["set the size of the north gate shed to 25", ["update_shed", { id: 4, size: 25 }]],
  ] as [string, [string, JsonObject]][])
    it(`of "${prompt}"`, async () => {
      const { calls, text } = await askOf(GARDEN, prompt);
      expect(changes(calls), text).to.deep.equal([call]);
    });

  for (const [prompt, said] of [
    ["phone number for north gate", "555 04"],
    ["how much is a dwarf maple", "25"],
    ["what colour is the silver birch", "white"],
    ["email of ines quant", "iq@garden.example"],
    ["email of Ines Quant", "iq@garden.example"],
    ["what colour is the weeping willow", "green"],
  ] as const)
    it(`to answer "${prompt}"`, async () => {
      const { calls, text } = await askOf(GARDEN, prompt);
      expect(text).to.include(said);
      expect(changes(calls)).to.deep.equal([]);
    });
});

describe("The offline planner, of a name that stands in two fields,", () => {
  it("changes the record", async () => {
    const { calls } = await askOf(GARDEN, "change the email of Ines Quant to ines@garden.example");
    expect(changes(calls)).to.deep.equal([["update_gardener", { id: 7, email: "ines@garden.example" }]]);
  });
});

describe("The offline planner, of a part of a name,", () => {
  it("goes without a title", async () => {
    const { calls } = await askOf(GARDEN, "delete Weeping Willow");
    expect(changes(calls)).to.deep.equal([["delete_plant", { id: 2 }]]);
  });

  for (const [prompt, said] of [
    ["delete Birch", /is not the whole name of plant 1, "Silver birch"/],
    ["set the phone of Ortega to 555 10", /is not the whole name of gardener 9, "Ben Ortega"/],
    ["set the phone of the gardener Ben to 555 10", /./],
  ] as const)
    it(`changes nothing for "${prompt}"`, async () => {
      const { calls, text } = await askOf(GARDEN, prompt);
      expect(changes(calls)).to.deep.equal([]);
      expect(text).to.match(said);
    });
});

describe("The offline planner asks for what a change still needs of the record that it found:", () => {
  for (const [prompt, said] of [
    ["change the price of the dwarf maple", /\bprice\b/],
    ["water the dwarf maple", /\blitres\b/],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(GARDEN, prompt);
      expect(changes(calls)).to.deep.equal([]);
      expect(text)
        .to.match(/^(?:Which|What|I could not tell)/)
        .and.match(said);
    });
});

describe("The offline planner reads no list for a name in small letters", () => {
  for (const prompt of [
    "how far away is the andromeda nebula",
    "what's the weather on north mountain tonight",
    "tell me a joke about willows",
    "write a poem about roses",
    "water my holiday",
    "don't delete the dwarf maple",
    "how do I delete a dwarf maple?",
  ])
    it(`in "${prompt}"`, async () => {
      expect((await askOf(GARDEN, prompt)).calls).to.deep.equal([]);
    });
});

describe("The offline planner looks up whose something is", () => {
  it("in small letters, without the noun of who has it", async () => {
    const { calls } = await askOf(LENDING, "show me the loans of silver fox");
    expect(calls.at(-1)).to.deep.equal(["list_loans", { player_id: 6 }]);
  });

  it("but for no word that belongs to nobody", async () => {
    const { calls } = await askOf(LENDING, "loans that cost more than 900");
    expect(calls.map(([name]) => name)).to.deep.equal(["list_loans"]);
  });
});
