// What a sync says of safety classes: counts with the overrides in force, the doubtful tools, and lines that settle them.
// Source: docs/reference.md, "Safety by words".
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { parseSchema, type SchemaDocument } from "../../src/domain/schema-document.js";
import { applyOverrides, type Overrides } from "../../src/tools/overrides.js";
import { reportSafety, type SafetyReport } from "../../src/tools/safety-report.js";

/** A document of requests, "POST /search"; each tool is called like its request. */
function documentOf(requests: readonly string[]): SchemaDocument {
  const actions = requests.map((request) => {
    const [method, path] = request.split(" ");
    const name = request.replace(/\W+/g, "_");
    return { name, provenance: "declared", transport: { kind: "http", method, path } };
  });
  return parseSchema(JSON.stringify({ resources: [{ name: "r", actions }] }), impliedByTransport);
}

const nameOf = (request: string): string => request.replace(/\W+/g, "_");
const report = (requests: readonly string[], reads: readonly string[], overrides: Overrides = {}): SafetyReport =>
  reportSafety(documentOf(requests), overrides, reads.map(nameOf));
const keys = ({ lines }: SafetyReport): string[] => lines.map(({ key }) => key);

/** The classes of the tools once the lines stand in overrides.json. */
function relaxed(requests: readonly string[], { lines }: SafetyReport): string[] {
  const overrides = Object.fromEntries(lines.map(({ key, safety }) => [key, { safety }]));
  const { document, warnings } = applyOverrides(documentOf(requests), overrides);
  expect(warnings).to.deep.equal([]);
  return document.actions.flatMap(({ name, safety }) => (safety === "read_only" ? [name] : []));
}

describe("The safety report of a sync", () => {
  it("counts tools by class as the overrides have them, without hidden ones", () => {
    const requests = ["GET /a", "POST /a", "PUT /a", "DELETE /a", "DELETE /b"];
    expect(report(requests, []).counts).to.deep.equal({ read_only: 1, mutating: 2, destructive: 2 });
    const overrides: Overrides = { "POST *": { safety: "read_only" }, DELETE_b: { hidden: true } };
    expect(report(requests, [], overrides).counts).to.deep.equal({ read_only: 2, mutating: 1, destructive: 1 });
  });

  it("has one pattern for hundreds of reads, and its lines relax those and nothing else", () => {
    const nouns = Array.from({ length: 300 }, (_, i) => `Thing${i}`);
    const reads = nouns.map((noun) => `POST /api/${noun}/get${noun}`);
    const changes = ["POST /api/create", "POST /api/delete", "POST /forget"];
    const found = report([...reads, ...changes], reads);
    expect(keys(found)).to.deep.equal(["POST */get*"]);
    expect(relaxed([...reads, ...changes], found)).to.deep.equal(reads.map(nameOf));
  });

  it("uses whole segments, ends of segments and names, and a line each for the rest", () => {
    const requests = [
      ...["POST /users/search", "POST /orders/search", "POST /x.list", "POST /y.list", "POST /z.list", "POST /rpc/a"],
      ...["POST /users", "POST /x.add"],
    ];
    const reads = requests.slice(0, 6);
    const found = report(requests, reads);
    expect(keys(found)).to.deep.equal(["POST *.list", "POST */search", "POST /rpc/a"]);
    expect(relaxed(requests, found)).to.deep.equal(reads.map(nameOf));
  });

  it("gives a line of its own to the rare change that a pattern fits, and no pattern where there are many", () => {
    const reads = Array.from({ length: 10 }, (_, i) => `POST /a${i}/get_x`);
    const found = report([...reads, "POST /get_x"], reads);
    expect(found.lines.map(({ key, safety }) => [key, safety])).to.deep.equal([
      ["POST */get_x", "read_only"],
      ["POST /get_x", "mutating"],
    ]);
    expect(relaxed([...reads, "POST /get_x"], found)).to.deep.equal(reads.map(nameOf));
    const few = report([...reads.slice(1), "POST /get_x"], reads.slice(1));
    expect(keys(few)).to.deep.equal(reads.slice(1));
  });

  it("makes no pattern of words that do not say that they read", () => {
    const reads = ["POST /a/balance", "POST /b/balance", "POST /c/balance"];
    expect(keys(report(reads, reads))).to.deep.equal(reads);
  });

  it("leaves out what the overrides judge, and names what a pattern relaxes without a word for it", () => {
    const requests = ["POST /a/search", "POST /b/search", "POST /get", "POST /c/ban"];
    const overrides: Overrides = { "POST /*/*": { safety: "read_only" }, POST_b_search: { safety: "mutating" } };
    const found = report(requests, requests.slice(0, 3), overrides);
    expect(found.reading.map(({ name }) => name)).to.deep.equal(["POST_get"]);
    expect(found.relaxed.map(({ name }) => name)).to.deep.equal(["POST_c_ban"]);
    const named = report(requests, requests.slice(0, 3), { ...overrides, "POST /c/ban": { safety: "read_only" } });
    expect(named.relaxed).to.deep.equal([]);
  });
});
