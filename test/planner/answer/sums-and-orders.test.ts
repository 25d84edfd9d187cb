// Totals that are asked for by a verb, averages by the last word of a field, orders by the highest first, and bounds with a unit in two words.
import { expect } from "chai";
import { isObject, type JsonObject } from "../../../src/lib/json.js";
import { type Application, askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const S = { type: "string" };
const N = { type: "number" };
const house = createApplication({
  halls: {
    key: "id",
    filters: { min_area: N, min_size: N, wing: S },
    rows: [
      { id: 1, hall_no: "A-1", wing: "East Wing", area_sqm: 300, yearly_rent: 50, gross_weight: 3, net_weight: 2 },
      { id: 2, hall_no: "A-2", wing: "East Wing", area_sqm: 310, yearly_rent: 61, gross_weight: 4, net_weight: 3 },
      { id: 3, hall_no: "A-3", wing: "West Wing", area_sqm: 500, yearly_rent: 70, gross_weight: 9, net_weight: 1 },
    ] satisfies JsonObject[],
  },
  bills: {
    key: "id",
    filters: { status: { ...S, enum: ["open", "paid"] } },
    rows: [
      { id: 1, kind: "water", status: "open", amount: 12.5 },
      { id: 2, kind: "power", status: "open", amount: 20 },
      { id: 3, kind: "power", status: "paid", amount: 31 },
    ] satisfies JsonObject[],
  },
  courses: {
    key: "id",
    rows: [
      { id: 1, title: "Clay", level: "basic", seats: 8 },
      { id: 2, title: "Paint", level: "basic", seats: 14 },
      { id: 3, title: "Glass", level: "expert", seats: 6 },
    ] satisfies JsonObject[],
  },
});
/** A target that applies its least area itself, and lets that area through. */
const inclusive: Application = {
  tools: house.tools,
  reply: (called, { min_area: least, ...args }) => {
    const rows = house.reply(called, args);
    if (!Array.isArray(rows) || least === undefined) return rows;
    return rows.filter((row) => isObject(row) && Number(row["area_sqm"]) >= Number(least));
  },
};

describe("The offline planner", () => {
  for (const [prompt, ids] of [
    ["halls over 300 square metres", [2, 3]],
    ["halls over 300 square meters", [2, 3]],
    ["halls larger than 310 m²", [3]],
    ["halls over 300 sqm", [2, 3]],
    ["halls with an area over 300", [2, 3]],
    ["halls of at least 300 square metres", [1, 2, 3]],
    ["list the power bills, highest amount first", [3, 2]],
    ["show the basic courses, most seats first", [2, 1]],
    ["show all bills, lowest amount first", [1, 2, 3]],
  ] as const)
    it(`lists "${prompt}"`, async () => {
      const { text } = await askOf(inclusive, prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  for (const [prompt, answer] of [
    ["what do the open bills add up to", "total amount is 32.5, of 2 bills"],
    ["what do the power bills come to?", "total amount is 51, of 2 bills"],
    ["how much do the open bills amount to", "total amount is 32.5, of 2 bills"],
    ["sum up the open bills", "total amount is 32.5, of 2 bills"],
    ["sum up the seats of the basic courses", "total seats is 22, of 2 courses"],
    ["average rent of the halls in east wing", "average yearly_rent is 55.5, of 2 halls"],
    ["total rent of the halls", "total yearly_rent is 181, of 3 halls"],
    ["what is the highest amount of the power bills", "highest amount is 31"],
  ] as const)
    it(`answers "${prompt}"`, async () => {
      const { text } = await askOf(inclusive, prompt);
      expect(text).to.contain(answer);
      expect(text).to.not.contain("could not");
    });

  it("makes no number of one of two fields with the same last word", async () => {
    const { text } = await askOf(inclusive, "average weight of the halls");
    expect(text).to.match(/^I could not narrow this by "average"/);
    expect(text).to.not.contain("The average");
  });
});
