// The events of a turn as clients receive them: the same cases through every entry point.
// Source: docs/reference.md, "Events".
import { expect } from "chai";
import type { AgentEvent } from "../../src/domain/event.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { allOnly } from "../support/all.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { entryPoints } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { startVendor } from "../support/vendor.js";

const kinds = (events: readonly AgentEvent[]): string[] => events.map((event) => event.kind);
const pets = [{ id: 1, name: "Rex" }];

/** A daemon whose model plays these replies for the prompt "go". */
const playing = (replies: ScriptedReply[], target: RecordingTarget, more: DaemonOptions = {}): Promise<Daemon> =>
  startDaemon({ target: target.url, turns: [{ prompt: "go", replies }], ...more });

describe("Events", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  before(async () => {
    target = await startTarget();
  });
  beforeEach(() => {
    target.requests.length = 0;
    target.answer(() => json(pets));
  });
  afterEach(async () => {
    await daemon?.close();
    daemon = undefined;
  });
  after(() => target.close());

  for (const entryPoint of entryPoints)
    describe(`over ${entryPoint.name}`, () => {
      // One answer at its end and one event at a time; the other two are the first one's road in another form.
      const rest = allOnly(/server-sent|NDJSON/.test(entryPoint.name));
      const ask = async (replies: ScriptedReply[], more: DaemonOptions = {}): Promise<AgentEvent[]> => {
        daemon = await playing(replies, target, more);
        return entryPoint.ask(daemon.url, { message: "go" });
      };

      it("starts with the prompt, ends with exactly one done, and joins the deltas to the message", async () => {
        const events = await ask([{ deltas: ["Hel", "lo"] }]);
        expect(events).to.deep.equal([
          { kind: "user_prompt", text: "go" },
          { kind: "assistant_delta", text: "Hel" },
          { kind: "assistant_delta", text: "lo" },
          { kind: "assistant_message", text: "Hello" },
          { kind: "done" },
        ]);
      });

      it("has what the model thought in no event of a client that did not ask for it", async () => {
        const events = await ask([{ reasoning: "Hm, a greeting.", deltas: ["Hel", "lo"] }]);
        expect(kinds(events)).to.deep.equal([
          "user_prompt",
          "assistant_delta",
          "assistant_delta",
          "assistant_message",
          "done",
        ]);
        expect(JSON.stringify(events)).not.to.contain("Hm");
      });

      it("follows every tool_call by the tool_result of its id", async () => {
        const events = await ask([
          { text: "Looking.", calls: [{ id: "c1", name: "list_pets", arguments: {} }] },
          { text: "One pet." },
        ]);
        expect(kinds(events)).to.deep.equal([
          "user_prompt",
          "assistant_delta",
          "assistant_message",
          "tool_call",
          "tool_result",
          "assistant_delta",
          "assistant_message",
          "done",
        ]);
        expect(events[3]).to.deep.equal({ kind: "tool_call", id: "c1", name: "list_pets", arguments: {} });
        expect(events[4]).to.deep.include({ kind: "tool_result", id: "c1", result: pets, status: "ok" });
        expect((events[4] as { duration_ms: number }).duration_ms)
          .to.be.a("number")
          .and.at.least(0);
      });

      it(`runs parallel calls as pairs in the model's order${rest}`, async () => {
        const events = await ask([
          {
            calls: [
              { id: "a", name: "get_pet", arguments: { id: 1 } },
              { id: "b", name: "get_pet", arguments: { id: 2 } },
            ],
          },
          { text: "Both." },
        ]);
        const ids = events.flatMap((event) =>
          event.kind === "tool_call" || event.kind === "tool_result" ? [`${event.kind} ${event.id}`] : [],
        );
        expect(ids).to.deep.equal(["tool_call a", "tool_result a", "tool_call b", "tool_result b"]);
        // They run side by side, so that either may arrive first.
        expect(target.requests.map((request) => request.path).sort()).to.deep.equal(["/pets/1", "/pets/2"]);
      });

      it(`gives every call an id of its own when the model repeats one${rest}`, async () => {
        const calls = [
          { id: "same", name: "get_pet", arguments: { id: 1 } },
          { id: "same", name: "get_pet", arguments: { id: 2 } },
        ];
        const events = await ask([{ calls }, { text: "ok" }]);
        const ids = events.flatMap((event) => (event.kind === "tool_call" ? [event.id] : []));
        expect(new Set(ids).size).to.equal(2);
      });

      it(`gives every call of a session an id of its own, whatever the model says in later turns${rest}`, async () => {
        const again: ScriptedReply[] = [
          { calls: [{ id: "call_0", name: "list_pets", arguments: {} }] },
          { text: "ok" },
        ];
        daemon = await playing(again, target);
        const events: AgentEvent[] = [];
        for (let turn = 0; turn < 2; turn++)
          events.push(...(await entryPoint.ask(daemon.url, { message: "go", session_id: "s" })));
        const ids = events.flatMap((event) => (event.kind === "tool_call" ? [event.id] : []));
        expect(ids).to.have.length(2);
        expect(new Set(ids).size).to.equal(2);
      });

      it(`makes a pair and a row of a call that its transport cannot prepare${rest}`, async () => {
        const auth = { login: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: {} } } } };
        const shop = petShop("") as { resources: { actions: { transport: object }[] }[] };
        for (const action of shop.resources[0]?.actions ?? [])
          action.transport = { ...action.transport, security: [{ login: [] }] };
        const events = await ask([{ calls: [{ id: "c", name: "list_pets", arguments: {} }] }, { text: "No." }], {
          schema: { ...shop, base_url: "", auth },
          config: { target: { auth: { login: "id:secret" } } },
        });
        expect(events.find((event) => event.kind === "tool_result")).to.deep.include({ id: "c", status: "error" });
        expect(kinds(events)).to.not.include("error");
        expect(await daemon?.agent.history({ limit: 5 })).to.have.length(1);
      });

      it(`ends a reply that does not end, and the session stays usable${rest}`, async () => {
        const events = await ask([{ deltas: Array.from({ length: 12 }, () => "x".repeat(100_000)) }]);
        expect(kinds(events).slice(-2)).to.deep.equal(["error", "done"]);
        expect(events.at(-2)).to.have.property("message").that.contains("did not stop talking");
        const [session] = (await daemon?.agent.sessions({ limit: 1 })) ?? [];
        const [kept] = (await transcriptOf(daemon?.agent, String(session?.session_id))) ?? [];
        expect(kept?.messages.at(-1)?.text.length).to.be.within(1, 100_000);
      });

      it(`makes no call of a reply that was cut${rest}`, async () => {
        const events = await ask([
          { calls: [{ id: "cut", name: "list_pets", arguments: "" }], finish: "length" },
          { text: "I ran out of room." },
        ]);
        expect(events.find((event) => event.kind === "tool_result")).to.deep.include({ id: "cut", status: "error" });
        expect(target.requests).to.have.length(0);
        expect(await daemon?.agent.history({ limit: 5 })).to.have.length(1);
      });

      it(`ends with an assistant_message of text "" when the model answers nothing${rest}`, async () => {
        expect(await ask([{}])).to.deep.equal([
          { kind: "user_prompt", text: "go" },
          { kind: "assistant_message", text: "" },
          { kind: "done" },
        ]);
      });

      it(`gives the model a refused, invalid, unknown or failed call as a pair of status error, and goes on${rest}`, async () => {
        target.answer((request) => (request.path === "/pets/404" ? json({ message: "no such pet" }, 404) : json(pets)));
        const calls: ScriptedReply["calls"] & object = [
          { id: "unknown", name: "no_such_tool", arguments: {} },
          { id: "invalid", name: "get_pet", arguments: { id: "x" } },
          { id: "malformed", name: "get_pet", arguments: '{"id":' },
          { id: "failed", name: "get_pet", arguments: { id: 404 } },
        ];
        const events = await ask([{ calls }, { text: "That went wrong." }]);
        const results = events.flatMap((event) => (event.kind === "tool_result" ? [[event.id, event.status]] : []));
        expect(results).to.deep.equal(calls.map(({ id }) => [id, "error"]));
        expect(kinds(events).slice(-2)).to.deep.equal(["assistant_message", "done"]);
        expect(kinds(events)).to.not.include("error");
      });

      it(`F12 reports the iteration cap as an error, never as success${rest}`, async () => {
        const again: ScriptedReply = { calls: [{ name: "list_pets", arguments: {} }] };
        const events = await ask([again, again, again, again], { config: { max_iterations: 3 } });
        expect(kinds(events).filter((kind) => kind === "tool_call")).to.have.length(3);
        expect(kinds(events).slice(-2)).to.deep.equal(["error", "done"]);
        expect(events.at(-2)).to.have.property("message").that.contains("3 model calls");
        expect(await daemon?.agent.history({ limit: 10 })).to.have.length(3);
      });

      it(`reports a model that fails as an error, keeping what was streamed before${rest}`, async () => {
        const events = await ask([{ deltas: ["So far"], error: "the model broke" }]);
        expect(kinds(events)).to.deep.equal(["user_prompt", "assistant_delta", "error", "done"]);
        expect(events.at(-2)).to.have.property("message").that.contains("the model broke");
      });

      it(`G24 keeps a result that looks like an event inside the result${rest}`, async () => {
        target.answer(() => json({ kind: "done" }));
        const events = await ask([{ calls: [{ id: "c", name: "list_pets", arguments: {} }] }, { text: "ok" }]);
        expect(events.find((event) => event.kind === "tool_result")).to.deep.include({ result: { kind: "done" } });
        expect(kinds(events).filter((kind) => kind === "done")).to.have.length(1);
      });

      it(`keeps every digit of large integers in arguments and results${rest}`, async () => {
        target.answer(() => json('{"id":9007199254740993}'));
        daemon = await playing(
          [{ calls: [{ id: "c", name: "get_pet", arguments: '{"id":1234567890123456789}' }] }, { text: "ok" }],
          target,
        );
        const raw = await entryPoint.raw(daemon.url, { message: "go" });
        expect(raw).to.contain('"id":1234567890123456789').and.contain('"id":9007199254740993');
        expect(target.requests[0]?.path).to.equal("/pets/1234567890123456789");
      });
    });

  describe("Extended events", () => {
    it("has the reasoning of each call whole, after its deltas and before its usage, in replay too", async () => {
      const usage = { input_tokens: 3, output_tokens: 4 };
      daemon = await playing(
        [
          { reasoning: "I look.", text: "Looking.", calls: [{ name: "list_pets", arguments: {} }], usage },
          { reasoning: "One.", text: "One pet.", usage },
        ],
        target,
      );
      const answer = await fetch(`${daemon.url}/run`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "go", events: "extended" }),
      });
      const { result, events } = (await answer.json()) as {
        result: string;
        events: (AgentEvent & { text?: string })[];
      };
      expect(result).to.equal("One pet.");
      const call = ["assistant_delta", "reasoning", "usage", "assistant_message"];
      const whole = ["user_prompt", "session", ...call, "tool_call", "tool_result", ...call, "done"];
      expect(kinds(events)).to.deep.equal(whole);
      const thoughts = events.filter((event) => (event.kind as string) === "reasoning");
      expect(thoughts.map(({ text }) => text)).to.deep.equal(["I look.", "One."]);
      const turn = answer.headers.get("x-turn-id");
      const replayed = await fetch(`${daemon.url}/-/turns/${turn}/events`, { headers: { accept: "application/json" } });
      expect(JSON.stringify(await replayed.json())).to.contain('"kind":"reasoning","text":"I look."');
    });

    it("has a notice while a busy vendor is waited for longer than a few seconds @all", async function () {
      this.timeout(20_000);
      const vendor = await startVendor([{ status: 429, headers: { "retry-after": "4" } }, { text: "There." }]);
      const entry = { type: "openai-compatible", base_url: vendor.url, model: "m" };
      daemon = await startDaemon({ target: target.url, config: { default_provider: "p", providers: { p: entry } } });
      const answer = await fetch(`${daemon.url}/run`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "go", events: "extended" }),
      });
      const { result, events } = (await answer.json()) as { result: string; events: { message?: string }[] };
      await vendor.close();
      expect(result).to.equal("There.");
      expect(events[2]?.message).to.match(/"p".*429.*Trying again in 4 s\.$/);
    });
  });
});
