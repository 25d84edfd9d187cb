// "The dearest of those" behind a list: it is one of the records that were shown, and of no others.
import { expect } from "chai";
import { createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const B = { type: "boolean" };

const clocks = createApplication({
  clocks: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Regent", kind: "wall", value_eur: 400, running: true },
      { id: 2, name: "Vesper", kind: "mantel", value_eur: 9000, running: false },
      { id: 3, name: "Orloj", kind: "wall", value_eur: 2500, running: false },
    ],
    filters: { running: B },
    fields: { name: S, kind: S, value_eur: I, running: B },
  },
});

const behind = async (first: string, then: string): Promise<string> => {
  const ask = createSession(clocks.tools, clocks.reply);
  await ask(first);
  return (await ask(then)).text;
};

describe("The offline planner, asked for the first of the records that were shown", () => {
  for (const [first, then, one, others] of [
    ["list wall clocks", "the dearest of them", "Orloj", /Vesper|Regent/],
    ["list wall clocks", "whats the most valuable of those", "Orloj", /Vesper|Regent/],
    ["list wall clocks", "and the least valuable of those?", "Regent", /Vesper|Orloj/],
    ["list wall clocks", "what is the most valuable one of them all", "Orloj", /Vesper|Regent/],
    ["which clocks arent running", "what's the most valuble of those", "Vesper", /Regent|Orloj/],
    ["how many clocks are worth less than 3000", "the dearest of those", "Orloj", /Vesper|Regent/],
  ] as const)
    it(`keeps to those: "${first}", "${then}"`, async () => {
      expect(await behind(first, then))
        .to.match(new RegExp(String.raw`^1 clock.*\n[\s\S]*${one}`))
        .and.not.match(others);
    });

  for (const [first, then] of [
    ["list the 2 cheapest clocks", "the dearest of those"],
    ["list 2 clocks", "the dearest of those"],
    ["list the 2 cheapest clocks", "what is the most valuable of those"],
    ["show clock 1", "the dearest of them"],
  ] as const)
    it(`asks where they cannot be told from others: "${first}", "${then}"`, async () => {
      expect(await behind(first, then)).to.match(/^I cannot tell which records that is about/);
    });

  it("measures nothing by a word that is no field's", async () => {
    expect(await behind("list wall clocks", "the most vulnerable of those")).to.match(/^I could not narrow this by/);
  });

  it("takes the first of all where all were shown", async () => {
    expect(await behind("list clocks", "the dearest of those")).to.match(/^1 clock .*\n[\s\S]*Vesper/);
  });
});

const ropes = createApplication({
  ropes: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Drift", fibre: "hemp", price: 40, weight_kg: 7 },
      { id: 2, name: "Comet", fibre: "nylon", price: 95, weight_kg: 3 },
      { id: 3, name: "Breton", fibre: "hemp", price: 61, weight_kg: 5 },
    ],
    fields: { name: S, fibre: S, price: I, weight_kg: I },
  },
});

describe("The offline planner puts in order what a verb measures", () => {
  for (const [first, then, names] of [
    ["list ropes", "which of those cost the most", ["Comet", "Breton", "Drift"]],
    ["hemp ropes", "which of those cost most", ["Breton", "Drift"]],
    ["hemp ropes", "which of them costs the least", ["Drift"]],
    ["hemp ropes", "which one weighs the most", ["Drift"]],
    ["how many hemp ropes are there", "which costs the most", ["Breton"]],
    ["which rope costs the most", undefined, ["Comet"]],
    ["which ropes weigh the least", undefined, ["Comet", "Breton", "Drift"]],
    ["2 ropes that cost the least", undefined, ["Drift", "Breton"]],
    ["which rope costs the most in hemp", undefined, ["Breton"]],
    ["which ropes cost at least 61", undefined, ["Comet", "Breton"]],
  ] as const)
    it(`"${first}"${then === undefined ? "" : `, "${then}"`}`, async () => {
      const ask = createSession(ropes.tools, ropes.reply);
      const shown = await ask(first);
      const { text } = then === undefined ? shown : await ask(then);
      const found = [...text.matchAll(/Drift|Comet|Breton/g)].map(([name]) => name);
      if (/at least/.test(first)) expect(found, text).to.have.members([...names]);
      else expect(found, text).to.deep.equal([...names]);
    });

  for (const [first, then] of [
    ["list ropes", "which of those sell the most"],
    ["list ropes", "which of those earns the most"],
    ["which ropes stretch the least", undefined],
    ["list the 2 cheapest ropes", "which of those cost the most"],
    ["show rope 1", "which of those cost the most"],
    ["which costs the most", undefined],
  ] as const)
    it(`but shows nothing for "${first}"${then === undefined ? "" : `, "${then}"`}`, async () => {
      const ask = createSession(ropes.tools, ropes.reply);
      const shown = await ask(first);
      const { text } = then === undefined ? shown : await ask(then);
      expect(text).to.not.match(/Drift|Comet|Breton/);
    });
});
