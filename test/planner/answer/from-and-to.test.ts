// Where something begins and where it ends: what stands behind "from" and behind "to" is looked for in the field of that side.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const I = { type: "integer" };
const CROSSINGS = createApplication({
  crossings: {
    key: "crossing_id",
    keyType: I,
    rows: [
      { id: 1, from_port: "Oban", to_port: "Craignure" },
      { id: 2, from_port: "Craignure", to_port: "Oban" },
      { id: 3, from_port: "Oban", to_port: "Mallaig" },
      { id: 4, from_port: "Mallaig", to_port: "Armadale" },
    ],
  },
});

describe("The offline planner knows where something begins from where it ends", () => {
  for (const [prompt, ids] of [
    ["crossings from oban to craignure", [1]],
    ["crossings from Oban to Craignure", [1]],
    ["crossings to oban", [2]],
    ["crossings from oban", [1, 3]],
    ["crossings to mallaig", [3]],
    ["crossings from armadale", []],
  ] as [string, number[]][])
    it(`in "${prompt}"`, async () => {
      const { text } = await askOf(CROSSINGS, prompt);
      expect(idsIn(text), text).to.have.members(ids);
    });
});
