// A unique part of what a record is called is enough to read it, and not to change it.
import { expect } from "chai";
import { askOf, createApplication } from "./collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const CLINIC = createApplication({
  vets: {
    key: "vet_id",
    keyType: I,
    rows: [
      { id: 1, name: "Dr. Irene Castell", room: "A" },
      { id: 2, name: "Dr. Paul Nyman", room: "B" },
    ],
    fields: { name: S, room: S },
  },
  owners: {
    key: "owner_id",
    keyType: I,
    rows: [
      { id: 7, name: "Amara Okafor", phone: "555-1" },
      { id: 8, name: "Paul Holm", phone: "555-2" },
    ],
    fields: { name: S, phone: S },
  },
});

describe("The offline planner reads a record by a part of its name", () => {
  for (const [prompt, said] of [
    ["show Dr. Castell", "Irene Castell"],
    ["which room is Dr. Castell in?", "**room**: A"],
    ["phone number of Mrs Okafor", "555-1"],
    ["show Irene", "Irene Castell"],
    ["show Paul", "2 records are called so"],
    ["show Dr. Irene Nyman", "I found nothing called"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(CLINIC, prompt)).text).to.include(said);
    });

  it("and changes none by it", async () => {
    const { calls } = await askOf(CLINIC, "delete Irene");
    expect(calls.map(([name]) => name)).to.not.include("delete_vet");
  });
});
