// Models gone wrong, over every wire and through a whole daemon in a process of its own: what is too much is not done, the model
// reads why, the turn goes on or ends with `error` and `done`, and other requests are answered meanwhile.
// Source: docs/reference.md, "Limits and promises", "Large results" and "Large catalogues".
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { MAX_CALLS } from "../../src/providers/provider.js";
import { allOnly } from "../support/all.js";
import { petShop } from "../support/daemon.js";
import { type DaemonProcess, spawnDaemon } from "../support/daemon-process.js";
import { ask, getJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor, type Vendor, type VendorCall, type VendorScript, type VendorTurn } from "../support/vendor.js";

const TYPES = ["openai-compatible", "openai", "anthropic", "google"] as const;
/** Processor time of one step of the daemon, milliseconds; the faults these cases guard against took two seconds to minutes. */
const MAX_STEP_MS = 1_000;

type Results = Extract<TurnEvent, { kind: "tool_result" }>[];
const resultsIn = (events: readonly TurnEvent[]): Results =>
  events.flatMap((event) => (event.kind === "tool_result" ? [event] : []));
const errorOf = (result: unknown): string => String((result as JsonObject | undefined)?.["error"]);

/** The pet shop, with one more tool, which takes anything. */
function shop(target: string): object {
  const document = petShop(target) as { resources: { actions: object[] }[] };
  document.resources[0]?.actions.push({
    name: "take",
    provenance: "declared",
    safety: "read_only",
    parameters: { type: "object" },
    transport: { kind: "http", method: "POST", path: "/take" },
  });
  return document;
}

for (const type of TYPES)
  describe(`Limits and promises: hostile models of type ${type}${allOnly(type !== "openai-compatible")}`, function () {
    this.timeout(60_000);
    let target: RecordingTarget;
    let vendor: Vendor;
    let daemon: DaemonProcess;
    let turns = 0;

    before(async () => {
      target = await startTarget(() => json({ ok: true }));
      vendor = await startVendor();
      const m = { type, base_url: vendor.url, model: "fake", api_key: "sk-none-of-your-business", max_retries: 0 };
      daemon = await spawnDaemon({
        target: target.url,
        schema: shop(target.url),
        config: { default_provider: "m", providers: { m }, max_iterations: 16 },
      });
      // Everything is loaded once, which is no stall of a turn's.
      vendor.script([{ calls: [{ name: "take", arguments: { a: 1 } }] }, { text: "done" }]);
      await ask(daemon.url, { message: "warm up" });
    });
    after(async () => {
      await daemon.close();
      await vendor.close();
      await target.close();
    });

    const rows = async (): Promise<HistoryEntry[]> =>
      (await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=200&session_id=s${turns}`)).reverse();
    /** The events of a turn in a session of its own, in which the daemon is never busy for long. */
    const play = async (script: VendorScript): Promise<TurnEvent[]> => {
      vendor.script(script);
      target.requests.length = 0;
      let events: TurnEvent[] = [];
      const longest = await daemon.longestStep(async () => {
        events = await ask(daemon.url, { message: "go", session_id: `s${++turns}` });
      });
      expect(longest).to.be.below(MAX_STEP_MS);
      expect(events.at(-1)?.kind).to.equal("done");
      return events;
    };
    const done: VendorTurn = { text: "done" };

    it("Q1 makes the first 64 calls of a reply and tells the model that it asked for more", async () => {
      const calls = Array.from(
        { length: 5_000 },
        (_, n): VendorCall => ({ name: "create_pet", arguments: { name: `${n}` } }),
      );
      const results = resultsIn(await play([{ calls }, done]));
      expect(target.requests).to.have.length(MAX_CALLS);
      expect(results.map(({ status }) => status)).to.deep.equal([...Array(MAX_CALLS).fill("ok"), "error"]);
      expect(results.at(-1)?.result).to.deep.include({ error: "too_many_calls" });
      expect(await rows()).to.have.length(MAX_CALLS + 1);
      expect(vendor.requests).to.have.length(2);
      expect(vendor.requests[1]?.text).to.contain("too_many_calls");
    });

    it("Q3 makes no call whose arguments are too many, and keeps little of them", async () => {
      const long = JSON.stringify({ name: "x".repeat(1_100_000) });
      const half = JSON.stringify({ name: "x".repeat(600_000) });
      const calls = [long, half, half, '{"name":"Rex"}'].map(
        (args): VendorCall => ({ name: "create_pet", arguments: args }),
      );
      const results = resultsIn(await play([{ calls }, done]));
      const refused = "invalid_arguments";
      expect(results.map(({ result }) => errorOf(result))).to.deep.equal([refused, "undefined", refused, "undefined"]);
      expect(target.requests).to.have.length(2);
      expect(JSON.stringify(await rows()).length).to.be.below(700_000);
    });

    it("Q8 makes a call whose id is no text, and none whose name is no tool's; the turn goes on", async () => {
      const arguments_ = { a: 1 };
      const calls: VendorCall[] = [
        { id: 7 as never, name: "take", arguments: arguments_ },
        ...[7, {}, "", "take me"].map((name) => ({ name: name as never, arguments: arguments_ })),
      ];
      const events = await play([{ calls }, done]);
      const unknown = "unknown_tool";
      expect(resultsIn(events).map(({ result }) => (result as JsonObject)["error"])).to.deep.equal([
        undefined,
        unknown,
        unknown,
        unknown,
        unknown,
      ]);
      expect(target.requests).to.have.length(1);
      expect(events.at(-2)).to.deep.equal({ kind: "assistant_message", text: "done" });
      // No vendor takes back a name that no tool can have.
      const names = vendor.requests[1]?.text.match(/"name":"[^"]*"/g) ?? [];
      expect(names).to.include('"name":"take_me"').and.to.include('"name":"unnamed"');
      for (const name of names) expect(name).to.match(/^"name":"[a-zA-Z0-9_-]+"$/);
    });

    it("Q4 ends a turn whose model never ends an event, or a line that is none", async () => {
      for (const data of [
        `{"text":"${"x".repeat(6_000_000)}"}`,
        `\n:${" ".repeat(6_000_000)}`,
        `${"data:\n".repeat(999_999)}`,
      ])
        expect((await play([{ events: [data] }])).at(-2)?.kind).to.equal("error");
    });

    it("Q4 ends a turn whose model streams a value too deep or too wide to be read", async () => {
      const wide = Array.from({ length: 300_000 }, (_, n) => `"${n}":1`).join(",");
      for (const data of [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, `{${wide}}`])
        expect((await play([{ events: [data] }])).at(-2)?.kind).to.equal("error");
    });

    if (type !== "openai-compatible") return;

    it("Q2 reads a chunk of thousands of calls with objects for arguments once", async () => {
      const value = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key${n}`, 12345678901 + n]));
      const calls = Array.from({ length: 2_000 }, (_, index) => ({
        index,
        id: `call_${index}`,
        function: { name: "take", arguments: { ...value, n: index } },
      }));
      const chunk = JSON.stringify({ choices: [{ delta: { tool_calls: calls }, finish_reason: "tool_calls" }] });
      const events = [chunk.replace('"n":0', '"n":12345678901234567890'), "[DONE]"];
      const results = resultsIn(await play([{ events }, done]));
      expect(results.filter(({ status }) => status === "ok")).to.have.length(MAX_CALLS);
      expect((await rows())[0]?.arguments).to.include({ key0: 12345678901 });
    });

    it("Q3 makes no call whose arguments are too deep or too wide", async () => {
      const wide = `{${Array.from({ length: 60_000 }, (_, n) => `"${n}":1`).join(",")}}`;
      const deep = `{"name":${"[".repeat(2_000)}${"]".repeat(2_000)}}`;
      const unknown = `{${Array.from({ length: 40_000 }, (_, n) => `"name${n}":1`).join(",")}}`;
      const calls = [wide, deep, unknown].map((args): VendorCall => ({ name: "create_pet", arguments: args }));
      const results = resultsIn(await play([{ calls }, done]));
      expect(results.map(({ result }) => errorOf(result))).to.deep.equal(Array(3).fill("invalid_arguments"));
      for (const { result } of results) expect(JSON.stringify(result).length).to.be.below(3_000);
      expect(target.requests).to.have.length(0);
    });

    it("Q3 makes no call of a reply that was cut, and keeps little of its arguments", async () => {
      for (const run of ["a", "a-", "a.$", "pass "]) {
        const text = run.repeat(400_000 / run.length);
        const calls: VendorCall[] = [
          { name: "take", arguments: { text } },
          { name: "take", arguments: `{"${text}` },
        ];
        const results = resultsIn(await play([{ calls, finish: "length" }, done]));
        expect(results.map(({ result }) => errorOf(result))).to.deep.equal(["invalid_arguments", "invalid_arguments"]);
        expect(JSON.stringify(await rows()).length).to.be.below(30_000);
      }
      expect(target.requests).to.have.length(0);
    });

    it("G26 hides lists of secrets of any length, also in a result that repeats them", async () => {
      target.answer(({ body }) => json({ ok: true, said: JSON.parse(String(body)) }));
      const lists = [
        Array.from({ length: 300 }, (_, n) => `canary-${n}-x`),
        Array.from({ length: 16_000 }, (_, n) => `canary-${n}-x`),
        ["canary".repeat(100_000)],
      ];
      const calls = lists.map((password): VendorCall => ({ name: "take", arguments: { password, note: "a note" } }));
      const events = await play([{ calls }, done]);
      const results = resultsIn(events);
      expect(results.map(({ status }) => status)).to.deep.equal(["ok", "ok", "ok"]);
      expect(results[0]).to.have.nested.property("result.said.note", "a note");
      for (const { result } of results) expect(result).to.have.property("ok", true);
      expect(JSON.stringify([events, await rows()])).to.not.contain("canary");
    });

    it("Q5 keeps numbers of hundreds of thousands of digits as text, from the model and from the application @all", async () => {
      const digits = "7".repeat(400_000);
      target.answer(() => json(`{"count":${digits},"huge":1e999}`));
      const args = `{"a":${digits},"b":-1e999}`;
      const [result] = resultsIn(await play([{ calls: [{ name: "take", arguments: args }] }, done]));
      expect(result).to.deep.include({ status: "ok", result: { count: digits, huge: "1e999" } });
      expect((await rows())[0]?.arguments).to.deep.equal({ a: digits, b: "-1e999" });
    });

    it("Q5 keeps an object of 400,000 members from the application as text", async () => {
      const wide = `{${Array.from({ length: 400_000 }, (_, n) => `"key${n}":${n}`).join(",")}}`;
      target.answer(() => json(wide));
      const [result] = resultsIn(await play([{ calls: [{ name: "list_pets", arguments: {} }] }, done]));
      expect(result?.status).to.equal("ok");
      expect(JSON.stringify(result?.result)).to.contain("string of 7377781 characters");
    });

    it("Q5 keeps as text an answer whose many objects have more names, or more members, than one may have @all", async () => {
      const objects = (count: number, members: number, name: (n: number, i: number) => string): string => {
        const object = (i: number): string =>
          `{${Array.from({ length: members }, (_, n) => `"${name(n, i)}":0`).join(",")}}`;
        return `{${Array.from({ length: count }, (_, i) => `"o${i}":${object(i)}`).join(",")}}`;
      };
      for (const wide of [
        objects(16, 45_000, (n) => `${n}`),
        objects(12, 45_000, (n, i) => `${i}.${n}`),
        objects(7_000, 80, (n, i) => `${i}.${n}`),
      ]) {
        target.answer(() => json(wide));
        const [result] = resultsIn(await play([{ calls: [{ name: "list_pets", arguments: {} }] }, done]));
        expect(result?.status).to.equal("ok");
        expect(JSON.stringify(result?.result)).to.contain(`string of ${wide.length} characters`);
      }
    });

    it("Q5 answers other requests beside an object of as many members as are read", async () => {
      const wide = `{${Array.from({ length: 50_000 }, (_, n) => `"key${n}":${n}`).join(",")}}`;
      target.answer(() => json(wide));
      const [result] = resultsIn(await play([{ calls: [{ name: "list_pets", arguments: {} }] }, done]));
      expect(result).to.have.nested.property("result.key49999", 49_999);
    });

    it("Q6 refuses questions of read_result and search_tools that are longer than any question", async () => {
      target.answer(() => json(Array.from({ length: 3_000 }, (_, id) => ({ id, name: `pet ${id}` }))));
      const long = "f".repeat(100_000);
      const asked: JsonObject[] = [
        { fields: Array.from({ length: 20_000 }, (_, n) => `f${n}`) },
        { fields: [long] },
        { where: { [long]: 1 } },
        { where: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n])) },
        { contains: { name: long } },
        { path: "/a".repeat(50_000) },
        { [long]: 1 },
      ];
      const own: VendorCall[] = [
        ...asked.map((args): VendorCall => ({ name: "read_result", arguments: { call_id: "all", ...args } })),
        { name: "read_result", arguments: { call_id: long } },
        { name: "search_tools", arguments: { query: "pet ".repeat(25_000) } },
      ];
      const first: VendorCall = { id: "all", name: "list_pets", arguments: {} };
      const results = resultsIn(await play([first, ...own].map((call) => ({ calls: [call] })).concat([done as never])));
      expect(results.slice(1).map(({ result }) => errorOf(result))).to.deep.equal(Array(9).fill("invalid_arguments"));
      for (const { result } of results.slice(1)) expect(JSON.stringify(result).length).to.be.below(2_500);
    });

    it("Q6 answers other requests while a list of a million items is filtered by everything that may be asked @all", async () => {
      // The rows of an answer go to disk; a second list of it stays in memory.
      const list = `{"rows":[],"more":[${"1,".repeat(1_000_000)}1]}`;
      target.answer(() => json(list));
      const where = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a.b.c.d.${n}`.repeat(8), n]));
      const results = resultsIn(
        await play([
          { calls: [{ id: "million", name: "list_pets", arguments: {} }] },
          { calls: [{ name: "read_result", arguments: { call_id: "million", path: "/more", where } }] },
          { calls: [{ name: "read_result", arguments: { call_id: "million", path: "/more", offset: 999_990 } }] },
          done,
        ]),
      );
      expect(results[1]?.result).to.deep.include({ matching_items: 0, total_items: 1_000_001 });
      expect(results[2]).to.have.nested.property("result.items").with.length(11);
    });
  });
