import { expect } from "chai";
import { openApi } from "../../src/server/openapi/document.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { openChat, openChatWire, openWire } from "../support/raw.js";

/** Repeatable chance (mulberry32): a failure is found again with the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const WORDS = [
  "",
  "0",
  "1",
  "-1",
  "null",
  "ok",
  "pending",
  "x".repeat(300),
  "é",
  "%",
  "../..",
  "a b",
  "1e9",
  "[]",
  "__proto__",
];
const VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "true",
  [],
  {},
  ["x"],
  { message: "x" },
  [{ role: "user", content: "x" }],
  [
    { role: "user", content: [{ type: "text", text: "x" }] },
    { role: "__proto__", content: 1 },
  ],
  [{ role: "tool" }, { type: "reasoning" }, { role: "user", content: [null] }],
  "agentd/played",
  "\ud800",
  "\u0000",
];
const FIELDS = [
  "message",
  "read_only",
  "dry_run",
  "session_id",
  "events",
  "decision",
  "arguments",
  "reason",
  "__proto__",
  "type",
  "id",
  "model",
  "messages",
  "input",
  "instructions",
  "stream",
  "conversation",
  "previous_response_id",
  "n",
  "tools",
  "text",
  "title",
  "name",
  "application",
  "continue_from",
];

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, unknown>;
}

/** Reads an answer to its end, or what a stream without one begins with. */
async function firstBytes({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  const isOver = new Promise<true>((resolve) => setTimeout(resolve, 100, true));
  while (reader) {
    const next = await Promise.race([reader.read().then(({ done }) => done), isOver]);
    if (next) return reader.cancel();
  }
}

describe("Robustness", () => {
  let daemon: Daemon;
  const roll = dice(20261121);
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  const randomBody = (): string => {
    if (roll(8) === 0) return pick(["", "{", "[]", "null", '"x"', "[".repeat(600), "\u0000", '{"message":"x"}}']);
    const fields = Array.from({ length: roll(5) }, () => [pick(FIELDS), pick(VALUES)]);
    if (roll(2)) fields.unshift(["message", "hello"]);
    return JSON.stringify(Object.fromEntries(fields));
  };

  before(async () => {
    daemon = await startDaemon();
  });
  after(() => daemon.close());

  it("answers random requests with a status its document names, and never with 5xx @all", async () => {
    const { paths } = JSON.parse(openApi("0")) as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    for (let i = 0; i < 600; i++) {
      const { path, method, operation } = pick(operations);
      const query = new URLSearchParams();
      for (const { name, in: location } of operation.parameters ?? [])
        if (location === "query" && roll(2)) query.append(name, pick(WORDS));
      const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(pick(WORDS) || "x"));
      const url = `${filled}?${query}`;
      const headers: Record<string, string> = roll(10) ? { "content-type": "application/json" } : {};
      if (roll(4) === 0)
        headers["accept"] = pick(["text/event-stream", "application/x-ndjson", "text/html", "*/*;q=0"]);
      const body = operation.requestBody ? randomBody() : undefined;
      const answer = await fetch(daemon.url + url, { method: method.toUpperCase(), headers, body });
      await firstBytes(answer);
      const what = `#${i} ${method} ${url} ${body}: ${answer.status}`;
      expect(operation.responses, what).to.have.property(String(answer.status));
      expect(answer.status, what).to.be.below(500);
    }
  });

  it("survives random bytes as requests and as frames, and other chats go on", async () => {
    const other = await openChat(`${daemon.url}/chat`);
    const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => roll(256)));
    for (let i = 0; i < 60; i++) {
      const plain = await openWire(daemon.port);
      plain.write(
        Buffer.concat([
          Buffer.from(pick(["", "GET / HTTP/1.1\r\n", "POST /run HTTP/1.1\r\nHost: localhost\r\n"])),
          noise(64),
        ]),
      );
      const chat = await openChatWire(daemon.port);
      chat.write(noise(1 + roll(200)));
      if (roll(2)) chat.write(noise(50));
      await chat.wait(5);
      plain.end();
      chat.end();
    }
    for (let i = 0; i < 200; i++) {
      other.send(roll(3) ? randomBody().replace("{", "{ ") : pick(WORDS));
      await other.turns();
    }
    other.send({ message: "hello" });
    expect((await other.turns()).at(-2)).to.deep.equal({ kind: "assistant_message", text: "ok" });
    other.close();
  });
});
