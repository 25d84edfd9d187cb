import { expect } from "chai";
import { withFields } from "../../src/lib/with-fields.js";
import { haveSameClass } from "../support/hidden-class.js";

const made = (n: number) => withFields({ a: n, b: "b" }, { b: n, c: [n] });

describe("withFields", () => {
  it("is a copy with more fields, later ones in place of earlier ones", () => {
    const base = { a: 1, b: "b" };
    expect(withFields(base, { b: 2, c: [3] })).to.deep.equal({ a: 1, b: 2, c: [3] });
    expect(base).to.deep.equal({ a: 1, b: "b" });
  });

  it("gives all that is made in one place one hidden class", () => {
    for (let i = 0; i < 10; i++) made(i);
    expect(haveSameClass(made(1), made(2))).to.equal(true);
  });
});
