// Where schemas come from: endpoints of any age and temper, files of any form. Source: docs/graphql.md, "Connecting".
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { buildSchema, graphqlSync, introspectionFromSchema } from "graphql";
import { graphqlSource } from "../../../src/applications/graphql/source.js";
import type { Imported, SourceInput } from "../../../src/applications/source.js";
import { type JsonObject, objectOf, parseJson } from "../../../src/lib/json.js";
import { SHOP_SDL, startGraphqlShop } from "../../support/graphql-shop.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const SMALL = buildSchema("type Query { pets(first: Int): [Pet!]! } type Pet { id: ID! }");

const toolsOf = ({ document }: Imported): string[] =>
  (document["resources"] as JsonObject[]).flatMap(({ actions }) =>
    (actions as JsonObject[]).map(({ name }) => String(name)),
  );

async function refusal(input: SourceInput): Promise<string> {
  return graphqlSource.read(input).then(
    () => {
      throw new Error("it was read");
    },
    (error: Error) => error.message,
  );
}

describe("GraphQL descriptions", () => {
  let dir: string;
  const servers: Server[] = [];
  before(() => (dir = temporaryFolder("graphql")));
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** A server that answers posts with what `answer` makes of them. */
  const serve = async (
    answer: (body: JsonObject, request: IncomingMessage, response: ServerResponse) => unknown,
  ): Promise<string> => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const value = answer(text === "" ? {} : objectOf(parseJson(text)), request, response);
      if (value !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  };
  const file = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  };

  it("are asked for at the endpoint, which is where calls go", async () => {
    const shop = await startGraphqlShop();
    try {
      const imported = await graphqlSource.read({ location: shop.url });
      expect(imported.document["base_url"]).to.equal(shop.url);
      expect(imported.isNamed).to.equal(true);
      expect(imported.report).to.deep.include({ operations: 18, imported: 16, warnings: [] });
      expect(shop.requests.map(({ method }) => method)).to.deep.equal(["POST"]);
    } finally {
      await shop.close();
    }
  });

  it("are asked for plainly where the server is too old for all of it", async () => {
    const asked: string[] = [];
    const url = await serve(({ query }) => {
      asked.push(String(query));
      if (String(query).includes("isOneOf")) return { errors: [{ message: 'Cannot query field "isOneOf"' }] };
      return graphqlSync({ schema: SMALL, source: String(query) });
    });
    expect(toolsOf(await graphqlSource.read({ location: url }))).to.deep.equal(["list_pets"]);
    expect(asked).to.have.length(2);
  });

  it("that are refused end in a sentence with both ways out", async () => {
    const shop = await startGraphqlShop({ introspection: false });
    try {
      expect(await refusal({ location: shop.url })).to.match(
        /^Introspection is off at .*\. Give its schema as a file instead, SDL or the result of an introspection, with --base-url http/,
      );
    } finally {
      await shop.close();
    }
  });

  it("of an endpoint that wants to know who asks are had with a header, or with what the application has", async () => {
    const shop = await startGraphqlShop({ authorization: "Bearer canary-1" });
    const { url: location } = shop;
    try {
      expect(await refusal({ location }))
        .to.include("answered 401")
        .and.include("--header");
      const withHeader = await graphqlSource.read({ location, headers: { authorization: "Bearer canary-1" } });
      expect(JSON.stringify(withHeader.document)).not.to.include("canary");
      const access = { credentials: { bearer: "canary-1" }, schemes: {} };
      const { document } = await graphqlSource.read({ location, access });
      expect(JSON.stringify(document)).to.include('"security":[{"bearer":[]}]');
    } finally {
      await shop.close();
    }
  });

  for (const [what, answer, words] of [
    ["a web page", "<!doctype html><p>hello", "it answered with a web page"],
    ["other JSON", '{"hello":1}', "it answered with something else"],
    ["a broken schema", '{"data":{"__schema":{"types":5}}}', "in a way that cannot be read"],
  ])
    it(`are not taken from ${what}`, async () => {
      const url = await serve((_, __, response) => void response.end(answer));
      expect(await refusal({ location: url })).to.include(words);
    });

  it("are looked for at the usual places behind the address of an application", async () => {
    const asked: (string | undefined)[] = [];
    const { origin } = new URL(
      await serve(({ query }, { url }, response) => {
        asked.push(url);
        if (url === "/shop/api/graphql") return graphqlSync({ schema: SMALL, source: String(query) });
        return void response.writeHead(404).end();
      }),
    );
    const { document, found } = await graphqlSource.read({ location: `${origin}/shop/` });
    expect(document["base_url"]).to.equal(`${origin}/shop/api/graphql`);
    expect(found).to.equal(`Read from ${origin}/shop/api/graphql: ${origin}/shop/ is no GraphQL endpoint.`);
    expect(asked).to.deep.equal(["/shop/", "/shop/graphql", "/shop/api/graphql"]);
    expect(await refusal({ location: origin })).to.include("often ends in /graphql");
  });

  it("are not followed to another address", async () => {
    const url = await serve(
      (_, __, response) => void response.writeHead(302, { location: "http://other.test/" }).end(),
    );
    expect(await refusal({ location: url })).to.include(
      "points to http://other.test/; give that address if you trust it",
    );
  });

  it("keep what an endpoint's address has at its end", async () => {
    const url = await serve(({ query }) => graphqlSync({ schema: SMALL, source: String(query) }));
    const { document } = await graphqlSource.read({ location: `${url}/?v=2` });
    expect(document["base_url"]).to.equal(url);
    expect(JSON.stringify(document)).to.include('"tail":"/?v=2"');
  });

  it("are had from SDL and from introspection results in any wrapping, where the endpoint has to be named", async () => {
    const introspection = introspectionFromSchema(SMALL);
    for (const [name, text] of [
      ["a.graphql", "\ufefftype Query { pets(first: Int): [Pet!]! } type Pet { id: ID! }"],
      ["b.json", JSON.stringify(introspection)],
      ["c.json", JSON.stringify({ data: introspection })],
    ] as const) {
      const location = file(name, text);
      const imported = await graphqlSource.read({ location });
      expect(toolsOf(imported), name).to.deep.equal(["list_pets"]);
      expect(imported.report.warnings.join()).to.include("--base-url");
      const named = await graphqlSource.read({ location, baseUrl: "http://127.0.0.1:4000/graphql" });
      expect(named.document["base_url"]).to.equal("http://127.0.0.1:4000/graphql");
      expect(named.report.warnings).to.deep.equal([]);
    }
  });

  it("give the same document from an endpoint and from its SDL", async () => {
    const shop = await startGraphqlShop();
    try {
      const asked = await graphqlSource.read({ location: shop.url });
      const read = await graphqlSource.read({ location: file("shop.graphql", SHOP_SDL), baseUrl: shop.url });
      expect(asked.document).to.deep.equal(read.document);
    } finally {
      await shop.close();
    }
  });

  for (const [what, name, text, words] of [
    ["broken SDL", "d.graphql", "type Query { a: [", "cannot be read as a GraphQL schema: Syntax Error"],
    ["other JSON", "e.json", '{"openapi":"3.1.0"}', "no introspection result"],
    ["a schema without operations", "f.graphql", "type A { b: Int }", "neither a query nor a mutation"],
    ["a schema of uploads", "g.graphql", "scalar Upload type Query { a(f: Upload!): Int }", "query a: f needs a file"],
    ["deep nesting", "h.graphql", `type Query { a: ${"[".repeat(50_000)}`, "cannot be read as a GraphQL schema"],
  ] as const)
    it(`are not made of ${what}`, async () => {
      expect(await refusal({ location: file(name, text) })).to.include(words);
    });
});
