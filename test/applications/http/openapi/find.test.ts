// What a person has at hand instead of a description's address: pages of documentation as their generators write them, the address of
// the application, compressed and oddly encoded files, and other things, each told by name.
// Source: docs/reference.md, "Importing a description".

import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { describedBy } from "../../../../src/applications/http/openapi/find/find.js";
import { objectsIn } from "../../../../src/applications/http/openapi/find/script.js";
import { openapiSource } from "../../../../src/applications/http/openapi/source.js";
import type { SourceInput } from "../../../../src/applications/source.js";
import { type JsonObject, toJson } from "../../../../src/lib/json.js";
import { inFolder } from "./imported.js";

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}
type Pages = Record<string, string | Buffer | Answer | ((request: IncomingMessage) => Answer)>;

const PING: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Ping", version: "1" },
  paths: { "/ping": { get: { operationId: "ping", responses: { 200: { description: "ok" } } } } },
};
const JSON_TEXT = toJson(PING);
const page = (body: string, head = ""): string =>
  `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`;

/** Runs `use` with the address of a server of these pages, and what was asked of it. */
async function serving<T>(pages: Pages, use: (address: string, asked: IncomingMessage[]) => Promise<T>): Promise<T> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (pages[request.url ?? ""] === "silent") return;
    const found = pages[request.url ?? ""] ?? pages[(request.url ?? "").split("?")[0] ?? ""];
    const given = typeof found === "function" ? found(request) : found;
    const {
      status = 200,
      headers = {},
      body,
    } = given === undefined
      ? { status: 404, body: '{"detail":"Not Found"}' }
      : typeof given === "string" || Buffer.isBuffer(given)
        ? { body: given }
        : given;
    const text = body.toString("latin1");
    const type = /^\s*</.test(text) ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The names of the tools of what a location leads to, and how it was found. */
async function read(location: string, input: Partial<SourceInput> = {}): Promise<{ names: string[]; found: string }> {
  const { document, found = "" } = await openapiSource.read({ location, ...input });
  const resources = document["resources"] as { actions: { name: string }[] }[];
  return { names: resources.flatMap(({ actions }) => actions.map(({ name }) => name)), found };
}

async function refused(location: string, input: Partial<SourceInput> = {}): Promise<string> {
  try {
    await read(location, input);
  } catch (error) {
    expect(error).to.have.property("name", "StartError");
    return (error as Error).message;
  }
  throw new Error("it was read");
}

/** A page of a program, and what it needs besides; the description is at /deep/spec.json unless the page holds it. */
const PAGES: Record<string, { at: string; pages: Pages; inside?: true }> = {
  "Swagger UI with swagger-initializer.js": {
    at: "/ui/",
    pages: {
      "/ui/": page(
        `<div id="swagger-ui"></div>
    <script src="./swagger-ui-bundle.js" charset="UTF-8"> </script>
    <script src="./swagger-ui-standalone-preset.js" charset="UTF-8"> </script>
    <script src="./swagger-initializer.js" charset="UTF-8"> </script>`,
        `<link rel="stylesheet" type="text/css" href="./swagger-ui.css" />`,
      ),
      "/ui/swagger-initializer.js": `window.onload = function() {
  //<editor-fold desc="Changeable Configuration Block">

  // the following lines will be replaced by docker/configurator, when it runs in a docker-container
  window.ui = SwaggerUIBundle({
    url: "../deep/spec.json",
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [
      SwaggerUIBundle.presets.apis,
      SwaggerUIStandalonePreset
    ],
    plugins: [
      SwaggerUIBundle.plugins.DownloadUrl
    ],
    layout: "StandaloneLayout"
  });

  //</editor-fold>
};`,
    },
  },
  "Swagger UI whose block begins with the call": {
    at: "/ui/",
    pages: {
      "/ui/": page(`<div id="swagger-ui"></div><script src="./swagger-ui-bundle.js"></script>
<script>window.onload = () => { SwaggerUIBundle({ url: "../deep/spec.json", hooks: { done() { return 1 } }, dom_id: "#swagger-ui" }) }</script>`),
    },
  },
  "Swagger UI of FastAPI": {
    at: "/help",
    pages: {
      "/help": page(`<div id="swagger-ui"></div>
<script src="https://cdn.jsdelivr.net/npm/swagger-ui-dist@5/swagger-ui-bundle.js"></script>
<script>
const ui = SwaggerUIBundle({
    url: '/deep/spec.json',
"dom_id": "#swagger-ui",
"layout": "BaseLayout",
    oauth2RedirectUrl: window.location.origin + '/docs/oauth2-redirect',
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
})</script>`),
    },
  },
  "Swagger UI with one address in urls": {
    at: "/ui/",
    pages: {
      "/ui/": page(`<script>// url: "/wrong.json"
window.ui = SwaggerUIBundle({ urls: [{ url: "/deep/spec.json", name: "Only" }], dom_id: '#swagger-ui' })</script>`),
    },
  },
  "Swagger UI of springdoc, by its configuration": {
    at: "/swagger-ui/index.html",
    pages: {
      "/swagger-ui/index.html": page(
        `<div id="swagger-ui"></div><script src="./swagger-initializer.js" charset="UTF-8"> </script>`,
      ),
      "/swagger-ui/swagger-initializer.js": `window.onload = function() {
  window.ui = SwaggerUIBundle({
    url: "",
    dom_id: '#swagger-ui',
    layout: "StandaloneLayout" ,

  "configUrl" : "/deep/swagger-config",
  "validatorUrl" : ""
  });
};`,
      "/deep/swagger-config": `{"configUrl":"/deep/swagger-config","oauth2RedirectUrl":"http://127.0.0.1/x","url":"/deep/spec.json","validatorUrl":""}`,
    },
  },
  "Swagger UI of NestJS and swagger-ui-express, which hold the description": {
    at: "/api",
    inside: true,
    pages: {
      "/api": page(`<div id="swagger-ui"></div><script src="./api/swagger-ui-init.js"> </script>`),
      "/api/swagger-ui-init.js": `
window.onload = function() {
  // Build a system
  let url = window.location.search.match(/url=([^&]+)/);
  if (url && url.length > 1) {
    url = decodeURIComponent(url[1]);
  } else {
    url = window.location.origin;
  }
  let options = {
  "swaggerDoc": ${toJson(PING, 2)},
  "customOptions": {}
};
  url = options.swaggerUrl || url
  let urls = options.swaggerUrls
  let customOptions = options.customOptions
  let spec1 = options.swaggerDoc
  let swaggerOptions = { spec: spec1, url: url, urls: urls, dom_id: '#swagger-ui' }
}`,
    },
  },
  "Swagger UI of Swashbuckle": {
    at: "/swagger/index.html",
    pages: {
      "/swagger/index.html": page(`<div id="swagger-ui"></div><script>
        var configObject = JSON.parse('{"urls":[{"url":"../deep/spec.json","name":"My API V1"}],"deepLinking":false}');
        const ui = SwaggerUIBundle(configObject);</script>`),
    },
  },
  "Swagger UI of Fastify, without a slash at its end": {
    at: "/deep",
    pages: {
      "/deep": page(
        `<div id="swagger-ui"></div><script src="/deep/static/swagger-initializer.js" charset="UTF-8"> </script>`,
      ),
      "/deep/static/swagger-initializer.js": `window.onload = function () {
    function resolveUrl(url) {
      let currentHref = window.location.href;
      currentHref = currentHref.endsWith('/') ? currentHref : currentHref + '/';
      const anchor = document.createElement('a');
      anchor.href = currentHref + url;
      return anchor.href
    }
    const config = {}
    const resConfig = Object.assign({}, { dom_id: '#swagger-ui', presets: [] }, config, {
      url: resolveUrl('./spec.json').replace('static/index.html', 'spec.json'),
    });
    const ui = SwaggerUIBundle(resConfig)
};`,
    },
  },
  "Swagger UI of drf-spectacular, its address escaped": {
    at: "/ui/",
    pages: {
      "/ui/": page(`<div id="swagger-ui"></div><script>"use strict";
const swaggerSettings = {"deepLinking": true};
const schemaUrl = "\\u002Fdeep\\u002Fspec.json";
const ui = SwaggerUIBundle({ url: schemaUrl, dom_id: "#swagger-ui", plugins, ...swaggerSettings });</script>`),
    },
  },
  "Swagger UI of drf-yasg, its address made from the page's": {
    at: "/deep/",
    pages: {
      "/deep/": page(`<div id="swagger-ui"></div><script src="/static/swagger-ui-init.js"></script>`),
      "/static/swagger-ui-init.js": `var currentPath = window.location.protocol + "//" + window.location.host + window.location.pathname;
var specURL = currentPath + 'spec.json?format=openapi'; var swaggerUiConfig = {url: specURL};`,
    },
  },
  "ReDoc with spec-url": { at: "/r", pages: { "/r": page(`<redoc spec-url='/deep/spec.json?v=1&amp;w=2'></redoc>`) } },
  "ReDoc with Redoc.init": {
    at: "/r",
    pages: {
      "/r": page(
        `<div id="c"></div><script>Redoc.init('deep/spec.json', { scrollYOffset: 50 }, document.getElementById('c'))</script>`,
      ),
    },
  },
  "ReDoc, built whole": {
    at: "/r",
    inside: true,
    pages: {
      "/r": page(`<div id="redoc"></div><script>
      const __redoc_state = {"menu":{"activeItemIdx":-1},"spec":{"data":${JSON_TEXT}},"searchIndex":{"store":["</"]}};
      var container = document.getElementById('redoc'); Redoc.hydrate(__redoc_state, container);</script>`),
    },
  },
  "Scalar with data-url": {
    at: "/ref",
    pages: { "/ref": page(`<script id="api-reference" data-url="/deep/spec.json"></script>`) },
  },
  "Scalar with createApiReference": {
    at: "/ref",
    pages: {
      "/ref": page(`<div id="app"></div><script src="https://cdn.jsdelivr.net/npm/@scalar/api-reference"></script>
<script>Scalar.createApiReference('#app', { "url": "/deep/spec.json", "_integration": "express" })</script>`),
    },
  },
  "Scalar with data-configuration": {
    at: "/ref",
    pages: {
      "/ref": page(
        `<script id="api-reference" data-configuration="{&quot;spec&quot;:{&quot;url&quot;:&quot;/deep/spec.json&quot;}}"></script>`,
      ),
    },
  },
  "Scalar, the description in the page": {
    at: "/ref",
    inside: true,
    pages: { "/ref": page(`<script id="api-reference" type="application/json">${JSON_TEXT}</script>`) },
  },
  RapiDoc: { at: "/x", pages: { "/x": page(`<rapi-doc spec-url = "deep/spec.json" theme="dark"> </rapi-doc>`) } },
  "Stoplight Elements": {
    at: "/x",
    pages: { "/x": page(`<elements-api apiDescriptionUrl="/deep/spec.json" router="hash"/>`) },
  },
  "Stoplight Elements, the description in the page": {
    at: "/x",
    inside: true,
    pages: {
      "/x": page(`<elements-api id="docs"></elements-api><script>
      const docs = document.getElementById('docs'); docs.apiDescriptionDocument = ${JSON_TEXT};</script>`),
    },
  },
  "a page that leads to the documentation at once": {
    at: "/x",
    pages: {
      "/x": page("", `<meta http-equiv="refresh" content="0; url=/help/">`),
      "/help/": page(`<redoc spec-url="/deep/spec.json"></redoc>`),
    },
  },
  "a page with a link to its service description (RFC 8631)": {
    at: "/x",
    pages: { "/x": page("Welcome", `<link rel="service-desc" href="/deep/spec.json">`) },
  },
};

describe("agentd sync openapi: from a Link header", () => {
  it("reads the first link to a service description (RFC 8288, RFC 8631)", () => {
    const cases: [string, string | undefined][] = [
      ['</a>; rel=next, </b,c>; rel="service-desc"; type="application/json"', "/b,c"],
      ["<https://example.org/openapi.json> ; title=x ; REL = Service-Desc", "https://example.org/openapi.json"],
      ['</a>; rel="describedby service-desc"', "/a"],
      ['</a>; title="service-desc"; rel=next', undefined],
      ["", undefined],
    ];
    for (const [link, found] of cases) expect(describedBy(link), link).to.equal(found);
  });

  it("G32 reads one of bad faith in time that goes with its length", () => {
    const start = performance.now();
    for (const text of ["<", "<a>;rel=", "<a>;", "rel=,", "<a> "]) describedBy(text.repeat(200_000));
    expect(performance.now() - start).to.be.below(2_000);
  });
});

describe("agentd sync openapi: from a page of documentation", () => {
  for (const [name, { at, pages, inside }] of Object.entries(PAGES))
    it(`reads ${name}`, () =>
      serving({ ...pages, "/deep/spec.json": JSON_TEXT }, async (address, asked) => {
        const { names, found } = await read(address + at);
        expect(names).to.deep.equal(["ping"]);
        if (inside) expect(found).to.include(`${address}${at} is a`).and.include("holds the description");
        else expect(found).to.include(`Read from ${address}/deep/spec.json`);
        expect(asked.some(({ url }) => url?.startsWith("/deep/spec.json"))).to.equal(inside !== true);
      }));

  it("lists the descriptions of a page that displays several, and takes the one its address chooses", () => {
    const urls = [
      { url: "/a.json", name: "Shop" },
      { url: "/b.json", name: "Back office" },
    ];
    const ui = page(`<script>window.ui = SwaggerUIBundle({ urls: ${JSON.stringify(urls)} })</script>`);
    return serving({ "/ui": ui, "/b.json": JSON_TEXT }, async (address) => {
      expect(await refused(`${address}/ui`)).to.equal(
        `${address}/ui displays 2 descriptions; give one of them: ${address}/a.json (Shop), ${address}/b.json (Back office).`,
      );
      expect((await read(`${address}/ui?urls.primaryName=Back%20office`)).names).to.deep.equal(["ping"]);
      expect((await read(`${address}/ui?url=/b.json`)).names).to.deep.equal(["ping"]);
    });
  });

  it("reads a saved page and a script of one", () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, "inner"));
      await writeFile(join(folder, "inner", "spec.json"), JSON_TEXT);
      await writeFile(join(folder, "redoc.html"), page(`<redoc spec-url="inner/spec.json"></redoc>`));
      await writeFile(join(folder, "inner", "up.html"), page(`<redoc spec-url="../redoc.json"></redoc>`));
      await writeFile(join(folder, "redoc.json"), JSON_TEXT);
      await writeFile(join(folder, "swagger-ui-init.js"), `let options = { "swaggerDoc": ${JSON_TEXT} }`);
      expect((await read(join(folder, "redoc.html"))).names).to.deep.equal(["ping"]);
      expect((await read(join(folder, "swagger-ui-init.js"))).names).to.deep.equal(["ping"]);
      expect(await refused(join(folder, "inner", "up.html"))).to.include("is a ReDoc page");
    }));

  it("G32 says where a description at another host is, asks it for nothing, and sends it no header when told to read it", () =>
    serving({ "/spec.json": JSON_TEXT }, (other, elsewhere) =>
      serving(
        { "/ui": page(`<redoc spec-url="${other}/spec.json"></redoc>`), "/openapi.json": JSON_TEXT },
        async (address) => {
          const headers = { "x-secret": "s" };
          expect(await refused(`${address}/ui`, { headers })).to.equal(
            `${address}/ui is a ReDoc page; its description is at ${other}/spec.json, another host; give that address if you trust it.`,
          );
          expect(elsewhere).to.have.length(0);
          const access = { credentials: { key: "canary" }, schemes: {} };
          expect((await read(`${address}/ui`, { headers, access, allowExternal: true })).names).to.deep.equal(["ping"]);
          expect(JSON.stringify(elsewhere[0]?.headers)).not.to.match(/x-secret|canary/);
        },
      ),
    ));

  it("G32 takes no longer than a script is worth, whatever it says", function () {
    this.timeout(20_000);
    const pieces = [
      "{a:",
      "{",
      "[",
      "a=",
      "`${",
      "/",
      "a.",
      "x=(",
      "{a:1,",
      "'",
      "/[",
      "a(/\\",
      "init(",
      "...",
      "a||",
      "a:{",
    ];
    for (const piece of pieces) objectsIn(piece.repeat(Math.ceil(200_000 / piece.length)));
  });
});

describe("agentd sync openapi: from the address of an application", () => {
  const places = [
    "/openapi.json",
    "/openapi.yaml",
    "/docs-json",
    "/api-json",
    "/api-docs",
    "/v3/api-docs",
    "/v2/api-docs",
    "/swagger.json",
    "/swagger/v1/swagger.json",
    "/documentation/json",
    "/api/schema/",
    "/openapi/v1.json",
  ];
  it("tries the usual places", async () => {
    for (const place of places)
      await serving({ [place]: JSON_TEXT, "/": page("<h1>Welcome</h1>") }, async (address) => {
        const { names, found } = await read(address);
        expect(names, place).to.deep.equal(["ping"]);
        expect(found).to.equal(`Read from ${address}${place}: ${address}/ is a web page.`);
      });
  });

  it("tries them from a wrong path, the folders of that path first", () =>
    serving(
      { "/shop/v1/openapi.json": JSON_TEXT, "/openapi.json": '{"openapi":"3.0.0","paths":{}}' },
      async (address) => {
        const { names, found } = await read(`${address}/shop/v1/opanapi.json`);
        expect(names).to.deep.equal(["ping"]);
        expect(found).to.include(`${address}/shop/v1/openapi.json`).and.include("status 404");
      },
    ));

  it("finds the description that a page at a usual place holds", () =>
    serving(
      { "/api-docs": page(`<redoc spec-url="/deep/spec.json"></redoc>`), "/deep/spec.json": JSON_TEXT },
      async (address) => expect((await read(address)).names).to.deep.equal(["ping"]),
    ));

  it("G32 ends after a bounded number of requests, at this host only, and says what it saw", () =>
    serving(
      { "/docs": { status: 302, headers: { location: "http://127.0.0.1:9/openapi.json" }, body: "" } },
      async (address, asked) => {
        expect(await refused(`${address}/a/b/c/d/e/f.json`)).to.equal(
          `${address}/a/b/c/d/e/f.json answered with status 404 (it says "Not Found"), and no description is at any of the usual places; give the address of the description, which its documentation page shows in a browser, or its file.`,
        );
        expect(asked.length).to.be.within(20, 80);
      },
    ));

  it("G32 gives up a place that never answers @all", function () {
    this.timeout(20_000);
    const pages = { "/openapi.json": "silent", "/v3/api-docs": JSON_TEXT };
    return serving(pages, async (address) => expect((await read(address)).names).to.deep.equal(["ping"]));
  });
});

describe("agentd sync openapi: how a text is written", () => {
  const accented = { ...PING, info: { title: "Café", version: "1" }, tags: [{ name: "ping", description: "Grüße" }] };
  const utf16le = Buffer.from(`\uFEFF${toJson(accented)}`, "utf16le");
  const latin1 = Buffer.from(toJson(accented), "latin1");
  const forms: Record<string, Answer> = {
    "gzip as Content-Encoding": { body: gzipSync(toJson(accented)), headers: { "content-encoding": "gzip" } },
    "gzip as a file": { body: gzipSync(toJson(accented)), headers: { "content-type": "application/gzip" } },
    "gzip twice": { body: gzipSync(gzipSync(toJson(accented))), headers: { "content-encoding": "gzip" } },
    "gzip that a proxy unpacked already": { body: toJson(accented), headers: { "content-encoding": "gzip" } },
    brotli: { body: brotliCompressSync(toJson(accented)), headers: { "content-encoding": "br" } },
    deflate: { body: deflateSync(toJson(accented)), headers: { "content-encoding": "deflate" } },
    "a UTF-8 byte order mark": { body: `\uFEFF${toJson(accented)}` },
    "UTF-16 with a mark": { body: utf16le },
    "UTF-16 with a mark, the other way round": { body: Buffer.from(utf16le).swap16() },
    "UTF-16 without a mark": { body: utf16le.subarray(2) },
    "Latin-1, declared": { body: latin1, headers: { "content-type": "application/json; charset=ISO-8859-1" } },
    "UTF-8 that is declared as Latin-1": {
      body: toJson(accented),
      headers: { "content-type": "application/json;charset=ISO-8859-1" },
    },
  };
  for (const [name, answer] of Object.entries(forms))
    it(`reads ${name}`, () =>
      serving({ "/api": answer }, async (address) => {
        const { document, report } = await openapiSource.read({ location: `${address}/api` });
        expect(toJson(document)).to.include("Grüße");
        expect(report.warnings).to.deep.equal([]);
      }));

  it("reads such files, a .yaml.gz too, and tells when the encoding was guessed", () =>
    inFolder(async (folder) => {
      await writeFile(
        join(folder, "a.yaml.gz"),
        gzipSync("openapi: 3.0.0\npaths: {/ping: {get: {operationId: ping}}}\n"),
      );
      expect((await read(join(folder, "a.yaml.gz"))).names).to.deep.equal(["ping"]);
      await writeFile(join(folder, "b.json"), latin1);
      const { document, report } = await openapiSource.read({ location: join(folder, "b.json") });
      expect(toJson(document)).to.include("Grüße");
      expect(report.warnings.join()).to.include("b.json is not in UTF-8").and.include("save it as UTF-8");
    }));

  it("G32 refuses what unpacks to more than 50 MB, and what is damaged", async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000, 32));
    await serving({ "/a": bomb, "/b": gzipSync(JSON_TEXT).subarray(0, 60) }, async (address) => {
      expect(await refused(`${address}/a`)).to.include("unpacks to more than 50 MB");
      expect(await refused(`${address}/b`)).to.include("damaged or incomplete");
    });
  });
});

describe("agentd sync openapi: what is no description", () => {
  const things: [name: string, text: string, what: string, next: string][] = [
    [
      "a.json",
      '{"info":{"name":"x","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"request":{"url":{"raw":"https://shop.test/a"}}}]}',
      "a Postman collection",
      "agentd sync openapi https://shop.test",
    ],
    [
      "a.har",
      '{"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"https://shop.test/a"}}]}}',
      "a HAR file",
      "agentd sync openapi https://shop.test",
    ],
    ["a.graphql", '"""A shop"""\ntype Query {\n  pets: [Pet!]!\n}\n', "a GraphQL schema", "agentd sync graphql"],
    ["a.json", '{"data":{"__schema":{"types":[]}}}', "a GraphQL schema", "agentd sync graphql"],
    ["a.yaml", "asyncapi: 2.6.0\ninfo: {title: x, version: '1'}\nchannels: {}\n", "an AsyncAPI description", "OpenAPI"],
    [
      "a.wsdl",
      '<?xml version="1.0"?>\n<wsdl:definitions name="S" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"></wsdl:definitions>',
      "a WSDL description",
      "SOAP",
    ],
    ["a.json", '{"swaggerVersion":"1.2","apis":[{"path":"/pets"}]}', "a Swagger 1.2 description", "convert it"],
    ["a.json", '{"openapi":"1.0.0","paths":{}}', "version 1.0.0", "not an OpenAPI 3 or Swagger 2.0"],
    ["README.md", "# Shop\n\nSee [the description](docs/openapi.yaml).\n", "a Markdown text", "docs/openapi.yaml"],
    ["a.raml", "#%RAML 1.0\ntitle: x\n", "a RAML description", "convert it"],
    ["a.proto", '// comment\nsyntax = "proto3";\n', "a Protocol Buffers file", "OpenAPI"],
    ["a.json", '{"error":{"code":401,"message":"No token"}}', 'an answer that says "No token"', "OpenAPI"],
    ["a.json", '[{"id":1}]', "a list of 1 values", "OpenAPI"],
    ["a.json", '{"paths":{"/a":{}}}', 'without its "openapi" field', "main file"],
    ["a.json", "", "empty", "check what writes it"],
    [
      "a.yaml",
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n",
      "a Git LFS pointer",
      "git lfs pull",
    ],
    ["a.pdf", "%PDF-1.7\n", "a PDF file", "OpenAPI"],
    [
      "a.html",
      page("<form><input type='password' name='p'></form>", "<title>Log in</title>"),
      'a sign-in page ("Log in")',
      "--header",
    ],
    ["a.html", page("hello", "<title>Shop</title>"), 'a web page ("Shop")', "address of the description"],
  ];
  for (const [name, text, what, next] of things)
    it(`tells ${what}, as a file and from an address`, async () => {
      await inFolder(async (folder) => {
        await writeFile(join(folder, name), text);
        expect(await refused(join(folder, name)))
          .to.include(what)
          .and.include(next);
      });
      await serving({ [`/${name}`]: text }, async (address) => {
        const message = await refused(`${address}/${name}`);
        expect(message).to.include(what).and.include(next);
        expect(message).not.to.match(/\n/);
      });
    });

  it("names the place of a file that a forge displays", () =>
    serving({ "/o/r/-/blob/main/api.yaml": page("file") }, async (address) =>
      expect(await refused(`${address}/o/r/-/blob/main/api.yaml`)).to.include(`${address}/o/r/-/raw/main/api.yaml`),
    ));

  it("says what is wrong with a location at which there is nothing", () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, "openapi.yaml"), "openapi: 3.0.0\npaths: {}\n");
      expect(await refused(join(folder, "opnapi.yaml"))).to.equal(
        `There is no file ${join(folder, "opnapi.yaml")}. Did you mean openapi.yaml?`,
      );
      expect(await refused(folder))
        .to.include("is a folder")
        .and.include("openapi.yaml");
      expect(await refused("localhost:8000/openapi.json")).to.include("write http://localhost:8000/openapi.json");
      expect(await refused("ftp://host/a.json")).to.include("Cannot read ftp:// addresses");
      expect(await refused("http://")).to.include("is not an address");
      expect(await refused("http://nowhere.invalid/openapi.json")).to.include("nowhere.invalid");
    }));
});

describe("agentd sync openapi: behind credentials", () => {
  /** Everything wants this header. */
  const locked = (name: string, value: string, challenge = "Custom"): Pages => ({
    "/openapi.json": ({ headers }) =>
      headers[name] === value
        ? { body: JSON_TEXT }
        : {
            status: 401,
            headers: { "www-authenticate": challenge },
            body: '{"detail":"no"}',
          },
  });
  const basic = `Basic ${Buffer.from("ann:pw").toString("base64")}`;

  it("signs in with the credential for a scheme that is known, and with what the server asks for", async () => {
    const known = { credentials: { key: "k-1" }, schemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } };
    await serving(locked("x-key", "k-1"), async (address) =>
      expect((await read(`${address}/openapi.json`, { access: known })).names).to.deep.equal(["ping"]),
    );
    const unknown = { credentials: { other: "token-1", login: "ann:pw" }, schemes: {} };
    for (const [value, challenge] of [
      ["Bearer token-1", "Bearer"],
      [basic, 'Basic realm="docs"'],
    ] as const)
      await serving(locked("authorization", value, challenge), async (address) => {
        expect((await read(`${address}/openapi.json`, { access: unknown })).names).to.deep.equal(["ping"]);
        expect((await read(address, { access: unknown })).names, "from its base").to.deep.equal(["ping"]);
      });
  });

  it("uses a user and password in the address", () =>
    serving(locked("authorization", basic), async (address) =>
      expect((await read(`${address.replace("//", "//ann:pw@")}/openapi.json`)).names).to.deep.equal(["ping"]),
    ));

  it("says what to do when it is refused", () =>
    serving(locked("authorization", "x"), async (address) => {
      expect(await refused(`${address}/openapi.json`))
        .to.include("status 401")
        .and.include("--header");
      const access = { credentials: {}, schemes: {}, hint: "name it with --base-url" };
      expect(await refused(`${address}/openapi.json`, { access })).to.include("name it with --base-url");
    }));
});
