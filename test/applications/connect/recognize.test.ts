// What a person types, as the kind of description it seems to be.
import { expect } from "chai";
import { recognizeLocation, recognizeText } from "../../../src/applications/connect/recognize.js";
import { typedLocation } from "../../../src/cli/commands/init-location.js";

describe("Recognizing a description", () => {
  it("goes by the address, the name of a file, and its first words", () => {
    const kinds: Record<string, string | undefined> = {
      "http://127.0.0.1:8000": "openapi",
      "http://127.0.0.1:8000/openapi.json": "openapi",
      "https://api.example.com/graphql": "graphql",
      "https://example.com/schema.graphqls": "graphql",
      "http://127.0.0.1:3001/mcp": "mcp",
      "http://127.0.0.1:3001/mcp-docs": "openapi",
      "postgres://shop@127.0.0.1/shop": "sql",
      "mariadb://127.0.0.1/shop": "sql",
      "env:SHOP_DATABASE": "sql",
      "./warehouse.sqlite3": "sql",
      "shop.gql": "graphql",
      "openapi.yaml": undefined,
      "npx -y some-server": undefined,
    };
    for (const [location, kind] of Object.entries(kinds))
      expect(recognizeLocation(location)?.kind, location).to.equal(kind);
    expect(recognizeText("SQLite format 3\0…").kind).to.equal("sql");
    expect(recognizeText("type Query { pets: [Pet] }").kind).to.equal("graphql");
    expect(recognizeText('{"data":{"__schema":{}}}').kind).to.equal("graphql");
    expect(recognizeText("openapi: 3.1.0\n").kind).to.equal("openapi");
  });

  it("takes a host and port for an address, other words for a command, and one word that is no file for neither", () => {
    expect(typedLocation("localhost:3000")).to.include({ location: "http://localhost:3000", kind: "openapi" });
    expect(typedLocation(":8000/graphql")).to.include({ location: "http://127.0.0.1:8000/graphql", kind: "graphql" });
    expect(typedLocation("npx -y some-server /srv")).to.include({ location: "npx -y some-server /srv", kind: "mcp" });
    expect(() => typedLocation("no-such-thing")).to.throw("There is no file no-such-thing");
  });
});
