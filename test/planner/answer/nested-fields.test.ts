// Conditions on the fields of an object within the records, and on what something is worth.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, idsIn, type Turn, tool } from "../session.js";

const WELLS: readonly JsonObject[] = [
  { id: 1, name: "Alder", pumpRate: 40, plot: { id: 7, name: "North", district: "Vale", depthMeters: 300 } },
  { id: 2, name: "Birch", pumpRate: 2500, plot: { id: 8, name: "South", district: "Moor", depthMeters: 90 } },
  { id: 3, name: "Cedar", pumpRate: 10, plot: { id: 9, name: "East", district: "Vale", depthMeters: 2100 } },
];
const COINS: readonly JsonObject[] = [
  { id: 1, name: "Dime", estimated_value: 20, year: 1920 },
  { id: 2, name: "Crown", estimated_value: 300, year: 1960 },
  { id: 3, name: "Ducat", estimated_value: 90, year: 1700 },
];
const TOOLS = [tool("list_wells", "list", "GET /wells"), tool("list_coins", "list", "GET /coins")];
const session = () => createSession(TOOLS, ({ resource }) => [...(resource === "wells" ? WELLS : COINS)]);
const ask = (prompt: string): Promise<Turn> => session()(prompt);

describe("The offline planner narrows", () => {
  for (const [prompt, ids] of [
    ["which wells are in vale", [1, 3]],
    ["wells in Moor", [2]],
    ["wells at a depth above 200 m", [1, 3]],
    ["wells with depth above 2000", [3]],
    ["wells with a depth of less than 100 meters", [2]],
    ["wells over 1000", [2]],
  ] as const)
    it(`by the fields of an object within: "${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  for (const [prompt, ids] of [
    ["which coins are worth more than 50?", [2, 3]],
    ["coins worth under 100", [1, 3]],
    ["coins with a value above 200", [2]],
    ["which coin is worth the most", [2]],
    ["the most valuable coin", [2]],
  ] as const)
    it(`by what something is worth: "${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  it("and goes on with that", async () => {
    const tell = session();
    await tell("coins worth more than 50");
    expect(idsIn((await tell("which of them is worth the most")).text)).to.deep.equal([2]);
  });

  it("by no other field than the one that is named", async () => {
    for (const prompt of ["wells with a pressure above 30", "coins with a weight over 30"])
      expect((await ask(prompt)).text, prompt).to.match(/^I could not narrow this by/);
  });
});
