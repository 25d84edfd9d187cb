// Prompts about the records that were shown: a further condition, a total, the one at an end, a field of all, or what the one refers to.
import { expect } from "chai";
import { createApplication } from "../samples/collections.js";
import { createSession, idsIn, type Turn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const B = { type: "boolean" };

const { tools, reply } = createApplication({
  guides: {
    key: "guide_id",
    keyType: I,
    rows: [
      {
        guide_id: 1,
        id: 1,
        name: "Ines",
        languages: ["english", "basque"],
        town: "Olite",
        hired_on: "2019-05-01",
        fee: 40,
      },
      {
        guide_id: 2,
        id: 2,
        name: "Milan",
        languages: ["english", "czech"],
        town: "Tudela",
        hired_on: "2021-02-11",
        fee: 35,
      },
      {
        guide_id: 3,
        id: 3,
        name: "Ana",
        languages: ["english", "basque"],
        town: "Tudela",
        hired_on: "2022-09-30",
        fee: 52.5,
      },
    ],
    fields: { name: S, town: S, fee: N },
  },
  tours: {
    key: "tour_id",
    keyType: I,
    rows: [
      {
        tour_id: 1,
        id: 1,
        title: "Castle",
        guide_id: 2,
        kind: "walk",
        surface: "gravel",
        seats: 12,
        hut: { available: true, beds: 4 },
      },
      {
        tour_id: 2,
        id: 2,
        title: "Gorge",
        guide_id: 1,
        kind: "walk",
        surface: "rock",
        seats: 8,
        hut: { available: false, beds: 0 },
      },
      {
        tour_id: 3,
        id: 3,
        title: "Coast",
        guide_id: 3,
        kind: "ride",
        surface: "gravel",
        seats: 20,
        hut: { available: true, beds: 9 },
      },
    ],
    filters: {
      kind: { type: "string", enum: ["walk", "ride"] },
      surface: { type: "string", enum: ["gravel", "rock"] },
    },
    fields: { title: S, guide_id: I, kind: S, paid: B },
  },
  bookings: {
    key: "booking_id",
    keyType: I,
    rows: [{ booking_id: 1, id: 1, tour_id: 1, persons: 2 }],
    fields: { tour_id: I, persons: I },
  },
});

async function behind(prompts: readonly string[]): Promise<Turn> {
  const ask = createSession(tools, reply);
  let turn: Turn = { calls: [], text: "" };
  for (const prompt of prompts) turn = await ask(prompt);
  return turn;
}

describe("The offline planner answers about the records that it showed:", () => {
  for (const [first, next, ids] of [
    ["list all the guides", "which of them speak basque?", [1, 3]],
    ["list guides", "which ones live in tudela", [2, 3]],
    ["walk tours", "any gravel ones?", [1]],
    ["walk tours", "are there any gravel ones?", [1]],
    ["list tours", "any of those with a hut?", [1, 3]],
    ["list guides", "which is the dearest", [3]],
    ["guides in tudela", "who is the cheapest?", [2]],
    ["guides in tudela", "which of them speak czech", [2]],
    ["list guides", "which of them are in the river town (olite)", [1]],
  ] as const)
    it(`"${next}" behind "${first}"`, async () => {
      const { text } = await behind([first, next]);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  for (const [first, next, said] of [
    ["guides in tudela", "what's the total of those", /^The total fee is 87\.5, of 2 guides/],
    ["list guides", "how much is that altogether?", /^The total fee is 127\.5/],
    ["list guides", "add them up", /^The total fee is 127\.5/],
    ["walk tours", "total seats of those", /^The total seats is 20/],
    ["list tours", "how many of them are gravel", /^2 tours/],
  ] as const)
    it(`"${next}" behind "${first}"`, async () => {
      expect((await behind([first, next])).text).to.match(said);
    });

  it("says all conditions with a count", async () => {
    const { text } = await behind(["tours with more than 10 seats", "how many of them are walks"]);
    expect(text).to.match(/^1 tour with .*\bkind = walk/);
    expect(text).to.match(/seats/);
  });

  for (const next of ["when were they hired?", "and when were those hired"])
    it(`with the day first: "${next}"`, async () => {
      const { calls, text } = await behind(["guides in tudela", next]);
      expect(calls).to.deep.equal([["list_guides", {}]]);
      expect(text).to.match(/\| hired_on \|/);
      expect(idsIn(text)).to.deep.equal([2, 3]);
    });

  it("with another field first", async () => {
    const { text } = await behind(["guides in tudela", "what are their fees?"]);
    expect(text).to.match(/^2 guides[^\n]*\n\n\|(?: town \|)? fee /);
  });
});

describe("The offline planner reads what the record that it showed refers to:", () => {
  for (const next of ["what's the guide's town", "whats the guides town", "the town of the guide"])
    it(`"${next}"`, async () => {
      const { calls, text } = await behind(["tour 1", next]);
      expect(calls).to.deep.equal([["get_guide", { guide_id: 2 }]]);
      expect(text).to.match(/^town: Tudela/);
    });

  for (const next of ["which guide is that?", "who is the guide", "what kind of guide is it"])
    it(`"${next}"`, async () => {
      const { calls, text } = await behind(["tour 1", next]);
      expect(calls).to.deep.equal([["get_guide", { guide_id: 2 }]]);
      expect(text).to.match(/Milan/);
    });

  for (const prompts of [
    ["which guide is that?"],
    ["list tours", "which guide is that"],
    ["guide 1", "which booking is that"],
  ])
    it(`and asks where it is not clear: ${prompts.map((one) => `"${one}"`).join(", ")}`, async () => {
      const { calls, text } = await behind(prompts);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/^I cannot tell which/);
    });
});

describe("The offline planner does not answer about the records that it showed", () => {
  for (const prompts of [
    // Verbs of another sense than the value of a field.
    ["list guides", "which of them left tudela"],
    ["list guides", "which of them hate basque"],
    // No amount that is worth anything.
    ["list bookings", "what's the total of those"],
    ["list guides", "when were they married"],
  ])
    it(`where it would be a guess: ${prompts.map((one) => `"${one}"`).join(", ")}`, async () => {
      const { text } = await behind(prompts);
      expect(text).to.match(/could not narrow|No tool clearly fits|cannot tell|found no field/);
    });

  it("with another list", async () => {
    const { calls, text } = await behind(["list guides", "which ones have bookings for 2 persons"]);
    expect(calls.map(([name]) => name)).to.not.include("list_bookings");
    expect(text).to.match(/could not narrow|cannot tell/);
  });

  it("where nothing was read", async () => {
    for (const prompt of ["any of those with a hut?", "how many of them are gravel"])
      expect((await behind([prompt])).calls).to.deep.equal([]);
  });

  it("and changes nothing", async () => {
    const { calls } = await behind(["list tours", "delete any gravel ones"]);
    expect(calls.filter(([name]) => name.startsWith("delete_"))).to.deep.equal([]);
  });
});

describe("The offline planner, asked about the records that were shown,", () => {
  const YARD = createApplication({
    boats: {
      key: "id",
      keyType: I,
      rows: [
        { id: 1, name: "Vesta", kind: "sloop", state: "ready", skipper: "Falk" },
        { id: 2, name: "Heron", kind: "ketch", state: "hired", skipper: "Berg" },
        { id: 3, name: "Swift", kind: "sloop", state: "hired", skipper: "Falk" },
      ],
      filters: { state: { type: "string", enum: ["ready", "hired"] } },
      fields: { name: S, kind: S, state: { type: "string", enum: ["ready", "hired"] }, skipper: S },
    },
    owners: { key: "id", keyType: I, rows: [{ id: 5, name: "Jon Falk" }], fields: { name: S, phone: S } },
  });
  const lastOf = async (prompts: readonly string[]): Promise<Turn> => {
    const ask = createSession(YARD.tools, YARD.reply);
    let turn: Turn = { calls: [], text: "" };
    for (const prompt of prompts) turn = await ask(prompt);
    return turn;
  };

  for (const prompts of [
    ["ready boats", "only the hired ones"],
    ["ready boats", "any hired ones?"],
    ["boats with kind sloop", "which of them are ketch"],
  ])
    it(`takes a further state for no other one that will do: ${prompts.join(", ")}`, async () => {
      expect((await lastOf(prompts)).text).to.match(/^No boats with /);
    });

  it("takes whose they are for a condition of them", async () => {
    const { text } = await lastOf(["hired boats", "any by Falk?"]);
    expect(text).to.match(/Swift/);
    expect(text).not.to.match(/Jon Falk|Heron/);
  });

  for (const prompts of [
    ["boats with kind sloop", "boat 2", "which of those are hired"],
    ["boats with kind sloop", "boat 2", "only the hired ones"],
    ["boats with kind sloop", "set boat 1 to hired", "only the ready ones"],
    ["boat 1", "any of them hired?"],
  ])
    it(`asks where the last answer was no list: ${prompts.join(", ")}`, async () => {
      const { calls, text } = await lastOf(prompts);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/^What I showed last is no list/);
    });

  it("lists what a whole sentence asks for, whatever was shown", async () => {
    const { calls } = await lastOf(["boat 1", "only show me the hired boats"]);
    expect(calls).to.deep.equal([["list_boats", { state: "hired" }]]);
  });
});
