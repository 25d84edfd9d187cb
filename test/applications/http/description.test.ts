// The transport object of an HTTP action: what a document written by hand may leave out, what counts as missing, what is refused.
import { expect } from "chai";
import { HttpDescription, OPEN_BODY, pathParameter } from "../../../src/applications/http/description.js";

const read = (more: object): HttpDescription => HttpDescription.parse({ kind: "http", path: "/a", ...more });
const refusal = (description: object): string | undefined =>
  HttpDescription.safeParse({ kind: "http", ...description }).error?.issues[0]?.message;

describe("The description of an HTTP action", () => {
  it("needs a path and nothing else", () => {
    const { method, accept, server, parameters, body, security } = read({});
    expect(method).to.equal("GET");
    expect(accept).to.contain("application/json");
    expect([server, parameters, body, security]).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it("gets OpenAPI's defaults for what a parameter leaves out", () => {
    const { parameters } = read({
      parameters: [
        { in: "query", key: "a" },
        { in: "header", name: "b", key: "X-B" },
      ],
    });
    const shared = { allowReserved: false, content: undefined };
    expect(parameters).to.deep.equal([
      { ...shared, in: "query", key: "a", name: "a", style: "form", explode: true },
      { ...shared, in: "header", key: "X-B", name: "b", style: "simple", explode: false },
    ]);
    expect(read({ parameters: [{ in: "query", key: "a", style: "deepObject" }] }).parameters?.[0]?.explode).to.equal(
      true,
    );
    expect(pathParameter("id")).to.include({ in: "path", key: "id", name: "id", style: "simple" });
  });

  it("takes what is of another type as missing", () => {
    const { parameters } = read({
      parameters: [{ in: "path", key: "a", name: 1, style: 2, explode: "yes", allowReserved: "yes", content: {} }],
    });
    expect(parameters).to.deep.equal([pathParameter("a")]);
    const { method, ...rest } = read({
      method: 5,
      server: {},
      parameters: {},
      body: "text",
      security: "none",
      accept: 1,
    });
    expect(method).to.equal("GET");
    expect([rest.server, rest.parameters, rest.body, rest.security]).to.deep.equal(Array(4).fill(undefined));
    expect(read({ security: [5, { key: ["read"] }, null] }).security).to.deep.equal([{ key: ["read"] }]);
  });

  it("reads a body with its media type bare, its fields by argument and its encodings by field", () => {
    const { body } = read({
      body: {
        contentType: "Multipart/Form-Data; boundary=x",
        properties: { a: "A", b: 7 },
        encoding: { A: { contentType: "image/png, image/gif", style: 1 }, B: "none" },
        additional: "yes",
      },
    });
    expect(body?.contentType).to.equal("multipart/form-data");
    expect([...(body?.properties ?? [])]).to.deep.equal([
      ["a", "A"],
      ["b", "b"],
    ]);
    expect(body?.encoding.get("A")).to.deep.include({ contentType: "image/png", allowReserved: false });
    expect(body?.encoding.get("B")?.contentType).to.equal(undefined);
    expect(body).to.include({ additional: false, required: false });
    expect(OPEN_BODY).to.include({ contentType: "application/json", additional: true, required: false });
  });

  it("is refused without a path, with a method that cannot be sent, and with a parameter that goes nowhere", () => {
    const needsKey = "a parameter needs a key and a place: path, query, querystring, header or cookie";
    expect(refusal({})).to.equal("it names no path");
    expect(refusal({ path: "/", method: "connect" })).to.equal("the method CONNECT cannot be sent");
    expect(refusal({ path: "/", method: "GET /x" })).to.equal("the method GET /x cannot be sent");
    expect(refusal({ path: "/", parameters: [1] })).to.equal("a parameter is not an object");
    for (const parameter of [{}, { in: "path" }, { in: "path", key: "" }, { in: "body", key: "a" }])
      expect(refusal({ path: "/", parameters: [parameter] })).to.equal(needsKey);
  });
});
