// Which provider and model a prompt runs with: by request, by session, by command; what is refused, kept and recorded.
// Source: docs/reference.md, "Choosing a model".
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { OfferedProvider } from "../../src/domain/model-choice.js";
import type { HistoryEntry, SessionSummary, TranscriptTurn } from "../../src/domain/record.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { ask, entryPoints, getJson, postJson } from "../support/entry-points.js";
import { kinds, openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor } from "../support/vendor.js";

/** Both vendors' APIs are played by the same server; the model in the body tells which was meant. */
function configure(url: string): Record<string, unknown> {
  const api = (model: string, models: string[] = []) => ({
    type: "openai-compatible",
    base_url: url,
    api_key: "env:CHOICE_KEY",
    model,
    models,
  });
  return {
    default_provider: "first",
    providers: {
      first: { ...api("f-1", ["f-2", "both"]), api_key: "canary-first" },
      second: { ...api("s-1", ["both"]), api_key: "canary-second" },
      broken: api("b-1"),
      planner: { type: "offline" },
    },
  };
}

const LIST: OfferedProvider[] = [
  { name: "first", type: "openai-compatible", model: "f-1", models: ["f-1", "f-2", "both"], default: true },
  { name: "second", type: "openai-compatible", model: "s-1", models: ["s-1", "both"], default: false },
  { name: "planner", type: "offline", model: "planner", models: ["planner"], default: false },
  {
    name: "broken",
    type: "openai-compatible",
    model: "",
    models: [],
    default: false,
    error:
      "providers.broken.api_key refers to the environment variable CHOICE_KEY, which is not set. Set it and start again.",
  },
];

/** Bodies that are refused, and what the refusal names. */
const REFUSED: readonly [body: object, named: RegExp][] = [
  [{ provider: "secnod" }, /no provider "secnod". Did you mean second\? Configured: first, second, planner, broken\./],
  [{ provider: "second", model: "f-1" }, /"second" has no model "f-1".* Configured: s-1, both\./],
  [{ model: "both" }, /Several providers have the model "both": first, second\./],
  [{ model: "gpt" }, /No provider has the model "gpt".* Configured: first: f-1, f-2, both; second: s-1, both/],
  [{ provider: "broken" }, /"broken" cannot be used: .*CHOICE_KEY/],
  [{ provider: "offline" }, /no provider "offline"/],
  [{ model: "second/s-1" }, /No provider has the model "second\/s-1"/],
  [{ provider: "" }, /provider must not be empty/],
  [{ model: 7 }, /model must be/],
];

describe("Choosing a model", function () {
  this.timeout(60_000);
  let vendor: Vendor;
  let target: RecordingTarget;
  let dir: string;
  let daemon: Daemon;

  const start = async (options: Partial<DaemonOptions> = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, dataDir: dir, config: configure(vendor.url), ...options });
  };
  const asked = (): unknown[] => vendor.requests.map(({ body }) => body["model"]);

  beforeEach(async () => {
    vendor = await startVendor(() => ({ text: "ok" }));
    target = await startTarget(() => json([]));
    dir = temporaryFolder("choice");
    await start();
  });
  afterEach(async () => {
    await daemon.close();
    await vendor.close();
    await target.close();
  });

  it("lists the providers without a secret, the default first", async () => {
    const response = await fetch(`${daemon.url}/-/providers`);
    const text = await response.text();
    expect(JSON.parse(text)).to.deep.equal(LIST);
    expect(text).to.not.include("canary").and.not.include(vendor.url);
  });

  for (const { name, ask: askThere } of entryPoints)
    it(`takes a configured provider and model over ${name}, and the record says which`, async () => {
      const bodies = [{}, { model: "f-2" }, { provider: "second" }, { provider: "second", model: "both" }];
      for (const [at, body] of bodies.entries())
        await askThere(daemon.url, { message: "hello", session_id: `${name.length}-${at}`, ...body });
      expect(asked()).to.deep.equal(["f-1", "f-2", "s-1", "both"]);
      const sessions = await getJson<SessionSummary[]>(`${daemon.url}/-/sessions`);
      expect(sessions.map(({ provider, model }) => `${provider} ${model}`).reverse()).to.deep.equal([
        "first f-1",
        "first f-2",
        "second s-1",
        "second both",
      ]);
    });

  it("refuses what is not configured with 400, naming what there is, and asks no model", async () => {
    for (const [body, named] of REFUSED) {
      const response = await postJson(`${daemon.url}/run`, { message: "hello", ...body });
      expect(response.status).to.equal(400);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).to.equal("invalid_body");
      expect(error.message).to.match(named);
      expect(error.message).to.not.include("canary");
    }
    expect(asked()).to.deep.equal([]);
    expect(await getJson<unknown[]>(`${daemon.url}/-/sessions`)).to.deep.equal([]);
  });

  it("refuses it on /chat with an error and done, and the socket stays open", async () => {
    const socket = await openChat(`${daemon.url}/chat`);
    for (const [body] of REFUSED) socket.send(JSON.stringify({ message: "hello", ...body }));
    socket.send(JSON.stringify({ message: "hello", model: "s-1" }));
    for (const [, named] of REFUSED) {
      const refusal = await socket.turns();
      expect(kinds(refusal)).to.deep.equal(["error", "done"]);
      expect(refusal[0]?.["message"]).to.match(named);
    }
    await socket.turns();
    expect(asked()).to.deep.equal(["s-1"]);
    socket.close();
  });

  it("goes on in a session with its last choice, also after a restart", async () => {
    const session_id = "kept";
    await ask(daemon.url, { message: "one", session_id, model: "f-2" });
    await ask(daemon.url, { message: "two", session_id });
    await ask(daemon.url, { message: "three", session_id, provider: "second" });
    await daemon.close();
    await start();
    await ask(daemon.url, { message: "four", session_id });
    await ask(daemon.url, { message: "elsewhere", session_id: "other" });
    expect(asked()).to.deep.equal(["f-2", "f-2", "s-1", "s-1", "f-1"]);
    const { turns } = await getJson<{ turns: TranscriptTurn[] }>(`${daemon.url}/-/sessions/${session_id}`);
    expect(turns.map(({ provider, model }) => `${provider} ${model}`)).to.deep.equal([
      "first f-2",
      "first f-2",
      "second s-1",
      "second s-1",
    ]);
  });

  it("falls back to the default, with a notice and a warning, once the choice is not configured any more", async () => {
    const session_id = "gone";
    await ask(daemon.url, { message: "one", session_id, provider: "second" });
    const { providers, ...rest } = configure(vendor.url) as { providers: Record<string, unknown> };
    const { second: _, ...others } = providers;
    await daemon.reload({ ...rest, providers: others });
    const events = await ask(daemon.url, { message: "two", session_id, events: "extended" });
    const notices = events.filter((event: TurnEvent) => event.kind === "notice");
    expect(notices).to.deep.equal([
      {
        kind: "notice",
        message:
          "This session's choice, second with s-1, is not configured any more, or cannot be used: first with f-1 answers.",
      },
    ]);
    expect(daemon.log.some(({ level, message }) => level === "warn" && message.includes("choice of model"))).to.equal(
      true,
    );
    expect((await postJson(`${daemon.url}/run`, { message: "three", provider: "second" })).status).to.equal(400);
    await daemon.reload(configure(vendor.url));
    await ask(daemon.url, { message: "four", session_id });
    expect(asked()).to.deep.equal(["s-1", "f-1", "s-1"]);
  });

  it("keeps the choice of turns that wait, and of detached ones", async () => {
    const session_id = "queued";
    vendor.script((_request, n) => ({ text: "ok", waitMs: n === 0 ? 300 : 0 }));
    const bodies = [{ model: "f-2" }, {}, { provider: "second" }, {}];
    const accepted: Response[] = [];
    for (const body of bodies)
      accepted.push(await postJson(`${daemon.url}/run`, { message: "hello", session_id, detach: true, ...body }));
    expect(accepted.map(({ status }) => status)).to.deep.equal([202, 202, 202, 202]);
    for (const response of accepted) {
      const { turn_id } = (await response.json()) as { turn_id: string };
      await (
        await fetch(`${daemon.url}/-/turns/${turn_id}/events`, { headers: { accept: "text/event-stream" } })
      ).text();
    }
    expect(asked()).to.deep.equal(["f-2", "f-2", "s-1", "s-1"]);
  });

  it("ends a turn that waited for a provider that is gone with an error, and asks no other", async () => {
    const session_id = "waited";
    vendor.script((_request, n) => (n === 0 ? { calls: [{ name: "list_pets", arguments: {} }] } : { text: "ok" }));
    let answer = (): void => {};
    const arrived = new Promise<void>((resolve) =>
      target.answer(() => (socket) => {
        answer = () => socket.end(json([]));
        resolve();
      }),
    );
    const first = ask(daemon.url, { message: "list", session_id });
    await arrived;
    const second = await postJson(`${daemon.url}/run`, { message: "x", session_id, provider: "second", detach: true });
    const { turn_id } = (await second.json()) as { turn_id: string };
    await daemon.reload({ default_provider: "first", providers: { first: { type: "offline" } } });
    answer();
    await first;
    const { events } = await getJson<{ events: TurnEvent[] }>(`${daemon.url}/-/turns/${turn_id}/events`);
    expect(events.map(({ kind }) => kind)).to.deep.equal(["user_prompt", "error", "done"]);
    expect(asked()).to.deep.equal(["f-1", "f-1"]);
  });

  it("10.8: holds the changes of an offline provider that was chosen, and of no other", async () => {
    await ask(daemon.url, { message: "create pet named Rex", provider: "planner" });
    vendor.script((_request, n) =>
      n === 0 ? { calls: [{ name: "create_pet", arguments: { name: "Tom" } }] } : { text: "ok" },
    );
    await ask(daemon.url, { message: "create pet named Tom", provider: "first" });
    const rows = await getJson<HistoryEntry[]>(`${daemon.url}/history`);
    expect(rows.map(({ provider, model, status }) => [provider, model, status])).to.deep.equal([
      ["first", "f-1", "ok"],
      ["planner", "planner", "held"],
    ]);
    expect(target.requests.length).to.equal(1);
  });

  it("10.8: lets no provider that a reload brings act without a yes", async () => {
    const config = configure(vendor.url) as { providers: Record<string, unknown> };
    const providers = { ...config.providers, bold: { type: "offline", act: true } };
    await daemon.reload({ ...config, providers });
    await ask(daemon.url, { message: "create pet named Rex", provider: "bold" });
    await daemon.close();
    await start({ config: { ...config, providers } });
    await ask(daemon.url, { message: "create pet named Rex", provider: "bold" });
    const rows = await getJson<HistoryEntry[]>(`${daemon.url}/history`);
    expect(rows.map(({ status }) => status)).to.deep.equal(["ok", "held"]);
  });

  it("follows a reload: what is new can be chosen", async () => {
    const config = configure(vendor.url) as { providers: Record<string, object> };
    await daemon.reload({ ...config, providers: { ...config.providers, third: config.providers["second"] } });
    expect((await getJson<OfferedProvider[]>(`${daemon.url}/-/providers`)).map(({ name }) => name)).to.deep.equal([
      "first",
      "second",
      "planner",
      "third",
      "broken",
    ]);
    await ask(daemon.url, { message: "hello", provider: "third" });
    expect(asked()).to.deep.equal(["s-1"]);
  });
});
