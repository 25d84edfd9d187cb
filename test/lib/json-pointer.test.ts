// JSON Pointers and local references: RFC 6901, and the spellings models and descriptions use.
import { expect } from "chai";
import { fromPointer, referenceNames, referred, toPointer, valueAt } from "../../src/lib/json-pointer.js";

describe("JSON Pointer", () => {
  const document = { "a/b": { "m~n": [{ "": 1 }, "two"] }, $defs: { "x y": { type: "string" } }, $ref: "#" };

  it("writes and reads names with slashes and tildes", () => {
    const path = ["a/b", "m~n", "1"];
    expect(toPointer(path)).to.equal("/a~1b/m~0n/1");
    expect(fromPointer("/a~1b/m~0n/1")).to.deep.equal(path);
    expect(fromPointer("/~01")).to.deep.equal(["~1"]);
    expect(valueAt(document, path)).to.equal("two");
  });

  it("takes the whole value for an empty pointer", () => {
    for (const pointer of ["", "/", "#", "#/"]) expect(fromPointer(pointer)).to.deep.equal([]);
    expect(valueAt(document, [])).to.equal(document);
    expect(toPointer([])).to.equal("");
  });

  it("gives nothing for what is not there, inherited properties included", () => {
    for (const path of [["b"], ["a/b", "m~n", "2"], ["a/b", "m~n", "one"], ["toString"], ["a/b", "m~n", "1", "length"]])
      expect(valueAt(document, path), path.join()).to.equal(undefined);
  });

  it("undoes percent-encoding in references only", () => {
    expect(referenceNames("#/$defs/x%20y")).to.deep.equal(["$defs", "x y"]);
    expect(referenceNames("#/100%")).to.deep.equal(["100%"]);
    expect(fromPointer("/x%20y")).to.deep.equal(["x%20y"]);
  });

  it("follows a local reference one step", () => {
    expect(referred({ $ref: "#/$defs/x%20y" }, document)).to.deep.equal({ type: "string" });
    expect(referred({ $ref: "#" }, document)).to.equal(document);
    for (const ref of ["#/$defs/z", "other.json#/a", "#anchor"])
      expect(referred({ $ref: ref }, document)).to.equal(undefined);
    for (const schema of [{}, true, undefined]) expect(referred(schema, document)).to.equal(undefined);
  });
});
