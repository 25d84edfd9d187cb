// A person signs in to an application once, and the daemon keeps the sign-in alive. The program, an authorization server and an
// application, each in its own process or at its own port. Source: docs/reference.md, "Signing in to an application".
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.js";
import { petShop } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Ended, type Running, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const TURNS = [
  { prompt: "list", replies: [{ calls: [{ name: "list_pets", arguments: {} }] }, { text: "Two pets." }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Done." }] },
];

describe("Signing in to an application", function () {
  this.timeout(60_000);
  let server: AuthorizationServer;
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  /** Whether the application lets a request in. */
  const isLetIn = (authorization: string | undefined): boolean =>
    server.valid.has(authorization?.replace("Bearer ", "") ?? "");

  beforeEach(async () => {
    server = await startAuthorizationServer();
    target = await startTarget((request) =>
      isLetIn(request.header("authorization")) ? json([{ id: 1 }]) : json({ message: "who are you?" }, 401),
    );
    home = dataDir({ target: target.url, turns: TURNS });
    const shop = petShop(target.url) as { resources: { actions: { transport: object }[] }[] };
    for (const { transport } of shop.resources.flatMap(({ actions }) => actions))
      Object.assign(transport, { security: [{ sso: ["pets"] }] });
    const auth = { sso: { type: "oauth2", flows: {} } };
    writeFileSync(join(home.dir, "schema.json"), JSON.stringify({ ...shop, auth }));
    configure({ client_id: "agentd-test", issuer: server.url });
  });
  afterEach(async () => {
    await stopAll();
    await server.close();
    await target.close();
  });

  const configure = (client: object): void => {
    const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ providers, target: { auth: { sso: client } } }));
  };
  const login = (...args: string[]): Running => start([...PROGRAM, "login", ...args, "--data-dir", home.dir]);
  const visit = async (running: Running): Promise<Response> =>
    fetch(await running.prints(/\n {2}(http\S+authorize\S+)/));
  const signIn = async (...args: string[]): Promise<Ended> => {
    const running = login(...args);
    expect(await (await visit(running)).text()).to.include("You are signed in");
    const ended = await running.ended;
    expect(ended.code, ended.stderr).to.equal(0);
    return ended;
  };
  const kept = (): Record<string, { access_token: string; refresh_token?: string }> =>
    JSON.parse(readFileSync(join(home.dir, "logins", "-.json"), "utf8"));
  const daemon = (): Promise<Served> => serve(["--data-dir", home.dir]);
  const run = async (served: Served, message: string): Promise<string> =>
    (await postJson(`${served.url}/run`, { message })).text();
  const history = (served: Served): Promise<HistoryEntry[]> => getJson(`${served.url}/history`);
  const grants = (): (string | undefined)[] => server.requests.map(({ form }) => form["grant_type"]);

  it("says what is lacking: the client of an application that has none, the entry of one that is not there, a choice @all", async () => {
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await login(...args).ended;
      expect(code).to.equal(2);
      return stderr;
    };
    expect(await refusal("shop")).to.equal(
      "agentd: config.json has no applications.shop, in whose auth the OAuth client of a sign-in stands. It has: -.\n",
    );
    configure({ client_id: "agentd-test", client_secret: "x-client-secret-x", grant: "client_credentials" });
    expect(await refusal()).to.match(/^agentd: no application has an OAuth client .* Write one into target\.auth or /);
  });

  it("N17 signs in with PKCE and a loopback redirect, keeps the tokens for the owner only, and repeats none anywhere", async () => {
    const { stderr: said, stdout } = await signIn();
    expect(server.visited.get("code_challenge_method")).to.equal("S256");
    expect(server.visited.get("redirect_uri")).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(server.visited.get("scope")).to.equal("pets");
    const { sso } = kept();
    expect(statSync(join(home.dir, "logins", "-.json")).mode & 0o777).to.equal(0o600);
    expect(statSync(join(home.dir, "logins")).mode & 0o777).to.equal(0o700);
    const served = await daemon();
    const answer = await run(served, "list");
    expect(target.requests.map((request) => request.header("authorization"))).to.deep.equal([
      `Bearer ${sso?.access_token}`,
    ]);
    await agentd(["backup", join(home.dir, "copy.db"), "--data-dir", home.dir]);
    const pages = await Promise.all(
      ["/history", "/schema", "/config/public", "/tools"].map(async (path) => (await fetch(served.url + path)).text()),
    );
    const { stderr } = await served.stop();
    const files = readdirSync(home.dir).filter((name) => /\.(db|db-wal|json)$/.test(name));
    const everything = [
      said,
      stdout,
      answer,
      stderr,
      ...pages,
      ...files.map((name) => readFileSync(join(home.dir, name), "latin1")),
    ];
    for (const token of [sso?.access_token ?? "?", sso?.refresh_token ?? "?"])
      for (const text of everything) expect(text).to.not.include(token);
  });

  it("N17 ignores an answer of another state, and reports an error, a foreign issuer and an error page without their text @all", async () => {
    const running = login();
    const address = new URL(await running.prints(/\n {2}(http\S+authorize\S+)/));
    const callback = address.searchParams.get("redirect_uri") ?? "";
    for (const query of [
      "?code=stolen&state=other",
      "?code=stolen",
      `?code=a&state=x&state=${address.searchParams.get("state")}`,
    ])
      expect((await fetch(callback + query)).status).to.equal(400);
    expect((await fetch(callback.replace("/callback", "/other"))).status).to.equal(404);
    expect(running.isAlive()).to.equal(true);
    expect((await visit(running)).status).to.equal(200);
    expect((await running.ended).code).to.equal(0);
    expect(server.requests.map(({ form }) => form["code"])).to.not.include("stolen");

    const failing = async (prepare: () => void): Promise<string> => {
      prepare();
      const other = login();
      const page = await (await visit(other)).text();
      expect(page).to.include("The sign-in failed").and.not.include("<script>");
      const { code, stderr } = await other.ended;
      expect(code).to.equal(1);
      return stderr;
    };
    const before = kept();
    const denied = await failing(() => {
      server.onAuthorize = (answer) => {
        answer.delete("code");
        answer.set("error", "access_denied");
        answer.set("error_description", "<script>alert(1)</script>");
      };
    });
    expect(denied).to.include("answered access_denied instead of a code");
    const foreign = await failing(() => {
      server.onAuthorize = (answer) => answer.set("iss", "https://evil.example");
    });
    expect(foreign).to.include("cannot be used");
    const page = await failing(() => {
      server.onAuthorize = () => {};
      server.next = [{ status: 500, body: "<html><script>alert(1)</script></html>" }];
    });
    expect(page).to.include("/token answered 500 instead of giving an access token").and.not.include("<script>");
    expect(kept()).to.deep.equal(before);
  });

  it("N10 N17 sends neither code nor refresh token where a redirect points, nor to endpoints that only the description names", async () => {
    const other = await startTarget(() => json({ access_token: "theirs", expires_in: 60 }));
    server.next = [{ status: 307, body: "", headers: { Location: `${other.url}/token` } }];
    const running = login();
    await visit(running);
    expect((await running.ended).stderr).to.include("answered 307");
    const flows = { authorizationCode: { authorizationUrl: `${other.url}/authorize`, tokenUrl: `${other.url}/token` } };
    const document = JSON.parse(readFileSync(join(home.dir, "schema.json"), "utf8"));
    writeFileSync(
      join(home.dir, "schema.json"),
      JSON.stringify({ ...document, auth: { sso: { type: "oauth2", flows } } }),
    );
    configure({ client_id: "agentd-test" });
    const { code, stderr } = await login().ended;
    expect(code).to.equal(1);
    expect(stderr).to.include(other.url).and.include('"token_url"');
    expect(other.connections).to.equal(0);
    await other.close();
  });

  it("signs in by a device code, slower when the server asks for it, and as the client that is configured @all", async () => {
    configure({
      client_id: "agentd-test",
      client_secret: "s3cret-of-client",
      grant: "device_code",
      client_auth: "body",
      issuer: server.url,
      audience: "https://api.example",
      scope: "pets offline_access",
    });
    server.next = [{ status: 400, body: '{"error":"slow_down"}' }];
    const running = login();
    expect(await running.prints(/\n {2}([A-Z-]+)\n/)).to.equal("WDJB-MJHT");
    await until(() => server.requests.length > 1);
    server.agree();
    const { code, stderr } = await running.ended;
    expect(code, stderr).to.equal(0);
    const [asked, ...polls] = server.requests;
    expect(asked?.form).to.deep.include({ audience: "https://api.example", scope: "pets offline_access" });
    expect(polls.length).to.equal(2);
    // A second, and the five more that the answer asks for.
    expect((polls[1]?.at ?? 0) - (polls[0]?.at ?? 0)).to.be.at.least(5_900);
    for (const { form, authorization } of server.requests) {
      expect(form).to.include({ client_id: "agentd-test", client_secret: "s3cret-of-client" });
      expect(authorization).to.equal(undefined);
    }
    expect(stderr).to.include("Signed in to - (sso)").and.not.include("s3cret-of-client");
  });

  it("N18 renews an expiring token before the call, commits the new refresh token first, and survives kill -9 there @all", async () => {
    server.lifetimeS = 1;
    await signIn();
    const first = kept()["sso"]?.refresh_token;
    const served = await daemon();
    server.lifetimeS = 3600;
    let onDisk: string | undefined;
    target.answer((request) => {
      onDisk = kept()["sso"]?.access_token;
      return isLetIn(request.header("authorization")) ? json([]) : json({}, 401);
    });
    await run(served, "list");
    expect(grants()).to.deep.equal(["authorization_code", "refresh_token"]);
    expect(kept()["sso"]?.refresh_token).to.not.equal(first);
    expect(target.requests[0]?.header("authorization")).to.equal(`Bearer ${onDisk}`);
    // Between the renewal and the answer of the application.
    target.answer(() => {
      served.child.kill("SIGKILL");
      return () => {};
    });
    await run(served, "list").catch(() => "");
    await served.ended;
    target.answer(() => json([]));
    const again = await daemon();
    await run(again, "list");
    expect(target.requests.at(-1)?.header("authorization")).to.equal(`Bearer ${kept()["sso"]?.access_token}`);
    expect(grants().length).to.equal(2);
  });

  it("N19 sends a call that got 401 once more with a renewed token, and has both attempts on record @all", async () => {
    await signIn();
    const served = await daemon();
    await run(served, "create");
    server.valid.clear();
    const answer = JSON.parse(await run(served, "create")) as { events: { kind: string; status?: string }[] };
    expect(answer.events.filter(({ kind }) => kind === "tool_result").map(({ status }) => status)).to.deep.equal([
      "ok",
    ]);
    expect(target.requests.map(({ method }) => method)).to.deep.equal(["POST", "POST", "POST"]);
    const rows = (await history(served)).reverse();
    expect(rows.map(({ status }) => status)).to.deep.equal(["ok", "ok", "error"]);
    const [, sent, refused] = rows;
    expect(refused?.call_id).to.equal(sent?.call_id);
    expect(refused?.result).to.include({ sent_again: true });
    expect((await agentd(["history", "verify", "--data-dir", home.dir])).code).to.equal(0);
    // Exactly once more, whatever the answer.
    target.answer(() => json({ message: "no" }, 401));
    await run(served, "create");
    expect(target.requests.length).to.equal(5);
    expect((await history(served)).map(({ status }) => status)).to.deep.equal(["error", "error", "error", "ok", "ok"]);
  });

  it("N19 is interrupted, with the refused attempt on record, when the daemon dies in the second attempt @all", async () => {
    await signIn();
    const served = await daemon();
    server.valid.clear();
    let attempts = 0;
    target.answer(() => {
      if (++attempts === 1) return json({}, 401);
      served.child.kill("SIGKILL");
      return () => {};
    });
    await run(served, "create").catch(() => "");
    await served.ended;
    const again = await daemon();
    const rows = await history(again);
    expect(rows.map(({ status }) => status)).to.deep.equal(["error", "interrupted"]);
    const turn = await getJson<{ events: { kind: string }[] }>(`${again.url}/-/turns/${rows[0]?.turn_id}/events`);
    const kinds = turn.events.map(({ kind }) => kind).filter((kind) => kind !== "session");
    expect(kinds).to.deep.equal(["user_prompt", "tool_call", "tool_result", "error", "done"]);
    const session = await getJson<{ turns: { messages: { role: string }[] }[] }>(
      `${again.url}/-/sessions/${rows[0]?.session_id}`,
    );
    const roles = session.turns[0]?.messages.map(({ role }) => role);
    expect(roles).to.deep.equal(["user", "assistant", "tool", "notice"]);
    expect(attempts).to.equal(2);
  });

  it("N19 keeps the confirmation's own row for the attempt that counts @all", async () => {
    await signIn();
    const served = await serve(["--data-dir", home.dir, "--confirm"]);
    server.valid.clear();
    await run(served, "create");
    const [held] = await getJson<{ id: string; history_id: number }[]>(`${served.url}/-/confirmations`);
    const decided = await postJson(`${served.url}/-/confirmations/${held?.id}`, { decision: "approve" });
    expect(((await decided.json()) as { outcome: { status: string } }).outcome.status).to.equal("ok");
    const rows = await history(served);
    expect(rows.find(({ id }) => id === held?.history_id)?.status).to.equal("ok");
    expect(rows.map(({ status }) => status)).to.deep.equal(["error", "ok"]);
    expect(target.requests.length).to.equal(2);
  });

  it("N18 loses no sign-in while the server is out of reach, and says how to sign in again once it is over @all", async () => {
    await signIn();
    const served = await daemon();
    const before = kept();
    server.valid.clear();
    await server.close();
    expect(await run(served, "list")).to.include("cannot be reached");
    expect(kept()).to.deep.equal(before);
    await server.reopen();
    server.next = [{ status: 503, body: "later" }];
    expect(await run(served, "list")).to.include("answered 503");
    expect(kept()).to.deep.equal(before);
    expect(await run(served, "list")).to.not.include("auth_failed");
    server.valid.clear();
    server.next = [{ status: 400, body: '{"error":"invalid_grant"}' }];
    expect(await run(served, "list")).to.include("agentd login -");
    expect(kept()["sso"]?.refresh_token).to.equal(undefined);
    const asked = server.requests.length;
    expect(await run(served, "list")).to.include("agentd login -");
    expect(server.requests.length).to.equal(asked);
    await signIn();
    expect(await run(served, "list")).to.not.include("auth_failed");
  });

  it("N18 uses a refresh token once, however many calls and processes need another token @all", async () => {
    server.lifetimeS = 1;
    await signIn();
    server.lifetimeS = 3600;
    let held = 0;
    server.onToken = async () => {
      held++;
      await new Promise((resolve) => setTimeout(resolve, 300));
    };
    // Commands with records of their own share the sign-in by a link.
    const other = dataDir({ target: target.url, turns: TURNS });
    for (const name of ["config.json", "schema.json"])
      writeFileSync(join(other.dir, name), readFileSync(join(home.dir, name)));
    const { symlinkSync } = await import("node:fs");
    symlinkSync(join(home.dir, "logins"), join(other.dir, "logins"));
    const served = await daemon();
    const command = agentd(["run", "list", "--data-dir", other.dir]);
    await Promise.all([run(served, "list"), run(served, "list"), command]);
    expect(held).to.equal(1);
    expect(grants().filter((grant) => grant === "refresh_token").length).to.equal(1);
    expect(target.requests.map((request) => isLetIn(request.header("authorization")))).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it("N17 uses a sign-in for the client and the server it was made with only, and forgets it on logout @all", async () => {
    const other = await startAuthorizationServer();
    await signIn();
    const served = await daemon();
    configure({ client_id: "agentd-test", issuer: other.url });
    await until(() => served.stderr().includes("reloaded"), 20_000);
    expect(await run(served, "list"))
      .to.include("nobody is signed in to it")
      .and.include("agentd login -");
    expect(other.requests).to.deep.equal([]);
    expect(target.requests).to.deep.equal([]);
    await other.close();
    configure({ client_id: "agentd-test", issuer: server.url });
    expect((await agentd(["logout", "-", "--data-dir", home.dir])).code).to.equal(0);
    expect(existsSync(join(home.dir, "logins", "-.json"))).to.equal(false);
    expect((await agentd(["logout", "-", "--data-dir", home.dir])).code).to.equal(1);
  });

  it("N17 ends a sign-in at its server on logout, where that can be done, and forgets it in any case @all", async () => {
    server.revokes = true;
    configure({
      client_id: "agentd-test",
      client_secret: "client-secret-1",
      issuer: server.url,
      client_auth: "body",
      grant: "authorization_code",
    });
    await signIn();
    const { refresh_token: token } = kept()["sso"] ?? {};
    const ended = await agentd(["logout", "-", "--data-dir", home.dir]);
    expect(ended.code, ended.stderr).to.equal(0);
    expect(ended.stdout + ended.stderr).to.include(`${server.url} has ended it, too.`);
    const asked = server.requests.at(-1);
    expect(asked?.path).to.equal("/revoke");
    expect(asked?.form).to.deep.equal({
      token,
      token_type_hint: "refresh_token",
      client_id: "agentd-test",
      client_secret: "client-secret-1",
    });
    await signIn();
    server.next.push({ status: 503, body: "busy" });
    const refused = await agentd(["logout", "-", "--data-dir", home.dir]);
    expect(refused.code).to.equal(0);
    expect(refused.stdout + refused.stderr).to.match(/has not ended it \(.*503/);
    expect(existsSync(join(home.dir, "logins", "-.json"))).to.equal(false);
  });

  it("takes client credentials from the issuer's endpoint, by body, with what is asked beside them @all", async () => {
    configure({
      client_id: "robot",
      client_secret: "s3cret-of-robot",
      client_auth: "body",
      issuer: server.url,
      resource: "https://api.example/pets",
      parameters: { tenant: "acme" },
    });
    const served = await daemon();
    await run(served, "list");
    server.valid.clear();
    await run(served, "list");
    expect(grants()).to.deep.equal(["client_credentials", "client_credentials"]);
    expect(server.requests[0]?.form).to.deep.equal({
      grant_type: "client_credentials",
      client_id: "robot",
      client_secret: "s3cret-of-robot",
      scope: "pets",
      resource: "https://api.example/pets",
      tenant: "acme",
    });
    expect(target.requests.map((request) => isLetIn(request.header("authorization")))).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it("refuses what a configuration misspells, by name, and an address that is none @all", async () => {
    for (const [client, expected] of [
      [{ client_id: "a", client_secert: "x" }, "target.auth.sso.client_secert"],
      [{ client_id: "a", token_url: "file:///etc/passwd" }, "target.auth.sso.token_url"],
      [{ client_id: "a", grant: "password" }, "target.auth.sso.grant"],
      [{ issuer: "https://id.example" }, '"client_id" or "command"'],
    ] as const) {
      configure(client);
      const { code, stderr } = await agentd(["config", "--data-dir", home.dir]);
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(expected);
    }
  });
});
