// Tool names, argument names, verbs, safety, resources and addresses: what an imported operation is called and counted as.
import { expect } from "chai";
import { TOOL_NAME } from "../../../../src/domain/schema-document.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { createIndex } from "../../../../src/tools/search/tool-index.js";
import { body, imported, openapi } from "./imported.js";

const get = (operationId?: string, rest: JsonObject = {}): JsonObject => ({
  get: { ...(operationId !== undefined && { operationId }), responses: {}, ...rest },
});

describe("A schema document from OpenAPI: names", () => {
  it("spells tool names as the operationId does, where that is legal", async () => {
    const { names } = await imported(
      openapi({ "/a": get("listPets"), "/b": get("list_pets"), "/c": get("issues/list-for-repo") }),
    );
    expect(names).to.deep.equal(["listPets", "list_pets", "issues_list-for-repo"]);
  });

  it("F9 gives no operation the name of one of the daemon's own tools", async () => {
    const { names } = await imported(openapi({ "/a": get("search_tools"), "/b": get("read_result") }));
    expect(names[0]).to.match(/^search_tools_[0-9a-f]{6}$/);
    expect(names[1]).to.match(/^read_result_[0-9a-f]{6}$/);
  });

  it("makes a name of verb and path where there is no operationId", async () => {
    const { names } = await imported(openapi({ "/": get(), "/pets/{petId}/photos": get() }));
    expect(names).to.deep.equal(["get_root", "list_pet_photos"]);
  });

  it("keeps names of 64 characters and cuts longer ones after adding what distinguishes them", async () => {
    const long = "a".repeat(64);
    const { names } = await imported(
      openapi({ "/a": get(long), "/b": get(`${long}b`), "/c": get(`${long}c`), "/d": get(long) }),
    );
    expect(names[0]).to.equal(long);
    expect(new Set(names).size).to.equal(4);
    for (const name of names) expect(name).to.match(TOOL_NAME);
  });

  it("gives the same name to an operation in every run, whatever comes before it", async () => {
    const twice = { "/x": get("dup"), "/y": get("dup"), "/z": get(`${"n".repeat(70)}`) };
    const [first, again, more] = await Promise.all([
      imported(openapi(twice)),
      imported(openapi(twice)),
      imported(openapi({ "/before": get("other"), ...twice })),
    ]);
    expect(first.names).to.deep.equal(again.names);
    expect(more.names.slice(1)).to.deep.equal(first.names);
    expect(first.names[0]).to.equal("dup");
    expect(first.names[1]).to.match(/^dup_[0-9a-f]{6}$/);
  });

  it("keeps operations apart whose ids are in another script", async () => {
    const { names, report } = await imported(
      openapi({
        "/pets/{id}": get("получитьПитомца"),
        "/pets": get("列出宠物"),
        "/orders": get("列出订单"),
        "/cafe": get("listCafés"),
      }),
    );
    expect(report.imported).to.equal(4);
    expect(new Set(names).size).to.equal(4);
    expect(names[0]).to.match(/^get_pets_by_id_[0-9a-f]{6}$/);
    expect(names[3]).to.equal("listCafes");
    for (const name of names) expect(name).to.match(TOOL_NAME);
  });

  it("puts into the description what a name leaves out in another script, so that a search finds it", async () => {
    const { names, action } = await imported(
      openapi({
        "/日本/リスト": get("リストを取得", { summary: "Everything." }),
        "/日本/注文": get(undefined, { summary: "Orders." }),
        "/питомцы": get(),
        "/list": get("listPets", { summary: "Every pet." }),
        "/cafe": get("listCafés", { summary: "Every café." }),
      }),
    );
    const actions = names.map((name) => action(name));
    expect(actions.map(({ description }) => description)).to.deep.equal([
      "(リストを取得) Everything.",
      "(/日本/注文) Orders.",
      "GET /питомцы",
      "Every pet.",
      "Every café.",
    ]);
    const index = createIndex(
      actions.map(({ parameters, ...rest }) => ({ ...rest, resource: "x", input_schema: parameters })),
    );
    expect(index.search("リストを取得", 3)[0]?.tool.name).to.equal(names[0]);
    expect(index.search("注文", 3)[0]?.tool.name).to.equal(names[1]);
  });

  it("gives values of the same name in path, query, header, cookie and body names of their own, and sends each where it belongs", async () => {
    const parameters = ["path", "query", "header", "cookie"].map((place) => ({
      name: "id",
      in: place,
      required: true,
      schema: { type: "string" },
    }));
    const put = {
      operationId: "put",
      parameters,
      requestBody: body({ type: "object", properties: { id: { type: "integer" } } }),
    };
    const { action } = await imported(openapi({ "/x/{id}": { put } }));
    const { transport, parameters: schema } = action("put");
    expect(transport["parameters"]).to.deep.equal([
      { name: "id", in: "path", key: "id" },
      { name: "query_id", in: "query", key: "id" },
      { name: "header_id", in: "header", key: "id" },
      { name: "cookie_id", in: "cookie", key: "id" },
    ]);
    expect(transport["body"]).to.deep.include({ properties: { body_id: "id" } });
    expect(schema["properties"]).to.have.all.keys("id", "query_id", "header_id", "cookie_id", "body_id");
  });

  it("tells names apart that differ only in what no argument name carries, by words and by their description", async () => {
    const keys = [
      "DateSent",
      "DateSent<",
      "DateSent>",
      "price>=",
      "price<=",
      "status!=",
      "id",
      "id[]",
      "filter[name]",
      "filter.name",
      "a b",
      "a|b",
    ];
    const parameters = keys.map((name) => ({ name, in: "query", description: "A text.", schema: { type: "string" } }));
    const { action } = await imported(openapi({ "/x": { get: { operationId: "x", parameters } } }));
    const { transport, parameters: schema } = action("x");
    const names = (transport["parameters"] as JsonObject[]).map((one) => String(one["name"]));
    expect(names.slice(0, 10)).to.deep.equal([
      ...["DateSent", "DateSent_before", "DateSent_after", "price_gte", "price_lte", "status_not", "id", "id_list"],
      ...["filter_name", "filter.name"],
    ]);
    expect(new Set(names).size).to.equal(keys.length);
    const properties = schema["properties"] as Record<string, JsonObject>;
    for (const [i, name] of names.entries())
      expect(properties[name]?.["description"]).to.equal(
        name === keys[i] ? "A text." : `In the request: ${keys[i]}. A text.`,
      );
  });

  it("tells a list from one value of its name, whichever comes first", async () => {
    const named = async (keys: string[]): Promise<JsonObject> => {
      const parameters = keys.map((name) => ({ name, in: "query", schema: { type: "string" } }));
      const { action } = await imported(openapi({ "/x": { get: { operationId: "x", parameters } } }));
      const written = action("x").transport["parameters"] as JsonObject[];
      return Object.fromEntries(written.map((one) => [String(one["key"]), one["name"] ?? null]));
    };
    const both = { id: "id", "id[]": "id_list" };
    expect(await named(["id", "id[]"])).to.deep.equal(both);
    expect(await named(["id[]", "id"])).to.deep.equal(both);
    expect(await named(["id[]"])).to.deep.equal({ "id[]": "id" });
  });

  it("gives the same argument names whatever order the parameters have", async () => {
    const keys = ["DateSent>", "DateSent<", "DateSent"];
    const parameters = keys.map((name) => ({ name, in: "query", schema: { type: "string" } }));
    const { action } = await imported(openapi({ "/x": { get: { operationId: "x", parameters } } }));
    expect((action("x").transport["parameters"] as JsonObject[]).map((one) => one["name"])).to.deep.equal([
      "DateSent_after",
      "DateSent_before",
      "DateSent",
    ]);
  });

  it("gives a legal argument name to names that no model provider takes", async () => {
    const keys = ["filter[name]", "$top", "expand[]", "名前", "__proto__", "x".repeat(80)];
    const parameters = keys.map((name) => ({ name, in: "query", schema: { type: "string" } }));
    const { action } = await imported(openapi({ "/x": { get: { operationId: "x", parameters } } }));
    const listed = action("x").transport["parameters"] as JsonObject[];
    expect(listed.map((one) => one["key"])).to.deep.equal(keys);
    expect(listed.slice(0, 3).map((one) => one["name"])).to.deep.equal(["filter_name", "top", "expand"]);
    expect(new Set(listed.map((one) => one["name"])).size).to.equal(keys.length);
    for (const one of listed) expect(one["name"]).to.match(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(Object.keys(action("x").parameters["properties"] as JsonObject)).to.have.length(keys.length);
  });
});

describe("A schema document from OpenAPI: verb, safety, resource", () => {
  it("takes the safety class from the method", async () => {
    const paths = { "/x": { get: {}, head: {}, options: {}, post: {}, put: {}, patch: {}, delete: {} } };
    const { document } = await imported(openapi(paths));
    expect(document.actions.map((action) => action.safety)).to.deep.equal([
      ...["read_only", "read_only", "read_only", "mutating", "mutating", "mutating", "destructive"],
    ]);
  });

  it("prefers x-agentd-safety, of the operation over that of its path", async () => {
    const path = {
      "x-agentd-safety": "read_only",
      post: { operationId: "search" },
      put: { operationId: "wipe", "x-agentd-safety": "destructive" },
    };
    const { action, report } = await imported(openapi({ "/x": path }));
    expect(action("search").safety).to.equal("read_only");
    expect(action("wipe").safety).to.equal("destructive");
    expect(report.warnings.filter((one) => one.includes("wipe") || one.includes("PUT"))).to.deep.equal([]);
  });

  it("F25 says of each operation that its description calls it more harmless than its method and words do", async () => {
    const harmless = (operationId: string): JsonObject => ({ operationId, "x-agentd-safety": "read_only" });
    const paths = {
      "/things": { get: harmless("list_things"), delete: harmless("wipe") },
      "/things/{id}": { delete: { operationId: "drop", "x-agentd-safety": "mutating" }, query: harmless("find") },
      "/logout": { get: harmless("logout") },
    };
    const { report } = await imported({ ...openapi(paths), openapi: "3.2.0" });
    const said = report.warnings.filter((one) => one.includes("x-agentd-safety"));
    expect(said.map((one) => one.slice(0, one.indexOf(" because")))).to.deep.equal([
      "DELETE /things is read_only",
      "DELETE /things/{id} is mutating",
      "GET /logout is read_only",
    ]);
    for (const one of said) expect(one).to.match(/by itself it would be (mutating|destructive)\. overrides\.json/);
  });

  it("takes a misspelt x-agentd-safety as destructive with a warning", async () => {
    const { action, report } = await imported(
      openapi({ "/x": { get: { operationId: "x", "x-agentd-safety": "readonly" } } }),
    );
    expect(action("x").safety).to.equal("destructive");
    expect(report.warnings.join()).to.include("GET /x: x-agentd-safety must be");
  });

  it("distinguishes lists from single things by the answer, and creating from acting by the path", async () => {
    const answer = (schema: JsonObject): JsonObject => ({
      responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
    });
    const thing = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
    const { action } = await imported(
      openapi({
        "/a": get("a", answer({ type: "array", items: thing })),
        "/b": get(
          "b",
          answer({
            type: "object",
            properties: { total: { type: "integer" }, items: { type: "array", items: thing } },
          }),
        ),
        "/me": get("me", answer(thing)),
        "/a/{id}": { ...get("one"), put: { operationId: "replace" }, delete: { operationId: "drop" } },
        "/pets": { post: { operationId: "pets" } },
        "/pets/{id}/feed": { post: { operationId: "feed" } },
      }),
    );
    const verbs = ["a", "b", "me", "one", "replace", "drop", "pets", "feed"].map((name) => action(name).verb);
    expect(verbs).to.deep.equal(["list", "list", "get", "get", "update", "delete", "create", "action"]);
  });

  it("knows the verb of a class's function behind a key, and of one for many", async () => {
    const { document } = await imported(
      openapi({
        "/cats/{id}": get("CatsController_findOne"),
        "/items:batchGet": { post: {} },
        "/items:search": { post: {} },
        "/api/v{version}/things": get(undefined),
      }),
    );
    expect(document.actions.map(({ verb }) => verb)).to.deep.equal(["get", "get", "list", "list"]);
    expect(document.actions.at(-1)?.resource).to.equal("things");
  });

  it("gives a record that is found the verb of one, and a verb of two words the verb of neither", async () => {
    const thing = { type: "object", properties: { id: { type: "integer" } } };
    const one = { responses: { 200: { description: "", content: { "application/json": { schema: thing } } } } };
    const { document } = await imported(
      openapi({
        "/a/{id}": get("findOne"),
        "/b/{id}": get("find_by_id"),
        "/c/{name}": get("findThing", one),
        "/d/{state}": get("findByState"),
        "/e/{id}/check-in": { post: { operationId: "check_in" } },
        "/f/{id}/check": { post: { operationId: "checkThing" } },
        "/g/{id}/feed": { post: { operationId: "feed_g__id__feed_post" } },
      }),
    );
    expect(document.actions.map(({ verb }) => verb)).to.deep.equal([
      "get",
      "get",
      "get",
      "list",
      "action",
      "get",
      "action",
    ]);
  });

  it("takes what is done to a record by the last word of its path for no making of one", async () => {
    const { document } = await imported(
      openapi({
        "/shops/{id}/open": { post: { operationId: "openShop" } },
        "/shops/{id}/checkIn": { post: { operationId: "checkInShop" } },
        "/shops/{id}/orders": { post: { operationId: "createOrder" } },
        "/shops/open": { post: { operationId: "openShops" } },
      }),
    );
    expect(document.actions.map(({ verb }) => verb)).to.deep.equal(["action", "action", "create", "create"]);
  });

  it("groups actions by their first tag, else by the first path segment that is no version", async () => {
    const { document, written } = await imported(
      openapi(
        { "/v1/orders": get("a"), "/x": get("b", { tags: ["Pets", "Other"] }) },
        { tags: [{ name: "Pets", description: "All <b>pets</b>" }] },
      ),
    );
    expect(document.actions.map((action) => action.resource)).to.deep.equal(["orders", "Pets"]);
    expect(written["resources"]).to.have.nested.property("[1].description", "All pets");
  });

  it("has control characters of a description as their code points, and no part of it is gone", async () => {
    const summary = "Lists\u001b[31m\n all\u0007 of <b>them</b>";
    const { document } = await imported(openapi({ "/x": get("b", { summary }) }));
    expect(document.actions[0]?.description).to.include("Lists\\u{1b}[31m all\\u{07} of them");
  });

  it("keeps what the answer yields, for ranking", async () => {
    const schema = { type: "array", items: { $ref: "#/components/schemas/Movie" } };
    const components: JsonObject = {
      schemas: { Movie: { allOf: [{ type: "object", properties: { movie_id: {} } }, { properties: { title: {} } }] } },
    };
    const { written } = await imported(
      openapi(
        {
          "/m": get("m", {
            responses: { 200: { description: "All movies", content: { "application/json": { schema } } } },
          }),
        },
        { components },
      ),
    );
    expect(written["resources"]).to.have.deep.nested.property("[0].actions[0].returns", ["movie_id", "title"]);
    expect(written["resources"]).to.have.nested.property("[0].actions[0].description", "GET /m. Returns: All movies");
  });

  it("keeps descriptions, in one line and short enough for every provider", async () => {
    const description = `<p>Finds [pets](https://example.test/pets).</p>\n\n${"Long. ".repeat(400)}`;
    const { action } = await imported(
      openapi({ "/x": get("x", { summary: "Find pets", description, deprecated: true }) }),
    );
    expect(action("x").description).to.match(/^Deprecated\. Find pets\. Finds pets\. Long\./);
    expect(action("x").description.length).to.be.at.most(1000);
  });
});

describe("A schema document from OpenAPI: addresses and auth", () => {
  const server = async (servers: JsonObject[] | undefined, input = {}): Promise<string> =>
    (await imported({ ...openapi({ "/x": get("x") }), servers: servers ?? [] }, input)).document.base_url;

  it("takes the first http server with its variables' defaults", async () => {
    const variables = { region: { default: "eu" }, version: { enum: ["v2"] } };
    const servers: JsonObject[] = [{ url: "wss://x.test" }, { url: "https://{region}.x.test/{version}/", variables }];
    expect(await server(servers)).to.equal("https://eu.x.test/v2");
  });

  it("prefers --base-url, and refuses one that is no http address", async () => {
    expect(await server([{ url: "https://a.test" }], { baseUrl: "http://127.0.0.1:9/api/" })).to.equal(
      "http://127.0.0.1:9/api",
    );
    const error = await server(undefined, { baseUrl: "localhost:9" }).catch((cause: unknown) => cause);
    expect(error).to.have.property("exitCode", 2);
  });

  it("has no address for a file with a relative server, and names the flag to pass", async () => {
    const { document, report } = await imported({ ...openapi({ "/x": get("x") }), servers: [{ url: "/v3" }] });
    expect(document.base_url).to.equal("");
    expect(report.warnings[0]).to.include("--base-url").and.include("/v3");
  });

  it("keeps servers of paths and operations: as a path at the same host, whole at another", async () => {
    const { action, report } = await imported(
      openapi({
        "/same": get("same", { servers: [{ url: "http://target.test/v2" }] }),
        "/other": { servers: [{ url: "http://uploads.test" }], ...get("other") },
        "/equal": get("equal", { servers: [{ url: "http://target.test/api/" }] }),
      }),
    );
    expect(action("same").transport["server"]).to.equal("/v2");
    expect(action("other").transport["server"]).to.equal("http://uploads.test");
    expect(action("equal").transport).not.to.have.property("server");
    expect(report.warnings.join()).to.include("GET /other is served by http://uploads.test");
  });

  it("takes the servers that all paths name alike where the description names none", async () => {
    const servers = [{ url: "https://flood.test/api" }];
    const other = [{ url: "https://other.test" }];
    const alike = { "/a": { servers, ...get("a") }, "/b": { servers, ...get("b", { servers: other }) } };
    const all = await imported(openapi(alike, { servers: [] }));
    expect(all.document.base_url).to.equal("https://flood.test/api");
    expect(all.action("a").transport).not.to.have.property("server");
    expect(all.action("b").transport["server"]).to.equal("https://other.test");
    expect(all.report.warnings.join()).not.to.include("names no host");
    const mixed = await imported(openapi({ ...alike, "/c": get("c") }, { servers: [] }));
    expect(mixed.action("a").transport["server"]).to.equal("https://flood.test/api");
  });

  it("writes security schemes by name and each operation's own needs", async () => {
    const components: JsonObject = {
      securitySchemes: { key: { type: "apiKey", in: "query", name: "k" }, oauth: { $ref: "#/components/x/o" } },
      x: { o: { type: "oauth2", flows: {} } },
    };
    const { document, action } = await imported(
      openapi(
        {
          "/a": get("a"),
          "/b": get("b", { security: [] }),
          "/c": get("c", { security: [{ oauth: ["read"] }, { key: [] }] }),
        },
        { components, security: [{ key: [] }] },
      ),
    );
    expect(document.auth).to.deep.equal({
      key: { type: "apiKey", in: "query", name: "k" },
      oauth: { type: "oauth2", flows: {} },
    });
    expect(["a", "b", "c"].map((name) => action(name).transport["security"])).to.deep.equal([
      [{ key: [] }],
      [],
      [{ oauth: ["read"] }, { key: [] }],
    ]);
  });
});

describe("A schema document from OpenAPI: what is left out is listed", () => {
  it("G14 F10 refuses paths that would leave the base address or name another method, each with its reason", async () => {
    const paths = {
      "/ok": get("ok"),
      "@evil.test/x": get(),
      "//evil.test/x": get(),
      "/\\evil.test": get(),
      "/a/../b": get(),
      "/a/%2e%2E/b": get(),
      "/a?b=1&_method=DELETE": get(),
    };
    const { names, report } = await imported(openapi(paths));
    expect(names).to.deep.equal(["ok"]);
    expect(report.operations).to.equal(7);
    expect(report.skipped.map((one) => one.operation)).to.deep.equal(
      Object.keys(paths)
        .slice(1)
        .map((path) => `GET ${path}`),
    );
    for (const { reason } of report.skipped) expect(reason).to.match(/^its path /);
  });

  it("G11 leaves headers out that no argument may set, and F10 ways to change the method, and says so", async () => {
    const named = (place: string, names: string[]): JsonObject[] =>
      names.map((name) => ({ name, in: place, required: true, schema: { type: "string" } }));
    const refused = [
      "Host cookie Content-Length X-Forwarded-For Proxy-Authorization X-HTTP-Method-Override Date Origin Via X-Real-IP",
      "Sec-Fetch-Site X-Rewrite-URL X-Original-URL Cookie2 Accept-Encoding",
    ].flatMap((line) => line.split(" "));
    const ignored = ["Authorization", "Accept", "Content-Type"];
    const parameters = [
      ...named("header", [...ignored, ...refused, "X-Request-Id", "X-Original-Filename"]),
      ...named("query", ["_method", "q"]),
    ];
    const requestBody = body({ type: "object", properties: { _method: { type: "string" }, a: { type: "string" } } });
    const { action, report } = await imported(
      openapi({ "/x": { post: { operationId: "x", parameters, requestBody } } }),
    );
    expect(Object.keys(action("x").parameters["properties"] as JsonObject)).to.deep.equal([
      "q",
      "X-Request-Id",
      "X-Original-Filename",
      "a",
    ]);
    const words = [...refused.map((name) => `header ${name}`), "query parameter _method"];
    expect(report.warnings.filter((one) => one.includes("not for an argument to set"))).to.deep.equal(
      ["query parameter _method", ...words.slice(0, -1)].map(
        (one) =>
          `The ${one} is not for an argument to set, so no tool takes it; what every call is to send goes into the headers of the application in config.json.`,
      ),
    );
  });

  it("leaves the API key out that the operation is called with, wherever it goes", async () => {
    const places = ["header", "query", "cookie"];
    const parameters = places.flatMap((place) =>
      [`X-Key-${place}`, "other"].map((name) => ({ name, in: place, required: true, schema: { type: "string" } })),
    );
    const schemes = places.map((place) => [place, { type: "apiKey", in: place, name: `x-key-${place}` }]);
    const exact = parameters.map((one) => (one.in === "header" ? one : { ...one, name: one.name.toLowerCase() }));
    const rest = { components: { securitySchemes: Object.fromEntries(schemes) } };
    const paths: JsonObject = {
      "/signed": {
        get: { operationId: "signed", parameters: exact, security: [{ header: [], query: [] }, { cookie: [] }] },
      },
      "/open": { get: { operationId: "open", parameters: exact, security: [] } },
    };
    const { action } = await imported(openapi(paths, rest));
    const names = (name: string): string[] => Object.keys(action(name).parameters["properties"] as JsonObject);
    expect(names("signed")).to.deep.equal(["other", "header_other", "cookie_other"]);
    expect(names("open")).to.have.length(6);
  });

  it("skips TRACE, methods that cannot be sent and broken parameters, and counts every operation", async () => {
    const { report } = await imported(
      openapi({
        "/x": { get: { operationId: "x" }, trace: {}, additionalOperations: { "M-SEARCH": {}, connect: {}, GET: {} } },
        "/y": { get: { parameters: [{ $ref: "#/components/parameters/gone" }] } },
        "/z": { $ref: "#/components/pathItems/gone" },
      }),
    );
    expect(report).to.deep.include({ operations: 7, imported: 1 });
    expect(report.skipped).to.have.length(6);
    expect(report.skipped[4]).to.deep.equal({
      operation: "GET /y",
      reason: "the reference #/components/parameters/gone points nowhere",
    });
  });

  it("makes tools of QUERY, which only reads, and of other methods, which may do anything", async () => {
    const { document } = await imported(openapi({ "/x": { query: {}, additionalOperations: { PURGE: {} } } }));
    const found = document.actions.map(({ transport, safety }) => [transport["method"], safety]);
    expect(found).to.deep.equal([
      ["QUERY", "read_only"],
      ["PURGE", "destructive"],
    ]);
  });

  it("keeps the case of an additional method, which is destructive in any", async () => {
    const additionalOperations = { Copy: {}, link: {}, get: {} };
    const { document } = await imported(openapi({ "/x": { additionalOperations } }));
    const found = document.actions.map(({ transport, safety }) => [transport["method"], safety]);
    expect(found).to.deep.equal(["Copy", "link", "get"].map((method) => [method, "destructive"]));
    const twice = await imported(openapi({ "/x": { get: {}, additionalOperations } }));
    expect(twice.report.skipped.map(({ reason }) => reason)).to.deep.equal([
      "get is described twice, once among additionalOperations",
    ]);
  });

  it("skips by name what is no operation where one should be", async () => {
    const { report } = await imported(openapi({ "/x": { get: { operationId: "x" }, put: null, post: "later" } }));
    expect(report.skipped).to.deep.equal([
      { operation: "PUT /x", reason: "its description is no object" },
      { operation: "POST /x", reason: "its description is no object" },
    ]);
  });
});
