// What GET /history searches by. Source: docs/reference.md, "History".
import { join } from "node:path";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("History: search", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  const names = async (query: string): Promise<string[]> =>
    (await getJson<HistoryEntry[]>(`${daemon.url}/history?${query}`)).map(({ tool, status }) => `${tool} ${status}`);
  const fault = async (query: string): Promise<string> => {
    const response = await fetch(`${daemon.url}/history?${query}`);
    expect(response.status, query).to.equal(400);
    return ((await response.json()) as { error: { message: string } }).error.message;
  };

  before(async () => {
    target = await startTarget(() => json({ id: 1, race: "Rex the dog" }));
    const calls: { name: string; arguments: JsonObject }[] = [
      { name: "list_pets", arguments: {} },
      { name: "create_pet", arguments: { name: "Bello" } },
      { name: "create_pet", arguments: { nam: 7 } },
    ];
    daemon = await startDaemon({
      target: target.url,
      turns: [{ prompt: "go", replies: [{ calls }, { text: "Done." }] }],
    });
    await postJson(`${daemon.url}/run`, { message: "go" });
  });
  after(async () => {
    await daemon?.close();
    await target?.close();
  });

  it("finds a text anywhere in a call, a part of a name, a safety, several statuses, and a time", async () => {
    expect(await names("q=REX+the")).to.deep.equal(["create_pet ok", "list_pets ok"]);
    expect(await names("q=bello")).to.deep.equal(["create_pet ok"]);
    for (const nothing of ["q=%00", "q=%25", "q=pet_", "tool_contains=%00", "tool_contains=%25"])
      expect(await names(nothing), nothing).to.deep.equal([]);
    expect(await names("tool_contains=PETS")).to.deep.equal(["list_pets ok"]);
    expect(await names("safety=mutating,destructive")).to.deep.equal(["create_pet error", "create_pet ok"]);
    expect(await names("status=error,blocked")).to.deep.equal(["create_pet error"]);
    expect(await names("status=ok,error&safety=read_only&q=rex")).to.deep.equal(["list_pets ok"]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await names(`from=${today}&to=${today}&limit=1`)).to.deep.equal(["create_pet error"]);
    expect(await names("to=2020-01-31")).to.deep.equal([]);
    expect(await names("from=2020-01-31T23:00:00%2B01:00&q=")).to.have.length(3);
    const [newest] = await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=1`);
    expect(await names(`q=pet&before=${newest?.id}`)).to.have.length(2);
  });

  it("refuses what is no status, no safety and no time", async () => {
    expect(await fault("status=ok,fine")).to.contain("status must be ok, error");
    expect(await fault("safety=careful")).to.contain("safety must be read_only, mutating, destructive");
    expect(await fault("from=yesterday")).to.contain("2026-01-31");
    expect(await fault("to=2026-02-30")).to.contain("2026-01-31");
    expect(await fault(`q=${"x".repeat(201)}`)).to.contain("200");
  });
});

describe("History: a long record @all", () => {
  const ROWS = 20_000;
  let dataDir: string;
  let daemon: Daemon;

  before(async () => {
    dataDir = temporaryFolder("searches");
    const target = await startTarget(() => json({ text: "x".repeat(1_000) }));
    const first = await startDaemon({ target: target.url, dataDir });
    await postJson(`${first.url}/-/tools/list_pets/call`, {});
    await first.close();
    await target.close();
    const db = new SqliteDatabase(join(dataDir, "history.db"));
    const columns = db.prepare("SELECT name FROM pragma_table_info('history') WHERE name <> 'id'").pluck().all();
    const values = columns.map((name) => (name === "seq" ? "history.seq + n.i" : `history.${String(name)}`));
    db.exec(`INSERT INTO history (${columns.join(",")})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      SELECT ${values.join(",")} FROM history, n WHERE history.id = 1`);
    db.close();
    daemon = await startDaemon({ dataDir });
  });
  after(async () => {
    await daemon?.close();
  });

  it("M15 two searches are made at once, the others wait for them and leave with their clients", async () => {
    const ended: string[] = [];
    const search = (name: string, q: string, signal?: AbortSignal): Promise<unknown> =>
      daemon.agent
        .searchHistory({ limit: 1, q }, { budgetMs: 60_000, signal })
        .then(() => ended.push(name))
        .catch(() => ended.push(`${name} left`));
    const gone = new AbortController();
    const all = [search("long", "zz"), search("long", "zz"), search("gone", "x", gone.signal), search("short", "x")];
    gone.abort();
    await Promise.all(all);
    expect(ended[0]).to.equal("gone left");
    expect(ended.indexOf("short")).to.be.greaterThan(ended.indexOf("long"));
  });

  it("M15 a long page is read in steps, in its order", async () => {
    let ticks = 0;
    let isDone = false;
    const tick = (): void => {
      ticks++;
      if (!isDone) setImmediate(tick);
    };
    tick();
    const { entries } = await daemon.agent.searchHistory({ limit: 5_000 }, { budgetMs: 60_000 });
    isDone = true;
    expect(ticks).to.be.at.least(20);
    const idsOf = (rows: readonly HistoryEntry[]): number[] => rows.map(({ id }) => id);
    const down = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from - n);
    expect(idsOf(entries)).to.deep.equal(down(ROWS + 1, 5_000));
    const page = async (query: string): Promise<number[]> =>
      idsOf(await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=450&${query}`));
    expect(await page("before=9000")).to.deep.equal(down(8_999, 450));
    // Those that come next.
    expect(await page("after=10")).to.deep.equal(down(460, 450));
    expect(await page("after=10&before=300")).to.deep.equal(down(299, 289));
    expect(await page("tool=create_pet")).to.deep.equal([]);
  });
});
