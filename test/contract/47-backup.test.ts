// A backup of everything, and what brings it back. Source: docs/reference.md, "Backup and restore".
import fs from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Ended, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const TURNS = [
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Made." }] },
];
const SECRET = "canary-5f1e-9b7c-literal";

describe("Backup and restore", function () {
  this.timeout(180_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;
  let out: string;

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }));
    home = dataDir({ target: target.url, turns: TURNS });
    out = fs.mkdtempSync(join(home.dir, "out-"));
    fs.mkdirSync(join(home.dir, "schemas"));
    fs.copyFileSync(join(home.dir, "schema.json"), join(home.dir, "schemas", "shop.json"));
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });
  const on = (dir: string, ...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", dir]);
  const text = (dir: string, name: string): string => fs.readFileSync(join(dir, name), "utf8");
  const rows = async (dir: string): Promise<string> => (await on(dir, "history", "export")).stdout;
  const setConfig = (dir: string, more: object): void => {
    const config = JSON.parse(text(dir, "config.json")) as object;
    fs.writeFileSync(join(dir, "config.json"), JSON.stringify({ ...config, ...more }));
  };

  it("J12 brings back record, configuration and documents, made beside a running daemon", async () => {
    const daemon = await serve(["--data-dir", home.dir]);
    await on(home.dir, "run", "create");
    const backup = join(out, "monday");
    const made = await on(home.dir, "backup", backup, "--all");
    expect([made.code, made.stdout]).to.deep.equal([0, ""]);
    expect(fs.statSync(backup).mode & 0o777).to.equal(0o700);
    for (const name of ["history.db", "config.json", "schema.json", "schemas/shop.json"])
      expect(fs.statSync(join(backup, name)).mode & 0o777, name).to.equal(0o600);
    expect((await on(home.dir, "backup", backup, "--all")).stderr).to.include("overwrites nothing");
    const refused = await on(home.dir, "restore", backup, "--force");
    expect([refused.code, refused.stderr.includes(`pid ${daemon.pid}`)]).to.deep.equal([1, true]);
    await daemon.stop();

    const other = join(out, "other");
    expect((await on(other, "restore", backup)).code).to.equal(0);
    expect(await rows(other)).to.equal(await rows(home.dir));
    expect((await on(other, "history", "verify")).code).to.equal(0);
    for (const name of ["config.json", "schema.json", "schemas/shop.json"])
      expect(text(other, name)).to.equal(text(home.dir, name));
    fs.copyFileSync(join(home.dir, "turns.json"), join(other, "turns.json"));
    const again = await serve(["--data-dir", other]);
    expect((await on(other, "run", "create")).code).to.equal(0);
    await again.stop();
  });

  it("replaces what is there only with --force, keeps it, and takes the record alone as well @all", async () => {
    await on(home.dir, "run", "create");
    const [whole, record] = [join(out, "whole"), join(out, "record.db")];
    await on(home.dir, "backup", whole, "--all");
    await on(home.dir, "backup", record);
    const before = await rows(home.dir);
    await on(home.dir, "run", "create");
    setConfig(home.dir, { max_iterations: 3 });
    fs.writeFileSync(join(home.dir, "overrides.json"), "{}");
    const later = { rows: await rows(home.dir), config: text(home.dir, "config.json") };
    const refused = await on(home.dir, "restore", whole);
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      `agentd: ${home.dir} holds config.json, history.db, overrides.json, schema.json, schemas/shop.json already. --force puts the backup in their place and keeps them in a folder beside.\n`,
    ]);
    expect(await rows(home.dir)).to.equal(later.rows);
    const { code, stderr } = await on(home.dir, "restore", whole, "--force");
    expect(code, stderr).to.equal(0);
    expect(await rows(home.dir)).to.equal(before);
    expect(JSON.parse(text(home.dir, "config.json"))).to.not.have.property("max_iterations");
    expect(fs.existsSync(join(home.dir, "overrides.json"))).to.equal(false);
    const kept = /kept in (.*)\n/.exec(stderr)?.[1] ?? "";
    expect([await rows(kept), text(kept, "config.json"), text(kept, "overrides.json")]).to.deep.equal([
      later.rows,
      later.config,
      "{}",
    ]);
    setConfig(home.dir, { max_iterations: 4 });
    expect((await on(home.dir, "restore", record, "--force")).code).to.equal(0);
    expect(await rows(home.dir)).to.equal(before);
    expect(JSON.parse(text(home.dir, "config.json"))).to.have.property("max_iterations", 4);
  });

  it("N1 has no secret of config.json in it, unless that is asked for @all", async () => {
    setConfig(home.dir, { target: { headers: { authorization: SECRET } } });
    const backup = join(out, "monday");
    const refused = await on(home.dir, "backup", backup, "--all");
    expect([refused.code, fs.readdirSync(out)]).to.deep.equal([1, []]);
    expect(refused.stderr).to.include("target.headers.authorization").and.not.include(SECRET);
    expect((await on(home.dir, "backup", backup, "--all", "--with-secrets")).code).to.equal(0);
    expect(text(backup, "config.json")).to.include(SECRET);
  });

  it("P12 refuses links, damage, changed rows, foreign and unreadable files, and leaves all as it was @all", async () => {
    await on(home.dir, "run", "create");
    const before = await rows(home.dir);
    const spoil: Record<string, (dir: string) => void> = {
      "a link": (dir) => {
        fs.rmSync(join(dir, "schema.json"));
        fs.symlinkSync("/etc/passwd", join(dir, "schema.json"));
      },
      "not JSON": (dir) => fs.writeFileSync(join(dir, "schema.json"), "{"),
      "unknown key": (dir) => fs.writeFileSync(join(dir, "config.json"), '{"no_such_key":1}'),
      "not a database": (dir) => fs.writeFileSync(join(dir, "history.db"), "x".repeat(10_000)),
      "a changed row": (dir) => {
        const db = new SqliteDatabase(join(dir, "history.db"));
        db.exec("UPDATE history SET tool = 'list_pets'");
        db.close();
      },
      "a log beside it": (dir) => fs.writeFileSync(join(dir, "history.db-wal"), "x"),
      "nothing of a backup": (dir) => {
        fs.rmSync(dir, { recursive: true });
        fs.mkdirSync(dir);
        fs.writeFileSync(join(dir, "..json"), "{}");
      },
    };
    for (const [what, damage] of Object.entries(spoil)) {
      const backup = join(out, what.replaceAll(" ", "-"));
      expect((await on(home.dir, "backup", backup, "--all")).code).to.equal(0);
      damage(backup);
      expect((await on(home.dir, "restore", backup, "--force")).code, what).to.equal(1);
      expect(
        fs.readdirSync(home.dir).filter((name) => /restore/.test(name)),
        what,
      ).to.deep.equal([]);
    }
    expect(await rows(home.dir)).to.equal(before);
    expect((await on(home.dir, "restore", join(out, "nowhere"))).stderr).to.include("there is no backup");
    const broken = join(out, "broken.db");
    fs.writeFileSync(broken, "this is no database ".repeat(500));
    expect((await on(join(out, "new"), "restore", broken)).stderr)
      .to.include(`${broken} cannot be restored: `)
      .and.not.match(/restore-partial|Move it away/);
  });

  it("P12 moves nothing out of a directory whose interrupted restore was not agentd's", async () => {
    const ready = join(home.dir, "restore-ready");
    fs.mkdirSync(ready);
    const plan = { files: ["../moved"], removed: ["../../schema.json"], aside: "../../tmp" };
    fs.writeFileSync(join(ready, "restore.json"), JSON.stringify(plan));
    const { code, stderr } = await on(home.dir, "history");
    expect([code, stderr.includes("is not what agentd writes")]).to.deep.equal([1, true]);
    expect(fs.existsSync(ready)).to.equal(true);
  });

  for (const kills of [1, 15])
    it(`J21 leaves the old or the new whole after ${kills} kill(s) in the middle @all`, async () => {
      await on(home.dir, "run", "create");
      const backup = join(out, "monday");
      await on(home.dir, "backup", backup, "--all");
      const restored = await rows(home.dir);
      await on(home.dir, "run", "create");
      const old = await rows(home.dir);
      for (let kill = 0; kill < kills; kill++) {
        const running = start([...PROGRAM, "restore", backup, "--force", "--data-dir", home.dir], { input: "" });
        const seen = (): boolean => fs.readdirSync(home.dir).some((name) => name.startsWith("restore-"));
        while (running.isAlive() && !seen()) await new Promise((resolve) => setTimeout(resolve, 1));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        await running.kill();
        // The next that takes the directory finishes what was begun.
        const next = await serve(["--data-dir", home.dir]);
        await next.stop();
        expect([old, restored]).to.include(await rows(home.dir));
        expect((await on(home.dir, "history", "verify")).code).to.equal(0);
        expect(fs.existsSync(join(home.dir, "restore-ready"))).to.equal(false);
      }
      expect((await on(home.dir, "restore", backup, "--force")).code).to.equal(0);
      expect(await rows(home.dir)).to.equal(restored);
      expect(fs.readdirSync(home.dir).filter((name) => name.startsWith("restore-"))).to.deep.equal([]);
    });
});
