// What endpoints answer, and what becomes of it. Source: docs/graphql.md, "What comes back".
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { schemaToDocument } from "../../../src/applications/graphql/document.js";
import { readSchemaText } from "../../../src/applications/graphql/read-schema.js";
import { createGraphqlTransport } from "../../../src/applications/graphql/transport.js";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import type { Outcome, Target } from "../../../src/applications/transport.js";
import { readSchema } from "../../../src/domain/schema-document.js";
import { type JsonObject, type JsonValue, objectOf, toJson } from "../../../src/lib/json.js";

const SDL = `
  type Page { hasNextPage: Boolean! endCursor: String }
  type PetConnection { edges: [PetEdge!] pageInfo: Page! totalCount: Int }
  type PetEdge { node: Pet cursor: String! }
  type Pet { id: ID! name: String title: String! }
  type Toy { id: ID! title: String }
  union Thing = Pet | Toy
  type Query { pets(first: Int): PetConnection! things: [Thing!]! pet(id: ID!): Pet count: Int secret(token: String!): Pet }
  type Mutation { createPet(name: String!): Pet wipe: Boolean }`;

describe("Answers of a GraphQL endpoint", () => {
  const { document } = schemaToDocument(readSchemaText(SDL, "it"), { baseUrl: "", tail: "", needsCredential: false });
  const { actions } = readSchema(document, impliedByTransport);
  const transport = createGraphqlTransport();
  let answer: (response: ServerResponse) => void;
  let received = "";
  let server: Server;
  let target: Target;
  before(async () => {
    server = createServer((request, response) => {
      received = "";
      request.on("data", (chunk: Buffer) => (received += chunk.toString()));
      request.on("end", () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    target = {
      application: "zoo",
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
      headers: {},
      schemes: {},
      credentials: {},
      timeoutMs: 5_000,
      allowFiles: false,
    };
  });
  after(async () => {
    await transport.close?.();
    server.close().closeAllConnections();
  });

  const call = (name: string, args: JsonObject = {}): Promise<Outcome> => {
    const action = actions.find((one) => one.name === name);
    if (!action) throw new Error(`no ${name}`);
    return transport.execute(transport.prepare(action, { sent: args, shown: args }, target), target);
  };
  const answering = (value: JsonValue | string, status = 200, type = "application/json"): void => {
    answer = (response) =>
      void response.writeHead(status, { "content-type": type }).end(typeof value === "string" ? value : toJson(value));
  };

  it("are the value of the field, null for a leaf without one", async () => {
    answering('{"data":{"count":12345678901234567890}}');
    expect(await call("count")).to.deep.equal({ status: "ok", value: 12345678901234567890n });
    answering({ data: { count: null } });
    expect(await call("count")).to.deep.equal({ status: "ok", value: null });
  });

  it("are the rows of a connection, also where it has none", async () => {
    const pageInfo = { hasNextPage: true, endCursor: "c" };
    answering({ data: { pets: { edges: [{ node: { id: "1" } }, { node: null }], pageInfo, totalCount: 7 } } });
    expect((await call("list_pets")).value).to.deep.equal({
      items: [{ id: "1" }, null],
      total_count: 7,
      has_next_page: true,
      end_cursor: "c",
    });
    const edges = [
      { node: { id: "1" }, role: "r" },
      { node: { id: "2" }, role: null },
    ];
    answering({ data: { pets: { edges } } });
    expect((await call("list_pets")).value).to.deep.equal({
      items: [{ id: "1" }, { id: "2" }],
      edges: [{ role: "r" }, { role: null }],
    });
    answering({ data: { pets: { edges: null, pageInfo: { hasNextPage: false, endCursor: null } } } });
    expect((await call("list_pets")).value).to.deep.equal({ items: [], has_next_page: false });
  });

  it("have the schema's names where the operation needed others", async () => {
    answering({ data: { things: [{ __typename: "Toy", id: "1", title__Toy: null }] } });
    expect((await call("list_things")).value).to.deep.equal([{ __typename: "Toy", id: "1", title: null }]);
  });

  it("with errors keep the value there is, and say what it cost", async () => {
    const extensions = { cost: { requested: 5 }, tracing: { long: true } };
    answering({
      data: { pet: { id: "1", name: null } },
      errors: [{ message: "no name", path: ["pet", "name"] }],
      extensions,
    });
    expect(await call("get_pet", { id: "1" })).to.deep.equal({
      status: "ok",
      value: {
        id: "1",
        name: null,
        errors: [{ message: "no name", path: ["pet", "name"] }],
        extensions: { cost: { requested: 5 } },
      },
    });
    answering({ data: { things: [] }, errors: [{ message: "some" }] });
    expect((await call("list_things")).value).to.deep.equal({ items: [], errors: [{ message: "some" }] });
  });

  it("without a value fail with the messages, whatever the status", async () => {
    for (const status of [200, 400, 500]) {
      answering({ errors: [{ message: "a" }, { message: "b", extensions: { code: "C", stacktrace: ["x"] } }] }, status);
      const { status: outcome, value } = await call("get_pet", { id: "1" });
      expect(outcome).to.equal("error");
      expect(value).to.deep.include({ error: "graphql_error", message: "a; b" });
      expect(objectOf(value)["errors"]).to.deep.equal([{ message: "a" }, { message: "b", extensions: { code: "C" } }]);
    }
    answering({ data: null, errors: [{ message: "it broke" }] });
    expect((await call("wipe")).value).to.deep.include({ error: "graphql_error", message: "it broke" });
    answering({ data: { createPet: null }, errors: [{ message: "it broke" }] });
    expect(objectOf((await call("create_pet", { name: "x" })).value)["message"]).to.include(
      "check before sending it again",
    );
  });

  it("that refuse the credential say where it belongs", async () => {
    answering({ errors: [{ message: "who are you?" }] }, 401);
    const { value } = await call("get_pet", { id: "1" });
    expect(value).to.deep.include({ error: "http_401", status: 401 });
    expect(objectOf(value)["message"]).to.include("applications.zoo.auth").and.include("who are you?");
  });

  it("that are nothing are not_found for a record, and nothing for a change", async () => {
    answering({ data: { pet: null } });
    expect(await call("get_pet", { id: "9" })).to.deep.include({ status: "error" });
    answering({ data: { createPet: null } });
    expect(await call("create_pet", { name: "x" })).to.deep.equal({ status: "ok", value: null });
  });

  for (const [what, text, type] of [
    ["a page", "<!doctype html><p>hello", "text/html"],
    ["other JSON", '{"hello":1}', "application/json"],
    ["a list", "[1]", "application/json"],
    ["nothing", "", "application/json"],
    ["data of another form", '{"data":[1]}', "application/json"],
  ] as const)
    it(`that are ${what} fail`, async () => {
      answering(text, 200, type);
      expect((await call("get_pet", { id: "1" })).status).to.equal("error");
    });

  it("too long for memory are rows all the same @all", async () => {
    const count = 40_000;
    answer = (response) => {
      response.writeHead(200, { "content-type": "application/graphql-response+json" });
      response.write('{"data":{"pets":{"totalCount":40000,"pageInfo":{"hasNextPage":false},"edges":[');
      for (let at = 0; at < count; at++)
        response.write(`${at > 0 ? "," : ""}{"node":{"id":"${at}","name":"${"x".repeat(40)}"}}`);
      response.end("]}}}");
    };
    const { status, value, rows } = await call("list_pets");
    expect(status).to.equal("ok");
    expect(rows?.path).to.deep.equal(["items"]);
    expect(rows?.count).to.equal(count);
    expect((objectOf(value)["items"] as JsonObject[])[0]?.["id"]).to.equal("0");
    for await (const batch of rows?.read(count - 1) ?? [])
      expect(batch).to.deep.equal([{ id: "39999", name: "x".repeat(40) }]);
    await rows?.close();
  });

  it("come for what the operator supplies, which is shown nowhere", async () => {
    answering({ data: { secret: { id: "1" } } });
    const action = actions.find((one) => one.name === "get_secret");
    if (!action) throw new Error("no get_secret");
    const supplied = { ...action, operatorArguments: { token: "zoo_token" } };
    const own = { ...target, arguments: { zoo_token: "canary-7" } };
    const prepared = transport.prepare(supplied, { sent: {}, shown: {} }, own);
    expect(toJson([prepared.request, prepared.preview])).not.to.include("canary");
    expect(objectOf(prepared.preview["variables"])).to.have.key("token");
    expect((await transport.execute(prepared, own)).status).to.equal("ok");
    expect(received).to.include('"variables":{"token":"canary-7"}');
    const { value } = await transport.execute(prepared, target);
    expect(objectOf(value)["message"]).to.include("nothing was sent");
    const waiting = { ...own, credentialsWait: true };
    expect(() => transport.prepare(supplied, { sent: {}, shown: {} }, waiting)).to.throw("Nothing was sent");
  });

  it("that do not come say nothing of doubt where only something was read", async () => {
    answer = (response) => void response.destroy();
    expect(objectOf((await call("get_pet", { id: "1" })).value)["message"]).not.to.include("carried out");
    expect(objectOf((await call("create_pet", { name: "x" })).value)["message"]).to.include(
      "may have been carried out",
    );
  });
});
