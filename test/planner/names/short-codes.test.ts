// Records with keys of letters and digits that people call by a short code: "locker D4" is its label, and no key.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const B = { type: "boolean" };

const LOCKERS = createApplication({
  lockers: {
    key: "locker_id",
    rows: ["A1", "B2", "D4"].map((label, at) => ({ id: `LK-${7 - at}`, label, closed: at === 1, size: "large" })),
    fields: { label: S, closed: B, size: S },
    required: ["label"],
  },
});
const changes = (calls: readonly [string, JsonObject][]) => calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner finds a record by a short code", () => {
  for (const [prompt, args] of [
    ["set the size of locker D4 to small", { locker_id: "LK-5", size: "small" }],
    ["set the size of locker a1 to small", { locker_id: "LK-7", size: "small" }],
    ["set the size of locker LK-6 to small", { locker_id: "LK-6", size: "small" }],
  ] as [string, JsonObject][])
    it(`for "${prompt}"`, async () => {
      const { calls, text } = await askOf(LOCKERS, prompt);
      expect(changes(calls), text).to.deep.equal([["update_locker", args]]);
    });

  it("to read it", async () => {
    const { text } = await askOf(LOCKERS, "is locker B2 closed");
    expect(text).to.match(/^closed: yes/);
  });

  it("and changes none that is not there", async () => {
    const { calls, text } = await askOf(LOCKERS, "delete locker Z9");
    expect(changes(calls), text).to.deep.equal([]);
  });
});
