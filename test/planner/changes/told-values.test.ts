// Facts with a record, a field and a value, and commands for the record that the sentence before tells about: each is the change of that
// record. Where the record, the field or the value is not certain, nothing is changed.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const MARINA = createApplication({
  vans: {
    key: "van_id",
    keyType: I,
    rows: [
      { van_id: 1, plate: "KL-M 204", model: "Transit", mileage_km: 70_000 },
      { van_id: 2, plate: "KL-M 205", model: "Sprinter", mileage_km: 51_000 },
    ],
    fields: { plate: S, model: S, mileage_km: I },
    required: ["plate"],
  },
  skippers: {
    key: "skipper_id",
    keyType: I,
    rows: [
      { skipper_id: 3, name: "Nora Wik", phone: null, balance: 40, status: "paused" },
      { skipper_id: 4, name: "Tom Aas", phone: "555 20", balance: 0, status: "active" },
    ],
    fields: { name: S, phone: S, balance: N },
    required: ["name"],
    actions: { resume: {}, pause: {} },
  },
  faults: {
    key: "fault_id",
    keyType: I,
    rows: [
      { fault_id: 8, title: "Torn sail", state: "open" },
      { fault_id: 9, title: "Loose rudder", state: "open" },
    ],
    actions: { close: {} },
  },
  trips: {
    key: "trip_id",
    keyType: I,
    rows: [{ trip_id: 21, harbour: "Vik", state: "planned" }],
    fields: { harbour: S, state: { type: "string", enum: ["planned", "sailed", "cancelled"] } },
    required: ["harbour"],
  },
  divers: {
    key: "diver_id",
    keyType: I,
    rows: [],
    fields: { given_name: S, family_name: S, city: S, permit_level: { type: "string", enum: ["A", "B", "C"] } },
    required: ["given_name", "family_name", "permit_level"],
  },
  defects: {
    key: "defect_id",
    keyType: I,
    rows: [],
    fields: { cabin_id: S, severity: { type: "string", enum: ["minor", "major"] }, description: S },
    required: ["cabin_id", "severity", "description"],
  },
  tests: {
    key: "test_id",
    keyType: I,
    rows: [{ test_id: 13, day: "2026-11-02", result: null }],
    actions: { result: { result: { type: "string", enum: ["passed", "failed"] }, error_points: I } },
  },
});
const DEFECT = ["create_defect", { cabin_id: "KV-12", severity: "minor", description: "hinge loose" }];
const DIVER = ["create_diver", { given_name: "Lisa", family_name: "Moen", city: "Vik", permit_level: "B" }];
const NURSERY = createDatabase({
  plants: {
    columns: { id: I, name: S, price_eur: N, stock: N, status: { ...S, enum: ["active", "retired"] } },
    rows: [
      { id: 1, name: "Red Maple", price_eur: 19, stock: 4, status: "active" },
      { id: 2, name: "Sea Holly", price_eur: 5, stock: 12, status: "active" },
      { id: 3, name: "Bay Laurel", price_eur: 9, stock: 2, status: "retired" },
    ],
    required: ["name"],
  },
  growers: {
    columns: { id: I, name: S, phone: S },
    rows: [{ id: 6, name: "Moss & Fern", phone: "555-0100" }],
    required: ["name"],
  },
});

describe("The offline planner sets the value that is told", () => {
  for (const [application, prompt, call] of [
    [MARINA, "KL-M 204 is at 71250 km now", ["update_van", { van_id: 1, mileage_km: 71_250 }]],
    [MARINA, "nora wik has a phone now: 0160 4440022", ["update_skipper", { skipper_id: 3, phone: "0160 4440022" }]],
    [MARINA, "Tom Aas has a new phone: 555 77", ["update_skipper", { skipper_id: 4, phone: "555 77" }]],
    [MARINA, "phone of tom aas is 555-0399", ["update_skipper", { skipper_id: 4, phone: "555-0399" }]],
    [MARINA, "nora wik paid, set her balance to 0", ["update_skipper", { skipper_id: 3, balance: 0 }]],
    [MARINA, "nora wik is back, resume her", ["resume_skipper", { skipper_id: 3 }]],
    [MARINA, "tom aas is ill, please pause him", ["pause_skipper", { skipper_id: 4 }]],
    [MARINA, "torn sail is mended, close that fault", ["close_fault", { fault_id: 8 }]],
    [MARINA, "trip 21 is cancelled", ["update_trip", { trip_id: 21, state: "cancelled" }]],
    [MARINA, "test 13 passed, 5 error points", ["result_test", { test_id: 13, result: "passed", error_points: 5 }]],
    [NURSERY, "red maple costs 21.50 from now on", ["update_plants", { id: 1, price_eur: 21.5 }]],
    [NURSERY, "the sea holly is 6.40 euro from now on", ["update_plants", { id: 2, price_eur: 6.4 }]],
    [NURSERY, "phone of moss & fern is 555-0188", ["update_growers", { id: 6, phone: "555-0188" }]],
    [MARINA, "new diver: Lisa Moen from Vik, level B", DIVER],
    [MARINA, "add a diver called Lisa Moen from Vik, permit level B", DIVER],
    [NURSERY, "retire the sea holly", ["update_plants", { id: 2, status: "retired" }]],
    [MARINA, "write down a minor defect on KV-12: hinge loose", DEFECT],
    [MARINA, "report a minor defect on KV-12: hinge loose", DEFECT],
    [NURSERY, "stock of sea holly is 30", ["update_plants", { id: 2, stock: 30 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });
});

describe("The offline planner changes nothing for", () => {
  for (const [application, prompt] of [
    [NURSERY, "stock is 12"],
    [NURSERY, "what is the stock of sea holly"],
    [NURSERY, "is the stock of sea holly 30?"],
    [NURSERY, "the plants whose stock is 12"],
    [NURSERY, "stock of sea holly is low"],
    [NURSERY, "stock of sea holly is over 30"],
    [NURSERY, "sea lavender costs 3 from now on"],
    [MARINA, "phone of tom aas is wrong"],
    [MARINA, "phone of tom aas is not 555-0399"],
    [MARINA, "KL-M 204 is at the harbour now"],
    [MARINA, "nora wik is back"],
    [MARINA, "nora wik is not back, do not resume her"],
    [MARINA, "if nora wik is back, resume her"],
    [MARINA, "nora wik and tom aas are back, resume them"],
    [MARINA, "nora wik called tom aas, resume him"],
    [MARINA, "is trip 21 cancelled"],
    [MARINA, "trip 21 is late"],
    [MARINA, "trip 21 is almost cancelled"],
    [MARINA, "test 13 passed?"],
    [MARINA, "was test 13 passed"],
    [MARINA, "new diver: Lisa Moen from Vik"],
    [MARINA, "new diver: Lisa Moen from Vik, level Q"],
    [MARINA, "new diver: Lisa Moen from Vik, likes tea"],
    [MARINA, "trip 21 planned"],
    [MARINA, "trip 21 was cancelled"],
    [MARINA, "retire the transit"],
    [NURSERY, "retired the sea holly"],
    [NURSERY, "stock of sea holly is 30 too low"],
    [NURSERY, "price of sea holly is 2 below the red maple"],
    [NURSERY, "stock of sea holly is 30 percent"],
    [NURSERY, "the stock of plants is 30"],
    [MARINA, "balance of nora wik is 40, tell me why"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls } = await askOf(application, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });

  it('"stock is 12", and asks which it is of', async () => {
    const { calls, text } = await askOf(NURSERY, "stock is 12");
    expect(calls).to.deep.equal([]);
    expect(text).to.match(/^Which id/);
  });
});
