// Documents that other programs wrote: what is read of them, and what refuses them.
import { expect } from "chai";
import { type Action, type Implied, parseSchema, readSchema } from "../../src/domain/schema-document.js";
import type { JsonValue } from "../../src/lib/json.js";

const http = { kind: "http", method: "GET", path: "/pets" };
const implied = (): Implied => ({ safety: "read_only", verb: "get" });
const read = (document: JsonValue) => readSchema(document, implied);
const actionOf = (action: JsonValue): Action | undefined =>
  read({ resources: [{ name: "pets", actions: [action] }] }).actions[0];

describe("Schema document", () => {
  it("needs a list of resources and nothing else", () => {
    expect(read({ resources: [] })).to.deep.equal({ source: "unknown", base_url: "", auth: {}, actions: [] });
    for (const document of [[], "x", {}, { resources: {} }, { resources: null }] as JsonValue[])
      expect(() => read(document), JSON.stringify(document)).to.throw();
  });

  it("says what it must be where it is refused", () => {
    expect(() => read({})).to.throw("resources: is missing; it must be an array");
    expect(() => read({ resources: {} })).to.throw("resources: must be an array, not a JSON object");
    expect(() => read([])).to.throw("document: must be a JSON object, not an array");
  });

  it("counts what is of another type as missing", () => {
    for (const odd of [5, null, [], true]) {
      const document = { version: null, source: odd, base_url: odd, auth: odd, $defs: odd, title: odd, resources: [] };
      expect(read(document), String(odd)).to.deep.equal(read({ resources: [] }));
      const action = { name: "list", description: odd, parameters: odd, transport: http };
      expect(actionOf(action), String(odd)).to.deep.equal(actionOf({ name: "list", transport: http }));
    }
    expect(read({ source: "", resources: [] }).source).to.equal("unknown");
    expect(read({ auth: { key: "secret" }, resources: [] }).auth).to.deep.equal({ key: {} });
    expect(read({ resources: [{ name: 5, actions: { a: 1 } }, null, "pets"] }).actions).to.deep.equal([]);
  });

  it("may begin with a byte order mark", () => {
    expect(parseSchema('\ufeff{"resources":[]}', implied)).to.deep.equal(read({ resources: [] }));
  });

  it("lists an action that it does not understand, with a transport that cannot be called", () => {
    for (const action of [5, null, "list", {}, { transport: "http" }] as JsonValue[])
      expect(actionOf(action), JSON.stringify(action)).to.deep.include({
        name: "action_1",
        transport: { kind: "unknown" },
        provenance: "inferred",
      });
  });

  it("takes the most careful class for one that it does not know", () => {
    const action = { name: "list", verb: 5, safety: "harmless", provenance: "sworn", transport: http };
    expect(actionOf(action)).to.deep.include({ verb: "action", safety: "destructive", provenance: "inferred" });
  });

  it("is refused for a name no tool can have, a name given twice, and a later version", () => {
    for (const name of ["a b", "", "a".repeat(65), 5, null])
      expect(() => actionOf({ name, transport: http }), String(name)).to.throw("resources.0.actions.0.name");
    const twice = [{ name: "list" }, { name: "list" }];
    expect(() => read({ resources: [{ name: "pets", actions: twice }] })).to.throw("the tool name list is used twice");
    expect(() => read({ version: 2, resources: [] })).to.throw("version: this agentd reads version 1");
    for (const version of [1, "1.0", "2024-06-01"]) expect(read({ version, resources: [] }).actions).to.deep.equal([]);
  });
});
