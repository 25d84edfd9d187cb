// Of several days and years in records, the one that the oldest and the newest are found by: a time of the thing itself before one of the
// record, the one that the prompt names before either, and a question where two fit as well.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";
import { idsIn } from "../session.js";

const INTEGER = { type: "integer" };
const DESK = createApplication({
  clerks: {
    key: "clerk_id",
    keyType: INTEGER,
    rows: [
      { clerk_id: 1, name: "Ute", born_on: "1970-01-01", hired_on: "2019-05-01", created_at: "2024-01-02" },
      { clerk_id: 2, name: "Per", born_on: "1991-07-07", hired_on: "2010-02-01", created_at: "2024-01-01" },
    ],
  },
  visits: {
    key: "visit_id",
    keyType: INTEGER,
    rows: [
      { visit_id: 11, asked_for: "2026-10-01", starts_on: "2026-11-01", ends_on: "2026-12-01" },
      { visit_id: 12, asked_for: "2026-09-01", starts_on: "2026-12-01", ends_on: "2026-12-24" },
    ],
  },
  sketches: {
    key: "sketch_id",
    keyType: INTEGER,
    filters: { order_by: { type: "string", enum: ["acquired_on", "-acquired_on", "year_drawn", "-year_drawn"] } },
    rows: [],
  },
});
const HEATING = createApplication({
  boilers: {
    key: "boiler_id",
    keyType: INTEGER,
    rows: [
      { id: 1, model: "Ember", next_inspection: "2027-01-20", fitted_on: "2019-02-02" },
      { id: 2, model: "Flint", next_inspection: "2026-12-04", fitted_on: "2022-02-02" },
      { id: 3, model: "Glow", next_inspection: "2027-05-11", fitted_on: "2020-02-02" },
    ],
  },
});

describe("the order by time of a list with several times", () => {
  const found = [
    [HIRE_SHOP, "the oldest sander", /oldest by year_built first/, /Grinder/],
    [HIRE_SHOP, "the newest machine", /newest by year_built first/, /Twister/],
    [HIRE_SHOP, "the most recently bought machine", /by bought_on first/, /Twister/],
    [HIRE_SHOP, "list the sander machines, newest first", /newest by year_built first/, /Ripper.*\n.*Grinder/],
    [HIRE_SHOP, "the oldest maker", /oldest by founded first/, /Holmgren/],
    [DESK, "the oldest clerk", /oldest by born_on first/, /Ute/],
    [DESK, "the newest clerk", /newest by hired_on first/, /Ute/],
    [DESK, "longest-serving clerk", /longest-serving by hired_on first/, /Per/],
  ] as const;
  for (const [application, prompt, basis, row] of found)
    it(`says what "${prompt}" is by`, async () => {
      const { text } = await askOf(application, prompt);
      expect(text).to.match(basis);
      expect(text).to.match(row);
    });

  it("leaves the order to the target that has an option for it", async () => {
    const rows = [{ sketch_id: 5, name: "Heron", acquired_on: "2001-01-01", year_drawn: 1890 }];
    const { calls, text } = await askOf({ tools: DESK.tools, reply: () => rows }, "the newest sketches");
    expect(calls).to.deep.equal([["list_sketches", { order_by: "-year_drawn" }]]);
    expect(text).to.contain("1 sketch, newest by year_drawn first");
  });

  it("asks by which of two that fit as well", async () => {
    const { text } = await askOf(DESK, "the latest visit");
    expect(text).to.contain("latest may be by asked_for or by starts_on, say which");
    expect(text).not.to.contain("| visit_id");
  });

  const ended = [
    ["which boiler has its inspection first", [2]],
    ["which boiler has its inspection last", [3]],
    ["which boiler has its inspection soonest", [2]],
    ["which boiler was fitted last?", [2]],
    ["which boilers were fitted first", [1, 3, 2]],
  ] as const;
  for (const [prompt, ids] of ended)
    it(`puts "${prompt}" by the day of that name`, async () => {
      expect(idsIn((await askOf(HEATING, prompt)).text)).to.deep.equal(ids);
    });

  for (const prompt of [
    "which boiler has its repair first",
    "which boiler has its model first",
    "which boiler was sold last",
  ])
    it(`says that it cannot put "${prompt}" in order`, async () => {
      const { text } = await askOf(HEATING, prompt);
      expect(text)
        .to.match(/^I could not put this in order: (?:first|last)\.$/m)
        .and.not.contain("| id");
    });
});
