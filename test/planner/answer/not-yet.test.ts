// What is not so yet is in a state before that: neither beyond it nor called off. Where nothing says the order of the states, the answer says
// what was taken.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { type Application, askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const I = { type: "integer" };

const ROWS = ["requested", "mixing", "mixed", "collected", "cancelled"].map((state, at) => ({ id: at + 1, state }));
const paints = (filters?: JsonObject): Application =>
  createApplication({
    paints: { key: "paint_id", keyType: I, rows: ROWS, ...(filters === undefined ? {} : { filters }) },
  });
const states = (...names: string[]): JsonObject => ({ state: { type: "string", enum: names } });

const ORDERED = paints(states("requested", "mixing", "mixed", "collected", "cancelled"));
const BY_ALPHABET = paints(states("cancelled", "collected", "mixed", "mixing", "requested"));
const BACKWARDS = paints(states("collected", "mixed", "mixing", "requested", "cancelled"));
const UNKNOWN = paints();

describe("The offline planner takes what is not so yet", () => {
  for (const [prompt, ids] of [
    ["paints that arent mixed yet", [1, 2]],
    ["which paints are not yet mixed", [1, 2]],
    ["paints that are still not mixed", [1, 2]],
    ["paints that haven't been collected yet", [1, 2, 3]],
    ["paints still to be collected", [1, 2, 3]],
    ["which paints havent been collected", [1, 2, 3]],
    ["paints that have not been mixed", [1, 2]],
    ["paints waiting to be mixed", [1, 2]],
    ["paints that aren't mixed", [1, 2, 4, 5]],
    ["mixed paints", [3]],
  ] as const)
    it(`for those in a state before it: "${prompt}"`, async () => {
      const { text } = await askOf(ORDERED, prompt);
      expect(idsIn(text), text).to.have.members([...ids]);
      expect(text).to.not.match(/^I took/);
    });

  it("and counts them", async () => {
    expect((await askOf(ORDERED, "how many paints are not mixed yet")).text).to.equal(
      "2 paints with state = requested or mixing, not mixed.",
    );
  });

  for (const [called, application] of [
    ["by the alphabet", BY_ALPHABET],
    ["backwards", BACKWARDS],
    ["not at all", UNKNOWN],
  ] as const)
    it(`and says what it took where they stand ${called}`, async () => {
      const { text } = await askOf(application, "paints that arent mixed yet");
      expect(text).to.match(
        /^I took "arent mixed yet" for any other state, as nothing says which come before: cancelled, collected, mixing or requested\./,
      );
      expect(idsIn(text)).to.have.members([1, 2, 4, 5]);
    });

  for (const prompt of ["paints to be mixed", "paints about to be mixed", "paints due to be collected"])
    it(`and keeps back what may be to come for some of them: "${prompt}"`, async () => {
      expect(idsIn((await askOf(ORDERED, prompt)).text)).to.deep.equal([]);
    });

  for (const prompt of ["paints to be mixed", "paints still to be collected"])
    it(`and keeps them back where nothing says what comes before: "${prompt}"`, async () => {
      expect(idsIn((await askOf(UNKNOWN, prompt)).text)).to.deep.equal([]);
    });

  it("and calls nothing off that comes before nothing", async () => {
    expect((await askOf(ORDERED, "paints not cancelled yet")).text).to.match(/^I took "not cancelled yet"/);
  });
});
