// Secrets stay out of everything but the request they are for, through a whole daemon, with a target that echoes what it receives.
// Source: docs/reference.md, "History", and docs/security.md.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { TranscriptTurn } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { allOnly } from "../support/all.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { agentd } from "../support/spawn.js";
import { echo, json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor, type VendorCall } from "../support/vendor.js";

const CANARIES = {
  header: "canary-header-5f1c",
  scheme: "canary-scheme-77aa",
  key: "canary-key-90ef",
  userinfo: "canary-userinfo-3c4b",
};
const LIST = { calls: [{ name: "list_pets", arguments: {} }] };

describe("Secrets", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  let dir: string;

  beforeEach(async () => {
    vendor = await startVendor();
    target = await startTarget(echo);
    dir = temporaryFolder("secrets");
  });
  afterEach(async () => {
    await daemon?.close();
    daemon = undefined;
    await vendor.close();
    await target.close();
  });

  const provider = (base_url = vendor.url): Record<string, unknown> => ({
    default_provider: "fake",
    providers: { fake: { type: "openai-compatible", base_url, model: "m", max_retries: 0, api_key: CANARIES.key } },
  });
  const start = async (options: DaemonOptions = {}): Promise<string> => {
    daemon = await startDaemon({ dataDir: dir, target: target.url, config: provider(), ...options });
    return daemon.url;
  };
  const run = async (url: string, message = "go"): Promise<string> => {
    return (await postJson(`${url}/run`, { message })).text();
  };
  const get = async (url: string, path: string): Promise<string> => (await fetch(url + path)).text();
  /** Throws when one of the texts has a canary; `where` says which. */
  const clean = (texts: Record<string, string>): void => {
    for (const [where, text] of Object.entries(texts))
      for (const canary of Object.values(CANARIES)) {
        expect(text, where).to.not.contain(canary);
        expect(text, where).to.not.contain(Buffer.from(canary).toString("base64").slice(0, -4));
      }
  };

  it("N2 are not in the document, whatever the address it came from and what the operator configured", async () => {
    const server = target.url.replace("http://", `http://operator:${CANARIES.userinfo}@`);
    const schemes = { bearer: { type: "http", scheme: "bearer" } };
    const document = {
      openapi: "3.0.3",
      info: { title: "Pets", version: "1" },
      servers: [{ url: `${server}/api` }],
      components: { securitySchemes: schemes },
      security: [{ bearer: [] }],
      paths: { "/pets": { get: { operationId: "list_pets", responses: { 200: { description: "ok" } } } } },
    };
    target.answer(() => json(document));
    const auth = { headers: { "X-Key": CANARIES.header }, auth: { bearer: CANARIES.scheme } };
    const config = { ...provider(), target: auth };
    writeFileSync(join(dir, "config.json"), JSON.stringify(config));
    const synced = await agentd(["sync", "openapi", `${server}/openapi.json`, "--data-dir", dir]);
    expect(synced.code, synced.stderr).to.equal(0);
    const file = readFileSync(join(dir, "schema.json"), "utf8");
    const url = await start({ schema: JSON.parse(file), config });
    const served = await get(url, "/schema");
    expect(JSON.parse(served)).to.have.nested.property("auth.bearer.scheme", "bearer");
    const [tools, settings] = [await get(url, "/tools"), await get(url, "/config/public")];
    clean({ sync: synced.stdout + synced.stderr, file, served, tools, settings });
    target.answer(echo);
    vendor.script([LIST, { text: "fine" }]);
    await run(url);
    expect(target.requests.at(-1)?.header("authorization"), "the secret itself is used").to.equal(
      `Bearer ${CANARIES.scheme}`,
    );
  });

  it("N3 that a target echoes reach neither the model nor the client, the history or the disk", async () => {
    const schemes = { basic: { type: "http", scheme: "basic" } };
    const shop = petShop(target.url) as { resources: { actions: { transport: object }[] }[] };
    for (const action of shop.resources[0]?.actions ?? [])
      Object.assign(action.transport, { security: [{ basic: [] }] });
    writeFileSync(join(dir, "key"), CANARIES.header);
    const url = await start({
      schema: { ...shop, auth: schemes },
      config: {
        ...provider(),
        target: { headers: { "X-Key": "file:key" }, auth: { basic: `operator:${CANARIES.scheme}` } },
      },
    });
    target.answer((request, index) => {
      const sent = { headers: Object.fromEntries(request.headers), all: request.raw.toString("latin1") };
      return json({ ...sent, list: [CANARIES.header, `x${CANARIES.scheme}y`], [CANARIES.header]: index });
    });
    vendor.script((_, n) => (n % 2 === 0 ? LIST : { text: "fine" }));
    const answered = await run(url);
    const chat = await openChat(`${url}/chat?session_id=s`);
    chat.send("go");
    const frames = JSON.stringify(await chat.turns());
    chat.close();
    expect(target.requests[0]?.header("x-key"), "the secret itself is used").to.equal(CANARIES.header);
    expect(target.requests[0]?.header("authorization")).to.match(/^Basic /);
    const models = vendor.requests.map(({ text }) => text).join();
    expect(models).to.contain("[redacted]");
    const [history, transcript] = [await get(url, "/history"), await get(url, "/-/sessions/s")];
    expect(history).to.contain("[redacted]");
    clean({ answered, frames, models, history, transcript, log: JSON.stringify(daemon?.log) });
    await daemon?.close();
    daemon = undefined;
    const files = readdirSync(dir).filter((name) => name.startsWith("history.db"));
    for (const name of files) clean({ [name]: readFileSync(join(dir, name), "latin1") });
    expect(files).to.not.deep.equal([]);
  });

  it("N3 that a model writes for a call's id or for a tool there is none of are kept nowhere", async () => {
    const url = await start();
    const calls: VendorCall[] = [
      { id: `call_${CANARIES.key}`, name: `get_${CANARIES.key}`, arguments: {} },
      { id: `second_${CANARIES.key}`, name: "list_pets", arguments: {} },
    ];
    vendor.script([{ calls }, { text: "fine" }]);
    const answered = await run(url);
    expect(answered).to.contain("unknown_tool");
    expect(target.requests, "the call that has a tool is made").to.have.length(1);
    const { messages } = JSON.parse(vendor.requests.at(-1)?.text ?? "{}") as { messages: Record<string, unknown>[] };
    const ids = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(ids, "each answer goes with its call").to.deep.equal(["call_[redacted]", "second_[redacted]"]);
    const [history, models] = [await get(url, "/history"), vendor.requests.map(({ text }) => text).join()];
    clean({ answered, history, models, log: JSON.stringify(daemon?.log) });
  });

  describe("N4 that only the name of an argument shows to be secret", () => {
    const user = "operator";
    const password = "canary-argument-6d2e";
    const action = {
      name: "sign_in",
      provenance: "declared",
      parameters: { type: "object", properties: { user: { type: "string" }, password: { type: "string" } } },
      transport: {
        kind: "http",
        method: "POST",
        path: "/sign-in",
        body: { properties: { user: "user", password: "password" } },
      },
    };
    const signIn = { calls: [{ name: "sign_in", arguments: { user, password } }] };
    const prompt = async (url: string, mode: object): Promise<string> => {
      return (await postJson(`${url}/run`, { message: "go", ...mode })).text();
    };
    const begin = async (): Promise<string> => {
      vendor.script((_, n) => (n % 2 === 0 ? signIn : { text: "fine" }));
      target.answer(() => json({ ok: true }));
      return start({ schema: { base_url: target.url, resources: [{ actions: [action] }] } });
    };

    it("N4 is in no row and no event of a call that is sent, tried or held", async () => {
      const url = await begin();
      for (const mode of [{}, { dry_run: true }, { confirm: true }])
        expect(await prompt(url, mode), JSON.stringify(mode))
          .to.contain("[redacted]")
          .and.not.contain(password);
      const rows = JSON.parse(await get(url, "/history")) as { status: string }[];
      expect(rows.map(({ status }) => status)).to.deep.equal(["held", "dry_run", "ok"]);
      expect(JSON.stringify(rows)).to.contain(user).and.not.contain(password);
      expect(target.requests.map(({ body }) => String(body))).to.deep.equal([JSON.stringify({ user, password })]);
    });

    it("N4 is hidden where only the description says that it is a password, through a reference and in a list too", async () => {
      const sent = { answer: password, codes: [password], pin: 73519264, note: "open" };
      const secret = { type: "string", format: "password" };
      const properties = {
        answer: { $ref: "#/$defs/Secret" },
        codes: { type: "array", items: secret },
        pin: { ...secret, type: "integer" },
        note: { type: "string" },
      };
      const parameters = { type: "object", properties };
      const sign = { ...action, parameters, transport: { kind: "http", method: "POST", path: "/sign-in" } };
      const calls: VendorCall[] = [sent, `{"answer":"${password}`].map((args) => ({
        name: "sign_in",
        arguments: args,
      }));
      vendor.script([{ calls }, { text: "fine" }]);
      target.answer(echo);
      const url = await start({
        schema: { $defs: { Secret: secret }, base_url: target.url, resources: [{ actions: [sign] }] },
      });
      const events = await prompt(url, {});
      for (const text of [events, await get(url, "/history")])
        expect(text).to.contain("open").and.contain("[redacted]").and.not.contain(password).and.not.contain("73519264");
      expect(target.requests.map(({ body }) => String(body))).to.deep.equal([JSON.stringify(sent)]);
    });

    it("N4 is hidden inside of objects and lists of a body, sent, tried and held", async () => {
      const secret = { type: "string", format: "password" };
      const account = { type: "object", properties: { user: { type: "string" }, answer: secret } };
      const parameters = { type: "object", properties: { accounts: { type: "array", items: account }, main: account } };
      const open = { ...action, parameters, transport: { kind: "http", method: "POST", path: "/accounts" } };
      const sent = { accounts: [{ user, answer: password }], main: { user, answer: `${password}2` } };
      vendor.script((_, n) => (n % 2 === 0 ? { calls: [{ name: "sign_in", arguments: sent }] } : { text: "fine" }));
      target.answer(echo);
      const url = await start({ schema: { base_url: target.url, resources: [{ actions: [open] }] } });
      for (const mode of [{}, { dry_run: true }, { confirm: true }])
        expect(await prompt(url, { ...mode, session_id: "s" }), JSON.stringify(mode))
          .to.contain(user)
          .and.contain("[redacted]")
          .and.not.contain(password);
      const [held] = JSON.parse(await get(url, "/-/confirmations")) as { request: object }[];
      const shown = [await get(url, "/history"), await get(url, "/-/sessions/s"), JSON.stringify(held?.request)];
      for (const text of [...shown, JSON.stringify(daemon?.log)]) expect(text).to.not.contain(password);
      expect(target.requests.map(({ body }) => String(body))).to.deep.equal([JSON.stringify(sent)]);
    });

    it("N4 is in no record of a call that is refused for a misspelt name, or for an object written as a text", async () => {
      const login = { type: "object", properties: { password: { type: "string" } } };
      const parameters = {
        type: "object",
        properties: { user: { type: "string" }, password: { type: "string" }, login },
      };
      vendor.script((_, n) => {
        const given: JsonObject[] = [
          { user, pasword: password },
          { user, login: JSON.stringify({ password }) },
        ];
        const args = given[n / 2] ?? {};
        return n % 2 === 0 ? { calls: [{ name: "sign_in", arguments: args }] } : { text: "fine" };
      });
      const url = await start({
        schema: { base_url: target.url, resources: [{ actions: [{ ...action, parameters }] }] },
      });
      const events = [await prompt(url, { session_id: "s" }), await prompt(url, { session_id: "s" })];
      for (const text of events)
        expect(text).to.contain("invalid_arguments").and.contain(user).and.not.contain(password);
      const kept = [await get(url, "/history"), await get(url, "/-/sessions/s"), JSON.stringify(daemon?.log)];
      for (const text of kept) expect(text).to.not.contain(password);
      expect(target.requests).to.deep.equal([]);
    });

    it("N3 N4 is in no transcript that is served, and reaches the model again", async () => {
      const written = JSON.stringify({ user: CANARIES.header, password });
      const calls = [signIn.calls[0], { name: "sign_in", arguments: written.slice(0, -1) }] as VendorCall[];
      vendor.script([{ calls }, { text: "fine" }]);
      target.answer(() => json({ ok: true }));
      const config = { ...provider(), target: { headers: { "X-Key": CANARIES.header } } };
      const url = await start({ schema: { base_url: target.url, resources: [{ actions: [action] }] }, config });
      await postJson(`${url}/run`, { message: "go", session_id: "t" });
      for (const accept of ["application/json", "text/markdown"]) {
        const transcript = await (await fetch(`${url}/-/sessions/t`, { headers: { accept } })).text();
        expect(transcript, accept).to.contain(user).and.contain("[redacted]").and.not.contain(password);
        expect(transcript, accept).to.not.contain(CANARIES.header);
      }
      expect(vendor.requests.at(-1)?.text).to.contain(password);
    });

    it("N4 is in no row and no event of a call whose arguments are no whole JSON object", async () => {
      const url = await begin();
      const texts = [
        `{"user":"${user}","password":"${password}`,
        `{"user":"${user}", "deep": {"password" : ["${password}"]`,
        `{user: '${user}', password: '${password}'}`,
        `user=${user}&password=${password}`,
        `"{\\"user\\":\\"${user}\\",\\"password\\":\\"${password}\\"}"`,
      ];
      for (const text of texts) {
        vendor.script([{ calls: [{ name: "sign_in", arguments: text }] }, { text: "fine" }]);
        expect(await prompt(url, {}), text).to.not.contain(password);
      }
      vendor.script([{ ...signIn, finish: "length" }, { text: "fine" }]);
      expect(await prompt(url, {})).to.not.contain(password);
      const rows = await get(url, "/history");
      expect(rows.match(/"malformed"/g)).to.have.length(texts.length + 1);
      expect(rows.match(new RegExp(user, "g"))).to.have.length(texts.length + 1);
      expect(rows).to.not.contain(password);
      expect(target.requests).to.deep.equal([]);
    });

    it("N4 is not in the notice by which the session learns of a decision", async () => {
      const url = await begin();
      await prompt(url, { confirm: true, session_id: "s" });
      const [held] = JSON.parse(await get(url, "/-/confirmations")) as { id: string }[];
      await postJson(`${url}/-/confirmations/${held?.id}`, { decision: "approve" });
      const { turns } = JSON.parse(await get(url, "/-/sessions/s")) as {
        turns: { messages: { role: string; text: string }[] }[];
      };
      const notices = turns.flatMap(({ messages }) => messages.filter(({ role }) => role === "notice"));
      expect(notices).to.have.length(1);
      expect(notices[0]?.text).to.contain(user).and.not.contain(password);
    });

    it("N4 is not in the row of a call approved with other arguments, whose request stays method and address", async () => {
      const url = await begin();
      await prompt(url, { confirm: true });
      const [held] = JSON.parse(await get(url, "/-/confirmations")) as { id: string }[];
      const edited = { user: "other", password };
      const decided = await postJson(`${url}/-/confirmations/${held?.id}`, { decision: "approve", arguments: edited });
      expect(decided.status).to.equal(200);
      expect(target.requests.map(({ body }) => String(body))).to.deep.equal([JSON.stringify(edited)]);
      const [row] = JSON.parse(await get(url, "/history")) as object[];
      expect(row).to.deep.include({
        status: "ok",
        arguments: { user: "other", password: "[redacted]" },
        request: { method: "POST", url: `${target.url}/sign-in` },
      });
    });

    it("N4 is not in the row of a held call that is approved once dry_run is in force", async () => {
      await prompt(await begin(), { confirm: true });
      await daemon?.close();
      const url = await start({
        schema: { base_url: target.url, resources: [{ actions: [action] }] },
        config: { ...provider(), safety: { dry_run: true } },
      });
      const [held] = JSON.parse(await get(url, "/-/confirmations")) as { id: string }[];
      const decided = await postJson(`${url}/-/confirmations/${held?.id}`, { decision: "approve" });
      expect(decided.status).to.equal(200);
      const [row] = JSON.parse(await get(url, "/history")) as object[];
      expect(row).to.have.property("status", "dry_run");
      expect(JSON.stringify(row)).to.contain(user).and.not.contain(password);
      expect(target.requests).to.deep.equal([]);
    });
  });

  it("N3 that a model repeats are not in the refusal of its call", async () => {
    const url = await start({ config: { ...provider(), target: { auth: { none: CANARIES.scheme } } } });
    for (const args of [{ [CANARIES.scheme]: 1 }, { id: { [CANARIES.scheme]: 1 } }, { id: CANARIES.scheme }]) {
      vendor.script([{ calls: [{ name: "get_pet", arguments: args }] }, { text: "fine" }]);
      clean({ [JSON.stringify(args)]: await run(url) });
    }
    clean({ history: await get(url, "/history") });
  });

  describe("N12 where something is cut", () => {
    /** Just so that a cut of this length would leave half of the secret. */
    const upTo = (length: number): string => `${"x".repeat(length - 8)}${CANARIES.header} and so on`;
    const half = /canary|Y2FuYXJ5/;
    const cleanOfHalves = (texts: Record<string, string>): void => {
      for (const [where, text] of Object.entries(texts))
        expect(half.exec(text) && text.slice((half.exec(text)?.index ?? 0) - 20).slice(0, 60), where).to.equal(null);
    };
    const begin = (): Promise<string> =>
      start({ config: { ...provider(), target: { headers: { "X-Api-Key": CANARIES.header } } } });

    for (const isAll of [false, true])
      it(`N12 leave no half in results, previews, records and what the model reads${allOnly(isAll)}`, async () => {
        const url = await begin();
        const lengths = isAll
          ? [60, 100, 500, 20_000, 100_000, 400_000, 1024 * 1024]
          : [40, 200, 2000, 16 * 1024, 900_000];
        for (const length of lengths) {
          const bodies = [upTo(length), { long: upTo(length), list: Array(40).fill(upTo(Math.min(length, 4000))) }];
          for (const body of bodies) {
            target.answer(() =>
              typeof body === "string" ? response(200, { "Content-Type": "text/plain" }, body) : json(body),
            );
            vendor.script((_, n) => (n % 2 === 0 ? LIST : { text: "fine" }));
            const answered = await run(url);
            cleanOfHalves({ answered, models: vendor.requests.map(({ text }) => text).join() });
            vendor.requests.length = 0;
          }
        }
        cleanOfHalves({ history: await get(url, "/history?limit=1000"), log: JSON.stringify(daemon?.log) });
      });

    it("N12 leave no half at the end of the longest answer that is read, nor in the rows of a long one @all", async () => {
      const url = await begin();
      const MAX = 8 * 1024 * 1024;
      for (const status of [200, 500]) {
        target.answer(() => response(status, { "Content-Type": "text/plain" }, upTo(MAX)));
        const read = { name: "read_result", arguments: { call_id: "c", path: "/body", offset: MAX - 5000 } };
        vendor.script([
          { calls: [{ id: "c", name: "list_pets", arguments: {} }] },
          { calls: [read] },
          { text: "fine" },
        ]);
        const answered = await run(url);
        expect(answered).to.contain("total_characters");
        cleanOfHalves({ answered });
      }
      const rows = Array.from({ length: 300 }, (_, i) => ({ i, text: `${"x".repeat(5000)}${CANARIES.header}` }));
      const lines = rows.map((row) => JSON.stringify(row)).join("\n");
      for (const [type, body] of [
        ["application/json", JSON.stringify(rows)],
        ["application/x-ndjson", lines],
        ["text/csv", `i,text\n${rows.map(({ i, text }) => `${i},${text}`).join("\n")}`],
      ] as const) {
        target.answer(() => response(200, { "Content-Type": type }, body));
        const read = { name: "read_result", arguments: { call_id: "c", offset: 290, limit: 2 } };
        vendor.script([
          { calls: [{ id: "c", name: "list_pets", arguments: {} }] },
          { calls: [read] },
          { text: "fine" },
        ]);
        cleanOfHalves({ answered: await run(url) });
      }
      cleanOfHalves({ models: vendor.requests.map(({ text }) => text).join(), history: await get(url, "/history") });
    });

    it("N12 leave no half in the refusal of a call, nor in arguments of which only the beginning is kept", async () => {
      const url = await begin();
      const said: string[] = [];
      for (const length of [1960, 1980, 2000, 2020]) {
        const call = { name: "get_pet", arguments: { [upTo(length)]: 1 } };
        vendor.script([{ calls: [call] }, { text: "fine" }]);
        said.push(await run(url), vendor.requests.at(-1)?.text.slice(-2_500) ?? "");
      }
      const refusals = said.flatMap((text) => text.match(/unknown argument.*?more characters/g) ?? []);
      expect(refusals).to.have.length.above(3);
      const begun = `{"note":"${upTo(10_000 - '{"note":"'.length)}`;
      vendor.script([{ calls: [{ name: "get_pet", arguments: begun }] }, { text: "fine" }]);
      const answered = await run(url);
      const rows = await get(url, "/history");
      expect(rows).to.contain(`"malformed":"{\\"note\\":\\"xxx`);
      cleanOfHalves({ refusals: refusals.join(), answered, rows });
    });

    it("N12 leave no half in what is quoted of a vendor or of a header", async () => {
      const url = await begin();
      const said: string[] = [];
      for (const length of [120, 300]) {
        const message = upTo(length);
        for (const body of [JSON.stringify({ error: { message } }), message]) {
          vendor.script([{ status: 400, body }]);
          said.push(await run(url));
        }
        vendor.script([
          { status: 200, headers: { "content-type": "text/event-stream" }, body: `data: ${message}\n\n` },
        ]);
        said.push(await run(url));
      }
      target.answer(() => response(200, { "Content-Encoding": upTo(40) }, "x"));
      vendor.script([LIST, { text: "fine" }]);
      said.push(await run(url));
      expect(said.join()).to.contain("compressed");
      cleanOfHalves({ said: said.join(), history: await get(url, "/history"), log: JSON.stringify(daemon?.log) });
    });
  });

  it("N1 that a model writes are in no event and no transcript, wherever its pieces part them", async () => {
    const key = CANARIES.key;
    const said = `The key is ${key}, I think.`;
    const chunks = [said.slice(0, 14), said.slice(14, 19), said.slice(19)].map((content) => ({ content }));
    const reasoning_content = `It was ${key}.`;
    vendor.script([
      {
        events: [{ reasoning_content }, ...chunks].map((delta) =>
          JSON.stringify({ choices: [{ index: 0, delta, finish_reason: "stop" }] }),
        ),
      },
    ]);
    const config = { v: { type: "openai-compatible", base_url: vendor.url, model: "m", api_key: key } };
    daemon = await startDaemon({ dataDir: dir, config: { default_provider: "v", providers: config } });
    const response = await postJson(`${daemon.url}/run`, { message: "tell me", session_id: "s", events: "extended" });
    const { result, events } = (await response.json()) as { result: string; events: { kind: string; text?: string }[] };
    expect(result).to.match(/^The key is (can)?\[redacted\], I think\.$/);
    const deltas = events.filter(({ kind }) => kind === "assistant_delta").map(({ text }) => text);
    expect(deltas.join("")).to.equal(result);
    const { turns } = await getJson<{ turns: TranscriptTurn[] }>(`${daemon.url}/-/sessions/s`);
    // What the vendor wants back is kept as it came.
    const messages = turns.flatMap((turn) => turn.messages.map((message) => ({ ...message, meta: undefined })));
    expect(JSON.stringify(messages)).to.include("I think").and.not.include(key);
    expect(JSON.stringify(events)).to.not.include(key);
  });

  it("N5 in addresses, paths and stack traces are not in the errors that clients and models read", async () => {
    const nowhere = `http://operator:${CANARIES.userinfo}@127.0.0.1:1`;
    const refused = await start({ config: provider(`${nowhere}/v1`) }).then(
      () => "",
      (error: Error) => error.message,
    );
    expect(refused).to.contain("providers.fake.base_url");
    const url = await start({ schema: petShop(nowhere), config: provider("http://127.0.0.1:1/v1") });
    const noModel = await run(url);
    expect(noModel).to.contain('"kind":"error"');
    await daemon?.close();
    const again = await start({ schema: petShop(nowhere) });
    vendor.script([LIST, { text: "It failed." }]);
    const noTarget = await run(again);
    expect(noTarget).to.contain('"status":"error"');
    const models = vendor.requests.map(({ text }) => text).join();
    const lock = new SqliteDatabase(join(dir, "history.db"));
    lock.exec("BEGIN IMMEDIATE");
    const noRecord = await run(again);
    lock.close();
    expect(noRecord).to.contain("audit_unavailable");
    const [settings, history] = [await get(again, "/config/public"), await get(again, "/history")];
    const texts = { refused, noModel, noTarget, models, noRecord, settings, history };
    clean(texts);
    for (const [where, text] of Object.entries(texts)) {
      expect(text, where).to.not.contain(dir);
      expect(text, where).to.not.match(/\bat \S+ \(|node_modules|\.[jt]s:\d+/);
    }
  });
});
