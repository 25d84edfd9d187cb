// Collections that are called as their amount is ("miles" with a field `miles`), and fields that are called a count.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { HAULAGE } from "../samples/haulage.js";

const whole = { type: "integer" };
const VINEYARD = createApplication({
  plots: {
    key: "plot_id",
    keyType: whole,
    rows: [
      { id: 5, code: "P-05" },
      { id: 6, code: "P-06" },
    ],
  },
  inspections: {
    key: "inspection_id",
    keyType: whole,
    rows: [
      { id: 31, plot_id: 5, inspected_on: "2026-05-04", mite_count: 12 },
      { id: 32, plot_id: 6, inspected_on: "2026-05-05", mite_count: 3 },
      { id: 33, plot_id: 6, inspected_on: "2026-05-06", mite_count: 9 },
    ],
  },
  yields: {
    key: "yield_id",
    keyType: whole,
    rows: [
      { id: 1, plot_id: 5, yield_kg: 900, grape: "merlot" },
      { id: 2, plot_id: 6, yield_kg: 400, grape: "merlot" },
      { id: 3, plot_id: 6, yield_kg: 700.5, grape: "gamay" },
    ],
  },
  grades: {
    key: "grade_id",
    keyType: whole,
    rows: [
      { id: 1, plot_id: 5, grade: 2 },
      { id: 2, plot_id: 6, grade: 3 },
    ],
  },
});

describe("Records that are called as their amount is", () => {
  const answers: [typeof HAULAGE, string, RegExp][] = [
    [HAULAGE, "how many miles has Olga Petrov driven in total?", /^The total miles is 200\.5, of 2 entries/],
    [HAULAGE, "how many miles are there", /^The total miles is 260\.5, of 3 entries\.$/],
    [HAULAGE, "how many miles in may 2026", /^The total miles is 200\.5, of 2 entries/],
    [HAULAGE, "how many miles entries does driver 1 have", /^2 entries with driver_id = 1\.$/],
    [HAULAGE, "miles per driver", /total miles \| count[\s\S]*1 \| 200\.5 \| 2[\s\S]*2 \| 60 \| 1/],
    [HAULAGE, "miles by route", /total miles \| count[\s\S]*coast \| 180 \| 2/],
    [HAULAGE, "miles of driver 2", /^1 entry/],
    [HAULAGE, "how many claims are there", /^3 claims\.$/],
    [HAULAGE, "claims per driver", /driver_id \| count \|/],
    [VINEYARD, "yields per plot", /total yield_kg \| count[\s\S]*6 \| 1100\.5 \| 2/],
    [VINEYARD, "yield by grape", /merlot \| 1300 \| 2/],
    [VINEYARD, "how many yields are there", /^3 yields\.$/],
    [VINEYARD, "how many grades are there", /^2 grades\.$/],
    [VINEYARD, "grades per plot", /plot_id \| count \|/],
  ];
  for (const [application, prompt, answer] of answers)
    it(`are added up where that is asked: "${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.match(answer);
    });
});

describe("A field that is called a count", () => {
  const answers: [string, RegExp][] = [
    ["inspections with a mite count above 8", /^2 inspections with mite_count > 8:[\s\S]*31[\s\S]*33/],
    ["inspections whose mite_count is over 8", /^2 inspections with mite_count > 8:[\s\S]*31/],
    ["which inspection has the highest mite count", /^1 inspection [\s\S]*31/],
    ["how many inspections have a mite count above 8", /^2 inspections with mite_count > 8\.$/],
    ["count the inspections with a mite count above 8", /^2 inspections with mite_count > 8\.$/],
    ["inspection count", /^3 inspections\.$/],
    ["what is the count of inspections", /^3 inspections\.$/],
  ];
  for (const [prompt, answer] of answers)
    it(`asks for no number of records: "${prompt}"`, async () => {
      expect((await askOf(VINEYARD, prompt)).text).to.match(answer);
    });

  it("are others that are counted in them: the records are no answer to how many of these", async () => {
    const shows = createApplication({
      shows: {
        key: "show_id",
        keyType: whole,
        rows: [
          { id: 1, state: "over", tickets: 40 },
          { id: 2, state: "over", tickets: 25 },
          { id: 3, state: "planned", tickets: 90 },
        ],
        filters: { state: { type: "string", enum: ["over", "planned"] } },
      },
    });
    expect((await askOf(shows, "how many tickets do the planned shows have")).text).to.match(
      /^The total tickets is 90, of 1 /,
    );
    expect((await askOf(shows, "how many shows are planned")).text).to.match(/^1 show\b/);
  });
});
