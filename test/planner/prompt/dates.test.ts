// Dates in a prompt.
import { expect } from "chai";
import { findDates } from "../../../src/planner/prompt/dates.js";

/** The days of a text, as read on this day. */
const found = (text: string, today: string) => findDates(text, today).map(({ value, through }) => [value, through]);

describe("Dates of a prompt", () => {
  it("have the first and the last day of a month, unless one side of it is meant", () => {
    const days = (text: string) => found(text, "2026-02-10");
    expect(days("in February 2024")).to.deep.equal([["2024-02-01", "2024-02-29"]]);
    expect(days("in february")).to.deep.equal([["2026-02-01", "2026-02-28"]]);
    expect(days("since November")).to.deep.equal([["2025-11-01", undefined]]);
    expect(days("I may march in")).to.deep.equal([]);
  });

  // A Thursday.
  const TODAY = "2026-11-26";
  for (const [text, first, last] of [
    ["this week", "2026-11-23", "2026-11-29"],
    ["last week", "2026-11-16", "2026-11-22"],
    ["next month", "2026-12-01", "2026-12-31"],
    ["last quarter", "2026-07-01", "2026-09-30"],
    ["this year", "2026-01-01", "2026-12-31"],
    ["the last 7 days", "2026-11-19", "2026-11-26"],
    ["in the next 2 weeks", "2026-11-26", "2026-12-10"],
  ])
    it(`have the first and the last day of "${text}"`, () => {
      expect(found(text ?? "", TODAY)).to.deep.equal([[first, last]]);
    });

  for (const [text, day] of [
    ["due friday", "2026-11-27"],
    ["on wednesday", "2026-12-02"],
    ["created since wednesday", "2026-11-25"],
    ["opened on friday", "2026-11-20"],
    ["since thursday", "2026-11-26"],
    ["this friday", "2026-11-27"],
    ["last thursday", "2026-11-19"],
  ])
    it(`have the day that "${text}" means`, () => {
      expect(found(text ?? "", TODAY)).to.deep.equal([[day, undefined]]);
    });

  it("may be two days where a weekday is that of today", () => {
    expect(findDates("due thursday", TODAY)[0]).to.include({ value: TODAY, ambiguous: true });
    expect(findDates("due friday", TODAY)[0]).to.include({ ambiguous: false });
  });

  it("share the month that stands behind the second of two days", () => {
    const both = [
      ["2026-11-27", undefined],
      ["2026-11-20", undefined],
    ];
    expect(found("between 20 and 27 november", TODAY)).to.deep.equal(both);
    expect(found("the due date of loan 1 to 27 november", TODAY)).to.deep.equal(both.slice(0, 1));
    expect(found("from the 20th to the 27th of November", TODAY)).to.deep.equal(both);
  });
});
