import { expect } from "chai";
import { isYearName } from "../../../src/planner/slots/traits.js";

describe("The name of a number", () => {
  for (const name of ["year", "queenYear", "member_since", "founded", "built_in", "min_built", "first_published"])
    it(`says that it is a year: ${name}`, () => {
      expect(isYearName(name)).to.equal(true);
    });

  for (const name of ["yearly_dues", "years_active", "tickets_opened", "opened_tickets", "calls_made", "in"])
    it(`does not: ${name}`, () => {
      expect(isYearName(name)).to.equal(false);
    });
});
