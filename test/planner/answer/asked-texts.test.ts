// Texts of records that a table would cut are shown where the prompt asks for them.
import { expect } from "chai";
import { askOf } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";

const CRACKED = "the blade was cracked and the guard was missing";

describe("the texts that a prompt asks for", () => {
  for (const prompt of [
    "Why was hire H-102 refused?",
    "why were the hires refused?",
    "what does the note of hire H-102 say?",
    "what do the notes of the refused hires say?",
    "what happened with hire 2?",
    "what went wrong with H-102?",
    "notes of the hires",
    "refused hires",
  ])
    it(`are in the answer to "${prompt}"`, async () => {
      const { text } = await askOf(HIRE_SHOP, prompt);
      expect(text).to.contain(CRACKED);
      expect(text).not.to.contain("I found nothing");
    });

  it("are missed where no record has one", async () => {
    const { text } = await askOf(HIRE_SHOP, "why is hire 1 out");
    expect(text).to.contain("I found no field that says why.");
  });

  it("do not stand for a condition that is not understood", async () => {
    const { text } = await askOf(HIRE_SHOP, "notes of the hires from Oslo");
    expect(text).to.contain('I could not narrow this by "Oslo".');
    expect(text).not.to.contain(CRACKED);
  });

  it("are none of the columns of another question", async () => {
    const { text } = await askOf(HIRE_SHOP, "list hires");
    expect(text).to.contain("hire_id").and.not.contain(CRACKED);
  });
});
