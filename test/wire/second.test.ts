// The second judge is no yes-man: for everything it is consulted about there is a request that it refuses, and what it would pass over
// in silence it does not judge.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { type JudgedRequest, secondOpinion } from "./second.js";

const text = { type: "string" };
const pair = { type: "object", properties: { size: { type: "integer" }, name: text }, required: ["size"] };

/** A document of one operation at /a or /a/{x}. */
function document(operation: JsonObject, { path = "/a", openapi = "3.0.3" } = {}): JsonObject {
  const responses = { 200: { description: "ok" } };
  return { openapi, info: { title: "a", version: "1" }, paths: { [path]: { post: { ...operation, responses } } } };
}

/** The kind of its verdict on a request to that operation. */
async function verdictOn(described: JsonObject, request: Partial<JudgedRequest>): Promise<string> {
  const { verdict } = await secondOpinion(described, {
    method: "POST",
    path: "/a",
    headers: {},
    body: null,
    files: [],
    ...request,
  });
  return verdict.kind;
}

const parameter = (one: JsonObject): JsonObject => ({ parameters: [{ name: "x", schema: pair, ...one }] });

describe("The second judge", () => {
  const paths: [style: string, explode: boolean, right: string, wrong: string][] = [
    ["simple", false, "size,1,name,b", "size,a,name,b"],
    ["simple", true, "size=1,name=b", "name=b"],
    ["label", false, ".size,1,name,b", "size,1,name,b"],
    ["label", true, ".size=1.name=b", ".size=a.name=b"],
    ["matrix", false, ";x=size,1,name,b", ";y=size,1,name,b"],
    ["matrix", true, ";size=1;name=b", ";name=b"],
  ];
  for (const [style, explode, right, wrong] of paths)
    it(`tells a right object from a wrong one in a path of style ${style}${explode ? ", exploded" : ""}`, async () => {
      const one = parameter({ in: "path", required: true, style, explode });
      const described = document(one, { path: "/a/{x}" });
      expect(await verdictOn(described, { path: `/a/${right}` })).to.equal("valid");
      expect(await verdictOn(described, { path: `/a/${wrong}` })).to.equal("invalid");
    });

  const elsewhere: [name: string, one: JsonObject, right: Partial<JudgedRequest>, wrong: Partial<JudgedRequest>][] = [
    ["a header", { in: "header" }, { headers: { x: "size,1" } }, { headers: { x: "size,a" } }],
    ["a cookie", { in: "cookie", explode: false }, { headers: { cookie: "x=size,1" } }, { headers: { cookie: "x=1" } }],
    [
      "a query in spaces",
      { in: "query", style: "spaceDelimited" },
      { path: "/a?x=size%201" },
      { path: "/a?x=name%201" },
    ],
    ["a query in pipes", { in: "query", style: "pipeDelimited" }, { path: "/a?x=size%7C1" }, { path: "/a?x=size%7Ca" }],
  ];
  for (const [name, one, right, wrong] of elsewhere)
    it(`tells a right object from a wrong one in ${name}`, async () => {
      const described = document(parameter(one));
      expect(await verdictOn(described, right)).to.equal("valid");
      expect(await verdictOn(described, wrong)).to.equal("invalid");
    });

  it("tells a right object from a wrong one in a part of a form", async () => {
    const schema = { type: "object", properties: { x: pair, f: { type: "string", format: "binary" } } };
    const described = document({ requestBody: { content: { "multipart/form-data": { schema } } } });
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const files = [{ fieldname: "f", buffer: Buffer.from("bytes") }];
    const sent = (x: JsonValue): Partial<JudgedRequest> => ({ headers, files, body: { x: JSON.stringify(x) } });
    expect(await verdictOn(described, sent({ size: 1 }))).to.equal("valid");
    expect(await verdictOn(described, sent({ size: "a" }))).to.equal("invalid");
  });

  it("tells a right list from a wrong one in a part of a form that has a style, from 3.1 on", async () => {
    const schema = { type: "object", properties: { x: { type: "array", items: text, maxItems: 2 } } };
    const media = { schema, encoding: { x: { style: "pipeDelimited", explode: false } } };
    const operation = { requestBody: { content: { "multipart/form-data": media } } };
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const sent = (x: string): Partial<JudgedRequest> => ({ headers, body: { x } });
    const described = document(operation, { openapi: "3.1.0" });
    expect(await verdictOn(described, sent("a|b"))).to.equal("valid");
    expect(await verdictOn(described, sent("a|b|c"))).to.equal("invalid");
    expect(await verdictOn(document(operation), sent("a|b"))).to.equal("invalid");
  });

  it("compiles a pattern whose braces stand for themselves", async () => {
    const described = document(parameter({ in: "query", schema: { type: "string", pattern: "^{[0-9]{2}}$" } }));
    expect(await verdictOn(described, { path: "/a?x={12}" })).to.equal("valid");
    expect(await verdictOn(described, { path: "/a?x=12" })).to.equal("invalid");
  });

  it("does not judge objects inside a list, which have no form in a header", async () => {
    const described = document(parameter({ in: "header", schema: { type: "array", items: pair } }));
    expect(await verdictOn(described, { headers: { x: '{"size":1}' } })).to.equal("unjudged");
  });

  const beyond: [what: string, schema: JsonObject, openapi: string][] = [
    ["what stands beside an anyOf", { type: "string", anyOf: [{ minLength: 1 }] }, "3.0.3"],
    ["a keyword of 3.1", { const: "b" }, "3.1.0"],
    ["a list of types", { type: ["string", "null"] }, "3.1.0"],
    ["nullable, which 3.1 does not have", { type: "string", nullable: true }, "3.1.0"],
  ];
  for (const [what, schema, openapi] of beyond)
    it(`does not judge ${what}`, async () => {
      const described = document(parameter({ in: "query", schema }), { openapi });
      expect(await verdictOn(described, { path: "/a?x=b" })).to.equal("unjudged");
    });
});
