// Bounds of the planner: both ends of a span, either of two, a year that something is older than; a filter takes what it says only.
import { expect } from "chai";
import { visitHarbour } from "../harbour.js";
import { createSession, idsIn, tool } from "../session.js";
import { askWarehouse } from "../warehouse.js";

describe("The offline planner narrows a list by bounds:", () => {
  for (const [prompt, ids] of [
    ["boats with a length between 7 and 15", [1, 2]],
    ["moorings with a fee between 100 and 400", [31, 32]],
    ["moorings with a fee over 130 but less than 500", [32]],
    ["moorings with a fee under 200 or over 500", [31, 33]],
    ["moorings with a fee of 340 or more", [32, 33]],
    ["moorings with a fee of 340 or less", [31, 32]],
    ["boats with a draught of at least 2 and less than 3", [2]],
    ["boats with draught 2 or more", [2, 4]],
    ["boats older than 1990", [1, 4]],
    ["boats newer than 2004", [3]],
    ["boats that arent insured", [2]],
    ["boats from NO or SE", [1, 3, 4]],
    ["boats called gull or auk", [1, 3]],
    ["berthed or reserved moorings", [31, 32]],
    ["moorings in berthed or in reserved", [31, 32]],
    ["moorings starting in December 2026", [32]],
    ["moorings that ended before 2026-12-01", [33]],
    ["boats whose hull is not red", [1, 3]],
    ["moorings ending before 2026-12-01", [33]],
    ["boats of hull red", [2, 4]],
    ["boats with a length over 10", [2, 4]],
    ["boats longer than 10 m", [2, 4]],
    ["boats heavier than 5", [2, 4]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await visitHarbour()(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not narrow").and.not.contain("only for");
    });

  it("a span of which the target takes one end, without a word of the other", async () => {
    const { calls, text } = await visitHarbour()("boats with a draught between 2 and 3");
    expect(calls).to.deep.equal([["list_boats", { min_draught: 2 }]]);
    expect(idsIn(text)).to.deep.equal([2]);
    expect(text).to.not.match(/only for|could not/);
  });

  it("a span of which the target takes both ends, by its own words or by none", async () => {
    const N = { type: "number" };
    const tools = [tool("list_lamps", "list", "GET /lamps", { min_price: N, max_price: N })];
    for (const prompt of ["which lamps are between 5 and 10", "lamps with a price between 5 and 10"])
      expect((await createSession(tools, () => [])(prompt)).calls, prompt).to.deep.equal([
        ["list_lamps", { min_price: 5, max_price: 10 }],
      ]);
  });

  it("of several fields by the one that has most of what is named, and by what records are called in the plural", async () => {
    const rows = [
      { id: 1, name: "Oslo", port: "Bergen", kind: "ketch" },
      { id: 2, name: "Ida", port: "Oslo", kind: "sloop" },
      { id: 3, name: "Eik", port: "Skien", kind: "ketch" },
    ];
    const ask = createSession([tool("list_ships", "list", "GET /ships")], () => rows);
    expect(idsIn((await ask("ships in Oslo or Bergen")).text)).to.deep.equal([1, 2]);
    expect(idsIn((await ask("list the ships that are ketches")).text)).to.deep.equal([1, 3]);
  });

  it("a year is no bound of another number, and either of two bounds is no filter", async () => {
    expect((await visitHarbour()("boats older than 1990")).calls).to.deep.equal([["list_boats", {}]]);
    const { calls } = await askWarehouse("stock with a quantity under 3 or over 20");
    expect(calls).to.deep.equal([["list_stock", {}]]);
  });

  for (const prompt of [
    "boats wider than 4",
    "boats older than 30",
    "boats with a length over 10",
    "boats that cost more than 900",
    "boats with over 5 cabins",
    "boats that carry more than 3",
  ])
    it(`"${prompt}" is no bound of another number`, async () => {
      expect((await visitHarbour()(prompt)).calls).to.deep.equal([["list_boats", {}]]);
    });

  it("what is compared in unknown words is sent as no value", async () => {
    expect((await askWarehouse("stock fresher than quantity 3")).calls).to.deep.equal([["list_stock", {}]]);
  });
});
