// Superlatives of the planner: by what they measure, the one that is meant or as many as are asked for.
import { expect } from "chai";
import { visitHarbour } from "../harbour.js";
import { createSession, idsIn, tool } from "../session.js";

describe("The offline planner puts records in order by", () => {
  for (const [prompt, ids] of [
    ["the heaviest boat", [4]],
    ["the two lightest boats", [3, 1]],
    ["which boat is the shortest?", [3]],
    ["longest boat", [4]],
    ["newest boat", [3]],
    ["which boat has the largest draught", [4]],
    ["boats from the lightest to the heaviest", [3, 1, 2, 4]],
    ["the youngest skipper", [22]],
    ["who is the oldest skipper", [21]],
    ["the mooring with the highest fee", [33]],
    ["the most expensive mooring by fee", [33]],
    ["boats sorted by length", [3, 1, 2, 4]],
    ["the boat of skipper 21 with the largest draught", [1]],
    ["boats sorted by built", [4, 1, 2, 3]],
    ["boats sorted by length, longest first", [4, 2, 1, 3]],
    ["boats sorted by length, shortest first", [3, 1, 2, 4]],
    ["boats sorted by draught (deepest first)", [4, 2, 1, 3]],
    ["list boats ordered by length with the longest first", [4, 2, 1, 3]],
    ["boats sorted by built, newest first", [3, 2, 1, 4]],
    ["moorings sorted by fee, most expensive first", [33, 32, 31]],
    ["moorings sorted by fee, cheapest first", [31, 32, 33]],
    ["boats sorted by length descending", [4, 2, 1, 3]],
    ["boats sorted by length please", [3, 1, 2, 4]],
    ["moorings sorted by starts on, latest first", [32, 31, 33]],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect(idsIn((await visitHarbour()(prompt)).text)).to.deep.equal(ids);
    });

  it("without a word of what it understood", async () => {
    expect((await visitHarbour()("boats sorted by length, longest first")).text).to.match(/^4 boats:/);
  });

  it("an option of the target in the direction of a superlative", async () => {
    const sort = { type: "string", enum: ["hourly_rate", "-hourly_rate"] };
    const ask = createSession([tool("list_machines", "list", "GET /machines", { sort })], () => []);
    const { calls } = await ask("machines sorted by hourly rate, most expensive first");
    expect(calls).to.deep.equal([["list_machines", { sort: "-hourly_rate" }]]);
  });

  for (const [prompt, said] of [
    ["total of all moorings", "The total fee is 970"],
    ["what is the highest fee of the moorings", "The highest fee is 510"],
  ] as const)
    it(`and answers "${prompt}" with a number`, async () => {
      expect((await visitHarbour()(prompt)).text).to.contain(said);
    });

  it("no parameter that only begins as a direction does", async () => {
    const order = { type: "array", items: { type: "string", enum: ["description", "-description", "cost", "-cost"] } };
    const ask = createSession([tool("list_repairs", "list", "GET /repairs", { order_by: order })], () => []);
    expect((await ask("the most expensive repair")).calls).to.deep.equal([["list_repairs", { order_by: ["-cost"] }]]);
  });

  it("nothing that the records do not have", async () => {
    expect((await visitHarbour()("the fastest boat")).text).to.match(/I could not put this in order: fastest\./);
  });
});
