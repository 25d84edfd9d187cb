// Prompts that are made to keep the planner busy: it reads so much of each, and blocks every other request while it does.
import { expect } from "chai";
import { MAX_CHARACTERS } from "../../src/planner/prompt/prompt.js";
import { ask } from "./shop.js";

/** Prompts as long as is read of them, of parts that an expression may divide between two of its own. */
const PROMPTS: Readonly<Record<string, string>> = {
  "wishes before stops and a further line": `a ${"of x must be ".repeat(40)}${"!".repeat(2500)}\nq`,
};

/** Ten times what the slowest takes on a machine that is busy with other things. */
const MAX_CPU_MS = 5000;

describe("The offline planner is soon done with", function () {
  this.timeout(30_000);

  for (const [name, prompt] of Object.entries(PROMPTS))
    it(`${name}`, async () => {
      expect(prompt.length).to.be.at.most(MAX_CHARACTERS);
      const before = process.cpuUsage();
      await ask(prompt);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).to.be.below(MAX_CPU_MS);
    });
});
