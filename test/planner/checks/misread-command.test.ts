// What is no wish to read is not answered with a read, though one would fit.
import { expect } from "chai";
import { visitHarbour } from "../samples/harbour.js";

describe("The offline planner reads nothing for", () => {
  for (const prompt of [
    "tow boat 3 to berth 9",
    "boat 3 has sunk",
    "I was about to check in mooring 32 but then decided against it",
    "i was going to add another boat in April but the harbour is full",
    "we wanted to cancel mooring 32, but changed our minds",
    "I almost deleted boat 3 but no longer need to",
    "give boat 3 a refund of 20 euros",
    "give skipper 21 a new hat",
    "give skipper 21 the golden badge",
    "grant skipper 22 another day",
    "boat 4 left this morning",
    "paint my boat",
    "teach me a boat song",
    "sell the boat Gull",
    "pls scrub boat 2",
    "delete skipper 21",
    "what is a skipper",
    "I am not sure, perhaps delete boat 2",
    "can boats fly?",
    "how old do skippers get",
    "are boats safe?",
    "what are boats made of",
    "what do skippers drink?",
    "how much does it cost to moor a boat",
    "how do boats float?",
    "why are boats so expensive",
    "do skippers sleep?",
    "what is the longest boat in the world",
  ])
    it(`"${prompt}"`, async () => {
      expect((await visitHarbour()(prompt)).calls).to.deep.equal([]);
    });
});

describe("The offline planner shows no record for", () => {
  for (const prompt of ["boat 3 leaks", "boat 3 hit a rock", "boat 2 rammed the pier"])
    it(`"${prompt}"`, async () => {
      const { text } = await visitHarbour()(prompt);
      expect(text)
        .to.match(/^I did not understand/)
        .and.not.contain("**");
    });
});

describe("The offline planner reads for", () => {
  for (const prompt of [
    "sort the boats by weight",
    "do we have any insured boats?",
    "how many boats are there",
    "check boat 3",
    "show 3 insured boats",
    "2 reserved moorings",
  ])
    it(`"${prompt}"`, async () => {
      expect((await visitHarbour()(prompt)).calls).to.have.length(1);
    });
});

describe("The offline planner reads all the same for", () => {
  for (const [prompt, call] of [
    ["I wanted to see the moorings of boat 2 but only the reserved ones", "list_moorings"],
    ["give me a list of boats", "list_boats"],
    ["give boat 3", "get_boat"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await visitHarbour()(prompt)).calls.map(([name]) => name)).to.deep.equal([call]);
    });
});

describe("The offline planner, asked how something is done,", () => {
  for (const prompt of [
    "how do I register a boat?",
    "how do I cancel a mooring",
    "how can I delete boat 3?",
    "how do I change the draught of a boat",
  ])
    it(`names the tool: "${prompt}"`, async () => {
      const { calls, text } = await visitHarbour()(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/^That is done by `/);
    });

  for (const prompt of [
    "how do I make a sandwich on a boat?",
    "how can I add sugar to my tea",
    "how would you change a tyre",
    "how do I get mud off a boat",
  ])
    it(`names no tool for what is no thing of theirs: "${prompt}"`, async () => {
      const { calls, text } = await visitHarbour()(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.not.contain("That is done by");
    });
});
