// The sentence about how much a call does.
import { expect } from "chai";
import { effectSummary } from "../../../src/cli/terminal/effect.js";
import type { RowChange } from "../../../src/domain/effect.js";

describe("How much a call does", () => {
  const change: RowChange = { resource: "pets", key: { id: 1 }, before: { id: 1 }, after: null };

  it("is counted in words, and says where more may be changed than is known", () => {
    expect(effectSummary({ changes: [change], complete: false }, "impossible")).to.deep.equal([
      "1 change known; there may be more",
      "cannot be undone",
    ]);
    expect(effectSummary({ changes: [change, change], complete: true }, undefined)).to.deep.equal(["2 changes known"]);
  });
});
