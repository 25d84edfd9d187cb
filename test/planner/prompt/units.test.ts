import { expect } from "chai";
import { unitBehind } from "../../../src/planner/prompt/units.js";

describe("The unit behind a number", () => {
  it("is a symbol as it is written, or a word in any case and number", () => {
    const read = ["mH", " mH and", "H", "kg.", " kilograms", " Minutes later", "µF", " s", "days"].map(unitBehind);
    expect(read).to.deep.equal(["mH", "mH", "H", "kg", "kilograms", "Minutes", "µF", "s", "days"]);
  });

  it("is none where the text only begins like one, or a capital stands alone", () => {
    for (const text of [" A", " H of", " house", "mHz", " Sam", "", " ", " in stock", "  kg", "kg5"])
      expect(unitBehind(text), text).to.equal(undefined);
  });
});
