// What questions to a kept result of 100,000 rows cost, beside a bare server that has the same bytes ready, and how long they keep a
// daemon in a process of its own from anything else. Run as `npm run bench -- results`.
// The longest step is processor time of the process between two ticks of a timer, so of a spreadsheet it counts the thread that writes it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toJson } from "../../src/lib/json.js";
import { petShop } from "../support/daemon.js";
import { spawnDaemon } from "../support/daemon-process.js";
import { postJson } from "../support/entry-points.js";
import { json, startTarget } from "../support/target.js";
import { median } from "./measure.js";

const ROWS = 100_000;
const ROUNDS = 3;
/** Rows in another order each time: the order of a question is remembered. */
const QUESTIONS: readonly (readonly [what: string, query: (round: number) => string])[] = [
  ["a page, sorted", (round) => `sort=-${["name", "price", "born", "id"][round]}&limit=100`],
  ["a page, filtered", (round) => `q=pet%20${77 + round}&limit=100`],
  ["grouped and summed", () => "group=born:month&aggregate=count,sum:price"],
  ["columns described", () => "columns=true&limit=1"],
  ["all rows as CSV", () => "format=csv"],
  ["all rows as CSV, sorted", (round) => `format=csv&sort=${["name", "price", "born", "id"][round]}`],
  ["all rows as NDJSON", () => "format=ndjson"],
  ["all rows as a spreadsheet", () => "format=xlsx"],
];

const row = (n: number) => ({
  id: n,
  name: `pet ${(n * 7_919) % ROWS}`,
  price: n / 10,
  born: `20${10 + (n % 10)}-0${1 + (n % 9)}-15`,
  note: "lorem ipsum ".repeat(4),
});

/** A server that answers with these bytes. */
async function startBare(): Promise<{ url: string; serve(bytes: Buffer): void; close(): void }> {
  let bytes: Buffer = Buffer.alloc(0);
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, serve: (next) => void (bytes = next), close: () => void server.close() };
}

async function fetched(url: string): Promise<{ ms: number; bytes: Buffer }> {
  const begun = performance.now();
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return { ms: performance.now() - begun, bytes };
}

/** Prints a row for each question. */
export async function benchResults(): Promise<void> {
  const target = await startTarget(() => json(toJson(Array.from({ length: ROWS }, (_, n) => row(n)))));
  const replies = [{ calls: [{ id: "all", name: "list_pets", arguments: {} }] }, { text: "done" }];
  const turns = [{ prompt: "list", replies }];
  const daemon = await spawnDaemon({ target: target.url, schema: petShop(target.url), turns });
  const bare = await startBare();
  try {
    await (await postJson(`${daemon.url}/run`, { message: "list" })).text();
    const base = `${daemon.url}/-/results/1?`;
    // It waits until the result is kept.
    await fetched(`${base}limit=0`);
    console.log(`\n| ${ROWS.toLocaleString("en")} rows | same bytes, bare | agentd | ratio | longest step |`);
    console.log("|---|---|---|---|---|");
    for (const [what, query] of QUESTIONS) {
      const times = { ours: [] as number[], bare: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        const { ms, bytes } = await fetched(base + query(round));
        times.ours.push(ms);
        bare.serve(bytes);
        times.bare.push((await fetched(bare.url)).ms);
      }
      const step = await daemon.longestStep(async () => void (await fetched(base + query(ROUNDS))));
      const [ours, plain] = [median(times.ours), median(times.bare)];
      console.log(
        `| ${what} | ${plain.toFixed(1)} ms | ${ours.toFixed(0)} ms | ${(ours / plain).toFixed(0)} | ${step.toFixed(0)} ms |`,
      );
    }
  } finally {
    await daemon.close();
    bare.close();
    await target.close();
  }
}
