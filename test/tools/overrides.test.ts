// overrides.json: what the operator says about single tools wins and survives every sync.
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { parseSchema, type SchemaDocument } from "../../src/domain/schema-document.js";
import { createCatalogue } from "../../src/tools/catalogue.js";
import { applyOverrides, parseOverrides } from "../../src/tools/overrides.js";

const action = (name: string): object => ({
  name,
  description: name,
  transport: { kind: "http", method: "POST", path: `/${name}` },
});
const documentOf = (...names: string[]): SchemaDocument =>
  parseSchema(JSON.stringify({ resources: [{ name: "r", actions: names.map(action) }] }), impliedByTransport);

describe("overrides.json", () => {
  it("changes safety, name and description, hides, and leaves the document it was given alone", () => {
    const before = documentOf("a", "b", "c");
    const { document, warnings } = applyOverrides(
      before,
      parseOverrides('{"a":{"safety":"read_only","name":"first","description":"One"},"b":{"hidden":true}}'),
    );
    expect(document.actions.map(({ name, safety, description }) => [name, safety, description])).to.deep.equal([
      ["first", "read_only", "One"],
      ["c", "mutating", "c"],
    ]);
    expect(warnings).to.deep.equal([]);
    expect(before).to.deep.equal(documentOf("a", "b", "c"));
  });

  it("goes on under the id of a tool and the name it had", () => {
    const transport = { kind: "http", method: "GET", path: "/deals" };
    const renamed = { name: "find_all_deals", aliases: ["DealsController_findAll"], description: "", transport };
    const document = parseSchema(
      JSON.stringify({ resources: [{ name: "r", actions: [renamed] }] }),
      impliedByTransport,
    );
    for (const key of ["DealsController_findAll", "DealsController_*", "find_all_deals"]) {
      const { document: after, warnings } = applyOverrides(document, { [key]: { safety: "destructive" } });
      expect(
        after.actions.map(({ safety }) => safety),
        key,
      ).to.deep.equal(["destructive"]);
      expect(warnings).to.deep.equal([]);
    }
    const both = { DealsController_findAll: { description: "old" }, find_all_deals: { description: "new" } };
    expect(applyOverrides(document, both).document.actions[0]?.description).to.equal("new");
    expect(createCatalogue(document).unknown("DealsController_findAll")).to.contain("it is called find_all_deals");
  });

  it("warns about a tool that is not there, with the nearest one", () => {
    const { document, warnings } = applyOverrides(documentOf("create_pet"), { create_pets: { hidden: true } });
    expect(document.actions).to.have.length(1);
    expect(warnings).to.deep.equal(["overrides.json names create_pets, which is not a tool. Did you mean create_pet?"]);
    const said = {
      create_pets: { hidden: true },
      create_pet: { name: "b", parameters: { x: { required: true } } },
      "x*": {},
    };
    const named = applyOverrides(documentOf("create_pet", "b"), parseOverrides(JSON.stringify(said)), "shop").warnings;
    expect(named).to.have.length(4);
    for (const warning of named) expect(warning).to.match(/^overrides\/shop\.json /);
  });

  it("F9 gives no tool a name that another one has", () => {
    const { document, warnings } = applyOverrides(documentOf("a", "b", "c"), { a: { name: "b" }, c: { name: "d" } });
    expect(document.actions.map(({ name }) => name)).to.deep.equal(["a", "b", "d"]);
    expect(warnings).to.have.length(1);
    const swapped = applyOverrides(documentOf("a", "b"), { a: { name: "b" }, b: { name: "a" } });
    expect(swapped.document.actions.map(({ name }) => name)).to.deep.equal(["b", "a"]);
    expect(swapped.warnings).to.deep.equal([]);
    const same = applyOverrides(documentOf("a", "b"), { a: { name: "x" }, b: { name: "x" } });
    expect(same.document.actions.map(({ name }) => name)).to.deep.equal(["x", "b"]);
  });

  it("does not rename a tool onto one that keeps its name because its own new name was taken", () => {
    const { document } = applyOverrides(documentOf("a", "b", "c"), { a: { name: "b" }, b: { name: "c" } });
    const names = document.actions.map(({ name }) => name);
    expect(new Set(names).size, names.join()).to.equal(3);
  });

  it("finds a tool by its method and path, so that a renamed tool keeps its safety", () => {
    const { document, warnings } = applyOverrides(documentOf("a", "b"), {
      "POST /a": { safety: "read_only", name: "look" },
      "post /b": { safety: "destructive" },
      "POST /c": { hidden: true },
    });
    expect(document.actions.map(({ name, safety }) => [name, safety])).to.deep.equal([
      ["look", "read_only"],
      ["b", "destructive"],
    ]);
    expect(warnings).to.deep.equal(["overrides.json names POST /c, which is not a tool. Did you mean POST /a?"]);
  });

  it("takes a * for any characters in a name or a path, and what is closer to the tool wins", () => {
    const names = ["get_a", "get_b", "get_c", "forget_d", "put_e"];
    const { document, warnings } = applyOverrides(documentOf(...names), {
      get_c: { safety: "destructive" },
      "POST /get_b": { description: "B" },
      "POST /get*": { safety: "read_only", provenance: "verified" },
      "*get*b": { safety: "mutating" },
      "get_*": { description: "reads" },
      "POST */*_e*": { safety: "destructive" },
      "POST /nothing/*": { hidden: true },
      "PUT *": { hidden: true },
    });
    expect(
      document.actions.map(({ name, safety, provenance, description }) => [name, safety, provenance, description]),
    ).to.deep.equal([
      ["get_a", "read_only", "verified", "reads"],
      ["get_b", "read_only", "verified", "B"],
      ["get_c", "destructive", "verified", "reads"],
      ["forget_d", "mutating", "inferred", "forget_d"],
      ["put_e", "destructive", "inferred", "put_e"],
    ]);
    expect(warnings).to.deep.equal([
      "overrides.json has the pattern POST /nothing/*, which no tool fits.",
      "overrides.json has the pattern PUT *, which no tool fits.",
    ]);
  });

  it("takes no piece of a text for two pieces of a pattern", () => {
    const fitting = (pattern: string, name: string): boolean =>
      applyOverrides(documentOf(name), { [pattern]: { hidden: true } }).document.actions.length === 0;
    expect(fitting("aba*aba", "aba")).to.equal(false);
    expect(fitting("aba*aba", "abaaba")).to.equal(true);
    expect(fitting("*ab*b", "ab")).to.equal(false);
    expect(fitting("a*b*c", "abbc")).to.equal(true);
    expect(fitting("*", "a")).to.equal(true);
    expect(fitting(`${"*a".repeat(50)}*b`, "a".repeat(64))).to.equal(false);
  });

  it("refuses one name for all the tools of a pattern", () => {
    expect(() => parseOverrides('{"get_*":{"name":"get"}}')).to.throw("get_*.name: a pattern cannot name");
  });

  it("F2 refuses unknown keys and wrong types by name", () => {
    expect(() => parseOverrides('{"a":{"saftey":"read_only"}}')).to.throw(
      "a: there is no key saftey; known are safety, provenance, name, description, hidden, parameters. Did you mean safety?",
    );
    expect(() => parseOverrides('{"a":{"safety":"readonly"}}')).to.throw(
      'a.safety: must be "read_only", "mutating" or "destructive". Did you mean read_only?',
    );
    expect(() => parseOverrides('{"a":{"hidden":true},\n"a":{"hidden":false}}')).to.throw(
      "keys that stand twice in one object: a (line 2).",
    );
    expect(() => parseOverrides('{"a":{"hidden":"yes"}}')).to.throw("a.hidden: must be true or false, not a string");
    expect(() => parseOverrides('{"a":{"name":"no spaces"}}')).to.throw("a.name: a tool name is");
    expect(() => parseOverrides("[]")).to.throw("the file: ");
  });

  it("takes an override of __proto__ for what it is: no tool", () => {
    const { document, warnings } = applyOverrides(documentOf("a"), parseOverrides('{"__proto__":{"hidden":true}}'));
    expect(document.actions.map(({ name }) => name)).to.deep.equal(["a"]);
    expect(warnings.length).to.be.at.most(1);
  });

  it("F9 gives no tool of the application a name of the daemon's own tools", () => {
    const { document, warnings } = applyOverrides(documentOf("search_tools", "a", "application_search_tools"), {
      a: { name: "read_result" },
    });
    expect(document.actions.map(({ name }) => name)).to.deep.equal([
      "application_search_tools_",
      "a",
      "application_search_tools",
    ]);
    expect(warnings).to.have.length(2);
    expect(warnings.join()).to.contain("application_search_tools_").and.contain("read_result");
    const renamed = applyOverrides(documentOf("read_result"), {
      read_result: { name: "get_result", safety: "read_only" },
    });
    expect(renamed.document.actions.map(({ name, safety }) => [name, safety])).to.deep.equal([
      ["get_result", "read_only"],
    ]);
    expect(renamed.warnings).to.deep.equal([]);
  });
});
