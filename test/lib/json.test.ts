// JSON without losing anything.
import { expect } from "chai";
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS, parseJson, toJson } from "../../src/lib/json.js";
import { parseOutsideJson } from "../../src/lib/outside-json.js";

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

  it("keeps numbers that are too large for a number as their text, so that none becomes null and none costs seconds", () => {
    const long = "9".repeat(1_000_000);
    expect(parseJson(`{"n":${long},"m":[-${long}]}`)).to.deep.equal({ n: long, m: [`-${long}`] });
    for (const text of ["9".repeat(401), "1e400", "-1E+999", `${"9".repeat(400)}.5`])
      expect(parseJson(text)).to.equal(text);
    const longest = `{"n":-${"9".repeat(400)},"m":1e308,"k":0.${"1".repeat(500)}}`;
    expect(parseJson(longest)).to.deep.equal({ n: -BigInt("9".repeat(400)), m: 1e308, k: 0.1111111111111111 });
    expect(parseJson('["1e999", "1 1e999", 1e-999]')).to.deep.equal(["1e999", "1 1e999", 0]);
  });

  it("writes bigints beside keys that a library would take for its own", () => {
    const text = '{"isLosslessNumber":true,"toString":1,"toJSON":"x","n":12345678901234567890}';
    expect(toJson(parseJson(text))).to.equal(text);
    expect(toJson({ n: 2n, list: [] }, 2)).to.equal('{\n  "n": 2,\n  "list": []\n}');
  });

  it("D16 refuses an object of more members than the daemon can copy quickly, and takes lists of any length", () => {
    const object = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")}}`;
    expect(() => parseJson(object(MAX_JSON_MEMBERS + 1))).to.throw(SyntaxError, "members");
    expect(() => parseJson(`[{"a":${object(MAX_JSON_MEMBERS + 1)}}]`)).to.throw(SyntaxError, "members");
    expect(Object.keys(parseJson(object(MAX_JSON_MEMBERS)) as object)).to.have.length(MAX_JSON_MEMBERS);
    expect(parseJson(`[${Array(100_000).fill("{}").join(",")}]`)).to.have.length(100_000);
    const commas = `{"a":"\\\\\\"${",".repeat(100_000)}\\\\"}`;
    expect(toJson(parseJson(commas))).to.equal(commas);
  });

  it("Q5 refuses a text of somebody else whose objects together have too many names or members @all", () => {
    const object = (count: number, name: (n: number) => string): string =>
      `{${Array.from({ length: count }, (_, n) => `"${name(n)}":0`).join(",")}}`;
    const objects = (count: number, members: number, name: (n: number, i: number) => string): string =>
      `[${Array.from({ length: count }, (_, i) => object(members, (n) => name(n, i))).join(", ")}]`;
    for (const text of [
      objects(2, 40_000, (n) => `${n}`),
      objects(2, 40_000, (n, i) => `${i}.${n}`),
      objects(1_000, 60, (n, i) => `${i}.${n}`),
      objects(60_000, 1, (_, i) => `${i}\\"`),
    ]) {
      expect(parseJson(text)).to.be.an("array");
      expect(() => parseOutsideJson(text)).to.throw(SyntaxError, /different names|together more than/);
    }
    // Rows, a map of many ids, texts that look like names, and what is no JSON.
    for (const text of [
      objects(50_000, 3, (n) => `column ${n} "\\\\`.replace('"', "")),
      object(MAX_JSON_MEMBERS, (n) => `${n}`),
      `[${Array.from({ length: 60_000 }, (_, n) => `"${n}\\": {, \\\\"`).join(",")}]`,
    ])
      expect(parseOutsideJson(text)).to.deep.equal(parseJson(text));
    for (const text of [`${'{"a":'.repeat(100_000)}`, `"${"x".repeat(300_000)}`, "]:,".repeat(100_000)])
      expect(() => parseOutsideJson(text)).to.throw(SyntaxError);
  });
});
