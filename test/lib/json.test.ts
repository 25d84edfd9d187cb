// JSON without losing anything.
import { expect } from "chai";
import { MAX_JSON_DEPTH, parseJson, toJson } from "../../src/lib/json.js";

describe("JSON in and out", () => {
  it("keeps every digit of integers beyond 2^53", () => {
    const text = '{"id":1234567890123456789,"n":[9007199254740993,-9007199254740993],"small":7,"half":0.5}';
    expect(toJson(parseJson(text))).to.equal(text);
  });

  it("keeps digits in strings as strings", () => {
    expect(parseJson('{"card":"1234567890123456789"}')).to.deep.equal({ card: "1234567890123456789" });
  });

  it("takes the last of two equal keys in both ways of parsing", () => {
    expect(parseJson('{"a":1,"a":2}')).to.deep.equal({ a: 2 });
    expect(parseJson('{"a":1,"a":1234567890123456789}')).to.deep.equal({ a: 1234567890123456789n });
  });

  it("treats __proto__ as a plain key in both ways of parsing", () => {
    for (const value of ["1", "1234567890123456789"]) {
      const parsed = parseJson(`{"__proto__":{"read_only":${value}}}`) as Record<string, unknown>;
      expect(parsed["read_only"]).to.equal(undefined);
    }
  });

  it("D9 refuses nesting that JSON.stringify could not take", () => {
    expect(() => parseJson("[".repeat(50_000))).to.throw(SyntaxError, "nested");
    const allowed = "[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH);
    expect(toJson(parseJson(allowed))).to.equal(allowed);
    expect(parseJson(`"${"[".repeat(1000)}"`)).to.equal("[".repeat(1000));
  });
});
