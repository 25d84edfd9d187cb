// Targets that answer badly or not at all: every call ends as a result the model can read, on record, in bounded memory.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { json, type Reply, response, startTarget } from "../../support/target.js";
import { historyOf } from "../audit.js";
import { askWell, make } from "../client.js";
import type { Fault } from "../fault.js";
import { type Lab, openLab } from "../lab.js";

/**
 * The daemon alone takes about 110; garbage of four answers side by side that is not collected yet brings it to 500. Four
 * answers of 200 MB kept whole would take 800 more.
 */
const MOST_MIB = 640;
/** How many times as long as a healthy target a bad one may take. */
const PATIENCE_RATIO = 10;
const MEGABYTE = 1024 * 1024;
const HUGE_BYTES = 200 * MEGABYTE;

/** Writes 200 MB as fast as the daemon reads them. */
function huge(socket: Socket): void {
  socket.write(`HTTP/1.1 200 X\r\nContent-Type: text/plain\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`);
  const piece = Buffer.alloc(MEGABYTE, "x");
  let left = HUGE_BYTES;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) return void socket.once("drain", more);
    }
  };
  more();
}

/** One byte every 50 ms, for ever. */
function drip(socket: Socket): void {
  socket.write("HTTP/1.1 200 X\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n");
  const timer = setInterval(() => socket.write("x"), 50);
  socket.on("close", () => clearInterval(timer));
}

function troubles(elsewhere: string): Record<string, () => Reply> {
  const bomb = gzipSync(Buffer.alloc(HUGE_BYTES));
  const head = "HTTP/1.1 200 X\r\nContent-Type: application/json\r\n";
  const typed = { "Content-Type": "application/json" };
  return {
    "resets before it answers": () => (socket) => socket.resetAndDestroy(),
    "resets in the middle": () => (socket) => {
      socket.write(`${head}Content-Length: 1000\r\n\r\n{"id":`, () => socket.resetAndDestroy());
    },
    "ends in the middle": () => (socket) => void socket.end(`${head}Content-Length: 1000\r\n\r\n{"id":`),
    drips: () => drip,
    "never answers": () => () => {},
    "stops after the head": () => (socket) => void socket.write(`${head}Content-Length: 1000\r\n\r\n`),
    redirects: () => response(307, { Location: `${elsewhere}/stolen` }),
    "answers 200 MB": () => huge,
    "answers a gzip bomb": () => response(200, { ...typed, "Content-Encoding": "gzip" }, bomb),
    "answers broken gzip": () => response(200, { ...typed, "Content-Encoding": "gzip" }, "not gzip"),
    "answers something that is not HTTP": () => (socket) => void socket.end("\u0000\u0001 garbage \r\n\r\n garbage"),
    "answers broken JSON": () => json('{"id": 1, '),
    "answers JSON 100,000 deep": () => json("[".repeat(100_000) + "]".repeat(100_000)),
    "answers noise": () => response(200, {}, Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167) % 256))),
    "answers 500": () => json({ error: "boom" }, 500),
  };
}

/** Errors that calls of a bad target end in; the others are answers, of whatever use. */
const ERRORS: Readonly<Record<string, string>> = {
  "resets before it answers": "connection_reset",
  "resets in the middle": "connection_reset",
  "ends in the middle": "connection_reset",
  drips: "timeout",
  "never answers": "timeout",
  "stops after the head": "timeout",
  redirects: "http_307",
  "answers broken gzip": "invalid_response",
  "answers something that is not HTTP": "invalid_response",
  "answers 500": "http_500",
};

/** The slowest of some calls of a target that is well, on this machine as it is now. */
async function healthyCallMs(lab: Lab): Promise<number> {
  const daemon = await lab.start();
  for (let n = 0; n < 10; n++) await make(daemon, `healthy-${n}`);
  const rows = await historyOf(daemon);
  await daemon.stop();
  return Math.ceil(Math.max(...rows.map(({ duration_ms }) => duration_ms ?? 0)));
}

export const target: Fault = {
  name: "target",
  about: "a target that resets, drips, stalls, redirects, answers 200 MB, bombs or garbage",
  async run(tally, { short }) {
    const [rounds, atOnce] = short ? [1, 1] : [5, 4];
    const lab = await openLab(tally);
    const other = await startTarget();
    tally.atEnd(() => other.close());
    const timeout_ms = Math.max(short ? 400 : 1_500, PATIENCE_RATIO * (await healthyCallMs(lab)));
    lab.configure({ target: { timeout_ms } });
    const daemon = await lab.start();
    for (const [what, reply] of Object.entries(troubles(other.url))) {
      lab.target.answer(reply);
      const attempts = Array.from({ length: rounds * atOnce }, (_, n) => `${what} ${n}`);
      for (let at = 0; at < attempts.length; at += atOnce)
        await Promise.all(
          attempts.slice(at, at + atOnce).map((attempt) =>
            tally.attempt(attempt, async () => {
              const events = await askWell(daemon, `make ${attempt.replaceAll(" ", "_")} 1`);
              const [result, ...more] = events.filter((event) => event.kind === "tool_result");
              assert(result !== undefined && more.length === 0, "not exactly one tool_result");
              const code = (result.result as { error?: string } | null)?.error;
              const isRight = what in ERRORS ? result.status === "error" && code === ERRORS[what] : true;
              assert(isRight, `it is ${result.status}, ${code}`);
            }),
          ),
        );
    }
    await tally.attempt("afterwards", async () => {
      lab.target.answer(() => json({ id: 1 }));
      await make(daemon, "afterwards");
      assert((await historyOf(daemon))[0]?.status === "ok", "the daemon no longer reaches a healthy target");
      assert(other.requests.length === 0, `${other.requests.length} redirects were followed`);
      await lab.audit(daemon);
    });
    lab.noteMemory(daemon);
    await tally.attempt("memory", async () => {
      assert(tally.peakMiB < MOST_MIB, `it took ${Math.round(tally.peakMiB)} MiB`);
    });
  },
};
