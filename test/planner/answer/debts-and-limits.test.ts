// Numbers in an object of a record as bounds: by one word of their name, by what is owed, and one against another.
import { expect } from "chai";
import { askOf } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";

describe("a list narrowed by the numbers of an object in its records", () => {
  const found = [
    ["clients with a balance over 1000", "1 client with balanceDue > 1000", ["Mei"]],
    ["clients who owe more than 500", "2 clients with balanceDue > 500", ["Ilse", "Mei"]],
    ["which clients are over their credit limit?", "1 client with balanceDue > creditLimit", ["Ilse"]],
    ["clients below their credit limit", "2 clients with balanceDue < creditLimit", ["Omar", "Mei"]],
  ] as const;
  for (const [prompt, heading, names] of found)
    it(`answers "${prompt}"`, async () => {
      const { text } = await askOf(HIRE_SHOP, prompt);
      expect(text).to.contain(heading);
      for (const name of names) expect(text).to.contain(name);
    });

  it("says what no number in them is called", async () => {
    const { text } = await askOf(HIRE_SHOP, "clients with a score over 500");
    expect(text).to.contain('I could not narrow this by "over 500" or "score"');
    expect(text).not.to.contain("|");
  });
});
