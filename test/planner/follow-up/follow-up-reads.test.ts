// Short prompts that go on with what was read before them.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { visitHarbour } from "../samples/harbour.js";
import { idsIn } from "../session.js";

describe("The offline planner goes on with what it read:", () => {
  for (const [first, next, ids] of [
    ["list boats", "only the insured ones", [1, 3, 4]],
    ["list boats", "just those longer than 10 m", [2, 4]],
    ["insured boats", "which of them is the heaviest?", [4]],
    ["insured boats", "only the ones from NO", [1, 4]],
    ["the heaviest boat", "and the lightest?", [3]],
    ["boats of skipper 21", "and 22?", [2]],
    ["moorings of boat 1", "what about boat 2?", [32]],
  ] as const)
    it(`"${next}" behind "${first}"`, async () => {
      const ask = visitHarbour();
      await ask(first);
      expect(idsIn((await ask(next)).text)).to.deep.equal(ids);
    });

  it("a further condition is added to the ones before", async () => {
    const ask = visitHarbour();
    for (const prompt of ["list boats", "only the insured ones", "only those from NO"]) await ask(prompt);
    expect(idsIn((await ask("which of these is the longest")).text)).to.deep.equal([4]);
  });

  for (const between of ["thanks", "Great, thank you!", "hello"])
    it(`also behind "${between}"`, async () => {
      const ask = visitHarbour();
      for (const prompt of ["list boats", between]) await ask(prompt);
      expect(idsIn((await ask("only the insured ones")).text)).to.deep.equal([1, 3, 4]);
      await ask("order me a pizza");
      await ask(between);
      expect((await ask("only the insured ones")).text).to.match(/^I read nothing for the prompt/);
    });

  it("how many of them there are", async () => {
    const ask = visitHarbour();
    await ask("list boats");
    expect((await ask("how many of them are insured?")).text).to.match(/^3 boats/);
  });

  for (const [prompts, calls] of [
    [["boat 2", "and 3?"], [["get_boat", { boat_id: 3 }]]],
    [["boat 2", "what about boat 4"], [["get_boat", { boat_id: 4 }]]],
    [["boats sorted by built", "the second one"], [["get_boat", { boat_id: 1 }]]],
    [["list boats", "only the insured ones", "delete the second one"], [["delete_boat", { boat_id: 3 }]]],
    [["list boats", "only cancel mooring 31"], []],
    [["delete boat Pelican", "what about Tern?"], []],
    [["list boats", "and what is the weather in Bergen?"], []],
  ] as [string[], [string, JsonObject][]][])
    it(prompts.map((one) => `"${one}"`).join(", "), async () => {
      const ask = visitHarbour();
      for (const prompt of prompts.slice(0, -1)) await ask(prompt);
      expect((await ask(prompts.at(-1) ?? "")).calls).to.deep.equal(calls);
    });

  it("but only where something was read", async () => {
    expect((await visitHarbour()("and 3?")).calls).to.deep.equal([]);
    expect((await visitHarbour()("the second one")).calls).to.deep.equal([]);
  });
});
