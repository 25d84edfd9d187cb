// Changes as people type them in a hurry: all of the prompt is the names of records and what changes of them.
import { expect } from "chai";
import { askOf } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";

const text = { type: "string" };
const whole = { type: "integer" };
const number = { type: "number" };
const flag = { type: "boolean" };
const day = { type: "string", format: "date" };

const BAKERY = createDatabase({
  ovens: {
    columns: { id: whole, name: text, corner: text, hot: flag },
    rows: [
      { id: 1, name: "Big Bertha", corner: "N2", hot: true },
      { id: 2, name: "Little Ember", corner: "N4", hot: false },
    ],
  },
  bakers: {
    columns: { id: whole, name: text, phone: text, active: flag, newsletter: flag },
    rows: [
      { id: 1, name: "Nell Marsh", phone: "555 01", active: true, newsletter: true },
      { id: 2, name: "Otto Kern", phone: "555 02", active: false, newsletter: false },
      { id: 3, name: "Ida Kern", phone: "555 03", active: true, newsletter: false },
    ],
  },
  batches: {
    columns: {
      id: whole,
      code: text,
      title: text,
      baker_id: whole,
      oven_id: whole,
      status: { ...text, enum: ["planned", "baking", "finished", "cancelled"] },
      urgent: flag,
      due_on: day,
      price_eur: number,
      trays: whole,
      notes: text,
    },
    rows: [
      { id: 7, code: "BT-07", title: "Rye Wheel", baker_id: 1, oven_id: 1, status: "planned", urgent: true, trays: 4 },
      { id: 8, code: "BT-08", title: "Plum Tart", baker_id: 2, oven_id: 2, status: "baking", urgent: false, trays: 6 },
    ],
  },
  goods: {
    columns: { id: whole, item: text, name: text, quantity: whole, unit: text },
    rows: [
      { id: 1, name: "Spelt flour", quantity: 20, unit: "sack" },
      { id: 2, name: "Poppy seed", quantity: 9, unit: "bag" },
    ],
  },
});

const changed = async (prompt: string) => {
  const { calls, text: said } = await askOf(BAKERY, prompt);
  return { made: calls.filter(([name]) => !/^list_/.test(name)), said };
};

describe("The offline planner makes the change that is told of records:", () => {
  for (const [prompt, call] of [
    ["BT-07 no longer urgent", ["update_batches", { id: 7, urgent: false }]],
    ["plum tart is urgent now", ["update_batches", { id: 8, urgent: true }]],
    ["rye wheel is now 7.50 euros", ["update_batches", { id: 7, price_eur: 7.5 }]],
    ["due date of BT-08 to 2026-12-20", ["update_batches", { id: 8, due_on: "2026-12-20" }]],
    ["move BT-07 to 6 December", ["update_batches", { id: 7, due_on: "2026-12-06" }]],
    ["note on BT-08: less sugar", ["update_batches", { id: 8, notes: "less sugar" }]],
    ["set plum tart to finished, urgent", ["update_batches", { id: 8, status: "finished", urgent: true }]],
    ["rye wheel has 5 trays now", ["update_batches", { id: 7, trays: 5 }]],
    ["put Big Bertha in corner N7", ["update_ovens", { id: 1, corner: "N7" }]],
    ["give BT-08 to Nell Marsh", ["update_batches", { id: 8, baker_id: 1 }]],
    ["use Little Ember for the rye wheel", ["update_batches", { id: 7, oven_id: 2 }]],
    ["take nell marsh off the newsletter", ["update_bakers", { id: 1, newsletter: false }]],
    ["reactivate otto kern", ["update_bakers", { id: 2, active: true }]],
    ["add 5 to the quantity of spelt flour", ["update_goods", { id: 1, quantity: 25 }]],
    ["used up 5 sacks of spelt flour", ["update_goods", { id: 1, quantity: 15 }]],
    ["4 bags of poppy seed left", ["update_goods", { id: 2, quantity: 4 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { made, said } = await changed(prompt);
      expect(made, said).to.deep.equal([call]);
    });
});

describe("The offline planner makes no change of records that are told of by", () => {
  for (const prompt of [
    "give BT-08 to Kern",
    "give BT-08 to Nobody Here",
    "take BT-08 from Nell Marsh",
    "use Little Ember for the rye wheel if it is hot",
    "Nell Marsh said BT-07 is no longer urgent",
    "is BT-07 no longer urgent",
    "BT-07 might be urgent now",
    "used up 50 sacks of spelt flour",
    "used up 5 bags of spelt flour",
    "put Big Bertha in corner N7 tomorrow",
    "plum tart is burnt now",
    "BT-07 and BT-08 are urgent now",
    "plum tart is finished",
  ])
    it(`"${prompt}"`, async () => {
      expect((await changed(prompt)).made).to.deep.equal([]);
    });

  it("what may be a report, and asks whether it is to be so", async () => {
    const { said } = await changed("plum tart is finished");
    expect(said).to.match(/^No tool clearly fits[^\n]*Say "yes" to call/);
  });
});
