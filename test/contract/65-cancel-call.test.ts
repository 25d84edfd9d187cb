// Stopping one call: its request or statement ends, the row says what is known of it, and the turn goes on with the others and the model.
// Source: docs/reference.md, "Stopping one call".
import type { Socket } from "node:net";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { type ChatMessage, incoherence, messagesOf } from "../support/conversation.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { startDatabaseDaemon } from "../support/database.js";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor, type VendorTurn } from "../support/vendor.js";

const CREATED: VendorTurn = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
const STOPPED_READ = "a person stopped this call before its answer; do not make it again unless they ask for it";
const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

interface Answer {
  status: number;
  body: { cancelled?: boolean; error?: { code: string } };
}

describe("Stopping one call", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon;
  /** Connections of requests the target has not answered. */
  let unanswered: Socket[];

  beforeEach(async () => {
    vendor = await startVendor();
    unanswered = [];
    target = await startTarget(() => (socket) => void unanswered.push(socket));
  });
  afterEach(async () => {
    await daemon.close();
    await vendor.close();
    await target.close();
  });

  const config = (more: object = {}): Record<string, unknown> => {
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m" };
    return { default_provider: "fake", providers: { fake }, ...more };
  };
  const start = async (options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, config: config(), ...options });
  };
  /** Starts a turn that no client waits for; its id. */
  const begin = async (body: object = {}, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await postJson(
      `${daemon.url}/run`,
      { message: "go", session_id: "s", detach: true, ...body },
      { headers },
    );
    expect(answer.status).to.equal(202);
    return ((await answer.json()) as { turn_id: string }).turn_id;
  };
  const cancel = async (turn_id: string, call_id: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const path = `/-/turns/${turn_id}/calls/${encodeURIComponent(call_id)}/cancel`;
    const answer = await fetch(daemon.url + path, { method: "POST", headers });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };
  const idle = (): Promise<void> => until(() => daemon.agent.load().running === 0);
  const rows = async (): Promise<HistoryEntry[]> => (await daemon.agent.history({ limit: 10 })).reverse();
  const turnStatus = async (turn_id: string): Promise<unknown> => (await daemon.agent.turn(turn_id))?.status;
  /** What the model was sent last, coherent. */
  const lastSent = (): ChatMessage[] => {
    const sent = messagesOf(vendor.requests.at(-1));
    expect(incoherence(sent)).to.equal("");
    return sent;
  };
  const pending = async (count = 1): Promise<HistoryEntry[]> => {
    await until(async () => (await rows()).filter(({ status }) => status === "pending").length === count);
    return (await rows()).filter(({ status }) => status === "pending");
  };

  it("ends the request of a change, says that it may have been done, and goes on with the model", async () => {
    await start();
    vendor.script([CREATED, { text: "I stopped there." }]);
    const turn_id = await begin();
    await until(() => unanswered.length === 1);
    const [row] = await pending();
    const gone = new Promise((resolve) => unanswered[0]?.once("close", resolve));
    expect(await cancel(turn_id, row?.call_id ?? "")).to.deep.equal({ status: 200, body: { cancelled: true } });
    await gone;
    await idle();
    expect(await turnStatus(turn_id)).to.equal("done");
    const [made, ...others] = await rows();
    const message = `a person stopped this call before 127.0.0.1:${target.port} had answered it. The request may have been carried out: check before sending it again`;
    expect(made).to.deep.include({ status: "error", result: { error: "cancelled", message } });
    expect(others).to.have.length(0);
    expect(target.requests).to.have.length(1);
    expect(JSON.stringify(lastSent().at(-1)?.content)).to.contain("stopped this call");
    expect(await cancel(turn_id, row?.call_id ?? "")).to.deep.equal({ status: 200, body: { cancelled: false } });
    expect((await cancel(turn_id, "unknown")).status).to.equal(404);
    expect((await cancel("unknown", row?.call_id ?? "")).body.error?.code).to.equal("not_found");
  });

  it("stops that one of several reads under way, and no other", async () => {
    await start();
    const calls = [1, 2, 3].map((id) => ({ name: "get_pet", arguments: { id } }));
    vendor.script([{ calls }, { text: "Two of three." }]);
    const turn_id = await begin();
    await until(() => unanswered.length === 3);
    const reads = await pending(3);
    expect((await cancel(turn_id, reads[1]?.call_id ?? "")).body.cancelled).to.equal(true);
    await until(async () => (await rows())[1]?.status === "error");
    expect((await rows()).map(({ status }) => status)).to.deep.equal(["pending", "error", "pending"]);
    for (const socket of unanswered) if (!socket.destroyed) socket.write(json({ name: "Rex" }));
    await idle();
    const results = (await rows()).map(({ status, result }) => ({ status, result }));
    const answered = { status: "ok", result: { name: "Rex" } };
    const stopped = { status: "error", result: { error: "cancelled", message: STOPPED_READ } };
    expect(results).to.deep.equal([answered, stopped, answered]);
    expect(await turnStatus(turn_id)).to.equal("done");
    expect(lastSent().map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "tool", "tool"]);
  });

  it("leaves a call alone that waits for a yes, and stops it once it runs", async () => {
    await start();
    vendor.script([CREATED, { text: "fine" }]);
    const turn_id = await begin({ confirm: true });
    let id = "";
    await until(async () => {
      const [held] = await daemon.agent.confirmations({ limit: 1 });
      id = held?.id ?? "";
      return held?.status === "pending";
    });
    const call_id = (await rows())[0]?.call_id ?? "";
    expect((await cancel(turn_id, call_id)).body).to.deep.equal({ cancelled: false });
    expect((await daemon.agent.confirmation(id))?.status).to.equal("pending");
    await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve" });
    await until(() => unanswered.length === 1);
    expect((await cancel(turn_id, call_id)).body).to.deep.equal({ cancelled: true });
    await idle();
    const [row] = await rows();
    expect(row).to.include({ status: "error" }).and.to.have.nested.property("result.error", "cancelled");
    expect(await turnStatus(turn_id)).to.equal("done");
  });

  it("lets a read-only token stop calls of its own turns only", async () => {
    const [full, ci] = ["full-token-0123456789", "ci-token-0123456789abc"];
    const tokens = { full: { token: full, readOnly: false }, ci: { token: ci, readOnly: true } };
    const named = { tokens: { full, ci: { token: ci, read_only: true } } };
    await start({ config: config(named), listen: { tokens } });
    const auth = (token: string) => ({ authorization: `Bearer ${token}` });
    vendor.script((_, n) => (n < 2 ? { calls: [{ name: "list_pets", arguments: {} }] } : { text: "fine" }));
    const others = await begin({ session_id: "others" }, auth(full));
    await until(() => unanswered.length === 1);
    const own = await begin({ session_id: "own" }, auth(ci));
    const made = await pending(2);
    const idIn = (turn_id: string): string => made.find((row) => row.turn_id === turn_id)?.call_id ?? "";
    const refused = await cancel(others, idIn(others), auth(ci));
    expect(refused.status).to.equal(403);
    expect(refused.body.error?.code).to.equal("read_only_token");
    expect((await cancel(own, idIn(own), auth(ci))).body).to.deep.equal({ cancelled: true });
    expect((await cancel(others, idIn(others), auth(full))).body).to.deep.equal({ cancelled: true });
    await idle();
  });

  it("ends a query at its database, and rolls a change back @all", async () => {
    const sql = `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); CREATE VIEW forever AS ${ENDLESS};
      INSERT INTO t VALUES (7, 'Max');
      CREATE TRIGGER slow BEFORE INSERT ON t BEGIN SELECT * FROM forever; END`;
    const database = await startDatabaseDaemon(sql, { config: config() });
    daemon = database;
    /** Whether a statement of the daemon is under way. */
    const isLocked = (): boolean => {
      try {
        database.database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK");
        return false;
      } catch {
        return true;
      }
    };
    const steps: [VendorTurn, string][] = [
      [{ calls: [{ name: "query", arguments: { sql: "SELECT count(*) FROM t, forever" } }] }, STOPPED_READ],
      [
        { calls: [{ name: "create_t", arguments: { name: "Rex" } }] },
        "a person stopped this call before its change was final; it was rolled back, and nothing was changed",
      ],
    ];
    for (const [turn, message] of steps) {
      vendor.script([turn, { text: "fine" }]);
      const turn_id = await begin();
      const [row] = await pending();
      await until(isLocked);
      expect((await cancel(turn_id, row?.call_id ?? "")).body).to.deep.equal({ cancelled: true });
      await idle();
      expect((await rows()).at(-1)).to.deep.include({ status: "error", result: { error: "cancelled", message } });
      expect(await turnStatus(turn_id)).to.equal("done");
    }
    expect(database.database.rows("SELECT name FROM t")).to.deep.equal([{ name: "Max" }]);
  });
});
