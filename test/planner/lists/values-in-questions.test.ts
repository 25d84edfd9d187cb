// Fields of records with codes, places in small letters, and questions that go on with "of those".
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession, idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const B = { type: "boolean" };
const site = createApplication({
  crew: {
    key: "id",
    keyType: I,
    fields: { name: S, base: S, on_shift: B },
    rows: [
      { id: 1, name: "Ada Holm", base: "Hartmoor", on_shift: true },
      { id: 2, name: "Ben Oak", base: "Saltmarsh", on_shift: true },
      { id: 3, name: "Cleo Fir", base: "Hartmoor", on_shift: false },
    ] satisfies JsonObject[],
  },
  jobs: {
    key: "id",
    keyType: I,
    filters: { status: S, depot: S },
    rows: [
      { id: 1, ref: "WO-775", title: "Check", status: "scheduled", depot: "North" },
      { id: 2, ref: "WO-776", title: "Paint", status: "open", depot: "South" },
    ] satisfies JsonObject[],
  },
  halls: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, wing: "East Wing", area_sqm: 300, lit: true },
      { id: 2, wing: "East Wing", area_sqm: 310, lit: true },
      { id: 3, wing: "West Wing", area_sqm: 500, lit: false },
      { id: 4, wing: "East Wing", area_sqm: 450, lit: false },
    ] satisfies JsonObject[],
  },
});

describe("The offline planner", () => {
  for (const [prompt, value] of [
    ["status of WO-775?", "scheduled"],
    ["what is the status of WO-776", "open"],
    ["depot of WO-775", "North"],
  ] as const)
    it(`answers "${prompt}" by the record with that code`, async () => {
      const { text, calls } = await askOf(site, prompt);
      expect(text).to.contain(value);
      expect(calls.every(([, args]) => Object.keys(args).length === 0)).to.equal(true);
    });

  it("still filters by what stands right behind a field", async () => {
    expect((await askOf(site, "jobs with status: open")).calls).to.deep.equal([["list_jobs", { status: "open" }]]);
  });

  for (const [prompt, ids] of [
    ["who is on shift at hartmoor", [1]],
    ["who's on shift in saltmarsh?", [2]],
  ] as const)
    it(`answers "${prompt}" by the field with that value`, async () => {
      expect(idsIn((await askOf(site, prompt)).text)).to.deep.equal(ids);
    });

  it("says that nothing is called so where no field has it", async () => {
    expect((await askOf(site, "who is on shift at kestrel")).text).to.match(/^I found nothing called "kestrel"/);
  });

  for (const next of [
    "and of those, which is the biggest",
    "of these which one is the biggest?",
    "which of them is the biggest",
  ])
    it(`keeps the conditions of the list before "${next}"`, async () => {
      const ask = createSession(site.tools, site.reply);
      for (const prompt of ["halls in east wing", "only the lit ones"]) await ask(prompt);
      expect(idsIn((await ask(next)).text)).to.deep.equal([2]);
    });

  it("counts those of the list before", async () => {
    const ask = createSession(site.tools, site.reply);
    await ask("halls in east wing");
    expect((await ask("out of those, how many are lit?")).text).to.match(/^2 halls/);
  });

  for (const prompts of [
    ["halls in east wing", "and which hall"],
    ["who is on shift at kestrel", "and which job?"],
    ["which jobs does she have", "and which hall"],
  ])
    it(`lists nothing for "${prompts.at(-1)}"`, async () => {
      const ask = createSession(site.tools, site.reply);
      await ask(prompts[0] ?? "");
      const { calls, text } = await ask(prompts[1] ?? "");
      expect(calls).to.deep.equal([]);
      expect(text).to.not.contain("|");
    });
});
