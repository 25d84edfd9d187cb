// Codes of capitals and numbers, whatever sign stands between, and changes that are said in other words than "set".
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const N = { type: "number" };
const I = { type: "integer" };

const MUSEUM = createApplication({
  artworks: {
    key: "accession_no",
    rows: [
      { accession_no: "M.1952.4", title: "Grey Harbour", room: "B2" },
      { accession_no: "NG.2001-7", title: "Sisters", room: "B1" },
    ],
    fields: { title: S, room: S, value: N },
  },
  quays: { key: "quay_code", rows: [{ quay_code: "K/12", depth_m: 9 }], fields: { depth_m: N } },
  trucks: { key: "plate", rows: [{ plate: "AB 12-34", load_t: 8 }], fields: { load_t: N } },
  films: { key: "code", rows: [{ code: "FLM-YEL", title: "Yellow" }], fields: { title: S } },
  seances: { key: "seance_id", rows: [{ id: "S-209", ticket_price: 12 }], fields: { ticket_price: N } },
});
const CLINIC = createApplication({
  dogs: {
    key: "dog_id",
    keyType: I,
    rows: [{ id: 2, name: "Biscuit", weight_kg: 9 }],
    fields: { name: S, weight_kg: N },
  },
  invoices: { key: "invoice_id", keyType: I, rows: [{ id: 9005, total: 80 }], actions: { pay: {} } },
  parcels: { key: "parcel_id", keyType: I, rows: [{ id: 3 }], actions: { ship: {}, lend: {} } },
});

describe("The offline planner reads codes whole:", () => {
  for (const [prompt, call] of [
    ["show artwork M.1952.4", ["get_artwork", { accession_no: "M.1952.4" }]],
    ["set the value of M.1952.4 to 4500", ["update_artwork", { accession_no: "M.1952.4", value: 4500 }]],
    ["move NG.2001-7 to room C1", ["update_artwork", { accession_no: "NG.2001-7", room: "C1" }]],
    ["set the depth of K/12 to 10", ["update_quay", { quay_code: "K/12", depth_m: 10 }]],
    ["delete truck AB 12-34", ["delete_truck", { plate: "AB 12-34" }]],
    ["set the load of AB 12-34 to 9", ["update_truck", { plate: "AB 12-34", load_t: 9 }]],
    ["remove FLM-YEL from the programme", ["delete_film", { code: "FLM-YEL" }]],
    ["put the ticket price of S-209 up to 15", ["update_seance", { seance_id: "S-209", ticket_price: 15 }]],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(MUSEUM, prompt))).to.deep.equal(call);
    });

  for (const [prompt, said] of [
    ["show M.1952.4", "Grey Harbour"],
    ["how deep is K/12?", "**depth_m**: 9"],
    ["show AB 12-34", "**load_t**: 8"],
    ["show S-209", "**ticket_price**: 12"],
  ] as const)
    it(`and finds the one of "${prompt}" among the keys of the lists`, async () => {
      expect((await askOf(MUSEUM, prompt)).text).to.include(said);
    });

  it("but looks for none of another noun among all of them", async () => {
    expect((await askOf(MUSEUM, "void the charge of invoice in_1")).calls).to.deep.equal([]);
  });
});

describe("The offline planner makes the change that is said as", () => {
  for (const [prompt, call] of [
    ["Biscuit now weighs 19.2 kg", ["update_dog", { dog_id: 2, weight_kg: 19.2 }]],
    ["dog 2 weighs 10 kg now", ["update_dog", { dog_id: 2, weight_kg: 10 }]],
    ["mark invoice 9005 as paid", ["pay_invoice", { invoice_id: 9005 }]],
    ["mark parcel 3 as shipped", ["ship_parcel", { parcel_id: 3 }]],
    ["please mark parcel 3 as lent", ["lend_parcel", { parcel_id: 3 }]],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(CLINIC, prompt))).to.deep.equal(call);
    });

  it("and asks of which record a state is said", async () => {
    const { calls, text } = await askOf(CLINIC, "mark the invoice as paid");
    expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    expect(text).to.match(/^Which/);
  });

  for (const prompt of [
    "mark invoice 9005 as not paid",
    "mark parcel 3 as lost",
    "Biscuit weighs 19.2 kg",
    "does Biscuit weigh 9 kg now?",
  ])
    it(`and none for "${prompt}"`, async () => {
      const { calls } = await askOf(CLINIC, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
