import { expect } from "chai";
import { withFields } from "../../src/lib/with-fields.js";

describe("withFields", () => {
  it("is a copy with more fields, later ones in place of earlier ones", () => {
    const base = { a: 1, b: "b" };
    expect(withFields(base, { b: 2, c: [3] })).to.deep.equal({ a: 1, b: 2, c: [3] });
    expect(base).to.deep.equal({ a: 1, b: "b" });
  });
});
