// A list is narrowed by what the records hold that its own refer to: the town of a harbour, the owner of a boat, what joins two lists.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";
import { idsIn } from "../session.js";

const text = { type: "string" };
const MARINA = createApplication({
  harbours: {
    key: "harbourId",
    rows: [
      { id: "H1", label: "north pier", town: "Leek", ownerName: "Old Anchor Club" },
      { id: "H2", label: "south pier", town: "Bath", ownerName: "Rosa Lind" },
      { id: "H3", label: "east pier", town: "Leek", ownerName: "Rosa Lind" },
    ],
    fields: { label: text, town: text, ownerName: text },
    required: ["label"],
  },
  boats: {
    key: "boatId",
    rows: [
      { id: 1, harbourId: "H1", hull: "steel", state: "afloat" },
      { id: 2, harbourId: "H2", hull: "wood", state: "ashore" },
      { id: 3, harbourId: "H3", hull: "wood", state: "afloat" },
    ],
    filters: { state: { type: "string", enum: ["afloat", "ashore"] } },
    fields: { harbourId: text, hull: text, state: { type: "string", enum: ["afloat", "ashore"] } },
    required: ["harbourId"],
  },
  repairs: {
    key: "repairId",
    rows: [
      { id: 7, boatId: 1, what: "rudder", grade: "small" },
      { id: 8, boatId: 2, what: "mast", grade: "large" },
      { id: 9, boatId: 3, what: "keel", grade: "large" },
    ],
    fields: { boatId: { type: "integer" }, what: text, grade: text },
    required: ["boatId"],
  },
});

const KITCHEN = createDatabase({
  salads: {
    columns: { name: { type: "string" }, price: { type: "number" } },
    rows: [
      { id: 1, name: "Garden", price: 4 },
      { id: 2, name: "Shepherd", price: 6 },
    ],
  },
  parts: {
    columns: { name: { type: "string" }, allergen: { type: "string" } },
    rows: [
      { id: 1, name: "radish", allergen: null },
      { id: 2, name: "feta", allergen: "milk" },
    ],
  },
  salad_parts: {
    columns: { salad_id: { type: "integer" }, part_id: { type: "integer" } },
    rows: [
      { id: 1, salad_id: 1, part_id: 1 },
      { id: 2, salad_id: 2, part_id: 1 },
      { id: 3, salad_id: 2, part_id: 2 },
    ],
  },
});

const FERRIES = createApplication({
  engineers: {
    key: "engineer_id",
    keyType: { type: "integer" },
    rows: [
      { id: 8, full_name: "Ines Moll" },
      { id: 9, full_name: "Tim Ode" },
    ],
    fields: { full_name: text },
  },
  ferries: {
    key: "ferry_id",
    keyType: { type: "integer" },
    rows: [
      { id: 1, name: "Stork" },
      { id: 2, name: "Heron" },
    ],
    fields: { name: text },
  },
  audits: {
    key: "audit_id",
    keyType: { type: "integer" },
    rows: [
      { id: 5, ferry_id: 1, engineer_id: 9, audited_on: "2026-08-01" },
      { id: 6, ferry_id: 2, engineer_id: 8, audited_on: "2026-08-02" },
    ],
    fields: { ferry_id: { type: "integer" }, engineer_id: { type: "integer" }, audited_on: text },
  },
});

describe("A list is narrowed by what its records refer to", () => {
  for (const [prompt, ids] of [
    ["wood boats in leek", [3]],
    ["which boats does the old anchor club have", [1]],
    ["boats of rosa lind that are afloat", [3]],
    ["open repairs at the old anchor club", undefined],
    ["large repairs in leek", [9]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(MARINA, prompt);
      if (ids) expect(idsIn(text)).to.deep.equal(ids);
      else expect(text).to.match(/^I could not narrow this by/);
    });

  for (const [prompt, ids] of [
    ["which salads need feta", [2]],
    ["salads with milk", [2]],
    ["which salads have milk", [2]],
    ["salads with radishes", [1, 2]],
  ] as const)
    it(`through what joins them: "${prompt}"`, async () => {
      const { text } = await askOf(KITCHEN, prompt);
      expect(idsIn(text)).to.deep.equal(ids);
    });

  for (const prompt of [
    "salads without feta",
    "salads that lack feta",
    "boats in york",
    "boats not in leek",
    "boats reported by rosa lind",
  ])
    it(`but for "${prompt}"`, async () => {
      const { text } = await askOf(prompt.startsWith("boats") ? MARINA : KITCHEN, prompt);
      expect(text).to.match(/^I could not narrow this by/);
    });

  it("with the name of who is asked for first", async () => {
    const { text } = await askOf(FERRIES, "who audited heron");
    expect(text)
      .to.match(/^engineer 8 is Ines Moll\./)
      .and.contain("Those of ferry 2 with name = heron");
    expect(idsIn(text)).to.deep.equal([6]);
  });
});
