// A code is no day, and a year behind "in" no amount: neither is sent for a column that it does not fit.
import { expect } from "chai";
import { askOf } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";

const DEPOT = createDatabase({
  trams: {
    columns: { id: { type: "integer" }, code: { type: "string" } },
    rows: [
      { id: 31, code: "T9" },
      { id: 32, code: "T4" },
    ],
  },
  faults: {
    columns: {
      id: { type: "integer" },
      tram_id: { type: "integer" },
      reported_on: { type: "string", format: "date" },
      grade: { type: "string", enum: ["minor", "grave"] },
    },
    rows: [
      { id: 1, tram_id: 31, reported_on: "2026-03-01", grade: "minor" },
      { id: 2, tram_id: 32, reported_on: "2026-04-01", grade: "grave" },
      { id: 3, tram_id: 31, reported_on: "2025-04-01", grade: "grave" },
    ],
  },
  refills: {
    columns: {
      id: { type: "integer" },
      filled_on: { type: "string", format: "date" },
      litres: { type: "number" },
    },
    rows: [
      { id: 1, filled_on: "2025-03-01", litres: 40 },
      { id: 2, filled_on: "2026-03-01", litres: 25 },
      { id: 3, filled_on: "2026-05-01", litres: 35 },
    ],
  },
});

describe("A code of a record", () => {
  for (const [prompt, heading, id] of [
    ["faults of tram T9", "2 faults with tram_id = 31:", "2026-03-01"],
    ["faults of T4", "1 fault with tram_id = 32:", "2026-04-01"],
    ["grave faults of tram T9", "1 fault with tram_id = 31 and grade = grave:", "2025-04-01"],
    ["how many faults of T9", "2 faults with tram_id = 31.", ""],
  ] as const)
    it(`is no day, however short: "${prompt}"`, async () => {
      const { text } = await askOf(DEPOT, prompt);
      expect(text.split("\n")[0]).to.equal(heading);
      expect(text).to.contain(id);
    });
});

describe("A year behind in", () => {
  for (const prompt of ["total litres in 2026", "litres in 2026", "litres during 2025"])
    it(`is no amount: "${prompt}"`, async () => {
      const { calls, text } = await askOf(DEPOT, prompt);
      expect(JSON.stringify(calls)).to.not.contain('"litres":20');
      expect(text).to.not.match(/litres = 20|^No refills/m);
    });

  it("is the time of what is named", async () => {
    expect((await askOf(DEPOT, "total litres of refills in 2026")).text).to.match(
      /^The sum of the litres is 60|^The total litres is 60/,
    );
  });
});
