// Names that begin with an article: the one in the prompt may be a part of the name or not.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const PUBS = {
  key: "pub_id",
  keyType: I,
  rows: [
    { pub_id: 1, name: "The Crooked Anvil", seats: 40 },
    { pub_id: 2, name: "Harbour Tap", seats: 25 },
  ],
  fields: { name: S, seats: I },
  required: ["name"],
};
const TOWN = createApplication({ pubs: PUBS });
const TWINS = createApplication({
  pubs: { ...PUBS, rows: [...PUBS.rows, { pub_id: 3, name: "Crooked Anvil", seats: 12 }] },
});

describe("The offline planner finds names that begin with an article", () => {
  for (const [prompt, pub_id] of [
    ["set the seats of The Crooked Anvil to 45", 1],
    ["set the seats of the crooked anvil to 45", 1],
    ["set the seats of Crooked Anvil to 45", 1],
    ["set the seats of the Harbour Tap to 45", 2],
  ] as const)
    it(`for "${prompt}"`, async () => {
      expect(lastCall(await askOf(TOWN, prompt))).to.deep.equal(["update_pub", { seats: 45, pub_id }]);
    });

  it("and changes neither of two that differ in it alone", async () => {
    const { calls, text } = await askOf(TWINS, "set the seats of Crooked Anvil to 45");
    expect(calls.map(([name]) => name)).to.not.include("update_pub");
    expect(text).to.contain("The Crooked Anvil").and.contain("2 records");
  });
});
