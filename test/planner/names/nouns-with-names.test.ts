// A noun with a name behind it names a record that is there, and commands no new one.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication({
  owners: {
    key: "owner_id",
    keyType: I,
    rows: [{ owner_id: 3, name: "Ada Holm" }],
    fields: { name: S },
    required: ["name"],
  },
  screens: { key: "screen_id", keyType: I, rows: [{ screen_id: 8, name: "Harbor" }], fields: { name: S, seats: I } },
  films: { key: "film_id", keyType: I, rows: [{ film_id: 5, title: "Two Tigers" }], fields: { title: S } },
});

describe("The offline planner creates nothing for", () => {
  for (const prompt of ["owner Ada Holm", "screen Harbor", "film Two Tigers", "owner Ulla Berg"])
    it(`"${prompt}"`, async () => {
      const { calls } = await askOf(CLINIC, prompt);
      expect(calls.every(([name]) => /^(?:list|get)_/.test(name))).to.equal(true);
    });
});

describe("The offline planner creates what is commanded by", () => {
  for (const [prompt, call] of [["add owner Ulla Berg", ["create_owner", { name: "Ulla Berg" }]]] as [
    string,
    [string, JsonObject],
  ][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(CLINIC, prompt))).to.deep.equal(call);
    });
});
