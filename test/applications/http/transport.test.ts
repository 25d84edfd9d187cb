// What arguments chosen by a model may do to a request, checked at a target that is a raw socket.
import { expect } from "chai";
import { createHttpTransport } from "../../../src/applications/http/transport.js";
import { CallError, type Target, type Transport } from "../../../src/applications/transport.js";
import type { Action } from "../../../src/domain/schema-document.js";
import { type JsonObject, type JsonValue, parseJson } from "../../../src/lib/json.js";
import { httpAction, objectIn, parameter, prepare, send, targetAt } from "../../support/http.js";
import { type RecordingTarget, response, startTarget } from "../../support/target.js";

describe("tool execution to the target over HTTP", () => {
  let server: RecordingTarget;
  let transport: Transport;
  let target: Target;
  beforeEach(async () => {
    server = await startTarget();
    transport = createHttpTransport();
    target = targetAt(`${server.url}/v1`);
  });
  afterEach(async () => {
    await transport.close?.();
    await server.close();
  });

  const user = httpAction(
    { method: "GET", path: "/users/{id}", parameters: [parameter("id", "path")] },
    { id: { type: "string" } },
  );
  const pathOf = async (action: Action, args: JsonObject): Promise<string | undefined> => {
    await send(transport, action, args, target);
    return server.requests.at(-1)?.path;
  };
  const refuses = (action: Action, args: JsonObject): string => {
    let message = "";
    expect(
      () => {
        try {
          prepare(transport, action, args, target);
        } catch (error) {
          message = (error as Error).message;
          throw error;
        }
      },
      JSON.stringify(Object.keys(args)),
    ).to.throw(CallError);
    return message;
  };

  it("G1 refuses . and .. in a path, also when two values or the template make them", () => {
    for (const id of ["..", "."]) refuses(user, { id });
    const pair = httpAction({ path: "/users/{a}{b}/x", parameters: [parameter("a", "path"), parameter("b", "path")] });
    expect(refuses(pair, { a: ".", b: "." })).to.contain("must not be");
    for (const path of ["/a/../b", "/a/%2e%2E/b", "/./b"]) refuses(httpAction({ path, parameters: [] }), {});
    expect(server.connections).to.equal(0);
  });

  it("G3 G5 G9 encodes everything in a path value but unreserved characters, in one pass", async () => {
    const cases: Record<string, string> = {
      "%2f": "%252f",
      "a/b": "a%2Fb",
      "a\\b": "a%5Cb",
      "1?x=2": "1%3Fx%3D2",
      "1#f": "1%23f",
      ";v=1": "%3Bv%3D1",
      " ": "%20",
      "1\r\nX: y": "1%0D%0AX%3A%20y",
      "!'()*": "%21%27%28%29%2A",
      "~-._az09": "~-._az09",
      é: "%C3%A9",
      "$&": "%24%26",
      "$`": "%24%60",
      "{other}": "%7Bother%7D",
      "{id}": "%7Bid%7D",
    };
    for (const [id, expected] of Object.entries(cases))
      expect(await pathOf(user, { id }), id).to.equal(`/v1/users/${expected}`);
    const two = httpAction({ path: "/{a}/{b}", parameters: [parameter("a", "path"), parameter("b", "path")] });
    expect(await pathOf(two, { a: "{b}", b: "$1" })).to.equal("/v1/%7Bb%7D/%241");
  });

  it("G4 refuses an empty, missing or null path value: it would address the collection", () => {
    for (const args of [{ id: "" }, {}, { id: null }] as JsonObject[])
      expect(refuses(user, args)).to.match(/^id (must not|is missing)/);
  });

  it("G5 refuses a NUL wherever it would be in a URL", () => {
    refuses(user, { id: "a\0b" });
    refuses(httpAction({ path: "/x", parameters: [parameter("q", "query")] }), { q: "\0" });
  });

  it("G6 never writes an object, array, boolean or NaN where a plain value belongs", () => {
    for (const id of [{ a: 1 }, [1, 2], [[]], true, Number.NaN, Number.POSITIVE_INFINITY] as JsonValue[])
      refuses(user, { id });
    const untyped = httpAction({ path: "/users/{id}" });
    for (const id of [{ a: 1 }, [1, 2]]) refuses(untyped, { id });
  });

  it("G7 sends long integers with all their digits, in path, query and body, or refuses them", async () => {
    const args = parseJson(
      '{"id":1234567890123456789,"n":98765432109876543210,"deep":{"list":[12345678901234567890]}}',
    );
    const action = httpAction({
      method: "POST",
      path: "/users/{id}",
      parameters: [parameter("id", "path"), parameter("n", "query")],
      body: { contentType: "application/json", required: true, properties: { deep: "deep" } },
    });
    expect(await pathOf(action, args as JsonObject)).to.equal("/v1/users/1234567890123456789?n=98765432109876543210");
    expect(server.requests[0]?.body.toString()).to.equal('{"deep":{"list":[12345678901234567890]}}');
    expect(refuses(user, { id: 2 ** 60 })).to.contain("digits");
    server.answer(() => response(200, { "Content-Type": "application/json" }, '{"id":1234567890123456789}'));
    expect((await send(transport, user, { id: "1" }, target)).value).to.deep.equal({ id: 1234567890123456789n });
  });

  it("G8 refuses half a character", () => {
    refuses(user, { id: "\ud800" });
    refuses(httpAction({ path: "/x", parameters: [parameter("q", "query")] }), { q: "a\udc00" });
    const text = httpAction({ method: "POST", path: "/x", body: { contentType: "text/plain", argument: "body" } });
    refuses(text, { body: "\ud800" });
  });

  it("G10 refuses a header value with a line break or outside ASCII", () => {
    const action = httpAction({ path: "/x", parameters: [parameter("h", "header", { key: "X-Note" })] });
    for (const h of ["a\r\nX-Admin: 1", "a\nb", "日本", "é", "\x7f"])
      expect(refuses(action, { h })).to.contain("X-Note");
  });

  it("G11 F10 refuses header parameters that frame, route or authenticate the message or change its method, by name", async () => {
    const names = [
      "Host Cookie Content-Length Transfer-Encoding Connection Upgrade Expect Proxy-Authorization X-Forwarded-For",
      "X-Forwarded-Host X-HTTP-Method-Override X-Method-Override X-HTTP-Method Accept-Encoding Date Origin Via Cookie2",
      "X-Real-IP Sec-Fetch-Site X-Rewrite-URL X-Original-URL X-Original-Host Proxy Remote-User True-Client-IP",
      // As CGI, WSGI and PHP read them.
      "X_HTTP_Method_Override X_Forwarded_Host X_Original_URL X-Override-Method X-Envoy-Original-Path",
      // What proxies that sign users in, end TLS or know the client's address say of the client, in their own documentation.
      "X-Auth-Request-Email X-Webauth-User X-Remote-Group Remote-Groups X-Authenticated-User X-Goog-Authenticated-User-Email",
      "X-Goog-IAP-JWT-Assertion Cf-Access-Jwt-Assertion X-MS-Client-Principal X-Amzn-Oidc-Identity Tailscale-User-Login",
      "SSL_CLIENT_VERIFY X-SSL-Client-Cert X-Client-Cert X-ARR-ClientCert Client-Cert X-Forwarded X-Cluster-Client-IP",
      "Fastly-Client-IP X-AppEngine-User-Email X-Host X-HTTP-Host-Override",
    ].flatMap((line) => line.split(" "));
    for (const name of names) {
      const action = httpAction({
        path: "/x",
        parameters: [parameter(name, "header"), parameter("X-Trace", "header")],
      });
      expect(refuses(action, { [name]: "evil", "X-Trace": "1" }))
        .to.contain(name)
        .and.contain("target.headers");
      await send(transport, action, { "X-Trace": "1" }, target);
    }
    expect(server.requests.map(({ raw }) => raw.toString()).join()).to.not.contain("evil");
    expect(server.requests).to.have.length(names.length);
  });

  it("G11 ignores the header parameters that OpenAPI ignores, and sends what only sounds like a refused one", async () => {
    const sent = ["X-Trace", "X-Original-Filename", "If-Match", "X-Client-Version", "X-Goog-FieldMask", "Client-Id"];
    const names = ["Authorization", "Content-Type", "Accept", ...sent];
    const parameters = names.map((key) => parameter(key, "header"));
    const args = Object.fromEntries(names.map((key) => [key, "mine"]));
    await send(transport, httpAction({ path: "/x", parameters }), args, target);
    const [request] = server.requests;
    expect(request?.raw.toString().match(/mine/g)).to.have.length(sent.length);
    expect(sent.map((name) => request?.header(name.toLowerCase()))).to.deep.equal(sent.map(() => "mine"));
    expect(request?.header("host")).to.equal(`127.0.0.1:${server.port}`);
  });

  it("F10 drops method overrides from query and form body", async () => {
    const read = httpAction({ path: "/x", parameters: [parameter("_method", "query"), parameter("q", "query")] });
    expect(await pathOf(read, { _method: "DELETE", q: "1" })).to.equal("/v1/x?q=1");
    for (const name of ["X-HTTP-Method-Override", "x_http_method_override", "_method[]", " _method", ".method"])
      expect(await pathOf(httpAction({ path: "/x" }), { [name]: "DELETE", q: "1" }), name).to.equal("/v1/x?q=1");
    const exploded = httpAction(
      { path: "/x", parameters: [parameter("filter", "query")] },
      { filter: { type: "object" } },
    );
    expect(await pathOf(exploded, { filter: { _method: "DELETE", a: "1" } })).to.equal("/v1/x?a=1");
    const form = { contentType: "application/x-www-form-urlencoded", additional: true };
    await send(
      transport,
      httpAction({ method: "POST", path: "/x", body: form }),
      { _method: "DELETE", a: "1" },
      target,
    );
    expect(server.requests.at(-1)?.body.toString()).to.equal("a=1");
    const whole = httpAction({ method: "POST", path: "/x", body: { argument: "all" } }, { all: { type: "object" } });
    await send(transport, whole, { all: { _method: "DELETE", a: 1 } }, target);
    expect(server.requests.at(-1)?.body.toString()).to.equal('{"a":1}');
  });

  it("F10 refuses a call whose path itself names another method", () => {
    for (const query of [
      "_method=DELETE",
      "a=1&_method=DELETE",
      "a;_method=DELETE",
      "%5Fmethod=x",
      "x-http-method=PUT",
    ])
      expect(refuses(httpAction({ path: `/x?${query}`, parameters: [] }), {}), query).to.contain("another method");
    expect(prepare(transport, httpAction({ path: "/x?method=DELETE", parameters: [] }), {}, target)).to.be.an("object");
  });

  it("G12 G13 follows no redirect and reports where it points", async () => {
    const other = await startTarget();
    const places = [`${other.url}/stolen`, "file:///etc/passwd", "data:text/plain,x", "http://169.254.169.254/"];
    const secret = targetAt(server.url, { headers: { "X-Api-Key": "canary-key" } });
    for (const status of [301, 302, 303, 307, 308])
      for (const location of places) {
        server.answer(() => response(status, { Location: location }));
        const action = httpAction({
          method: "POST",
          path: "/x",
          body: { contentType: "application/json", argument: "b" },
        });
        const outcome = await send(transport, action, { b: { a: 1 } }, secret);
        expect(outcome.status).to.equal("error");
        expect(objectIn(outcome)).to.deep.include({ error: `http_${status}`, status, location });
      }
    expect(other.connections).to.equal(0);
    await other.close();
  });

  it("G14 refuses a path or server that leaves the target's origin, and an address that is none", () => {
    const paths = ["@evil.com/x", "//evil.com/x", "\\\\evil.com", "evil.com", "http://evil.com/x", ".evil.com/x", ""];
    for (const path of paths) refuses(httpAction({ path, parameters: [] }), {});
    for (const server of ["http://evil.com", "//evil.com/v1", "https://127.0.0.1:1/", "http://user@evil.com/"])
      expect(refuses(httpAction({ path: "/x", parameters: [], server }), {})).to.contain("nothing was sent");
    for (const baseUrl of ["", "evil.com", "file:///etc", "http://user:pass@127.0.0.1/"])
      expect(() => prepare(transport, user, { id: "1" }, targetAt(baseUrl))).to.throw(CallError);
    const first = httpAction({ path: "{host}/x", parameters: [parameter("host", "path")] });
    for (const host of ["@evil.com", "//evil.com", ":80@evil.com"]) refuses(first, { host });
    expect(server.connections).to.equal(0);
  });

  it("G14 takes an operation's own server at the target's origin", async () => {
    const at = (base: string): Action => httpAction({ path: "/x", parameters: [], server: base });
    expect(await pathOf(at("/v2"), {})).to.equal("/v2/x");
    expect(await pathOf(at(`${server.url}/v3/`), {})).to.equal("/v3/x");
    expect(await pathOf(at("beta"), {})).to.equal("/v1/beta/x");
    expect(await pathOf(at("/"), {})).to.equal("/x");
  });

  it("G15 encodes a query value as one value", async () => {
    const action = httpAction({ path: "/x", parameters: [parameter("q", "query")] });
    expect(await pathOf(action, { q: "a=1&admin=true" })).to.equal("/v1/x?q=a%3D1%26admin%3Dtrue");
    expect(await pathOf(action, { q: ["a&b", "c"] })).to.equal("/v1/x?q=a%26b&q=c");
    expect(await pathOf(action, { q: "a+b #%20" })).to.equal("/v1/x?q=a%2Bb%20%23%2520");
  });

  it("G22 sends neither unknown arguments nor inherited ones, and refuses __proto__ by name", async () => {
    const closed = httpAction({
      method: "POST",
      path: "/x",
      parameters: [parameter("toString", "query"), parameter("q", "query")],
      body: {
        contentType: "application/json",
        required: true,
        properties: { name: "name", constructor: "constructor" },
      },
    });
    expect(await pathOf(closed, { name: "n", q: "1", admin: true })).to.equal("/v1/x?q=1");
    expect(server.requests.at(-1)?.body.toString()).to.equal('{"name":"n"}');
    const open = httpAction({
      method: "POST",
      path: "/x",
      body: { contentType: "application/json", additional: true },
    });
    const polluting = parseJson('{"__proto__":{"admin":true},"name":"n"}') as JsonObject;
    for (const action of [open, httpAction({ path: "/{__proto__}" }), httpAction({ path: "/x" })])
      expect(refuses(action, polluting)).to.contain("__proto__");
  });

  it("G25 sends every call once, also when the target resets, closes or answers 500", async () => {
    const failures = [
      (): Buffer => response(500, {}),
      (): Buffer => response(503, { "Retry-After": "1" }),
      () => (socket: { resetAndDestroy(): unknown }) => void socket.resetAndDestroy(),
      () => (socket: { destroy(): unknown }) => void socket.destroy(),
    ];
    for (const method of ["GET", "PUT", "POST"])
      for (const failure of failures) {
        await send(transport, httpAction({ path: "/warm" }), {}, target); // a kept connection, the one that tempts to retry
        server.requests.length = 0;
        server.answer(failure);
        const outcome = await send(transport, httpAction({ method, path: "/x", parameters: [] }), {}, target);
        expect(outcome.status).to.equal("error");
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(server.requests.map(({ path }) => path)).to.deep.equal(["/v1/x"]);
        server.answer(() => response(200, {}));
      }
  });

  it("keeps connections between calls", async () => {
    for (let i = 0; i < 5; i++) await send(transport, user, { id: "1" }, target);
    expect(server.connections).to.be.at.most(2);
  });

  it("sends nothing while preparing, and previews the whole request", () => {
    const action = httpAction({
      method: "PATCH",
      path: "/users/{id}",
      parameters: [parameter("id", "path"), parameter("access_token", "query"), parameter("q", "query")],
      body: { contentType: "application/json", required: true, properties: { full_name: "fullName" } },
      security: [{ key: [] }],
    });
    const call = transport.prepare(
      action,
      {
        sent: { id: "7", access_token: "canary-arg", q: "1", full_name: "Ada" },
        shown: { id: "7", access_token: "[redacted]", q: "1", full_name: "[redacted] Ada" },
      },
      {
        ...target,
        headers: { "X-Tenant": "canary-header" },
        schemes: { key: { type: "apiKey", in: "query", name: "api_key" } },
        credentials: { key: "canary-key" },
      },
    );
    const url = `${server.url}/v1/users/7?access_token=[redacted]&q=1`;
    expect(call.request).to.deep.equal({ method: "PATCH", url });
    expect(call.preview).to.deep.include({
      method: "PATCH",
      url: `${url}&api_key=[redacted]`,
      body: { fullName: "[redacted] Ada" },
    });
    expect(call.preview["headers"]).to.deep.include({ "x-tenant": "[redacted]", "content-type": "application/json" });
    expect(JSON.stringify([call.request, call.preview]))
      .not.to.contain("canary")
      .and.not.to.contain('"Ada"');
    expect(server.connections).to.equal(0);
  });

  it("takes hand-written descriptions: placeholders from the path, the rest into query or JSON body", async () => {
    expect(await pathOf(httpAction({ path: "/u/{id}" }), { id: 7, tag: ["a", "b"], f: { x: 1 } })).to.equal(
      "/v1/u/7?tag=a&tag=b&f%5Bx%5D=1",
    );
    expect(await pathOf(httpAction({ method: "put", path: "/u/{id}" }), { id: 7, name: "x" })).to.equal("/v1/u/7");
    expect(server.requests.at(-1)?.method).to.equal("PUT");
    expect(server.requests.at(-1)?.body.toString()).to.equal('{"name":"x"}');
    expect(refuses(httpAction({ method: "GET /x\r\n", path: "/" }), {})).to.contain("cannot be called");
    expect(refuses(httpAction({ method: "GET" }), {})).to.contain("no path");
  });

  it("keeps a query that is part of the path and leaves a fragment out", async () => {
    expect(await pathOf(httpAction({ path: "/x?mode=full#part" }), { q: 1 })).to.equal("/v1/x?mode=full&q=1");
    expect(await pathOf(httpAction({ path: "/a b/é" }), {})).to.equal("/v1/a%20b/%C3%A9");
  });
});
