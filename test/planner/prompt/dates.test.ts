// Dates in a prompt.
import { expect } from "chai";
import { findDates } from "../../../src/planner/prompt/dates.js";

describe("Dates of a prompt", () => {
  it("have the first and the last day of a month, unless one side of it is meant", () => {
    const found = (text: string) => findDates(text, "2026-02-10").map(({ value, through }) => [value, through]);
    expect(found("in February 2024")).to.deep.equal([["2024-02-01", "2024-02-29"]]);
    expect(found("since November")).to.deep.equal([["2025-11-01", undefined]]);
    expect(found("I may march in")).to.deep.equal([]);
  });
});
