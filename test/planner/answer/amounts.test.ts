// Amounts of records: how old something is, totals that no field is named for, units, amounts with their currency, one field against
// another, and numbers made of each group.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const N = { type: "number" };
const I = { type: "integer" };

const euros = (amount: number): JsonObject => ({ amount, currency: "EUR" });
const CHOIR = createApplication({
  singers: {
    key: "singer_id",
    keyType: I,
    rows: [
      { singer_id: 1, name: "Ada", age: 31, voice: "alto", fee: 20, dues: euros(40) },
      { singer_id: 2, name: "Bo", age: 64, voice: "bass", fee: 35, dues: euros(0) },
      { singer_id: 3, name: "Cy", age: 22, voice: "alto", fee: 10, dues: euros(15) },
    ],
    fields: { name: S, age: I, voice: S, fee: N },
  },
});
const DEPOT = createApplication({
  parcels: {
    key: "parcel_id",
    keyType: I,
    rows: [
      { parcel_id: 1, hub: "Bergen", weight_kg: 2500, price_per_kg: 3, boxes: 4 },
      { parcel_id: 2, hub: "Oslo", weight_kg: 700, price_per_kg: 9000, boxes: 2 },
      { parcel_id: 3, hub: "Bergen", weight_kg: 90, price_per_kg: 2, boxes: 1 },
    ],
    fields: { hub: S, weight_kg: N, price_per_kg: N, boxes: I },
  },
  parts: {
    key: "part_id",
    keyType: I,
    rows: [
      { part_id: 1, label: "Bolt", stock: 3, minimum: 10, unit_price: 1 },
      { part_id: 2, label: "Nut", stock: 30, minimum: 10, unit_price: 1 },
    ],
    fields: { label: S, stock: I, minimum: I, unit_price: N },
  },
  drivers: {
    key: "driver_id",
    keyType: I,
    rows: [
      { driver_id: 1, name: "Una", rate: euros(31), hoursPerWeek: 50 },
      { driver_id: 2, name: "Vic", rate: euros(44), hoursPerWeek: 20 },
    ],
    fields: { name: S, hoursPerWeek: I },
  },
  carriers: {
    key: "carrier_id",
    keyType: I,
    rows: [
      { carrier_id: 1, name: "Post", tariff: { amount: 3, currency: "EUR" } },
      { carrier_id: 2, name: "Rail", tariff: { amount: 4, currency: "NOK" } },
    ],
    fields: { name: S },
  },
});

describe("The offline planner takes amounts for what they are:", () => {
  for (const [application, prompt, text] of [
    [CHOIR, "the oldest singer", /^1 singer [\s\S]*\| Bo /],
    [CHOIR, "the youngest singer", /^1 singer [\s\S]*\| Cy /],
    [CHOIR, "how much do we pay all singers together", "The total fee is 65, of 3 singers."],
    [CHOIR, "what do all singers cost altogether", "The total fee is 65, of 3 singers."],
    [CHOIR, "how much do all singers owe us in total", "The total dues is 55, of 3 singers."],
    [CHOIR, "average dues of the singers", "The average dues is 18.33, of 3 singers."],
    [DEPOT, "parcels over 500 kg", /^2 parcels with weight_kg > 500:/],
    [DEPOT, "parcels over 2 tonnes", /^1 parcel with weight_kg > 2000 \(2 tonnes\):/],
    [DEPOT, "parcels under 100000 g", /^1 parcel with weight_kg < 100 \(100000 g\):/],
    [DEPOT, "parts below their minimum", /^1 part with stock < minimum:[\s\S]*Bolt/],
    [DEPOT, "parts with a stock above the minimum", /^1 part with stock > minimum:[\s\S]*Nut/],
    [DEPOT, "drivers with a rate above 40", /^1 driver with rate > 40:[\s\S]*Vic/],
    [DEPOT, "average rate of the drivers", "The average rate is 37.5, of 2 drivers."],
    [DEPOT, "boxes of all parcels per hub", /\| Bergen \| 5 \| 2 \|/],
    [DEPOT, "average weight of parcels per hub", /\| Bergen \| 2 \| 1295 \|/],
    [DEPOT, "boxes per hub", /\| Bergen \| 5 \| 2 \|/],
    [DEPOT, "boxes by hub", /\| Bergen \| 5 \| 2 \|/],
    [DEPOT, "parcels per hub", /\| Bergen \| 2 \|$/m],
  ] as [typeof CHOIR, string, string | RegExp][])
    it(`"${prompt}"`, async () => {
      const { text: said } = await askOf(application, prompt);
      if (typeof text === "string") expect(said).to.equal(text);
      else expect(said).to.match(text);
    });

  for (const [application, prompt] of [
    // Two currencies make no sum, and no limit says what is compared with a price.
    [DEPOT, "total tariff of the carriers"],
    [DEPOT, "parts below their unit price"],
    [CHOIR, "which singers sing together"],
    [DEPOT, "boxes per planet"],
    [DEPOT, "weight per hub"],
  ] as [typeof CHOIR, string][])
    it(`and makes no number of "${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).not.to.match(/The (?:total|average)|with \w+ [<>]/);
    });
});
