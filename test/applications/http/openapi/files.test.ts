// Where descriptions come from: JSON and YAML, one or many files, files and addresses, and the bounds on each.
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { loadText, newBudget } from "../../../../src/applications/http/openapi/load/load.js";
import { type JsonObject, toJson } from "../../../../src/lib/json.js";
import { body, compile, imported, importFrom, inFolder, openapi } from "./imported.js";

const PING = openapi({ "/ping": { get: { operationId: "ping" } } });

async function messageFrom(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    expect(error).to.have.property("name", "StartError");
    return (error as Error).message;
  }
  throw new Error("it was not refused");
}

/** Runs `use` with a server's address and the paths that were requested. */
async function serving<T>(
  listener: RequestListener,
  use: (address: string, requested: string[]) => Promise<T>,
): Promise<T> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? "");
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe("agentd sync openapi: formats", () => {
  it("reads YAML with anchors and merge keys, version 3 written as a number", async () => {
    const yaml = `openapi: 3.0
paths:
  /a: {get: &op {operationId: a, parameters: [{name: q, in: query, schema: {type: integer, maximum: 9223372036854775807}}]}}
  /b: {get: {<<: *op, operationId: b}}`;
    const { names, action } = await imported(yaml, {}, "api.yaml");
    expect(names).to.deep.equal(["a", "b"]);
    expect(action("b").parameters["properties"]).to.deep.equal({ q: { type: "integer" } });
  });

  it("reads a host without a scheme as https, and one of this machine as http", async () => {
    const bases = ["api.test", "localhost:8080", "127.0.0.1:80", "[::1]:81", "0.0.0.0:5000", "localhost.test"].map(
      async (host) => (await imported({ swagger: "2.0", host, basePath: "/v1", paths: {} })).document.base_url,
    );
    expect(await Promise.all(bases)).to.deep.equal([
      "https://api.test/v1",
      "http://localhost:8080/v1",
      "http://127.0.0.1/v1",
      "http://[::1]:81/v1",
      "http://0.0.0.0:5000/v1",
      "https://localhost.test/v1",
    ]);
  });

  it("converts Swagger 2.0, form data, collection formats and hosts included", async () => {
    const { document, action } = await imported({
      swagger: "2.0",
      host: "api.test",
      basePath: "/v1",
      schemes: ["https", "http"],
      securityDefinitions: { key: { type: "apiKey", name: "k", in: "header" } },
      definitions: {
        Pet: {
          type: "object",
          required: ["name"],
          properties: {
            id: { type: "integer", readOnly: true },
            name: { type: "string", "x-nullable": true },
            friends: { type: "array", items: { $ref: "#/definitions/Pet" } },
          },
        },
      },
      paths: {
        "/pets": {
          post: {
            operationId: "add",
            parameters: [{ name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } }],
          },
        },
        "/pets/{id}/photo": {
          post: {
            operationId: "photo",
            consumes: ["multipart/form-data"],
            parameters: [
              { name: "id", in: "path", required: true, type: "integer" },
              { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "csv" },
              { name: "file", in: "formData", type: "file", required: true },
            ],
          },
        },
      },
    });
    expect(document.base_url).to.equal("https://api.test/v1");
    expect(document.auth).to.deep.equal({ key: { type: "apiKey", name: "k", in: "header" } });
    expect(action("add").transport["body"]).to.deep.include({
      contentType: "application/json",
      properties: { name: "name", friends: "friends" },
    });
    expect(action("add").parameters["properties"]).to.have.deep.property("name", { type: ["string", "null"] });
    expect(action("add").parameters["required"]).to.deep.equal(["name"]);
    expect(compile(action("add"))({ name: "a", friends: [{ name: "b", friends: [] }] })).to.equal(true);
    const { transport, parameters } = action("photo");
    expect(transport["parameters"]).to.deep.equal([
      { name: "id", in: "path", key: "id" },
      { name: "tags", in: "query", key: "tags", explode: false },
    ]);
    expect(transport["body"]).to.deep.include({ contentType: "multipart/form-data", properties: { file: "file" } });
    expect(parameters["properties"]).to.have.nested.property("file.format", "binary");
  });

  it("says which keys stand twice in one object, and takes the last", async () => {
    const path = (id: string): string => `{"get": {"operationId": "${id}", "summary": "a \\"b\\": c"}}`;
    const json = `{"openapi": "3.1.0",\n"paths": {"/a": ${path("first")},\n"/b": ${path("b")},\n"/a": ${path("last")}}}`;
    for (const [text, name] of [
      [json, "api.json"],
      [json.replaceAll(",\n", ",\n  "), "api.yaml"],
    ] as const) {
      const { names, report } = await imported(text, {}, name);
      expect(names).to.have.members(["last", "b"]);
      const told = report.warnings.filter((one) => one.includes("twice"));
      expect(told).to.have.length(1);
      expect(told[0]).to.match(new RegExp(`${name} has keys twice in one object: /a \\(line 4\\);`));
    }
    expect((await imported(PING)).report.warnings).to.deep.equal([]);
  });

  it("reports what a file is when it is no description, and where it is broken", async () => {
    expect(await messageFrom(imported("{}"))).to.match(
      /api\.json is data with no fields: .*not an OpenAPI 3 or Swagger 2\.0 description/,
    );
    expect(await messageFrom(imported('{"openapi":"4.0.0"}'))).to.include("version 4.0.0");
    expect(await messageFrom(imported("<html></html>", {}, "index.html"))).to.include("is a web page, not an OpenAPI");
    expect(await messageFrom(imported('{"openapi": "3.0.0",'))).to.include("cannot be read as JSON or YAML");
    expect(await messageFrom(imported("a: [b", {}, "api.yaml"))).to.include("cannot be read as JSON or YAML");
    expect(await messageFrom(importFrom("/nowhere/api.yaml"))).to.include("/nowhere/api.yaml");
  });
});

describe("agentd sync openapi: many files", () => {
  const files: Record<string, JsonObject> = {
    "api.json": openapi(
      { "/pets": { $ref: "paths/pets.json" } },
      { components: { schemas: { Id: { type: "integer" } } } },
    ),
    "paths/pets.json": {
      post: {
        operationId: "add",
        parameters: [{ $ref: "../common.json#/page" }],
        requestBody: body({ $ref: "../common.json#/Pet" }),
      },
    },
    "common.json": {
      page: { name: "page", in: "query", schema: { $ref: "api.json#/components/schemas/Id" } },
      Pet: { type: "object", properties: { name: { type: "string" }, parent: { $ref: "#/Pet" } } },
    },
  };
  const write = async (folder: string, all: Record<string, JsonObject>): Promise<void> => {
    await mkdir(join(folder, "paths"));
    for (const [name, content] of Object.entries(all)) await writeFile(join(folder, name), toJson(content));
  };

  it("follows references from file to file and back, circles included", () =>
    inFolder(async (folder) => {
      await write(folder, files);
      const { action, report } = await importFrom(join(folder, "api.json"));
      expect(report.skipped).to.deep.equal([]);
      expect(action("add").parameters["properties"]).to.have.deep.property("page", { type: "integer" });
      const validate = compile(action("add"));
      expect(validate({ page: 1, parent: { parent: { name: "a" } } })).to.equal(true);
      expect(validate({ parent: { parent: { name: 1 } } })).to.equal(false);
    }));

  it("follows them in Swagger 2.0 too", () =>
    inFolder(async (folder) => {
      await write(folder, {
        "api.json": {
          swagger: "2.0",
          paths: { "/pets": { $ref: "paths/pets.json" } },
          definitions: { Name: { type: "string", maxLength: 3 } },
        },
        "paths/pets.json": {
          post: {
            operationId: "add",
            parameters: [
              { $ref: "../common.json#/page" },
              { name: "b", in: "body", schema: { $ref: "../common.json#/Pet" } },
            ],
            responses: { default: { description: "ok", schema: { $ref: "../common.json#/Pet" } } },
          },
        },
        "common.json": {
          page: { name: "page", in: "query", type: "integer" },
          Pet: {
            type: "object",
            properties: { parent: { $ref: "#/Pet" }, name: { $ref: "api.json#/definitions/Name" } },
          },
        },
      });
      const { action, written } = await importFrom(join(folder, "api.json"));
      expect(action("add").parameters["properties"]).to.have.all.keys("page", "parent", "name");
      const fits = compile(action("add"));
      expect(fits({ parent: { parent: { name: "Rex" } } })).to.equal(true);
      expect(fits({ parent: { parent: { name: "Bello" } } })).to.equal(false);
      expect(toJson(written)).to.contain('"returns":["parent","name"]');
    }));

  it("follows a reference to a whole map of names", () =>
    inFolder(async (folder) => {
      const responses = { 200: { $ref: "#/responses/default" } };
      await write(folder, {
        "api.json": {
          swagger: "2.0",
          paths: { "/pets": { get: { operationId: "list", responses } } },
          responses: { $ref: "common.json#/responses" },
          definitions: { $ref: "common.json#/definitions" },
        },
        "common.json": {
          responses: { default: { description: "ok", schema: { $ref: "api.json#/definitions/Pet" } } },
          definitions: { Pet: { type: "object", properties: { name: { type: "string" } } } },
        },
      });
      expect(toJson((await importFrom(join(folder, "api.json"))).written)).to.contain('"returns":["name"]');
    }));

  it("G21 reads nothing outside the description's folder, by path or by link, without the flag", () =>
    inFolder(async (folder) => {
      const inner = join(folder, "paths");
      const outside = openapi({
        "/a": { get: { operationId: "a", parameters: [{ $ref: "../common.json#/page" }] } },
        "/b": { get: { operationId: "b", parameters: [{ $ref: "link.json#/page" }] } },
        "/c": { get: { operationId: "c" } },
      });
      await write(folder, {
        "common.json": { page: { name: "p", in: "query", schema: {} } },
        "paths/api.json": outside,
      });
      await symlink(join(folder, "common.json"), join(inner, "link.json"));
      const refused = await importFrom(join(inner, "api.json"));
      expect(refused.names).to.deep.equal(["c"]);
      for (const { reason } of refused.report.skipped)
        expect(reason).to.include("outside").and.include("--allow-external");
      expect((await importFrom(join(inner, "api.json"), { allowExternal: true })).names).to.deep.equal(["a", "b", "c"]);
    }));

  it("G21 fetches nothing from another host without the flag, and refuses a description that cannot do without", () =>
    serving(
      (_, response) => response.end(toJson({ type: "object", properties: { a: {} } })),
      async (address, requested) => {
        const remote = openapi({
          "/a": { post: { operationId: "a", requestBody: body({ $ref: `${address}/schema.json` }) } },
        });
        expect(await messageFrom(imported(remote)))
          .to.include(address)
          .and.include("--allow-external");
        expect(requested).to.deep.equal([]);
        const { action } = await imported(remote, { allowExternal: true });
        expect(action("a").parameters["properties"]).to.have.all.keys("a");
        expect(requested).to.deep.equal(["/schema.json"]);
      },
    ));

  it("does not follow what only looks like a reference", async () => {
    const schema = {
      type: "object",
      properties: { example: { type: "object", properties: { $ref: { type: "string" } } } },
      example: { $ref: "http://127.0.0.1:9/x" },
    };
    const { action, report } = await imported(
      openapi({ "/a": { post: { operationId: "a", requestBody: body(schema) } } }),
    );
    expect(report.skipped).to.deep.equal([]);
    expect(compile(action("a"))({ example: { $ref: "text" } })).to.equal(true);
  });
});

describe("agentd sync openapi: addresses", () => {
  it("fetches a description with the headers given and reads relative servers from its address", () =>
    serving(
      (request, response) => {
        if (request.headers.authorization !== "Bearer t") response.writeHead(401);
        response.end(toJson({ ...PING, servers: [{ url: "../v2/" }] }));
      },
      async (address) => {
        const { document } = await importFrom(`${address}/docs/api.json`, { headers: { authorization: "Bearer t" } });
        expect(document.base_url).to.equal(`${address}/v2`);
        expect(await messageFrom(importFrom(`${address}/docs/api.json`))).to.include(
          `${address}/docs/api.json answered with status 401`,
        );
      },
    ));

  it("has the description's own host as base address when it names no server", () =>
    serving(
      (_, response) => response.end(toJson({ openapi: "3.0.0", paths: { "/a": { get: {} } } })),
      async (address) => expect((await importFrom(`${address}/openapi.json`)).document.base_url).to.equal(address),
    ));

  it("follows redirects at the same host only, and not forever", () =>
    serving(
      (request, response) => {
        const to: Record<string, string> = {
          "/old": "/api.json",
          "/away": "http://127.0.0.1:9/api.json",
          "/loop": "/loop",
        };
        const target = to[request.url ?? ""];
        response.writeHead(target ? 302 : 200, target ? { location: target } : {}).end(toJson(PING));
      },
      async (address) => {
        expect((await importFrom(`${address}/old`)).names).to.deep.equal(["ping"]);
        expect(await messageFrom(importFrom(`${address}/away`))).to.include("another host");
        expect(await messageFrom(importFrom(`${address}/loop`))).to.include("more than 5 times");
      },
    ));

  it("sends the description's headers to no other host", () =>
    serving(
      (request, response) =>
        response.end(
          toJson({ type: "object", properties: { [request.headers["x-secret"] ? "leaked" : "clean"]: {} } }),
        ),
      (other) =>
        serving(
          (_, response) =>
            response.end(
              toJson(openapi({ "/a": { post: { operationId: "a", requestBody: body({ $ref: `${other}/s.json` }) } } })),
            ),
          async (address) => {
            const { action } = await importFrom(address, { allowExternal: true, headers: { "x-secret": "s" } });
            expect(action("a").parameters["properties"]).to.have.all.keys("clean");
          },
        ),
    ));

  it("never reads a local file for a description from the network", () =>
    serving(
      (_, response) =>
        response.end(toJson(openapi({ "/a": { get: { parameters: [{ $ref: "file:///etc/hostname" }] } } }))),
      async (address) =>
        expect(await messageFrom(importFrom(address, { allowExternal: true }))).to.include("may not read local files"),
    ));
});

describe("agentd sync openapi: bounds", () => {
  it("G21 refuses more than 50 MB, from a file and from a server that never ends", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "big.json");
      await writeFile(file, "{");
      await truncate(file, 50_000_001);
      expect(await messageFrom(importFrom(file))).to.include("larger than 50 MB");
    });
    const chunk = Buffer.alloc(1 << 20, 32);
    await serving(
      (_, response) => {
        const more = (): void => void (response.write(chunk) ? setImmediate(more) : response.once("drain", more));
        more();
      },
      async (address) => expect(await messageFrom(importFrom(address))).to.include("larger than 50 MB"),
    );
  });

  it("G21 refuses a description that arrives byte by byte, or never begins, after a time for all of its files", async () => {
    for (const dripping of [true, false])
      await serving(
        (_, response) => {
          if (!dripping) return;
          const timer = setInterval(() => response.write(" "), 10);
          response.on("close", () => clearInterval(timer));
        },
        async (address) =>
          expect(await messageFrom(loadText(new URL(address), {}, newBudget(100)))).to.include("in time"),
      );
  });

  it("refuses what is not a regular file", () =>
    inFolder(async (folder) => expect(await messageFrom(importFrom(folder))).to.include("not a regular file")));

  it("G21 refuses schemas nested, or building on each other, 10,000 deep", async () => {
    const nested = `{"openapi":"3.0.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":${'{"allOf":['.repeat(10_000)}{}${"]}".repeat(10_000)}}}}}}}}`;
    expect(await messageFrom(imported(nested))).to.include("nested");
    expect(await messageFrom(imported(nested, {}, "api.yaml"))).to.include("nested");
    const schemas = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`S${i}`, { allOf: [{ $ref: `#/components/schemas/S${i + 1}` }] }]),
    );
    const chain = openapi(
      {
        "/a": {
          post: { requestBody: body({ type: "object", properties: { v: { $ref: "#/components/schemas/S0" } } }) },
        },
      },
      { components: { schemas } },
    );
    expect(await messageFrom(imported(chain))).to.include("build on each other");
  });

  it("refuses YAML aliases that unfold without end", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `x-${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(", ")}]`,
    );
    const bomb = ["openapi: 3.0.0", "x-0: &l0 [a, b]", ...levels, "paths: {}"].join("\n");
    expect(await messageFrom(imported(bomb, {}, "api.yaml"))).to.match(/alias/i);
    const circle = "openapi: 3.0.0\npaths: &p\n  x-again: *p\n";
    expect(await messageFrom(imported(circle, {}, "api.yaml"))).to.include("nested deeper");
  });
});
