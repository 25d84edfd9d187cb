// Country names as codes.
import { expect } from "chai";
import { countryCode } from "../../../src/planner/prompt/countries.js";

describe("Country names", () => {
  it("become the codes of the countries as they are now", () => {
    expect(["Germany", "Yemen", "the United States"].map(countryCode)).to.deep.equal(["DE", "YE", "US"]);
  });
});
