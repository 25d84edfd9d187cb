// Replay loses nothing and repeats nothing: a client that drops at any moment and goes on behind its last event has the whole turn,
// whichever entry point it uses, also across kill -9. Source: docs/reference.md, "Turns that outlive their client".

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect } from "chai";
import { EventSource } from "eventsource";
import { RECOVERED_SEQ } from "../../src/domain/event.js";
import { allOnly } from "../support/all.js";
import { startDaemon } from "../support/daemon.js";
import { checkUnion, readInPieces, readWhole, STARTS } from "../support/dropping-client.js";
import { postJson } from "../support/entry-points.js";
import { dataDir, type Served, serve } from "../support/spawn.js";
import { type Arrived, readStream } from "../support/streams.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const words = (n: number): string[] => Array.from({ length: n }, (_, i) => `word ${i} `);
const read = (n: number) => Array.from({ length: n }, (_, i) => ({ name: "get_pet", arguments: { id: i } }));

/** Texts, reads side by side, a change, an answer too large for the record of the events, a warning, and a failing call. */
const TURNS = [
  {
    prompt: "everything",
    replies: [
      { deltas: words(6), delay_ms: 1, calls: read(5), usage: { input_tokens: 9, output_tokens: 3 } },
      { deltas: words(3), delay_ms: 1, calls: [{ name: "create_pet", arguments: { name: "Rex" } }, ...read(2)] },
      {
        calls: [
          { name: "no_such_tool", arguments: {} },
          { name: "list_pets", arguments: {} },
        ],
      },
      { deltas: words(12), delay_ms: 1, finish: "length" as const },
    ],
  },
];

/** Random numbers that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A proxy whose connections can be cut. */
async function startProxy(port: number): Promise<{ url: string; cut(): void; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          open.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close() {
      server.close();
      cut();
    },
  };
}

describe("Turns that outlive their client: replay", function () {
  this.timeout(300_000);
  let target: RecordingTarget;

  beforeEach(async () => {
    const large = Array.from({ length: 60 }, (_, id) => ({ id, name: `pet ${id} of the shop` }));
    target = await startTarget(({ path }) => json(path === "/pets" ? large : { id: 1, name: "Rex" }));
  });
  afterEach(() => target.close());

  for (const [rounds, title] of [
    [10, "gives a client that drops at random moments the whole turn, at every entry point"],
    [490, `does so in hundreds of rounds${allOnly(true)}`],
  ] as const)
    it(title, async () => {
      const daemon = await startDaemon({ target: target.url, turns: TURNS });
      const round = async (seed: number): Promise<void> => {
        const random = randomOf(seed);
        const starts = Object.values(STARTS);
        const start = starts[seed % starts.length] as (typeof starts)[number];
        const begun = await start(daemon.url, { message: "everything" }, 1 + Math.floor(random() * 5));
        const whole = readWhole(daemon.url, begun.turn_id);
        await readInPieces(() => daemon.url, begun, { random, most: seed % 3 === 0 ? 3 : 20 });
        checkUnion(begun.events, await whole);
        // What is over is the same again, but for the deltas.
        const again = await readWhole(daemon.url, begun.turn_id);
        checkUnion(again, await whole);
        expect(again.filter(({ event }) => event.kind === "assistant_delta")).to.deep.equal([]);
      };
      try {
        for (let seed = 1; seed <= rounds; seed += 5)
          await Promise.all(Array.from({ length: Math.min(5, rounds - seed + 1) }, (_, i) => round(seed + i)));
      } finally {
        await daemon.close();
      }
    });

  it("is read by an EventSource, which connects again by itself and stops at the end @all", async () => {
    const daemon = await startDaemon({ target: target.url, turns: TURNS });
    const proxy = await startProxy(daemon.port);
    try {
      const answer = await postJson(`${daemon.url}/run`, { message: "everything", detach: true });
      const { turn_id } = (await answer.json()) as { turn_id: string };
      const whole = readWhole(daemon.url, turn_id);
      const source = new EventSource(`${proxy.url}/-/turns/${turn_id}/events`);
      const events: Arrived[] = [];
      let cuts = 0;
      source.addEventListener("message", ({ data, lastEventId }) => {
        const [, turn = "", seq] = /^(.*)\.(\d+)$/.exec(lastEventId) ?? [];
        events.push({ turn_id: turn, seq: Number(seq), event: JSON.parse(data) });
        if (cuts === 2 || events.length % 12 !== 0) return;
        cuts++;
        proxy.cut();
      });
      await until(() => source.readyState === EventSource.CLOSED);
      expect(cuts).to.equal(2);
      checkUnion(events, await whole);
    } finally {
      proxy.close();
      await daemon.close();
    }
  });

  for (const [how, title] of [
    ["kill", "kill -9"],
    ["stop", `a stop${allOnly(true)}`],
  ] as const)
    it(`knows the turns whose names it gave out while they waited after ${title}, and runs none of them @all`, async () => {
      const turns = [{ prompt: "hang", replies: [{ deltas: ["half ", "never"], delay_ms: 60_000 }] }, ...TURNS];
      const { dir } = dataDir({ target: target.url, turns });
      let daemon = await serve(["--data-dir", dir, "--grace", "0"]);
      try {
        const gone = new AbortController();
        const detach = async (message: string, headers: Record<string, string>): Promise<string> => {
          const body = { message, session_id: "s", detach: true };
          const answer = await postJson(`${daemon.url}/run`, body, { headers, signal: gone.signal });
          return answer.headers.get("x-turn-id") ?? "";
        };
        const names = [await detach("hang", {})];
        const forms: Record<string, string>[] = [{}, { accept: "text/event-stream" }, { "idempotency-key": "k" }];
        for (const headers of forms) names.push(await detach("everything", headers));
        const url = `/-/turns/${names[1]}/events`;
        const reading = readStream(await fetch(daemon.url + url, { headers: { accept: "text/event-stream" } })).catch(
          () => undefined,
        );
        await daemon[how]();
        gone.abort();
        const last = (await reading)?.events.at(-1);
        daemon = await serve(["--data-dir", dir]);
        for (const turn_id of names) {
          const kinds = (await readWhole(daemon.url, turn_id)).map(({ event }) => event.kind);
          expect(kinds.filter((kind) => !/^assistant/.test(kind))).to.deep.equal([
            "user_prompt",
            "session",
            "error",
            "done",
          ]);
        }
        // Who was told the end by the daemon that stopped is not told again.
        if (how === "stop") expect(last?.event.kind).to.equal("done");
        if (last) expect((await fetch(`${daemon.url}${url}?after=${last.seq}`)).status).to.equal(204);
        expect(target.requests).to.deep.equal([]);
      } finally {
        await daemon.kill();
      }
    });

  for (const [rounds, title] of [
    [2, "has what is on record after kill -9, under the numbers it had, and an end above them @all"],
    [20, `has it whenever it is killed${allOnly(true)}`],
  ] as const)
    it(title, async () => {
      const { dir } = dataDir({ target: target.url, turns: TURNS });
      let daemon: Served = await serve(["--data-dir", dir]);
      try {
        for (let seed = 1; seed <= rounds; seed++) {
          const random = randomOf(seed);
          const answer = await postJson(`${daemon.url}/run`, { message: "everything", detach: true });
          const { turn_id, session_id } = (await answer.json()) as { turn_id: string; session_id: string };
          const live: Arrived[] = [];
          const enough = Math.floor(random() * 40);
          await readUntil(daemon.url, turn_id, { live, enough });
          await daemon.kill();
          daemon = await serve(["--data-dir", dir]);
          const again = await readWhole(daemon.url, turn_id);
          const seen = new Map(live.map(({ seq, event }) => [seq, event]));
          const last = live.at(-1)?.seq ?? 0;
          const isWhole = again.at(-1)?.seq !== RECOVERED_SEQ + 1;
          for (const { seq, event } of again) if (seen.has(seq)) expect(event).to.deep.equal(seen.get(seq));
          const kept = new Set(again.map(({ seq }) => seq));
          // A call that had no result yet may not have been recorded.
          const pairs = live.filter(({ event }, at) =>
            [event, live[at + 1]?.event].some((one) => one?.kind === "tool_result"),
          );
          expect(pairs.filter(({ seq }) => !kept.has(seq))).to.deep.equal([]);
          if (!isWhole)
            expect(again.slice(-2).map(({ seq, event }) => `${seq} ${event.kind}`)).to.deep.equal([
              `${RECOVERED_SEQ} error`,
              `${RECOVERED_SEQ + 1} done`,
            ]);
          const rest = { turn_id, session_id, events: [...live] };
          await readInPieces(() => daemon.url, rest, { random, most: 4 });
          const behind = (events: readonly Arrived[]) =>
            events.filter(({ seq }) => seq > last).map(({ seq, event }) => ({ seq, event }));
          expect(behind(rest.events)).to.deep.equal(behind(again));
        }
      } finally {
        await daemon.kill();
      }
    });
});

/** Reads until there are enough events or the turn is over. */
async function readUntil(
  url: string,
  turn_id: string,
  { live, enough }: { live: Arrived[]; enough: number },
): Promise<void> {
  const answer = await fetch(`${url}/-/turns/${turn_id}/events`, { headers: { accept: "text/event-stream" } });
  const { events } = await readStream(answer, (soFar) => soFar.events.length >= enough);
  live.push(...events);
}
