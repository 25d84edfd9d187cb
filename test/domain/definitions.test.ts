// What schemas share: which definitions one reaches, whole and without a copy.
import { expect } from "chai";
import { selfContained } from "../../src/domain/definitions.js";
import type { JsonObject } from "../../src/lib/json.js";

const refers = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const holds = (inner: JsonObject): JsonObject => ({ type: "object", properties: { inner } });

describe("Shared definitions", () => {
  it("are in a self-contained schema as far as it reaches them, circles too", () => {
    const definitions = { a: holds(refers("b")), b: holds(refers("a")), c: { type: "string" } };
    const whole = selfContained({ parameters: holds(refers("a")), definitions });
    expect(whole).to.deep.equal({ ...holds(refers("a")), $defs: { a: definitions.a, b: definitions.b } });
    expect((whole["$defs"] as JsonObject)["a"], "no copy").to.equal(definitions.a);
  });

  it("give way to a definition of the schema's own", () => {
    const definitions = { a: { type: "string" }, b: { type: "number" } };
    const parameters = { ...holds(refers("a")), $defs: { a: refers("b") } };
    expect(selfContained({ parameters, definitions })["$defs"]).to.deep.equal({ a: refers("b"), b: definitions.b });
  });

  it("are reached by escaped names, and by references into them", () => {
    const definitions = { "a/b c": holds({ type: "string" }) };
    const parameters = holds({ $ref: "#/$defs/a~1b%20c/properties/inner" });
    expect(selfContained({ parameters, definitions })["$defs"]).to.deep.equal(definitions);
  });

  it("leave a schema that refers to none of them as it is", () => {
    const parameters = holds(refers("gone"));
    expect(selfContained({ parameters, definitions: { a: {} } })).to.equal(parameters);
  });

  it("are counted once however often they are named: doubling references are no work", () => {
    const doubled = Array.from({ length: 60 }, (_, i) => [
      `s${i}`,
      { allOf: [refers(`s${i + 1}`), refers(`s${i + 1}`)] },
    ]);
    const definitions = Object.fromEntries(doubled) as JsonObject;
    const whole = selfContained({ parameters: refers("s0"), definitions });
    expect(Object.keys(whole["$defs"] as JsonObject)).to.have.length(60);
  });
});
