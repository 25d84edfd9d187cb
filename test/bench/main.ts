// `npm run bench`: what a turn costs, as a ratio to a bare server doing the same turn by hand in the same run, and what its floor
// costs: a server of nothing but what cannot be left out (floor.ts).
// `npm run bench -- retrieval …`: rankings of a catalogue for a file of prompts (retrieval.ts).
// `npm run bench -- turns`: only what a turn costs, and a detached one with readers.
// `npm run bench -- linked`: only what descriptions cost whose entities all reach each other.
// `npm run bench -- ui`: the web UI in a real Chromium (ui.ts).
// `npm run bench -- results`: questions to a kept result of 100,000 rows (results.ts).
// Needs a build (npm run bench makes one) and Linux, where /proc has CPU time and memory.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuTimeOf, memoryOf } from "../support/process-usage.js";
import { compileDelay } from "../support/slow-disk.js";
import { type Served, serve } from "../support/spawn.js";
import { buildChildren, child, probed } from "./children.js";
import { seedHistory, thousandOperations } from "./data.js";
import { detachedCosts, type TurnCost } from "./detached.js";
import { linkedCosts } from "./linked.js";
import { mcpCosts } from "./mcp.js";
import { coldStart, median, quantile } from "./measure.js";
import { chatCosts } from "./openai.js";
import { SLOW_CALLS } from "./servers.js";
import { slowDisks } from "./slow-disk.js";
import { delaysOnBare, delaysOnChat, inARow, throughput } from "./turns.js";

const ROUNDS = 7;
const TURNS = 100;

interface Row {
  what: string;
  bare: number | undefined;
  ours: number;
  unit: string;
  target: string;
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

/** The same read and the same change, so that all that differs is whether they may run side by side. */
const SLOW_TOOLS = (["read_only", "mutating"] as const).map((safety) => ({
  ...ITEM_TOOL,
  name: safety === "read_only" ? "read_slowly" : "change_slowly",
  safety,
  transport: { ...ITEM_TOOL.transport, path: "/slow/{id}" },
}));

/** A data directory whose provider is the model API of the benchmark. */
function dataDirectory(folder: string, model: string, document: object): string {
  mkdirSync(folder, { recursive: true });
  const bench = { type: "openai-compatible", base_url: model, model: "bench" };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ default_provider: "bench", providers: { bench } }));
  writeFileSync(join(folder, "schema.json"), JSON.stringify(document));
  return folder;
}

const serveFrom = (folder: string, env: Record<string, string> = {}): Promise<Served> =>
  serve(["--data-dir", folder], { env });

/** The servers that make the same turn. */
interface Servers {
  bare: Served;
  floor: Served;
  ours: Served;
}

/** Latency and CPU of one kind of turn: the floor and agentd against the bare server. */
async function compare(prompt: string, servers: Servers): Promise<Row[]> {
  const measured = () => ({ latency: [] as number[], main: [] as number[], all: [] as number[] });
  const figures = { bare: measured(), floor: measured(), ours: measured() };
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ["bare", "floor", "ours"] as const) {
      const server = servers[name];
      const before = cpuTimeOf(server.pid);
      const took = await inARow(server.url, { message: prompt, count: TURNS, name: `${prompt}-${round}` });
      const after = cpuTimeOf(server.pid);
      // The first round warms them up.
      if (round === 0) continue;
      const { latency, main, all } = figures[name];
      latency.push(...took);
      main.push((after.main - before.main) / TURNS);
      all.push((after.all - before.all) / TURNS);
    }
  const label = prompt === "A" ? "A: 20 deltas" : "B: one tool call, 20 deltas";
  const rows = (what: string, target: string, of: { figure: "latency" | "main" | "all"; q?: number }): Row[] => {
    const value = (name: keyof Servers): number => quantile(figures[name][of.figure], of.q ?? 0.5);
    const bare = value("bare");
    return [
      { what: `${label}, ${what}, the floor`, bare, ours: value("floor"), unit: "ms", target: "" },
      { what: `${label}, ${what}`, bare, ours: value("ours"), unit: "ms", target },
    ];
  };
  return [
    ...rows("median latency", "<= 1.2", { figure: "latency" }),
    ...rows("p95 latency", "", { figure: "latency", q: 0.95 }),
    ...rows("CPU per turn, main thread", "<= 1.0", { figure: "main" }),
    ...rows("CPU per turn, all threads", "<= 1.3", { figure: "all" }),
  ];
}

/** A detached turn with three readers against one that is streamed to its client. */
async function detached(ours: Served): Promise<Row[]> {
  const costs = await detachedCosts(ours, { message: "A", rounds: 4, turns: 50 });
  const row = (what: string, figure: (cost: TurnCost) => number): Row => ({
    what: `A, detached with three readers against streamed, ${what}`,
    bare: figure(costs.plain),
    ours: figure(costs.detached),
    unit: "ms",
    target: "",
  });
  return [
    row("median latency", ({ latency }) => median(latency)),
    row("CPU per turn, main thread", ({ main }) => main),
  ];
}

/** A turn as a chat completion against POST /run. */
async function openai(ours: Served): Promise<Row[]> {
  const rows: Row[] = [];
  for (const form of ["whole", "streamed"] as const) {
    const { run, chat } = await chatCosts(ours, form, { message: "B", rounds: 4, turns: 50 });
    const row = (what: string, figure: (cost: TurnCost) => number, target: string): Row => ({
      what: `B, ${form}, /-/v1/chat/completions against POST /run, ${what}`,
      bare: figure(run),
      ours: figure(chat),
      unit: "ms",
      target,
    });
    rows.push(row("median latency", ({ latency }) => median(latency), "<= 1.1"));
    rows.push(row("CPU per turn, main thread", ({ main }) => main, ""));
  }
  return rows;
}

/** A tool call of an MCP client against a prompt whose turn makes it. */
async function overMcp(ours: Served): Promise<Row[]> {
  const { prompt, call } = await mcpCosts(ours, { rounds: 4, count: 100 });
  const row = (what: string, bare: number, of: number): Row => ({
    what: `a tool call through /-/mcp against one by POST /run, ${what}`,
    bare,
    ours: of,
    unit: "ms",
    target: "<= 1.0",
  });
  return [
    row("median latency", median(prompt.latency), median(call.latency)),
    row("CPU, main thread", prompt.main, call.main),
  ];
}

/** Turns a second of many sessions, and how long a request waits meanwhile that has nothing to do with them. */
async function loads(bare: Served, ours: Served): Promise<Row[]> {
  const rows: Row[] = [];
  const servers = { bare: { url: bare.url, unrelated: "/" }, ours: { url: ours.url, unrelated: "/-/healthz" } };
  for (const sessions of [8, 32]) {
    const each = Math.ceil(320 / sessions);
    const rates = { bare: [] as number[], ours: [] as number[] };
    const waits = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < 3; round++)
      for (const name of ["bare", "ours"] as const) {
        const { url, unrelated } = servers[name];
        const work = (): Promise<number> => throughput(url, { message: "B", sessions, each });
        const { value, times } = await probed(url + unrelated, work);
        rates[name].push(value);
        waits[name].push(...times);
      }
    const row = (what: string, unit: string, figures: { bare: number; ours: number }): void =>
      void rows.push({ what: `${what}, ${sessions} sessions`, ...figures, unit, target: "" });
    row("turns a second", "/s", { bare: median(rates.bare), ours: median(rates.ours) });
    for (const q of [0.5, 0.99])
      row(`an unrelated GET meanwhile, p${100 * q}`, "ms", {
        bare: quantile(waits.bare, q),
        ours: quantile(waits.ours, q),
      });
  }
  return rows;
}

/** A turn of eight slow calls: changes, made one after another, against reads, made side by side. */
async function sideBySide(folder: string, model: string, target: string): Promise<Row> {
  const document = { version: 1, base_url: target, resources: [{ name: "items", actions: SLOW_TOOLS }] };
  const ours = await serveFrom(dataDirectory(folder, model, document));
  const times = { changes: [] as number[], reads: [] as number[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const message of ["changes", "reads"] as const)
      times[message].push(...(await inARow(ours.url, { message, count: 4, name: `${message}-${round}` })));
  await ours.stop();
  return {
    what: `a turn of ${SLOW_CALLS} calls of 50 ms: side by side against one after another`,
    bare: median(times.changes),
    ours: median(times.reads),
    unit: "ms",
    target: "<= 0.3",
  };
}

/** MiB of a server after one and two thousand turns. */
async function memoryAfter(server: Served): Promise<{ first: number; second: number }> {
  const after = async (name: string): Promise<number> => {
    await inARow(server.url, { message: "B", count: 1000, name });
    return memoryOf(server.pid).now;
  };
  const figures = { first: await after("memory-1"), second: await after("memory-2") };
  await server.stop();
  return figures;
}

async function memory(launch: Record<keyof Servers, () => Promise<Served>>): Promise<Row[]> {
  const bare = await memoryAfter(await launch.bare());
  const floor = await memoryAfter(await launch.floor());
  const { first, second } = await memoryAfter(await launch.ours());
  const added = bare.second - bare.first;
  return [
    { what: "memory after 2,000 turns, the floor", bare: bare.second, ours: floor.second, unit: "MiB", target: "" },
    { what: "memory after 2,000 turns", bare: bare.second, ours: second, unit: "MiB", target: "<= 110 MiB" },
    { what: "added by the second thousand", bare: added, ours: second - first, unit: "MiB", target: "< 5 MiB" },
  ];
}

async function starts(folder: string, model: string, target: string): Promise<Row[]> {
  const thousand = dataDirectory(folder, model, thousandOperations(target));
  const times = { bare: [] as number[], floor: [] as number[], ours: [] as number[] };
  for (let round = 0; round < 7; round++) {
    times.bare.push(await coldStart(() => child("bare", model, target), "/"));
    times.floor.push(await coldStart(() => child("floor", model, target, join(folder, "floor")), "/"));
    times.ours.push(await coldStart(() => serveFrom(thousand), "/config/public"));
  }
  const bare = median(times.bare);
  return [
    { what: "start to first answer, the floor", bare, ours: median(times.floor), unit: "ms", target: "" },
    { what: "start to first answer, 1,000 operations", bare, ours: median(times.ours), unit: "ms", target: "<= 2.0" },
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

/** Many sessions on disks whose syncs take 5 and 15 ms longer, against the disk as it is. */
async function disks(folder: string, model: string, document: object): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  const library = compileDelay(folder);
  if (!library) {
    console.log("slow disks are left out: there is no C compiler");
    return [];
  }
  const open = (name: string, env: Record<string, string>): Promise<Served> =>
    serveFrom(dataDirectory(join(folder, name), model, document), env);
  const [fast, ...slow] = await slowDisks([0, 5, 15], library, open);
  return slow.flatMap(({ delay, turnsPerSecond, healthMs, pacedHealthMs }) => [
    {
      what: `turns a second, 32 sessions, a sync takes ${delay} ms`,
      bare: fast?.turnsPerSecond,
      ours: turnsPerSecond,
      unit: "/s",
      target: delay === 5 ? ">= 0.8" : "",
    },
    {
      what: `GET /-/healthz meanwhile, p99, a sync takes ${delay} ms`,
      bare: fast?.healthMs,
      ours: healthMs,
      unit: "ms",
      target: "<= 15 ms",
    },
    {
      what: `GET /-/healthz at a third of the turns, p99, a sync takes ${delay} ms`,
      bare: fast?.pacedHealthMs,
      ours: pacedHealthMs,
      unit: "ms",
      target: "<= 15 ms",
    },
  ]);
}

/** Descriptions of entities that all reach each other, with their sizes in bytes. */
const LINKED = [
  [100, 110_000],
  [400, 440_000],
  [4_000, 23_000_000],
] as const;

/** What those cost to import and to open; the goals are those of the largest. */
async function linked(folder: string): Promise<Row[]> {
  const costs = await linkedCosts(folder, LINKED);
  return costs.flatMap(({ entities, sync, tools, ratio }) => {
    const row = (what: string, ours: number, of: Pick<Row, "unit" | "target">): Row => ({
      what: `${entities.toLocaleString("en")} linked entities, ${what}`,
      bare: undefined,
      ours,
      ...of,
    });
    return [
      row("sync", sync.seconds, { unit: "s", target: "<= 15 s" }),
      row("sync, most memory", sync.peak, { unit: "MiB", target: "<= 600 MiB" }),
      row("document to description", ratio, { unit: "", target: "<= 3.0" }),
      row("tools", tools.seconds, { unit: "s", target: "" }),
      row("tools, most memory", tools.peak, { unit: "MiB", target: "<= 600 MiB" }),
    ];
  });
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

async function benchmark(isShort: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentd-bench-"));
  await buildChildren();
  const model = await child("model");
  const target = await child("target");
  const document = {
    version: 1,
    source: "openapi",
    base_url: target.url,
    resources: [{ name: "items", actions: [ITEM_TOOL] }],
  };
  const bare = await child("bare", model.url, target.url);
  const floor = await child("floor", model.url, target.url);
  const ours = await serveFrom(dataDirectory(join(folder, "main"), model.url, document));
  try {
    const servers = { bare, floor, ours };
    const rows = [...(await compare("A", servers)), ...(await compare("B", servers))];
    rows.push(...(await detached(ours)), ...(await openai(ours)), ...(await overMcp(ours)));
    if (isShort) return print(rows);
    rows.push(...(await loads(bare, ours)));
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
    rows.push(await sideBySide(join(folder, "slow"), model.url, target.url));
    rows.push(
      ...(await memory({
        bare: () => child("bare", model.url, target.url),
        floor: () => child("floor", model.url, target.url),
        ours: () => serveFrom(dataDirectory(join(folder, "memory"), model.url, document)),
      })),
    );
    rows.push(...(await starts(join(folder, "start"), model.url, target.url)));
    rows.push(...(await histories(join(folder, "history"), model.url, document)));
    rows.push(...(await disks(join(folder, "disks"), model.url, document)));
    rows.push(...(await linked(join(folder, "linked"))));
    print(rows);
  } finally {
    for (const running of [ours, floor, bare, target, model]) await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [command, ...rest] = process.argv.slice(2);
if (command === "retrieval") await (await import("./retrieval.js")).retrieval(rest);
else if (command === "ui") await (await import("./ui.js")).benchUi();
else if (command === "results") await (await import("./results.js")).benchResults();
else if (command === "linked") print(await linked(mkdtempSync(join(tmpdir(), "agentd-bench-"))));
else await benchmark(command === "turns");
