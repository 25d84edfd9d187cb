// What a kill, a crash, a failing disk and a failing target leave of the record and of a session: nothing is lost.
// Source: docs/reference.md, "Limits and promises" and "Sessions and turns".

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry, SessionSummary, TranscriptTurn } from "../../src/domain/record.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { isGood } from "../soak/fault.js";
import { kill } from "../soak/faults/kill.js";
import { runFault } from "../soak/run.js";
import { allOnly } from "../support/all.js";
import { shiftedClock } from "../support/clock.js";
import { incoherence, messagesOf } from "../support/conversation.js";
import { type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { type Served, type ServeOptions, serve } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const CREATE = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };

const history = (url: string): Promise<HistoryEntry[]> => getJson(`${url}/history`);
const transcript = async (url: string, id: string): Promise<TranscriptTurn[]> =>
  (await getJson<{ turns: TranscriptTurn[] }>(`${url}/-/sessions/${id}`)).turns;
const run = (url: string, message: string, session_id: string): Promise<TurnEvent[]> =>
  ask(url, { message, session_id, events: "extended" });

describe("Limits and promises: no call without a row", function () {
  this.timeout(60_000);
  let vendor: Vendor;
  let target: RecordingTarget;
  let dir: string;
  const processes: Served[] = [];

  beforeEach(async () => {
    vendor = await startVendor();
    target = await startTarget(() => json({ id: 1 }));
    dir = temporaryFolder("durable");
  });
  afterEach(async () => {
    for (const daemon of processes.splice(0)) if (daemon.isAlive()) await daemon.kill();
    await vendor.close();
    await target.close();
  });

  const config = (provider: object = {}): { default_provider: string; providers: object } => ({
    default_provider: "fake",
    providers: { fake: { type: "openai-compatible", base_url: vendor.url, model: "m", max_retries: 0, ...provider } },
  });
  /** A daemon in a process of its own, to be killed. */
  const spawned = async (options: ServeOptions = {}): Promise<Served> => {
    writeFileSync(join(dir, "config.json"), JSON.stringify(config()));
    writeFileSync(join(dir, "schema.json"), JSON.stringify(petShop(target.url)));
    const daemon = await serve(["--data-dir", dir], options);
    processes.push(daemon);
    return daemon;
  };
  /** A daemon in this process. */
  const here = (options: DaemonOptions = {}) =>
    startDaemon({ target: target.url, dataDir: dir, config: config(), ...options });

  it("J1 has a row for every request the target received, after kill -9 under load again and again @all", async () => {
    const { report } = await runFault(kill, { short: true, log: () => {} });
    expect(report.problems).to.deep.equal([]);
    expect(isGood(report), JSON.stringify(report)).to.equal(true);
  });

  it("J1 J2 reads interrupted when it was killed after the target read the request, and the next prompt is coherent", async () => {
    const first = await spawned();
    vendor.script([CREATE]);
    const killed = new Promise<void>((resolve) => target.answer(() => () => void first.kill().then(() => resolve())));
    await run(first.url, "create one", "s").catch(() => {});
    await killed;
    expect(target.requests).to.have.length(1);

    target.answer(() => json({ id: 2 }));
    const second = await spawned();
    const [row] = await history(second.url);
    expect(row).to.deep.include({ tool: "create_pet", status: "interrupted", duration_ms: null });
    expect(row?.arguments).to.deep.equal({ name: "Rex" });
    const [turn] = await transcript(second.url, "s");
    expect(turn).to.deep.include({ prompt: "create one", status: "interrupted" });
    expect(turn?.error).to.contain("interrupted");

    vendor.script([{ text: "I do not know whether Rex is there." }]);
    const events = await run(second.url, "and now?", "s");
    expect(events.at(-1)?.kind).to.equal("done");
    const sent = messagesOf(vendor.requests[0]);
    expect(incoherence(sent)).to.equal("");
    expect(sent.map(({ role }) => role).slice(0, 3)).to.deep.equal(["user", "assistant", "tool"]);
    expect(JSON.stringify(sent[2])).to.contain("unknown");
    expect(target.requests, "nothing is sent again").to.have.length(1);
    expect((await transcript(second.url, "s")).map(({ status }) => status)).to.deep.equal(["interrupted", "done"]);
  });

  it("J3 has the final row of every call whose result a client received", async () => {
    const first = await spawned();
    vendor.script([CREATE, { text: "half", trouble: "stall" }]);
    const chat = await openChat(`${first.url}/chat?session_id=s`);
    chat.ws.on("message", (data) => {
      if (String(data).includes('"tool_result"')) first.child.kill("SIGKILL");
    });
    chat.send("create one");
    await chat.closed;
    const second = await spawned();
    expect((await history(second.url))[0]).to.deep.include({ status: "ok", result: { id: 1 } });
    expect((await transcript(second.url, "s"))[0]?.status).to.equal("interrupted");
    vendor.script([{ text: "fine" }]);
    await run(second.url, "go on", "s");
    const sent = messagesOf(vendor.requests[0]);
    expect(incoherence(sent)).to.equal("");
    expect(sent.find(({ role }) => role === "tool")?.content).to.contain('{"id":1}');
  });

  describe("J5 records every call with a status", () => {
    const cases: Record<string, { baseUrl?: (port: number) => string; answer?: () => void; code: string }> = {
      "the target never answers": { answer: () => target.answer(() => () => {}), code: "timeout" },
      "the target resets the connection": {
        answer: () => target.answer(() => (socket) => void socket.resetAndDestroy()),
        code: "",
      },
      "there is no such host": { baseUrl: () => "http://agentd-test.invalid", code: "" },
      "nothing listens there": { baseUrl: () => "http://127.0.0.1:1", code: "" },
      "the target never ends its TLS handshake": { baseUrl: (port) => `https://127.0.0.1:${port}`, code: "timeout" },
      "the answer is not HTTP": { answer: () => target.answer(() => "nonsense\r\n\r\n"), code: "" },
      "the address cannot be used": { baseUrl: () => "ftp://127.0.0.1", code: "invalid_arguments" },
    };
    for (const [name, { baseUrl, answer, code }] of Object.entries(cases))
      it(`when ${name}`, async () => {
        answer?.();
        const schema = petShop(baseUrl?.(target.port) ?? target.url);
        const daemon = await here({ schema, config: { ...config(), target: { timeout_ms: 300 } } });
        vendor.script([CREATE, { text: "It failed." }]);
        const begun = performance.now();
        const events = await run(daemon.url, "create one", "s");
        expect(performance.now() - begun, "its timeout is 300 ms").to.be.below(6_000);
        const [row, ...more] = await history(daemon.url);
        await daemon.close();
        const result = events.find(({ kind }) => kind === "tool_result");
        expect(result).to.deep.include({ status: "error" });
        expect(more).to.deep.equal([]);
        expect(row).to.deep.include({ status: "error", tool: "create_pet" });
        expect(row?.result).to.have.property("error").that.contains(code);
        expect(row?.result).to.have.property("message").that.is.a("string").and.not.empty;
        expect(events.slice(-2).map(({ kind }) => kind)).to.deep.equal(["assistant_message", "done"]);
      });
  });

  for (const [name, code] of [
    ["an uncaught exception", 'throw new Error("boom")'],
    ["an unhandled rejection", 'Promise.reject(new Error("boom"))'],
  ] as const)
    it(`J6 keeps its rows through ${name}, and marks them interrupted at the next start${allOnly(name !== "an uncaught exception")} @all`, async () => {
      const hook = `process.on("SIGUSR2", () => { ${code}; });`;
      const first = await spawned({ node: [`--import=data:text/javascript,${encodeURIComponent(hook)}`] });
      vendor.script([CREATE]);
      target.answer(() => () => void first.child.kill("SIGUSR2"));
      await run(first.url, "create one", "s").catch(() => {});
      await first.ended;
      expect(first.child.exitCode).to.not.equal(0);
      const second = await spawned();
      expect((await history(second.url)).map(({ status }) => status)).to.deep.equal(["interrupted"]);
      expect((await transcript(second.url, "s")).map(({ status }) => status)).to.deep.equal(["interrupted"]);
    });

  it("J9 orders history and sessions by what happened first when the clock jumps back an hour @all", async () => {
    const daemon = await spawned({ env: shiftedClock(0, -3_600_000) });
    vendor.script((_, n) => (n % 2 === 0 ? CREATE : { text: "ok" }));
    await run(daemon.url, "one", "s-1");
    process.kill(daemon.pid, "SIGUSR2");
    await sleep(50);
    await run(daemon.url, "two", "s-2");
    const rows = await history(daemon.url);
    expect(rows.map(({ session_id }) => session_id)).to.deep.equal(["s-2", "s-1"]);
    const [newest = "", older = ""] = rows.map(({ ts }) => ts);
    expect(newest < older, "the clock did jump").to.equal(true);
    expect(await getJson<HistoryEntry[]>(`${daemon.url}/history?before=${rows[0]?.id}`)).to.deep.equal([rows[1]]);
    const sessions = await getJson<SessionSummary[]>(`${daemon.url}/-/sessions`);
    expect(sessions.map(({ session_id }) => session_id)).to.deep.equal(["s-2", "s-1"]);
    await daemon.stop();
  });

  describe("when the record cannot be written", () => {
    /** Another program that holds the write lock. */
    let other: Database | undefined;
    const lock = (): void => {
      other = new SqliteDatabase(join(dir, "history.db"));
      other.exec("BEGIN IMMEDIATE");
    };
    const unlock = (): void => {
      other?.exec("ROLLBACK");
      other?.close();
      other = undefined;
    };
    afterEach(unlock);

    it("K3 refuses a prompt with 503 and Retry-After, calls no model, and answers other requests", async () => {
      const daemon = await here();
      lock();
      const refused = postJson(`${daemon.url}/run`, { message: "create one" });
      expect((await fetch(`${daemon.url}/history`)).status).to.equal(200);
      const answer = await refused;
      expect(answer.status).to.equal(503);
      expect(answer.headers.get("retry-after")).to.match(/^\d+$/);
      expect(await answer.json()).to.have.nested.property("error.code", "audit_unavailable");
      expect(vendor.requests).to.deep.equal([]);
      unlock();
      vendor.script([{ text: "ok" }]);
      expect((await run(daemon.url, "again", "s")).at(-1)?.kind).to.equal("done");
      await daemon.close();
    });

    it("K9 is not ready, takes no prompt and sends no call once a file of the record is taken away under it", async () => {
      const daemon = await here();
      vendor.script([CREATE, { text: "Created." }]);
      await run(daemon.url, "create one", "s");
      expect((await fetch(`${daemon.url}/-/readyz`)).status).to.equal(200);
      rmSync(join(dir, "lock.db"));
      const ready = await fetch(`${daemon.url}/-/readyz`);
      expect(ready.status).to.equal(503);
      expect(await ready.text()).to.not.contain(dir);
      expect((await fetch(`${daemon.url}/-/healthz`)).status).to.equal(200);
      const answer = await postJson(`${daemon.url}/run`, { message: "create another" });
      expect(answer.status).to.equal(503);
      expect(await answer.json())
        .to.have.nested.property("error.message")
        .that.contains("lock.db")
        .and.contains("restart agentd");
      expect(target.requests).to.have.length(1);
      expect((await history(daemon.url)).map(({ status }) => status)).to.deep.equal(["ok"]);
      await daemon.close();
    });

    it("K9 completes the row of a call and the turn that were on their way when the lock was taken away", async () => {
      const daemon = await here();
      vendor.script([CREATE, { text: "Created." }]);
      target.answer(() => async (socket) => {
        rmSync(join(dir, "lock.db"));
        expect((await fetch(`${daemon.url}/-/readyz`)).status).to.equal(503);
        socket.write(json({ id: 7 }));
      });
      const events = await run(daemon.url, "create one", "s");
      const result = events.find(({ kind }) => kind === "tool_result");
      expect(result).to.deep.include({ status: "ok", result: { id: 7 } });
      expect((await history(daemon.url))[0]).to.deep.include({ status: "ok", result: { id: 7 } });
      expect((await transcript(daemon.url, "s")).map(({ status }) => status)).to.deep.equal(["done"]);
      expect((await postJson(`${daemon.url}/run`, { message: "create another" })).status).to.equal(503);
      await daemon.close();
    });

    it("K1 K3 sends no call that has no row, and the model receives audit_unavailable", async () => {
      const daemon = await here();
      vendor.script((_, n) => {
        if (n === 0) lock();
        return n === 0 ? CREATE : { text: "It could not be recorded." };
      });
      const events = await run(daemon.url, "create one", "s");
      expect(target.connections).to.equal(0);
      const result = events.find(({ kind }) => kind === "tool_result");
      expect(result).to.deep.include({ status: "error" });
      expect(JSON.stringify(result)).to.contain("audit_unavailable");
      expect(JSON.stringify(messagesOf(vendor.requests[1]))).to.contain("audit_unavailable");
      unlock();
      await daemon.close();
    });

    it("K2 returns the result of a call whose row cannot be completed, and completes the row later @all", async () => {
      const daemon = await here();
      target.answer(() => {
        lock();
        return json({ id: 7 });
      });
      vendor.script([CREATE, { text: "Created." }]);
      const events = await run(daemon.url, "create one", "s");
      const result = events.find(({ kind }) => kind === "tool_result");
      expect(result).to.deep.include({ status: "ok", result: { id: 7 } });
      expect((await history(daemon.url))[0]?.status).to.equal("pending");
      unlock();
      while ((await history(daemon.url))[0]?.status === "pending") await sleep(20);
      expect((await history(daemon.url))[0]).to.deep.include({ status: "ok", result: { id: 7 } });
      await daemon.close();
    });

    it("K2 saves a turn that could not be saved at its end before the next turn of the session begins", async () => {
      const daemon = await here();
      vendor.script((_, n) => {
        if (n === 0) lock();
        return { text: n === 0 ? "first answer" : "second answer" };
      });
      const events = await run(daemon.url, "first", "s");
      expect(events.find(({ kind }) => kind === "notice"))
        .to.have.property("message")
        .that.contains("saved");
      expect(events.at(-1)?.kind).to.equal("done");
      unlock();
      await run(daemon.url, "second", "s");
      const turns = await transcript(daemon.url, "s");
      expect(turns.map(({ status }) => status)).to.deep.equal(["done", "done"]);
      const texts = turns.flatMap(({ messages }) => messages.map((message) => message.text));
      expect(texts).to.deep.equal(["first", "first answer", "second", "second answer"]);
      await daemon.close();
    });

    it("K2 saves such a turn also without another prompt, and when the daemon stops @all", async () => {
      for (const stops of [false, true]) {
        const daemon = await here();
        const id = `s-${stops}`;
        vendor.script(() => {
          lock();
          return { text: "answer" };
        });
        await run(daemon.url, "first", id);
        unlock();
        if (!stops) while ((await transcript(daemon.url, id))[0]?.status === "running") await sleep(50);
        await daemon.close();
        const after = await here();
        expect((await transcript(after.url, id)).map(({ status }) => status)).to.deep.equal(["done"]);
        await after.close();
      }
    });
  });

  it("sends the model the same messages after a restart as without one, up to the history limit", async () => {
    const limited = { config: config({ history_limit: 5 }) };
    const seen: unknown[] = [];
    for (const restarts of [false, true]) {
      vendor.script((request) =>
        messagesOf(request).at(-1)?.role === "user"
          ? { calls: [{ id: "call_x", name: "create_pet", arguments: { name: "Rex" } }] }
          : { text: "made" },
      );
      const session = `s-${restarts}`;
      let daemon = await here(limited);
      for (const message of ["one", "two", "three"]) await run(daemon.url, message, session);
      if (restarts) {
        await daemon.close();
        daemon = await here(limited);
      }
      vendor.requests.length = 0;
      await run(daemon.url, "four", session);
      seen.push(vendor.requests.map(messagesOf));
      expect(messagesOf(vendor.requests[0])).to.have.length.at.most(6);
      for (const request of vendor.requests) expect(incoherence(messagesOf(request))).to.equal("");
      await daemon.close();
    }
    expect(seen[1]).to.deep.equal(seen[0]);
  });

  it("E5 continues a session after kill -9 with all of its messages", async () => {
    const first = await spawned();
    vendor.script([CREATE, { text: "Rex is there." }]);
    await run(first.url, "create Rex", "s");
    await first.kill();
    const second = await spawned();
    vendor.script([{ text: "Yes, Rex." }]);
    const events = await run(second.url, "is he there?", "s");
    expect(events[1]).to.deep.include({ kind: "session", resumed: true });
    const sent = messagesOf(vendor.requests[0]);
    expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "assistant", "user"]);
    expect(incoherence(sent)).to.equal("");
    expect((await history(second.url))[0]).to.deep.include({ status: "ok", session_id: "s" });
  });
});
