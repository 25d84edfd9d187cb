// What changes anywhere in the daemon, told to any number of readers. Source: docs/reference.md, "Changes".

import { expect } from "chai";
import { WebSocket } from "ws";
import { ChangeFeed } from "../../src/agent/state/changes.js";
import type { DaemonChange } from "../../src/domain/change.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { echo, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

type Change = { kind: string } & Record<string, unknown>;

/** A reader of changes over a WebSocket, open. */
async function watch(
  daemon: Daemon,
  query = "",
): Promise<{ changes: Change[]; closed: Promise<number>; ws: WebSocket }> {
  const ws = new WebSocket(`${daemon.url.replace("http", "ws")}/-/changes${query}`);
  const changes: Change[] = [];
  ws.on("message", (data) => changes.push(JSON.parse(String(data)) as Change));
  const closed = new Promise<number>((resolve) => ws.on("close", resolve));
  await new Promise((resolve, reject) => ws.on("open", resolve).on("error", reject));
  return { changes, closed, ws };
}

/** The kinds of changes, with their states. */
const told = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ kind, status, deleted }) =>
    kind === "ping" || kind === "history" ? [] : [[kind, status, deleted && "deleted"].filter(Boolean).join(" ")],
  );

describe("Changes", () => {
  let target: RecordingTarget;
  let daemon: Daemon;

  before(async () => {
    target = await startTarget(echo);
    const call = { calls: [{ id: "c1", name: "create_pet", arguments: { name: "Rex" } }] };
    daemon = await startDaemon({ target: target.url, turns: [{ prompt: "make", replies: [call, { text: "made" }] }] });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("names held and decided calls, turns, rows and deleted sessions, without their contents", async () => {
    const { changes, ws } = await watch(daemon);
    const session_id = "seen";
    const answer = await postJson(`${daemon.url}/run`, { message: "make", session_id, confirm: true });
    expect(answer.status).to.equal(200);
    const [held] = await daemon.agent.confirmations({ limit: 1 });
    await postJson(`${daemon.url}/-/confirmations/${held?.id}/extend`, { seconds: 600 });
    await postJson(`${daemon.url}/-/confirmations/${held?.id}`, { decision: "approve" });
    await fetch(`${daemon.url}/-/sessions/${session_id}`, { method: "DELETE" });
    await until(() => told(changes).includes("session deleted"));
    ws.close();
    expect(told(changes)).to.deep.equal([
      "session",
      "confirmation pending",
      "session",
      "confirmation pending",
      "confirmation approved",
      "session",
      "session deleted",
    ]);
    expect(changes.filter(({ kind }) => kind === "history")).to.not.be.empty;
    expect(JSON.stringify(changes)).to.not.contain("Rex");
  });

  it("comes as server-sent events, too, and tells of another configuration", async () => {
    const gone = new AbortController();
    const answer = await fetch(`${daemon.url}/-/changes`, { signal: gone.signal });
    expect(answer.headers.get("content-type")).to.equal("text/event-stream");
    let text = "";
    const reading = (async () => {
      for await (const bytes of answer.body ?? []) text += Buffer.from(bytes as Uint8Array).toString();
    })().catch(() => {});
    await daemon.reload({});
    await until(() => text.includes("configuration"));
    gone.abort();
    await reading;
    expect(text).to.contain('data: {"kind":"configuration"}\n\n');
  });

  it("closes a WebSocket that sends anything with 1003", async () => {
    const { closed, ws } = await watch(daemon);
    ws.send("hello");
    expect(await closed).to.equal(1003);
  });
});

describe("Changes: who may read them", () => {
  const tokens = { ops: { token: "o".repeat(20) }, guest: { token: "g".repeat(20), read_only: true } };
  const listen = {
    tokens: { ops: { token: tokens.ops.token, readOnly: false }, guest: { token: tokens.guest.token, readOnly: true } },
  };
  let daemon: Daemon;

  before(async () => {
    daemon = await startDaemon({ config: { tokens }, listen });
  });
  after(() => daemon.close());

  const statusOf = (query: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve) => {
      const ws = new WebSocket(`${daemon.url.replace("http", "ws")}/-/changes${query}`, { headers });
      ws.on("unexpected-response", (_req, res) => resolve(res.statusCode ?? 0));
      ws.on("error", () => {});
      ws.on("open", () => {
        ws.close();
        resolve(101);
      });
    });

  it("read-only tokens may, nobody without a token and no page of another origin", async () => {
    const token = `?token=${tokens.guest.token}`;
    expect(await statusOf(token)).to.equal(101);
    expect(await statusOf("")).to.equal(401);
    expect(await statusOf(token, { origin: "http://evil.example" })).to.equal(403);
    expect(await statusOf(`${token}&since=1`)).to.equal(400);
    expect((await fetch(`${daemon.url}/-/changes`)).status).to.equal(401);
  });

  it("readers are closed with 1001 when the daemon stops", async () => {
    const other = await startDaemon();
    const { closed } = await watch(other);
    await other.close();
    expect(await closed).to.equal(1001);
  });
});

describe("Changes: readers that take nothing", () => {
  const session = (n: number): DaemonChange => ({ kind: "session", session_id: `s${n}` });

  it("M14 is rid of a reader that never began to read once it has gone", async () => {
    let isWatched = false;
    const feed = new ChangeFeed(() => {
      isWatched = true;
      return () => {
        isWatched = false;
      };
    });
    const gone = new AbortController();
    await feed.read(gone.signal).return();
    expect(isWatched).to.equal(true);
    gone.abort();
    expect(isWatched).to.equal(false);
  });

  it("M14 keeps nothing for a reader that is too far behind", async () => {
    let isWatched = true;
    const feed = new ChangeFeed(() => () => {
      isWatched = false;
    });
    const changes = feed.read(new AbortController().signal);
    for (let n = 0; n <= 1_000; n++) feed.add(session(n));
    expect(isWatched).to.equal(false);
    expect((await changes.next()).done).to.equal(true);
  });
});
