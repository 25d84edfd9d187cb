// Kept results beside a record that goes on: killed, pruned, of rows a transport set aside, and read by the command line.
// Source: docs/reference.md, "Whole results".
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { ResultPage } from "../../src/domain/result-query.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { shiftedClock } from "../support/clock.js";
import { ask, getJson } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { cellsOf } from "../support/sheet.js";
import { agentd, dataDir, type Ended, type Served, serve, start } from "../support/spawn.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const note = "lorem ipsum ".repeat(20);
const pets = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ id: n, name: `pet ${n}`, state: n % 3 === 0 ? "sold" : "open", note }));
const TURNS = [
  { prompt: "list", replies: [{ calls: [{ id: "all", name: "list_pets", arguments: {} }] }, { text: "done" }] },
];
const DAY_MS = 24 * 60 * 60 * 1000;

describe("Whole results: beside a record that goes on", function () {
  this.timeout(120_000);
  let target: RecordingTarget;
  let home: { dir: string };
  const daemons: Served[] = [];

  before(async () => {
    target = await startTarget();
  });
  after(() => target.close());
  beforeEach(() => {
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    for (const daemon of daemons.splice(0)) if (daemon.isAlive()) await daemon.kill();
  });

  const files = (): string[] => {
    const folder = join(home.dir, "results");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const open = async (env: Record<string, string> = {}): Promise<Served> => {
    const daemon = await serve(["--data-dir", home.dir], { env });
    daemons.push(daemon);
    return daemon;
  };
  const page = (daemon: Served, query: string): Promise<ResultPage> => getJson(`${daemon.url}/-/results/1${query}`);
  const rowsOf = (daemon: Served): Promise<HistoryEntry[]> => getJson(`${daemon.url}/history`);
  const list = async (daemon: Served, count: number): Promise<void> => {
    target.answer(() => json(toJson(pets(count))));
    await ask(daemon.url, { message: "list" });
    await page(daemon, "?limit=0");
  };

  it("J22 has an honest row and nothing half written after kill -9 while a result is being kept", async () => {
    const first = await open();
    target.answer(() => json(toJson(pets(40_000))));
    mkdirSync(join(home.dir, "results"), { recursive: true, mode: 0o700 });
    const killed = new Promise<void>((resolve) => {
      const watcher = watch(join(home.dir, "results"), () => {
        watcher.close();
        void first.kill().then(() => resolve());
      });
    });
    void ask(first.url, { message: "list" }).catch(() => {});
    await killed;
    const left = files();
    expect(left).to.have.length(1);
    const second = await open();
    await until(async () => files().every((name) => !name.includes("partial")));
    const [row] = await rowsOf(second);
    // Its file is whole, with a row that says so, or there is none.
    expect(files()).to.have.length(row?.kept ? 1 : 0);
    const answer = await page(second, "?limit=1");
    expect(answer.total_items).to.be.at.most(40_000);
    expect(answer.incomplete === true).to.equal(answer.total_items < 40_000);
    expect((await agentd(["history", "verify", "--data-dir", home.dir])).code).to.equal(0);
  });

  it("leave with their rows when these are pruned by history_keep_days @all", async () => {
    const then = await open(shiftedClock(-40 * DAY_MS));
    await list(then, 6_000);
    await then.stop();
    expect(files()).to.deep.equal(["1.ndjson"]);
    // Without a younger call it would be the clock that is out.
    const now = await open();
    target.answer(() => json("[]"));
    await ask(now.url, { message: "list" });
    await now.stop();
    expect(files()).to.deep.equal(["1.ndjson"]);
    const file = join(home.dir, "config.json");
    const config = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...config, history_keep_days: 30 }));
    const daemon = await open();
    await until(() => files().length === 0);
    expect((await rowsOf(daemon)).map(({ id }) => id)).to.deep.equal([2]);
    expect((await fetch(`${daemon.url}/-/results/1`)).status).to.equal(404);
  });

  it("hold every row of an answer that was too long for memory @all", async () => {
    const daemon = await open();
    const lines = pets(120_000).map((pet) => `${toJson(pet)}\n`);
    target.answer(() => response(200, { "Content-Type": "application/x-ndjson" }, lines.join("")));
    await ask(daemon.url, { message: "list" });
    const answer = await page(daemon, "?limit=1&sort=-id&fields=id");
    expect(answer).to.deep.include({ total_items: 120_000, matching_items: 120_000, items: [{ id: 119_999 }] });
    expect(answer).to.not.have.property("incomplete");
    const [row] = await rowsOf(daemon);
    expect(row?.kept).to.include({ items: 120_000, truncated: false });
  });

  it("are sorted, paged to the end and sent as files with 100,000 rows @all", async () => {
    const daemon = await open();
    await list(daemon, 100_000);
    const seen = new Set<unknown>();
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const answer: ResultPage = await page(daemon, `?sort=-name&fields=id&limit=10000&offset=${offset}`);
      for (const item of answer.items) seen.add((item as JsonObject)["id"]);
      offset = answer.next_offset;
    }
    expect(seen.size).to.equal(100_000);
    const csv = await (await fetch(`${daemon.url}/-/results/1?format=csv&sort=-id&fields=id,state`)).text();
    const lines = csv.split("\r\n");
    expect(lines.slice(0, 2)).to.deep.equal(["id,state", "99999,sold"]);
    expect(lines).to.have.length(100_002);
    const sheet = await fetch(`${daemon.url}/-/results/1?format=xlsx&fields=id,name&sort=-id`);
    const cells = cellsOf(new Uint8Array(await sheet.arrayBuffer()));
    expect(cells).to.have.length(100_001);
    expect(cells.at(-1)).to.deep.equal([0, "pet 0"]);
  });

  it("are read by the command line, sorted, filtered and written to a file of their owner", async () => {
    const daemon = await open();
    await list(daemon, 6_000);
    const result = (...args: string[]) => agentd(["result", "1", ...args, "--data-dir", home.dir]);
    const output = join(home.dir, "out.csv");
    const chosen = ["--sort=-id", "--filter", "state=sold", "--filter", "id<10", "--fields", "id,name"];
    expect((await result(...chosen, "--format", "csv", "--output", output)).code).to.equal(0);
    expect(readFileSync(output, "utf8")).to.equal("id,name\r\n9,pet 9\r\n6,pet 6\r\n3,pet 3\r\n0,pet 0\r\n");
    // It never replaces what is there.
    expect((await result(...chosen, "--format", "csv", "--output", output)).code).to.equal(1);
    const sheet = join(home.dir, "out.xlsx");
    expect((await result(...chosen, "--format", "xlsx", "--output", sheet)).code).to.equal(0);
    expect(cellsOf(readFileSync(sheet))).to.deep.equal([
      ["id", "name"],
      [9, "pet 9"],
      [6, "pet 6"],
      [3, "pet 3"],
      [0, "pet 0"],
    ]);
    const { stdout, stderr } = await result(...chosen, "--limit", "1");
    expect(stdout).to.include("pet 9").and.not.include("pet 6");
    expect(stderr).to.include("4 of 6000 rows match");
    const grouped = await result("--group", "name", "--aggregate", "count", "--limit", "3", "--offset", "3");
    expect(grouped.stdout.trim().split("\n")).to.have.length(4);
    expect(grouped.stderr).to.match(/^\d+ groups of 6000 rows, 4 to 6; the next ones: --offset 6$/m);
    const all = await result("--filter", "id<10", "--group", "state", "--aggregate", "count");
    expect(all.stderr).to.match(/^\d groups of 10 rows$/m);
    const [json, format] = await Promise.all(
      [["--json"], ["--format", "json"]].map((form) => result(...chosen, ...form)),
    );
    expect([json?.code, json?.stdout]).to.deep.equal([0, format?.stdout]);
    expect((await result("--json", "--format", "csv")).code).to.equal(2);
  });

  it("are not answered for a field that no row has: it is named, with the nearest @all", async () => {
    const daemon = await open();
    await list(daemon, 6_000);
    for (const args of [
      ["--sort", "stat"],
      ["--fields", "id,stat", "--format", "csv"],
    ]) {
      const { code, stdout, stderr } = await agentd(["result", "1", ...args, "--data-dir", home.dir]);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: "" });
      expect(stderr).to.include("no row has a field stat. Did you mean state?");
    }
  });

  it("are written to stdout as far as a reader wants them, and say once what stdout cannot take @all", async () => {
    const daemon = await open();
    await list(daemon, 20_000);
    const outputOf = (script: string, ...args: string[]): Promise<Ended> =>
      start(["sh", "-c", script, "sh", ...PROGRAM, ...args, "--data-dir", home.dir], { input: "" }).ended;
    for (const args of [
      ["result", "1", "--format", "csv"],
      ["history", "export"],
    ]) {
      const head = await outputOf('{ "$@"; echo "code $?" >&2; } | head -c 3', ...args);
      expect([head.stderr, head.stdout.length]).to.deep.equal(["code 0\n", 3]);
      const full = await outputOf('"$@" > /dev/full', ...args);
      expect(full.code).to.equal(1);
      expect(full.stderr).to.match(/^agentd: cannot write to stdout: ENOSPC.*\n$/);
    }
  });
});
