// The operator's credentials: where they go, and where they never go.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import { CallError, type Target, type Transport } from "../../../../src/applications/transport.js";
import type { Action } from "../../../../src/domain/schema-document.js";
import { type JsonObject, toJson } from "../../../../src/lib/json.js";
import { httpAction, objectIn, parameter, prepare, send, targetAt } from "../../../support/http.js";
import { json, type RecordedRequest, type RecordingTarget, response, startTarget } from "../../../support/target.js";

const SCHEMES: Record<string, JsonObject> = {
  header: { type: "apiKey", in: "header", name: "X-Api-Key" },
  query: { type: "apiKey", in: "query", name: "api_key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "Bearer" },
  oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/oauth/token", scopes: { read: "" } } } },
  implicit: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://x.example/", scopes: {} } } },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://x.example/" },
};

describe("authentication to the target", () => {
  let server: RecordingTarget;
  let transport: Transport;
  let learned: string[];
  beforeEach(async () => {
    server = await startTarget();
    learned = [];
    transport = createHttpTransport({
      redact: {
        learn: (secret) => void learned.push(secret),
        text: (text) => text.replaceAll("canary", "[redacted]"),
        cutText: (text) => text,
      },
    });
  });
  afterEach(async () => {
    await transport.close?.();
    await server.close();
  });

  const needing = (security?: JsonObject[], parameters = [parameter("q", "query")]): Action =>
    httpAction({ method: "GET", path: "/x", parameters, ...(security && { security }) });
  const withKeys = (credentials: Record<string, string>, extra: Partial<Target> = {}): Target =>
    targetAt(server.url, { schemes: SCHEMES, credentials, ...extra });
  const sent = async (action: Action, target: Target, args: JsonObject = {}): Promise<RecordedRequest> => {
    await send(transport, action, args, target);
    const request = server.requests.at(-1);
    if (!request) throw new Error("nothing arrived");
    return request;
  };

  it("puts every kind of credential where its scheme says and previews none of them", async () => {
    const cases: [
      scheme: string,
      credential: string,
      place: (request: RecordedRequest) => unknown,
      expected: string,
    ][] = [
      ["header", "k-canary", (r) => r.header("x-api-key"), "k-canary"],
      ["query", "k canary", (r) => r.path, "/x?api_key=k%20canary"],
      ["cookie", "k-canary", (r) => r.header("cookie"), "sid=k-canary"],
      ["basic", "user:canary", (r) => r.header("authorization"), "Basic dXNlcjpjYW5hcnk="],
      ["bearer", "canary\n", (r) => r.header("authorization"), "Bearer canary"],
      ["bearer", "Bearer canary", (r) => r.header("authorization"), "Bearer canary"],
      ["implicit", "canary", (r) => r.header("authorization"), "Bearer canary"],
      ["oidc", "canary", (r) => r.header("authorization"), "Bearer canary"],
    ];
    for (const [scheme, credential, place, expected] of cases) {
      const target = withKeys({ [scheme]: credential });
      const action = needing([{ [scheme]: [] }]);
      const call = prepare(transport, action, {}, target);
      expect(JSON.stringify(call), scheme).not.to.contain("canary");
      expect(JSON.stringify(call.preview), scheme).to.contain("[redacted]");
      expect(place(await sent(action, target)), scheme).to.equal(expected);
    }
  });

  it("takes the first alternative the operator mapped whole, and adds cookies to cookies", async () => {
    const target = withKeys({ cookie: "s1", query: "k1", bearer: "t1" });
    const both = await sent(needing([{ header: [], cookie: [] }, { cookie: [], query: [] }, { bearer: [] }]), target);
    expect([both.header("cookie"), both.path, both.header("authorization")]).to.deep.equal([
      "sid=s1",
      "/x?api_key=k1",
      undefined,
    ]);
    const cookie = needing([{ cookie: [] }], [parameter("c", "cookie")]);
    expect((await sent(cookie, target, { c: "1" })).header("cookie")).to.equal("c=1; sid=s1");
  });

  it("sends no credential to an operation that needs none, all mapped ones where the document names no security", async () => {
    const target = withKeys({ bearer: "canary", header: "canary" });
    expect((await sent(needing([]), target)).raw.toString()).not.to.contain("canary");
    expect((await sent(needing([{}, { query: [] }]), target)).raw.toString()).not.to.contain("canary");
    const undeclared = await sent(needing(), target);
    expect([undeclared.header("authorization"), undeclared.header("x-api-key")]).to.deep.equal([
      "Bearer canary",
      "canary",
    ]);
  });

  it("sends no credential whose scheme the operator did not map, and names the scheme when the target refuses", async () => {
    server.answer(() => json({ message: "no" }, 401));
    const outcome = await send(transport, needing([{ bearer: [] }]), {}, withKeys({ header: "canary" }));
    expect(server.requests[0]?.raw.toString()).not.to.contain("canary");
    expect(objectIn(outcome)["message"]).to.contain("the operation needs bearer").and.to.contain("target.auth");
  });

  it("names the settings of the application that was called", async () => {
    server.answer(() => json({ message: "no" }, 401));
    const message = async (security: JsonObject[], more: Partial<Target>): Promise<unknown> => {
      const target = { ...withKeys({ header: "canary" }), application: "shop", ...more };
      return objectIn(await send(transport, needing(security), {}, target))["message"];
    };
    expect(await message([{ bearer: [] }], {})).to.contain("for which applications.shop.auth holds no credential");
    expect(await message([{ header: [] }], {})).to.contain("in applications.shop.auth or applications.shop.headers");
    const waiting = { credentialsWait: true };
    const refused = await message([{ header: [] }], waiting).catch((error: unknown) => String(error));
    expect(refused).to.contain("set applications.shop.base_url").and.contain("agentd sync --name shop --base-url");
  });

  it("never lets an argument take a credential's place", async () => {
    const action = needing([{ query: [] }], [parameter("api_key", "query"), parameter("q", "query")]);
    expect((await sent(action, withKeys({ query: "real" }), { api_key: "evil", q: "1" })).path).to.equal(
      "/x?q=1&api_key=real",
    );
    const header = needing([{ header: [] }], [parameter("X-API-KEY", "header")]);
    const request = await sent(header, withKeys({ header: "real" }), { "X-API-KEY": "evil" });
    expect(request.headers.filter(([name]) => /x-api-key/i.test(name))).to.deep.equal([["x-api-key", "real"]]);
    const cookies = needing(
      [{ cookie: [] }],
      [parameter("sid", "cookie"), parameter("c", "cookie", { explode: true })],
    );
    for (const args of [{ sid: "evil" }, { c: { sid: "evil" } }] as JsonObject[])
      expect((await sent(cookies, withKeys({ cookie: "real" }), args)).header("cookie")).to.equal("sid=real");
  });

  it("sends the operator's headers with every call, over an argument's", async () => {
    const target = withKeys({}, { headers: { "X-Tenant": "acme", Accept: "application/vnd.x+json" } });
    const request = await sent(needing(undefined, [parameter("X-Tenant", "header")]), target, { "X-Tenant": "evil" });
    expect(request.header("x-tenant")).to.equal("acme");
    expect(request.header("accept")).to.equal("application/vnd.x+json");
    const broken = await send(transport, needing(), {}, withKeys({}, { headers: { "X-T": "canary\r\nX: y" } }));
    expect(objectIn(broken)["error"]).to.equal("invalid_request");
    expect(JSON.stringify(broken.value)).not.to.contain("canary");
  });

  describe("OAuth client credentials", () => {
    let tokens = 0;
    beforeEach(() => {
      tokens = 0;
      server.answer((request) =>
        request.path === "/oauth/token"
          ? json({ access_token: `token-${++tokens}`, token_type: "BearerToken", expires_in: 3600 })
          : json({ ok: true }),
      );
    });
    const action = needing([{ oauth: ["read", "write"] }]);
    const paths = (): string[] => server.requests.map((request) => `${request.method} ${request.path}`);

    it("fetches a token once, uses it for calls side by side and later, and has it redacted", async () => {
      const target = withKeys({ oauth: "cl:id:s3cr+t" });
      await Promise.all([send(transport, action, {}, target), send(transport, action, {}, target)]);
      await send(transport, action, {}, target);
      expect(paths()).to.deep.equal(["POST /oauth/token", "GET /x", "GET /x", "GET /x"]);
      const [grant, ...calls] = server.requests;
      expect(grant?.header("authorization")).to.equal(`Basic ${Buffer.from("cl:id%3As3cr%2Bt").toString("base64")}`);
      expect(grant?.body.toString()).to.equal("scope=read+write&grant_type=client_credentials");
      expect(calls.map((request) => request.header("authorization"))).to.deep.equal(Array(3).fill("Bearer token-1"));
      expect(learned).to.deep.equal(["token-1"]);
    });

    it("asks as a plain form, with a client id as it is written", async () => {
      const id = "0b9e0b4e-7c1f-4a52-9d53-1c2f6a6a1b11";
      await send(transport, action, {}, withKeys({ oauth: `${id}:s_e.c-r~et` }));
      const [grant] = server.requests;
      expect(grant?.header("authorization")).to.equal(`Basic ${btoa(`${id}:s_e.c-r~et`)}`);
      expect(grant?.header("content-type")).to.equal("application/x-www-form-urlencoded");
      expect(grant?.header("accept")).to.equal("application/json");
      expect(grant?.header("user-agent")).to.equal(undefined);
    });

    it("takes an answer as loose as servers give it", async () => {
      const KEPT = "one token for both calls";
      const ONCE = "a token for each call";
      const cases: [members: JsonObject, lifetime: string][] = [
        [{}, KEPT],
        [{ token_type: "mac" }, KEPT],
        [{ token_type: ["bearer"] }, KEPT],
        [{ id_token: "not.a.jwt", scope: "openid" }, KEPT],
        [{ scope: ["read", "write"] }, KEPT],
        [{ scope: null, refresh_token: null, expires_in: null }, KEPT],
        [{ refresh_token: "" }, KEPT],
        [{ error: "" }, KEPT],
        [{ expires_in: "60" }, KEPT],
        [{ expires_in: 60.5 }, KEPT],
        [{ expires_in: 12345678901234567890n }, KEPT],
        [{ expires_in: 0 }, ONCE],
        [{ expires_in: "" }, ONCE],
        [{ expires_in: -1 }, ONCE],
        [{ expires_in: "never" }, ONCE],
        [{ expires_in: {} }, ONCE],
      ];
      for (const [members, lifetime] of cases) {
        const text = toJson({ access_token: "loose", ...members });
        server.requests.length = 0;
        server.answer((request) =>
          request.path === "/oauth/token" ? response(200, { "Content-Type": "text/plain" }, text) : json({}),
        );
        const target = withKeys({ oauth: `id:${text}` });
        await send(transport, action, {}, target);
        expect(server.requests.at(-1)?.header("authorization"), text).to.equal("Bearer loose");
        await send(transport, action, {}, target);
        const fetched = paths().filter((path) => path === "POST /oauth/token").length;
        expect(fetched, text).to.equal(lifetime === KEPT ? 1 : 2);
      }
    });

    it("quotes the endpoint's error, whatever the status", async () => {
      const cases: [status: number, body: string, quoted: string][] = [
        [200, '{"error":"invalid_scope"}', "200 (invalid_scope)"],
        [400, '{"error":"invalid_client","error_description":["x"]}', "400 (invalid_client)"],
        [302, '{"error":"moved"}', "302 (moved)"],
        [503, '{"error":"temporarily_unavailable"}', "503 (temporarily_unavailable)"],
        [900, '{"error":"odd"}', "900 (odd)"],
        [500, '{"error":{"code":1}}', "500"],
        [201, '{"access_token":"created"}', "201"],
        [200, '{"access_token":12345678901234567890}', "200"],
        [200, '["a list"]', "200"],
        [204, "", "204"],
      ];
      for (const [status, body, quoted] of cases) {
        server.answer(() => response(status, { "Content-Type": "application/json" }, body));
        const outcome = await send(transport, action, {}, withKeys({ oauth: "id:secret" }));
        expect(objectIn(outcome)["error"], body).to.equal("auth_failed");
        expect(objectIn(outcome)["message"], body).to.contain(`answered ${quoted} instead of giving an access token`);
      }
    });

    it("quotes the endpoint's error beside a challenge, too", async () => {
      const headers = { "WWW-Authenticate": 'Basic realm="tokens"', "Content-Type": "application/json" };
      server.answer(() => response(401, headers, '{"error":"invalid_client"}'));
      const outcome = await send(transport, action, {}, withKeys({ oauth: "id:secret" }));
      expect(objectIn(outcome)["message"]).to.contain(
        "answered 401 (invalid_client) instead of giving an access token",
      );
    });

    it("sends a refused call once, and once more with a fresh token when it is told to, whatever the answer", async () => {
      const target = withKeys({ oauth: "id:secret" });
      await send(transport, action, {}, target);
      server.answer((request) =>
        request.path === "/oauth/token" ? json({ access_token: "fresh", expires_in: 3600 }) : json({}, 401),
      );
      const refused = await send(transport, action, {}, target);
      expect(refused.status).to.equal("error");
      expect(paths().slice(2)).to.deep.equal(["GET /x"]);
      const renewal = await refused.renew?.();
      expect(paths().slice(3)).to.deep.equal(["POST /oauth/token"]);
      const again = renewal && "send" in renewal ? await renewal.send() : undefined;
      expect(again?.status).to.equal("error");
      expect(again?.renew).to.equal(undefined);
      expect(paths().slice(4)).to.deep.equal(["GET /x"]);
      expect(server.requests.at(-1)?.header("authorization")).to.equal("Bearer fresh");
    });

    it("sends nothing again when there is no other credential", async () => {
      server.answer((request) =>
        request.path === "/oauth/token" ? json({ access_token: "same", expires_in: 3600 }) : json({}, 401),
      );
      const refused = await send(transport, action, {}, withKeys({ oauth: "id:secret" }));
      expect(await refused.renew?.()).to.have.nested.property("outcome.status", "error");
      const fixed = await send(transport, needing([{ bearer: [] }]), {}, withKeys({ bearer: "t1" }));
      expect(fixed.renew).to.equal(undefined);
    });

    it("does not use a token that has expired", async () => {
      server.answer((request) =>
        request.path === "/oauth/token" ? json({ access_token: `short-${++tokens}`, expires_in: 5 }) : json({}),
      );
      const target = withKeys({ oauth: "id:secret" });
      await send(transport, action, {}, target);
      await send(transport, action, {}, target);
      expect(tokens).to.equal(2);
    });

    it("sends nothing to the target when there is no token, and keeps the secret out of the message", async () => {
      const answers = [
        json({ error: "invalid_client" }, 401),
        json({ access_token: "a\r\nX: y" }),
        response(302, { Location: "http://127.0.0.1:1/" }),
        json("not json"),
      ];
      for (const answer of answers) {
        server.answer(() => answer);
        const outcome = await send(transport, action, {}, withKeys({ oauth: "id:canary-secret" }));
        expect(objectIn(outcome)["error"]).to.equal("auth_failed");
        expect(JSON.stringify(outcome.value)).to.contain("/oauth/token").and.not.to.contain("canary");
      }
      expect(new Set(paths())).to.deep.equal(new Set(["POST /oauth/token"]));
    });

    it("N3 quotes the endpoint's error without what it repeats of the secret, where the quotation ends too", async () => {
      server.answer(() => json({ error: `${"x".repeat(76)}canary-secret` }, 400));
      const outcome = await send(transport, action, {}, withKeys({ oauth: "id:canary-secret" }));
      expect(JSON.stringify(outcome.value)).to.contain("xxxx").and.not.to.contain("cana");
    });

    it("N10 never sends a secret to a token endpoint at another origin unless the operator names it", async () => {
      const other = await startTarget(() => json({ access_token: "theirs", expires_in: 60 }));
      const schemes = {
        oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: `${other.url}/token`, scopes: {} } } },
      };
      const mapped = withKeys({ oauth: "id:secret" }, { schemes });
      expect(() => prepare(transport, action, {}, mapped)).to.throw(CallError, other.url);
      expect(other.connections).to.equal(0);
      const named = withKeys({ oauth: `id:secret ${other.url}/token` }, { schemes });
      await send(transport, action, {}, named);
      expect(other.requests.map(({ path }) => path)).to.deep.equal(["/token"]);
      expect(server.requests.at(-1)?.header("authorization")).to.equal("Bearer theirs");
      await other.close();
    });

    it("takes a credential without a colon as a token that is ready", async () => {
      const request = await sent(action, withKeys({ oauth: "ready" }));
      expect(request.header("authorization")).to.equal("Bearer ready");
      expect(paths()).to.deep.equal(["GET /x"]);
    });
  });
});
