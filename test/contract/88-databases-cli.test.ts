// Connecting a database on the real command line: what is printed, what is kept, and that no password is ever either.
// Source: docs/databases.md, "Connecting a database" and "Where the database is".

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parseJson } from "../../src/lib/json.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { allOnly } from "../support/all.js";
import { getJson, postJson } from "../support/entry-points.js";
import { keptApplications } from "../support/kept-applications.js";
import { agentd, type Ended, serve, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const PASSWORD = "canary-9d1f27ab";

describe("Connecting a database", function () {
  this.timeout(60_000);
  let dir: string;
  let data: string;
  let file: string;

  const exec = (sql: string): void => {
    const db = new SqliteDatabase(file);
    db.exec(sql);
    db.close();
  };
  beforeEach(() => {
    dir = temporaryFolder("connect");
    data = join(dir, "data");
    mkdirSync(data, { mode: 0o700 });
    file = join(dir, "warehouse.db");
    exec(
      "CREATE TABLE stock (id INTEGER PRIMARY KEY, sku TEXT NOT NULL); CREATE TABLE log (what TEXT); INSERT INTO stock VALUES (1, 'a')",
    );
  });
  afterEach(stopAll);
  const cli = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
    agentd([...args, "--data-dir", data], { cwd: dir, env });
  const written = (): string =>
    readdirSync(data, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(data, name)).isFile())
      .map((name) => readFileSync(join(data, name), "latin1"))
      .join("");
  const kept = () => keptApplications(join(data, "applications.json"));

  it("tells what became a tool, what did not and why, and what is different the next time @all", async () => {
    const first = await cli(["sync", "sql", "warehouse.db", "--name", "warehouse"]);
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stdout.split("\n").slice(0, 5)).to.deep.equal([
      `2 of 2 tables and views are tools now: ${join(data, "schemas", "warehouse.json")}; their full names begin with warehouse_`,
      "1 skipped:",
      "  log: update and delete: no primary key names one row",
      "tools: list_log, create_log, list_stock, create_stock, update_stock, delete_stock, query",
      "Calls go to sqlite:warehouse.db.",
    ]);
    expect(kept()).to.deep.equal({ warehouse: { kind: "sql", location: file } });
    expect(statSync(join(data, "applications.json")).mode & 0o777).to.equal(0o600);
    expect(readFileSync(join(data, "schemas", "warehouse.json"), "utf8")).to.not.include(dir);
    expect((await cli(["sync", "--name", "warehouse"])).stdout).to.include("Nothing changed.\n");
    exec("ALTER TABLE stock ADD COLUMN place TEXT; DROP TABLE log; CREATE TABLE tags (tag TEXT PRIMARY KEY)");
    const { stdout, code } = await cli(["sync", "--name", "warehouse"]);
    expect(code).to.equal(0);
    expect(stdout).to.include("added: list_tags, create_tags, delete_tags\n");
    expect(stdout).to.include("removed: list_log, create_log\n");
    expect(stdout)
      .to.include("changed: update_stock: columns +place\n")
      .and.to.not.match(/undefined|method|path/);
  });

  it("takes the location from a variable each time, and keeps its name @all", async () => {
    const env = { WAREHOUSE: file };
    expect((await cli(["sync", "sql", "env:WAREHOUSE"], env)).code).to.equal(0);
    expect(kept()).to.deep.equal({ "": { kind: "sql", location: "env:WAREHOUSE" } });
    const { code, stderr } = await cli(["sync"]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/environment variable WAREHOUSE, which is not set/);
    expect((await cli(["sync"], env)).stdout).to.include("Nothing changed.");
  });

  const REFUSED = [
    `postgres://shop:${PASSWORD}@127.0.0.1:1/shop`,
    `postgres://127.0.0.1:1/shop?user=shop&password=${PASSWORD}`,
    `mysql://shop:${PASSWORD}@127.0.0.1:1/shop`,
  ];
  for (const [index, location] of REFUSED.entries())
    it(`refuses a password in ${location.replace(PASSWORD, "…")}, and names the way out${allOnly(index > 0)}`, async () => {
      const { code, stdout, stderr } = await cli(["sync", "sql", location]);
      expect(code).to.equal(2);
      expect(stderr).to.match(/in plain text.*env:NAME/);
      expect(stdout + stderr + written()).to.not.include(PASSWORD);
      writeFileSync(join(data, "config.json"), JSON.stringify({ target: { location } }));
      const { code: other, stderr: said } = await cli(["tools"]);
      expect(other).to.not.equal(0);
      expect(said)
        .to.match(/target\.location holds a password in plain text/)
        .and.to.not.include(PASSWORD);
    });

  it("shows no password of a variable, wherever the server cannot be reached", async () => {
    const env = { SHOP: `postgres://shop:${PASSWORD}@127.0.0.1:1/shop` };
    const { code, stdout, stderr } = await cli(["sync", "sql", "env:SHOP"], env);
    expect(code).to.equal(1);
    expect(stderr).to.match(/postgres:\/\/127\.0\.0\.1:1\/shop cannot be read/);
    expect(stdout + stderr + written()).to.not.include(PASSWORD);
  });

  const FAULTS: [string, string, RegExp][] = [
    ["a file that is not there", "nope.db", /sqlite:nope\.db cannot be read: there is no file nope\.db/],
    ["a folder", ".", /is not a file/],
    ["what is no database", "data/config.json", /is no SQLite database/],
    ["an address of something else", "https://127.0.0.1/x", /https: is no database that agentd knows/],
    ["standard input", "-", /cannot be read from standard input/],
  ];
  for (const [index, [what, location, expected]] of FAULTS.entries())
    it(`says so of ${what}${allOnly(index > 0)}`, async () => {
      writeFileSync(join(data, "config.json"), JSON.stringify({ safety: { confirm: true } }).padEnd(2_000));
      const { code, stderr } = await cli(["sync", "sql", location]);
      expect(stderr).to.match(expected);
      expect(code).to.be.oneOf([1, 2]);
    });

  it("uses the location of config.json before the one that was kept @all", async () => {
    await cli(["sync", "sql", "warehouse.db", "--name", "warehouse"]);
    const other = join(dir, "other.db");
    exec(`VACUUM INTO '${other}'; DELETE FROM stock`);
    writeFileSync(
      join(data, "config.json"),
      JSON.stringify({ applications: { warehouse: { location: "env:OTHER" } } }),
    );
    const { stdout, stderr } = await cli(["doctor", "--json"], { OTHER: other });
    expect(stdout, stderr).to.match(/sqlite:warehouse\.db answers/);
    const missing = await cli(["doctor", "--json"], { OTHER: join(dir, "gone.db") });
    expect(missing.stdout).to.match(/there is no file gone\.db/);
  });

  it("is listed, configured and served without its folder @all", async () => {
    await cli(["sync", "sql", "warehouse.db", "--name", "warehouse"]);
    const list = await cli(["applications", "--json"]);
    expect(parseJson(list.stdout)).to.have.nested.property("[0].base_url", "sqlite:warehouse.db");
    const daemon = await serve(["--data-dir", data], { cwd: dir });
    expect(await getJson(`${daemon.url}/config/public`)).to.deep.include({
      sync_source: "sql",
      base_url: "sqlite:warehouse.db",
      applications: [{ name: "warehouse", kind: "sql", base_url: "sqlite:warehouse.db" }],
    });
    for (const path of ["/schema", "/tools", "/-/status", "/config/public"])
      expect(await (await fetch(`${daemon.url}${path}`)).text(), path).to.not.include(dir);
    await daemon.stop();
  });

  it("leaves no statement running when the daemon is killed @all", async () => {
    await cli(["sync", "sql", "warehouse.db", "--name", "warehouse"]);
    const sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    const call = { name: "warehouse_query", arguments: { sql } };
    writeFileSync(join(data, "turns.json"), JSON.stringify({ replies: [{ calls: [call] }, { text: "done" }] }));
    const providers = { played: { type: "scripted", file: "turns.json" } };
    writeFileSync(join(data, "config.json"), JSON.stringify({ providers }));
    const daemon = await serve(["--data-dir", data], { cwd: dir });
    const asked = postJson(`${daemon.url}/run`, { message: "count" }).catch(() => undefined);
    let mine: string[] = [];
    const children = (): string[] =>
      execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes("sqlite-child") && (mine.length > 0 || line.includes(` ${daemon.pid} `)))
        .map((line) => line.trim().split(/\s+/)[0] ?? "");
    await until(() => (mine = children()).length > 0);
    await daemon.kill("SIGKILL");
    await asked;
    await until(() => !children().some((pid) => mine.includes(pid)), 5_000);
  });
});
