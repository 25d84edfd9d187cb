// Clients that do not read, that have stopped, and that send invalid frames. Each of them is disconnected, and the conversation
// beside them goes on.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { typescript } from "../../support/program.js";
import { type ChatClient, openChat, openChatWire } from "../../support/raw.js";
import { type Served, start } from "../../support/spawn.js";
import { until } from "../../support/until.js";
import type { Fault } from "../fault.js";
import { openLab, SOON_MS } from "../lab.js";

/** Some rounds of long answers fit before V8 collects them; kept for good, they would soon be more. */
const MAX_MIB = 768;

/** A value of GET /-/metrics. */
async function metric(daemon: Served, name: RegExp): Promise<number> {
  const text = await (await fetch(`${daemon.url}/-/metrics`)).text();
  return Number(new RegExp(`^${name.source} (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
}

const socketsOf = (daemon: Served): Promise<number> => metric(daemon, /agentd_chat_sockets/);

/** A masked text frame. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head =
    bytes.length < 126
      ? Buffer.from([0x81, 0x80 | bytes.length])
      : Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), bytes]);
}

/** The other conversation: each prompt gets its own answer, whole. */
async function converse(other: ChatClient, what: string): Promise<void> {
  other.send(`hello ${what}`);
  const kinds = (await other.turns()).map(({ kind, text }) => `${kind} ${text ?? ""}`.trim());
  const expected = [`user_prompt hello ${what}`, "assistant_delta ok", "assistant_message ok", "done"];
  assert(kinds.join() === expected.join(), `another conversation read ${kinds.join()}`);
}

export const unread: Fault = {
  name: "unread",
  about: "/chat clients that never read",
  async run(tally, { short }) {
    const lab = await openLab(tally);
    const daemon = await lab.start();
    const other = await openChat(`${daemon.url}/chat`);
    for (let round = 0; round < (short ? 1 : 10); round++)
      await tally.attempt(`round ${round}`, async () => {
        // Reads nothing, and is sent nothing: it stays until pings go unanswered, which is what the others must not wait for.
        const idle = await openChatWire(daemon.port);
        idle.socket.pause();
        const wires = await Promise.all(Array.from({ length: 4 }, () => openChatWire(daemon.port)));
        for (const { socket, write } of wires) {
          socket.pause();
          // One reply may not get this long: what piles up unread are the answers to many prompts.
          for (let i = 0; i < 24; i++) write(frame("torrent 14"));
        }
        await converse(other, String(round));
        await until(async () => (await socketsOf(daemon)) <= 2, SOON_MS, "clients that do not read are kept");
        assert(
          (await socketsOf(daemon)) === 2,
          "they were disconnected for their silence, not for what they did not read",
        );
        for (const wire of [idle, ...wires]) wire.end();
        await until(async () => (await socketsOf(daemon)) === 1, SOON_MS, "sockets of clients that left are kept");
      });
    await tally.attempt("memory", async () => {
      lab.noteMemory(daemon);
      assert(tally.peakMiB < MAX_MIB, `it took ${Math.round(tally.peakMiB)} MiB`);
      await lab.auditTranscripts(daemon);
    });
    other.close();
  },
};

const CLIENT = fileURLToPath(new URL("../children/chat-client.ts", import.meta.url));
/** Two ping intervals and a margin. */
const NOTICED_MS = 80_000;

export const frozen: Fault = {
  name: "frozen",
  about: "/chat clients whose process was stopped",
  async run(tally, { short }) {
    if (short) {
      tally.skipped = "it takes more than a minute";
      return;
    }
    const lab = await openLab(tally);
    const daemon = await lab.start();
    const address = `${daemon.url.replace("http", "ws")}/chat`;
    const clients = Array.from({ length: 5 }, () => start([...typescript(CLIENT), address]));
    await Promise.all(clients.map((client) => client.prints("open")));
    const other = await openChat(`${daemon.url}/chat`);
    for (const client of clients) client.child.kill("SIGSTOP");
    await tally.attempt("noticed", async () => {
      await until(async () => (await socketsOf(daemon)) <= 1, NOTICED_MS, "their connections were not closed");
      await converse(other, "that is still there");
    });
    other.close();
    await Promise.all(clients.map((client) => client.kill()));
  },
};

/** Frames as bytes: pure noise, well-formed heads with noise behind them, fragments, and text a parser may choke on. */
const frames = (): fc.Arbitrary<Buffer> => {
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const text = fc
    .oneof(
      fc.json({ maxDepth: 6 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom(
        "{",
        '{"message":',
        '{"type":"cancel"}',
        '{"type":"confirm","id":"x","decision":"approve"}',
        "{}",
      ),
      fc.integer({ min: 1, max: 20_000 }).map((depth) => `{"message":${"[".repeat(depth)}`),
      fc.integer({ min: 1, max: 8_000 }).map((depth) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    )
    .map(frame);
  const headed = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), noise)
    .map(([first, second, rest]) => Buffer.concat([Buffer.from([first, second]), rest]));
  const fragments = fc
    .array(fc.uint8Array({ maxLength: 20 }), { minLength: 1, maxLength: 50 })
    .map((parts) =>
      Buffer.concat(
        parts.map((part, i) =>
          Buffer.concat([Buffer.from([i === 0 ? 0x01 : 0x00, 0x80 | part.length, 0, 0, 0, 0]), part]),
        ),
      ),
    );
  const giant = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map((length) => {
    const head = Buffer.from("81ff000000000000000000000000", "hex");
    head.writeBigUInt64BE(length, 2);
    return head;
  });
  return fc.oneof(noise, text, headed, fragments, giant);
};

export const frameNoise: Fault = {
  name: "frames",
  about: "random WebSocket frames: noise, fragments, giant and deep JSON",
  async run(tally, { short }) {
    const runs = short ? 100 : 5_000;
    const lab = await openLab(tally);
    const daemon = await lab.start();
    const other = await openChat(`${daemon.url}/chat`);
    tally.tried = runs;
    const property = fc.asyncProperty(fc.array(frames(), { minLength: 1, maxLength: 6 }), async (sent) => {
      const wire = await openChatWire(daemon.port);
      for (const bytes of sent) wire.write(bytes);
      await wire.wait(5);
      wire.end();
      if (tally.survived++ % 20 === 0) await converse(other, String(tally.survived));
      assert(daemon.isAlive(), "the daemon died");
    });
    const found = await fc.check(property, { numRuns: runs, endOnFailure: true });
    if (found.failed) {
      tally.survived = Math.min(tally.survived, runs - 1);
      tally.problems.push(fc.defaultReportMessage(found) ?? "");
    }
    await tally.attempt("the others", async () => {
      await converse(other, "at last");
      await until(async () => (await socketsOf(daemon)) === 1, SOON_MS, "sockets of clients that left are kept");
    });
    other.close();
  },
};
