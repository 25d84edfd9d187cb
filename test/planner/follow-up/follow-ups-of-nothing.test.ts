// Prompts that go on with records which were not shown, or with words that say nothing of them; and who did something, where a record
// refers to several.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const nursery = createApplication({
  seedlings: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Larch", stage: "potted", price: 4, count: 0, guest_id: 2, planted_by_id: 7 },
      { id: 2, name: "Rowan", stage: "potted", price: 9, count: 12, guest_id: 1, planted_by_id: 7 },
      { id: 3, name: "Alder", stage: "sown", price: 6, count: 3, guest_id: 1, planted_by_id: 8 },
    ],
    filters: { stage: S },
    fields: { name: S, stage: S, price: I, count: I, guest_id: I, planted_by_id: I },
  },
  guests: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Ada Holm" },
      { id: 2, name: "Ben Frei" },
    ],
    fields: { name: S },
  },
  repairs: {
    key: "id",
    keyType: I,
    rows: [{ id: 5, tool: "rake", mended_on: null, cost: null }],
    filters: { mended_on: { type: "string", format: "date" }, cost: I },
    fields: { tool: S, mended_on: S, cost: I },
  },
});

const behind = async (first: string, then: string): Promise<string> => {
  const ask = createSession(nursery.tools, nursery.reply);
  await ask(first);
  return (await ask(then)).text;
};

describe("The offline planner, told to go on with records", () => {
  for (const [first, then] of [
    ["seedlings that sprouted in glasgow", "the dearest of them"],
    ["seedlings that sprouted in glasgow", "how many of those are potted"],
    ["what is the weather like", "are any of them potted"],
  ] as const)
    it(`that were not shown, says so: "${first}", "${then}"`, async () => {
      expect(await behind(first, then)).to.match(/^I (?:showed no records|read nothing) for the prompt before/);
    });

  it("that were shown, does", async () => {
    expect(await behind("list potted seedlings", "the dearest of them")).to.match(/Rowan/);
  });

  it("by words that say nothing of them, asks", async () => {
    expect(await behind("list potted seedlings", "which of those are we in")).to.match(
      /^I did not understand "are we in"/,
    );
  });

  it("by what has run out, takes those of which there is nothing", async () => {
    const text = await behind("list potted seedlings", "which of those are we out of");
    expect(text)
      .to.match(/Larch/)
      .and.not.match(/Rowan|Alder/);
  });

  it("that others refer to, asks which", async () => {
    expect(await behind("how many seedlings are potted", "for which guests")).to.match(/^I cannot tell which one/);
  });
});

describe("The offline planner, asked who did something,", () => {
  it("names the one by whom it was done, and not who else the record has", async () => {
    const { text } = await askOf(nursery, "who planted seedling 1");
    expect(text).to.match(/^planted_by_id: 7/);
    expect(text).not.to.match(/Ben Frei/);
  });
});

describe("The offline planner, told to put something on record,", () => {
  it("looks for nothing instead, and says that nothing was entered", async () => {
    const { calls, text } = await askOf(nursery, "the repair was mended on 2026-11-25 and cost 190, put that in");
    expect(calls).to.deep.equal([]);
    expect(text).to.match(/I entered nothing/);
  });
});
