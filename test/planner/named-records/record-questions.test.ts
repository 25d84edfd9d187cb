// Questions that name one record and say by a verb what is asked of it, and names that lists of other records are asked by.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication({
  owners: {
    key: "owner_id",
    keyType: I,
    rows: [
      { owner_id: 4, name: "Nora Lind", phone: "555 4" },
      { owner_id: 5, name: "Emil Krog", phone: "555 5" },
    ],
    fields: { name: S, phone: S },
  },
  vets: {
    key: "vet_id",
    keyType: I,
    rows: [{ vet_id: 2, name: "Ida Moe", phone: "555 2" }],
    fields: { name: S, phone: S, treats_cats: { type: "boolean" } },
  },
  kennels: { key: "kennel_id", keyType: I, rows: [{ kennel_id: 9, size: 3 }], fields: { size: I } },
  dogs: {
    key: "dog_id",
    keyType: I,
    rows: [
      { dog_id: 1, name: "Bruno Blue", owner_id: 4, kennel_id: 9 },
      { dog_id: 2, name: "Luna", owner_id: 5, kennel_id: null },
    ],
    filters: { owner_id: I },
    fields: { name: S, owner_id: I, kennel_id: I },
  },
  cats: {
    key: "cat_id",
    keyType: I,
    rows: [{ cat_id: 3, name: "Smilla", owner_id: 4, vet_id: 2 }],
    fields: { name: S, owner_id: I, vet_id: I },
  },
  vans: {
    key: "van_id",
    keyType: I,
    rows: [{ van_id: 6, plate: "XK 12", vet_id: 2 }],
    filters: { vet_id: I },
    fields: { plate: S, vet_id: I },
  },
});
const NURSERY = createApplication({
  staff: {
    key: "staff_id",
    rows: [{ staff_id: "P-2", full_name: "Ole Dahl", role: "gardener", phone: "555 8" }],
    fields: { full_name: S, role: { type: "string", enum: ["gardener", "cashier"] }, phone: S },
  },
  beds: {
    key: "bed_code",
    rows: [{ bed_code: "BD-3", gardener_id: "P-2" }],
    fields: { gardener_id: S },
  },
  plants: {
    key: "plant_id",
    keyType: I,
    rows: [
      { plant_id: 7, common_name: "Lupin", family: "Fabaceae" },
      { plant_id: 8, common_name: "Foxglove", family: "Plantaginaceae" },
    ],
    fields: { family: S, common_name: S },
    required: ["family", "common_name"],
  },
  orders: {
    key: "order_id",
    keyType: I,
    rows: [{ order_id: 20, plant_id: 7, count: 5 }],
    filters: { plant_id: I },
    fields: { plant_id: I, count: I },
  },
});

describe("The offline planner follows the one reference that a verb asks for", () => {
  for (const [application, prompt, call] of [
    [CLINIC, "who owns bruno blue?", ["get_owner", { owner_id: 4 }]],
    [CLINIC, "what does ida drive", ["list_vans", { vet_id: 2 }]],
    [CLINIC, "dogs belonging to nora lind", ["list_dogs", { owner_id: 4 }]],
    [CLINIC, "dogs that belong to Emil Krog", ["list_dogs", { owner_id: 5 }]],
    [NURSERY, "who looks after BD-3", ["get_staff", { staff_id: "P-2" }]],
    [NURSERY, "all orders of lupin", ["list_orders", { plant_id: 7 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });

  it("and says by which it names somebody, where the verb is none of a field", async () => {
    expect((await askOf(CLINIC, "who walks bruno blue")).text).to.match(/^owner 4 is Nora Lind\.\n\n- /);
  });

  it("says of a record where it is", async () => {
    const { text } = await askOf(CLINIC, "where is bruno blue housed");
    expect(text).to.match(/^kennel_id: 9\n\n/);
  });

  for (const [why, prompt] of [
    ["two references to persons", "who treats smilla"],
    ["a verb of another matter", "who likes bruno blue"],
    ["no record of that name", "who walks lassie"],
    ["no kind of record that a verb speaks of", "what does ida sail"],
    ["a verb of another matter", "who pays nora lind"],
  ] as const)
    it(`names nobody: ${why} ("${prompt}")`, async () => {
      const { calls } = await askOf(CLINIC, prompt);
      expect(calls.map(([name]) => name).filter((name) => !name.startsWith("list_"))).to.deep.equal([]);
      expect(calls.every(([, args]) => Object.keys(args).length === 0)).to.equal(true);
    });
});
