// `npm run bench`: what a turn costs, as a ratio to a bare server doing the same turn by hand in the same run.
// `npm run bench -- retrieval …`: rankings of a catalogue for a file of prompts (retrieval.ts).
// Needs a build (npm run bench makes one) and Linux, where /proc has CPU time and memory.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuMsOf, memoryOf } from "../support/process-usage.js";
import { typescript } from "../support/program.js";
import { type Served, serve, start } from "../support/spawn.js";
import { seedHistory, thousandOperations } from "./data.js";
import { coldStart, median, quantile } from "./measure.js";
import { delaysOnBare, delaysOnChat, inARow, throughput } from "./turns.js";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
const ROUNDS = 5;
const TURNS = 60;

interface Row {
  what: string;
  bare: number | undefined;
  ours: number;
  unit: string;
  target: string;
}

async function child(...args: string[]): Promise<Served> {
  const running = start([...typescript(CHILD), ...args]);
  const url = await running.prints(/ready (\S+)\n/);
  return { ...running, url, port: Number(new URL(url).port) };
}

const ITEM_TOOL = {
  name: "get_item",
  description: "One item by its id.",
  verb: "get",
  safety: "read_only",
  provenance: "declared",
  parameters: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  transport: { kind: "http", method: "GET", path: "/items/{id}", parameters: [{ name: "id", in: "path", key: "id" }] },
};

/** A data directory whose provider is the model API of the benchmark. */
function dataDirectory(folder: string, model: string, document: object): string {
  mkdirSync(folder, { recursive: true });
  const bench = { type: "openai-compatible", base_url: model, model: "bench" };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ default_provider: "bench", providers: { bench } }));
  writeFileSync(join(folder, "schema.json"), JSON.stringify(document));
  return folder;
}

const serveFrom = (folder: string): Promise<Served> => serve(["--data-dir", folder]);

/** Latency and CPU of one kind of turn on both servers, in turns. */
async function compare(prompt: string, bare: Served, ours: Served): Promise<Row[]> {
  const times = { bare: [] as number[], ours: [] as number[] };
  const cpu = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, server] of [
      ["bare", bare],
      ["ours", ours],
    ] as const) {
      const before = cpuMsOf(server.pid);
      const took = await inARow(server.url, { message: prompt, count: TURNS, name: `${prompt}-${round}` });
      // The first round warms both up.
      if (round === 0) continue;
      times[name].push(...took);
      cpu[name].push((cpuMsOf(server.pid) - before) / TURNS);
    }
  const label = prompt === "A" ? "A: 20 deltas" : "B: one tool call, 20 deltas";
  return [
    {
      what: `${label}, median latency`,
      bare: median(times.bare),
      ours: median(times.ours),
      unit: "ms",
      target: "<= 2.0",
    },
    {
      what: `${label}, p95 latency`,
      bare: quantile(times.bare, 0.95),
      ours: quantile(times.ours, 0.95),
      unit: "ms",
      target: "",
    },
    { what: `${label}, CPU per turn`, bare: median(cpu.bare), ours: median(cpu.ours), unit: "ms", target: "<= 2.0" },
  ];
}

async function loads(bare: Served, ours: Served): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sessions of [8, 32]) {
    const each = Math.ceil(320 / sessions);
    const rates = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < 3; round++) {
      rates.bare.push(await throughput(bare.url, { message: "B", sessions, each }));
      rates.ours.push(await throughput(ours.url, { message: "B", sessions, each }));
    }
    rows.push({
      what: `turns a second, ${sessions} sessions`,
      bare: median(rates.bare),
      ours: median(rates.ours),
      unit: "/s",
      target: "",
    });
  }
  return rows;
}

async function memory(folder: string, model: string, document: object): Promise<Row[]> {
  const ours = await serveFrom(dataDirectory(folder, model, document));
  await inARow(ours.url, { message: "B", count: 1000, name: "memory-1" });
  const first = memoryOf(ours.pid).now;
  await inARow(ours.url, { message: "B", count: 1000, name: "memory-2" });
  const second = memoryOf(ours.pid).now;
  await ours.stop();
  return [
    { what: "memory after 2,000 turns", bare: undefined, ours: second, unit: "MiB", target: "<= 120 MiB" },
    { what: "added by the second thousand", bare: undefined, ours: second - first, unit: "MiB", target: "< 5 MiB" },
  ];
}

async function starts(folder: string, model: string, target: string): Promise<Row[]> {
  const thousand = dataDirectory(folder, model, thousandOperations(target));
  const times = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < 7; round++) {
    times.bare.push(await coldStart(() => child("bare", model, target), "/"));
    times.ours.push(await coldStart(() => serveFrom(thousand), "/config/public"));
  }
  return [
    {
      what: "start to first answer, 1,000 operations",
      bare: undefined,
      ours: median(times.ours),
      unit: "ms",
      target: "<= 400 ms",
    },
  ];
}

/** GET /history?limit=20 on a thousand rows and on a million. */
async function histories(folder: string, model: string, document: object): Promise<Row[]> {
  const medians: number[] = [];
  for (const rows of [1_000, 1_000_000]) {
    const dir = dataDirectory(join(folder, String(rows)), model, document);
    const first = await serveFrom(dir);
    await inARow(first.url, { message: "B", count: 1, name: "seed" });
    await first.stop();
    seedHistory(dir, rows);
    const ours = await serveFrom(dir);
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      const begun = performance.now();
      await (await fetch(`${ours.url}/history?limit=20`)).text();
      times.push(performance.now() - begun);
    }
    medians.push(median(times));
    await ours.stop();
  }
  const [thousand = 0, million = 0] = medians;
  return [
    { what: "GET /history, 1,000,000 rows against 1,000", bare: thousand, ours: million, unit: "ms", target: "<= 2.0" },
  ];
}

function print(rows: readonly Row[]): void {
  const format = (value: number | undefined, unit: string): string =>
    value === undefined ? "" : `${value.toFixed(value < 100 ? 2 : 0)} ${unit}`;
  console.log("\n| what | compared with | agentd | ratio | target |\n|---|---|---|---|---|");
  for (const { what, bare, ours, unit, target } of rows)
    console.log(
      `| ${what} | ${format(bare, unit)} | ${format(ours, unit)} | ${bare === undefined ? "" : (ours / bare).toFixed(2)} | ${target} |`,
    );
}

async function benchmark(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentd-bench-"));
  const model = await child("model");
  const target = await child("target");
  const document = {
    version: 1,
    source: "openapi",
    base_url: target.url,
    resources: [{ name: "items", actions: [ITEM_TOOL] }],
  };
  const bare = await child("bare", model.url, target.url);
  const ours = await serveFrom(dataDirectory(join(folder, "main"), model.url, document));
  try {
    const rows = [
      ...(await compare("A", bare, ours)),
      ...(await compare("B", bare, ours)),
      ...(await loads(bare, ours)),
    ];
    const delays = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < 10; round++) {
      delays.bare.push(...(await delaysOnBare(bare.url)));
      delays.ours.push(...(await delaysOnChat(ours.url)));
    }
    rows.push({
      what: "delay per delta, /chat",
      bare: median(delays.bare),
      ours: median(delays.ours),
      unit: "ms",
      target: "",
    });
    rows.push(...(await memory(join(folder, "memory"), model.url, document)));
    rows.push(...(await starts(join(folder, "start"), model.url, target.url)));
    rows.push(...(await histories(join(folder, "history"), model.url, document)));
    print(rows);
  } finally {
    for (const running of [ours, bare, target, model]) await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [command, ...rest] = process.argv.slice(2);
if (command === "retrieval") await (await import("./retrieval.js")).retrieval(rest);
else await benchmark();
