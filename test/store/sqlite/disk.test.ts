// The record on a disk with faults: files of another kind, full, locked and deleted ones.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { StartError } from "../../../src/domain/error.js";
import { packageRoot } from "../../../src/lib/package.js";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { checkLater } from "../../../src/store/sqlite/check.js";
import { openDatabaseFile } from "../../../src/store/sqlite/open.js";
import { recordExists } from "../../../src/store/sqlite/open-read-only.js";
import { PROGRAM } from "../../support/program.js";
import { until } from "../../support/until.js";
import {
  backup,
  cleanUp,
  countingTarget,
  intent,
  OK,
  open,
  peek,
  rejection,
  tempDir,
  turn,
  verify,
  WORKER_ARGUMENTS,
  worker,
} from "./fixture.js";

const UNPRIVILEGED_UID = 65_534;
/** What `ulimit -f` counts in, in dash. */
const BLOCK_BYTES = 512;

/** A trigger that keeps rows of calls out of the record. */
const SWALLOW = "CREATE TRIGGER swallow BEFORE INSERT ON history BEGIN SELECT raise(IGNORE); END";

/** A refusal at start: names the file, keeps its bytes. */
async function expectRefused(dir: string, words: string): Promise<void> {
  const file = path.join(dir, "history.db");
  const before = fs.statSync(file).isFile() ? fs.readFileSync(file) : undefined;
  const error = await rejection(open(dir));
  expect(error).to.be.instanceOf(StartError);
  expect(error.message).to.contain(file).and.to.contain(words);
  if (before) expect(fs.readFileSync(file).equals(before)).to.equal(true);
}

async function filledRecord(rows: number): Promise<string> {
  const dir = tempDir();
  const store = await open(dir);
  for (let i = 0; i < rows; i++) await store.recordCall(intent({ call_id: `call_${i}` }), OK);
  await store.close();
  return dir;
}

/** Overwrites every page behind the schema's with noise. */
function corrupt(file: string): void {
  const bytes = fs.readFileSync(file);
  bytes.fill(0xa5, 20 * 4096);
  fs.writeFileSync(file, bytes);
}

function replaceByCopy(file: string): void {
  fs.copyFileSync(file, `${file}-copy`);
  fs.renameSync(`${file}-copy`, file);
}

/** Zeros in a file from a part of it on, at the same size. */
function overwrite(file: string, from: number): void {
  const { size } = fs.statSync(file);
  const fd = fs.openSync(file, "r+");
  const start = Math.floor(size * from);
  fs.writeSync(fd, Buffer.alloc(size - start), 0, size - start, start);
  fs.closeSync(fd);
}

describe("The record on a healthy disk", () => {
  afterEach(cleanUp);

  it("is opened with every pragma the promises rest on", () => {
    const { db } = openDatabaseFile(tempDir(), () => {});
    const pragma = (name: string): unknown => db.pragma(name, { simple: true });
    expect(pragma("journal_mode")).to.equal("wal");
    // The row's sync is the writer's, off the event loop: see J4.
    expect(pragma("synchronous")).to.equal(1);
    expect(pragma("wal_autocheckpoint")).to.equal(0);
    for (const name of ["fullfsync", "checkpoint_fullfsync", "foreign_keys", "cell_size_check", "secure_delete"])
      expect(pragma(name), name).to.equal(1);
    expect(pragma("trusted_schema")).to.equal(0);
    expect(pragma("journal_size_limit")).to.equal(64 * 1024 * 1024);
    const tables = db.pragma("table_list") as { schema: string; name: string; type: string; strict: number }[];
    const loose = tables.filter((table) => !table.name.startsWith("sqlite_") && table.strict === 0);
    expect(loose).to.deep.equal([]);
    db.close();
  });

  it("K10 is readable by its owner only, whatever the umask", async () => {
    const dir = path.join(tempDir(), "made");
    const umask = process.umask(0);
    try {
      const store = await open(dir);
      await store.beginCall(intent());
      await backup(dir, path.join(dir, "copy.db"));
      expect(fs.statSync(dir).mode & 0o777).to.equal(0o700);
      const files = fs.readdirSync(dir);
      expect(files).to.include.members(["history.db", "history.db-wal", "history.db-shm", "copy.db", "daemon.json"]);
      for (const file of files) expect(fs.statSync(path.join(dir, file)).mode & 0o777, file).to.equal(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it("K10 tightens a directory that was open to others", async () => {
    const dir = path.join(tempDir(), "loose");
    fs.mkdirSync(dir);
    fs.chmodSync(dir, 0o755);
    await open(dir);
    expect(fs.statSync(dir).mode & 0o777).to.equal(0o700);
  });

  it("K10 leaves the mode of a directory that others use, as --data-dir may name one by mistake", async () => {
    const dir = path.join(tempDir(), "etc");
    fs.mkdirSync(dir);
    fs.writeFileSync(path.join(dir, "passwd"), "");
    fs.chmodSync(dir, 0o755);
    const warnings: string[] = [];
    await open(dir, { onWarning: (message) => void warnings.push(message) });
    expect(fs.statSync(dir).mode & 0o777).to.equal(0o755);
    expect(warnings.join()).to.contain("give agentd a directory of its own");
  });

  it("leaves no write-ahead log behind when it is closed", async () => {
    const dir = await filledRecord(3);
    expect(fs.readdirSync(dir).filter((file) => file.startsWith("history"))).to.deep.equal(["history.db"]);
  });

  it("J12 is copied whole by a backup while calls are recorded", async () => {
    const dir = tempDir();
    const copy = path.join(tempDir(), "history.db");
    const store = await open(dir);
    for (let i = 0; i < 200; i++) await store.recordCall(intent({ arguments: { filler: "x".repeat(2_000) } }), OK);
    const id = await store.beginCall(intent());
    const copying = backup(dir, copy);
    await store.completeCall(id, OK);
    await copying;
    expect(await rejection(backup(dir, copy))).to.have.property("code", "conflict");
    const restored = await open(path.dirname(copy));
    expect(await restored.history({ limit: 1000 })).to.have.length(201);
    expect((await verify(path.dirname(copy))).ok).to.equal(true);
  });
});

describe("The record on a disk with faults: while running", function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  it("K1 a full disk refuses the call, the target hears nothing, the history stays readable", async () => {
    const target = await countingTarget();
    try {
      const limit = Math.floor((600 * 1024) / BLOCK_BYTES);
      const { line, errors } = worker("fill", tempDir(), {
        port: target.port,
        wrap: ["sh", "-c", `ulimit -f ${limit}; exec "$@"`, "sh"],
      });
      const refused = JSON.parse((await line("refused")).slice(8)) as { code: string; sent: number; rows: number };
      expect(refused.code, errors()).to.equal("audit_unavailable");
      expect(refused.sent).to.be.greaterThan(0);
      expect(target.seen.size).to.equal(refused.sent);
      expect(refused.rows).to.equal(refused.sent);
    } finally {
      target.close();
    }
  });

  it("K2 a completion that can't be written is reported, tried again, and ends as what it was @all", async () => {
    const dir = tempDir();
    const warnings: string[] = [];
    const store = await open(dir, { onWarning: (message) => warnings.push(message) });
    const id = await store.beginCall(intent());
    const other = new SqliteDatabase(path.join(dir, "history.db"));
    other.exec("BEGIN IMMEDIATE");
    expect(await store.completeCall(id, OK)).to.equal(false);
    expect(warnings.join()).to.contain("could not be recorded yet");
    expect((await store.history({ limit: 1 }))[0]?.status).to.equal("pending");
    other.exec("COMMIT");
    other.close();
    await until(async () => (await store.history({ limit: 1 }))[0]?.status === "ok");
    expect((await verify(dir)).rows).to.equal(1);
  });

  it("K2 a completion that never gets through leaves a row that reads interrupted @all", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const id = await store.beginCall(intent());
    const other = new SqliteDatabase(path.join(dir, "history.db"));
    other.exec("BEGIN IMMEDIATE");
    await store.completeCall(id, OK);
    await store.close();
    other.close();
    expect((await (await open(dir)).history({ limit: 1 }))[0]?.status).to.equal("interrupted");
  });

  it("K3 a lock held by another process refuses the calls of many without stopping the event loop @all", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginCall(intent());
    const other = new SqliteDatabase(path.join(dir, "history.db"));
    other.exec("BEGIN IMMEDIATE");
    // The writes wait most of a second, the event loop not at all.
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const writers = Array.from({ length: 32 }, () => rejection(store.beginCall(intent())));
    for (const error of await Promise.all(writers)) expect(error).to.have.property("code", "audit_unavailable");
    clearInterval(timer);
    expect(Math.max(longest, performance.now() - last)).to.be.below(500);
    other.exec("COMMIT");
    other.close();
    expect(await store.beginCall(intent())).to.equal(2);
  });

  const harm: Record<string, [file: string, harm: (file: string) => void]> = {
    "the record is deleted": ["history.db", (file) => fs.rmSync(file)],
    "the record is replaced by a copy": ["history.db", replaceByCopy],
    "the record is cut": ["history.db", (file) => fs.truncateSync(file, fs.statSync(file).size - 1)],
    "the log is deleted": ["history.db-wal", (file) => fs.rmSync(file)],
    "the log is replaced by a copy": ["history.db-wal", replaceByCopy],
    "the log is cut to nothing": ["history.db-wal", (file) => fs.truncateSync(file, 0)],
    "the log is cut in the middle": ["history.db-wal", (file) => fs.truncateSync(file, fs.statSync(file).size / 2)],
    "the log is overwritten": ["history.db-wal", (file) => overwrite(file, 0)],
    "the end of the log is overwritten": ["history.db-wal", (file) => overwrite(file, 0.5)],
    "the index of the log is deleted": ["history.db-shm", (file) => fs.rmSync(file)],
    "the index of the log is replaced by a copy": ["history.db-shm", replaceByCopy],
    "the index of the log is cut to nothing": ["history.db-shm", (file) => fs.truncateSync(file, 0)],
    "the lock is deleted": ["lock.db", (file) => fs.rmSync(file)],
    "the lock is replaced by a copy": ["lock.db", replaceByCopy],
  };
  for (const [what, [name, doHarm]] of Object.entries(harm))
    it(`K9 refuses every further call, and says so once, when ${what}`, async () => {
      const dir = tempDir();
      const warnings: string[] = [];
      const store = await open(dir, { onWarning: (message) => warnings.push(message) });
      await store.beginCall(intent());
      await store.check();
      doHarm(path.join(dir, name));
      expect(await rejection(store.beginTurn(turn()))).to.have.property("code", "audit_unavailable");
      for (let i = 0; i < 2; i++) {
        const error = await rejection(store.beginCall(intent()));
        expect(error).to.have.property("code", "audit_unavailable");
        expect(error.message).to.contain(name).and.to.contain("restart agentd");
        expect(await rejection(store.check())).to.have.property("code", "audit_unavailable");
      }
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.contain(name);
    });

  for (const from of [0, 0.5])
    it(`K9 keeps what is in the record when ${from === 0 ? "all" : "half"} of the log is overwritten`, async () => {
      const dir = await filledRecord(300);
      const store = await open(dir);
      for (let i = 0; i < 50; i++) await store.recordCall(intent({ call_id: `late_${i}` }), OK);
      overwrite(path.join(dir, "history.db-wal"), from);
      expect(await rejection(store.beginCall(intent()))).to.have.property("code", "audit_unavailable");
      // What is left is still read.
      expect((await store.history({ limit: 1 })).length).to.equal(1);
      await store.close();
      const again = await open(dir);
      const newest = (await again.history({ limit: 1 }))[0]?.id;
      if (from === 0) expect(newest).to.equal(300);
      else expect(newest).to.be.within(301, 349);
      expect(await verify(dir)).to.deep.include({ ok: true, rows: newest });
    });

  it("K9 refuses every further call when the record is cut whose pages are not in the log", async () => {
    const dir = await filledRecord(300);
    const file = path.join(dir, "history.db");
    const store = await open(dir);
    await store.beginCall(intent());
    // What is in the log by now are its first pages.
    fs.truncateSync(file, fs.statSync(file).size / 2);
    for (let i = 0; i < 2; i++) {
      const error = await rejection(store.beginCall(intent()));
      expect(error).to.have.property("code", "audit_unavailable");
      expect(error.message).to.contain(`${file} was cut`);
    }
    expect(await rejection(store.check())).to.have.property("code", "audit_unavailable");
  });

  it("K9 goes on when a checkpoint of rows that were deleted makes the record shorter @all", async () => {
    const dir = await filledRecord(3_000);
    const file = path.join(dir, "history.db");
    const store = await open(dir);
    const before = fs.statSync(file).size;
    peek(dir, (db) => db.exec("DELETE FROM history WHERE id < 2900"));
    await store.beginCall(intent());
    peek(dir, (db) => db.pragma("incremental_vacuum"));
    for (let i = 0; i < 3; i++) {
      await store.beginCall(intent());
      peek(dir, (db) => db.pragma("wal_checkpoint(TRUNCATE)"));
      await store.recordCall(intent({ arguments: { text: "x".repeat(20_000) } }), OK);
    }
    expect(fs.statSync(file).size).to.be.below(before);
    await store.check();
  });

  it("K9 goes on when another program makes the record smaller by VACUUM, and not when it is cut behind that @all", async () => {
    const dir = await filledRecord(3_000);
    const file = path.join(dir, "history.db");
    const store = await open(dir);
    peek(dir, (db) => db.exec("CREATE TABLE other AS SELECT randomblob(10000000) AS a"));
    await store.beginCall(intent());
    peek(dir, (db) => db.exec("DROP TABLE other; PRAGMA wal_checkpoint(TRUNCATE)"));
    const before = fs.statSync(file).size;
    await store.beginCall(intent());
    peek(dir, (db) => db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
    expect(fs.statSync(file).size).to.be.below(before);
    await store.beginCall(intent());
    await store.check();
    peek(dir, (db) => db.pragma("wal_checkpoint(TRUNCATE)"));
    fs.truncateSync(file, fs.statSync(file).size - 4096);
    expect((await rejection(store.beginCall(intent()))).message).to.contain(`${file} was cut`);
  });

  it("K9 says it once, also where what is old is about to be deleted", async () => {
    const dir = tempDir();
    const warnings: string[] = [];
    await open(dir, { historyKeepDays: 1, onWarning: (message) => warnings.push(message) });
    // The first round of the retention comes right after.
    fs.rmSync(path.join(dir, "history.db-wal"));
    await until(() => warnings.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain("nothing more is recorded");
  });

  it("J16 refuses every further call, and says so once, when another program adds a trigger that drops rows", async () => {
    const dir = tempDir();
    const warnings: string[] = [];
    const store = await open(dir, { onWarning: (message) => warnings.push(message) });
    await store.recordCall(intent(), OK);
    peek(dir, (db) => db.exec(SWALLOW));
    for (let i = 0; i < 2; i++)
      expect(await rejection(store.beginCall(intent()))).to.have.property("code", "audit_unavailable");
    expect(await rejection(store.check())).to.have.property("code", "audit_unavailable");
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('holds the trigger "swallow"');
  });

  it("K9 refuses every further call when another program drops a table of agentd, also one that is not written by a call", async () => {
    const dir = await filledRecord(1);
    peek(dir, (db) => db.exec("CREATE TABLE mine (a)"));
    const store = await open(dir);
    peek(dir, (db) => db.exec("DROP TABLE mine"));
    await store.beginCall(intent());
    peek(dir, (db) => db.exec("DROP TABLE confirmations"));
    expect((await rejection(store.beginCall(intent()))).message).to.contain("lost its table confirmations");
    expect(await rejection(store.check())).to.have.property("code", "audit_unavailable");
  });

  it("J16 goes on when another program adds an index", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.recordCall(intent(), OK);
    peek(dir, (db) => db.exec("CREATE INDEX by_model ON history (model)"));
    expect(await store.beginCall(intent())).to.equal(2);
  });

  it("K9 goes on when another program checkpoints the log", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (let i = 0; i < 20; i++) await store.recordCall(intent(), OK);
    peek(dir, (db) => db.pragma("wal_checkpoint(TRUNCATE)"));
    expect(fs.statSync(path.join(dir, "history.db-wal")).size).to.equal(0);
    expect(await store.beginCall(intent())).to.equal(21);
  });
});

describe("The record on a disk with faults: at start", () => {
  afterEach(cleanUp);

  it("K4 a file that is no database is refused by name and kept", async () => {
    const dir = tempDir();
    fs.writeFileSync(path.join(dir, "history.db"), Buffer.alloc(8192, "garbage "));
    await expectRefused(dir, "Move it away");
  });

  it("K5 a corrupted page is found before the record is used", async () => {
    const dir = await filledRecord(300);
    corrupt(path.join(dir, "history.db"));
    await expectRefused(dir, "put a backup in its place");
  });

  it("K5 a corrupted page of a large record is found beside the running daemon @all", async () => {
    const dir = await filledRecord(300);
    const file = path.join(dir, "history.db");
    const found = (): Promise<string> => new Promise((resolve) => checkLater(file, resolve, true));
    const quiet = Promise.race([found(), new Promise((resolve) => setTimeout(resolve, 1_000, "nothing"))]);
    expect(await quiet).to.equal("nothing");
    corrupt(file);
    expect(await found()).to.contain(`${file} is damaged`);
  });

  it("K5 the program that checks a large record is in the bundle", async function () {
    if (PROGRAM.at(-1) !== path.join(packageRoot, "dist", "main.js")) this.skip();
    const dir = await filledRecord(300);
    const file = path.join(dir, "history.db");
    const check = (): string =>
      spawnSync(process.execPath, [path.join(packageRoot, "dist", "check-child.js"), file], { encoding: "utf8" })
        .stdout;
    expect(check()).to.equal("");
    corrupt(file);
    expect(check()).to.not.equal("");
  });

  it("K6 an empty file becomes a new record, with a warning", async () => {
    const dir = tempDir();
    fs.writeFileSync(path.join(dir, "history.db"), "");
    const warnings: string[] = [];
    const store = await open(dir, { onWarning: (message) => warnings.push(message) });
    expect(warnings.join()).to.contain("was empty");
    expect(await store.beginCall(intent())).to.equal(1);
  });

  it("K4 a record with a trigger of another program is refused by name and kept; a view does no harm", async () => {
    const dir = await filledRecord(1);
    peek(dir, (db) => db.exec("CREATE VIEW calls AS SELECT * FROM history; CREATE INDEX of_mine ON history (tool)"));
    expect((await verify(dir)).ok).to.equal(true);
    const store = await open(dir);
    await store.close();
    peek(dir, (db) => db.exec(SWALLOW));
    await expectRefused(dir, "which agentd did not make");
    expect((await rejection(verify(dir))).message).to.contain("which agentd did not make");
  });

  it("K7 a read-only directory is refused by name @all", async function () {
    const dir = await filledRecord(1);
    const uid = process.getuid?.() === 0 ? UNPRIVILEGED_UID : undefined;
    // Root may write anywhere, so another user must try, who may not be able to read this checkout.
    const probe = spawnSync(process.execPath, [...WORKER_ARGUMENTS, "nothing"], uid ? { uid, gid: uid } : {});
    if (probe.status !== 0) {
      console.log("    K7 needs a user without root's rights who can read this checkout");
      this.skip();
    }
    for (const file of fs.readdirSync(dir)) fs.chmodSync(path.join(dir, file), 0o444);
    fs.chmodSync(dir, 0o555);
    const { exit, errors } = worker("open", dir, { uid });
    expect(await exit).to.equal(1);
    expect(errors()).to.contain("StartError").and.to.contain(dir);
    fs.chmodSync(dir, 0o700);
  });

  it("K17 a record in a folder that cannot be written is read, its log too, and left as it is", async function () {
    const filled = await filledRecord(2);
    const dir = tempDir();
    const db = new SqliteDatabase(path.join(filled, "history.db"));
    db.exec("UPDATE history SET tool = 'in_the_log' WHERE id = 2");
    for (const end of ["", "-wal"])
      fs.copyFileSync(path.join(filled, `history.db${end}`), path.join(dir, `history.db${end}`));
    db.close();
    const uid = process.getuid?.() === 0 ? UNPRIVILEGED_UID : undefined;
    const names = fs.readdirSync(dir);
    for (const file of [...names.map((name) => path.join(dir, name)), dir]) {
      if (uid !== undefined) fs.chownSync(file, uid, uid);
      fs.chmodSync(file, 0o555);
    }
    const options = { encoding: "utf8", ...(uid !== undefined && { uid, gid: uid }) } as const;
    const [node = "", ...main] = PROGRAM;
    const run = (...args: string[]) => spawnSync(node, [...main, ...args, "--data-dir", dir], options);
    const read = run("history", "--json");
    if (read.error || /EACCES.*open '.*(dist|src)/s.test(read.stderr)) {
      console.log("    K17 needs a user without root's rights who can read this checkout");
      this.skip();
    }
    expect((JSON.parse(read.stdout) as { tool: string }[]).map(({ tool }) => tool))
      .to.include("in_the_log")
      .and.have.length(2);
    for (const command of ["sessions", "tools"]) expect(run(command).stderr, command).to.not.contain("cannot");
    expect(fs.readdirSync(dir)).to.deep.equal(names);
    fs.chmodSync(dir, 0o700);
  });

  it("K8 a FIFO where SQLite has its files beside it is refused by name, by who writes and who only reads", async () => {
    for (const end of ["-journal", "-wal", "-shm"]) {
      const dir = await filledRecord(1);
      spawnSync("mkfifo", [path.join(dir, `history.db${end}`)]);
      const words = `history.db${end} beside it is not a regular file`;
      // First: what would wait for ever cannot be stopped from within.
      expect(() => recordExists(dir), end).to.throw(StartError, words);
      await expectRefused(dir, words);
    }
  });

  it("K8 what a link leads to keeps its mode and its content", async () => {
    const theirs = path.join(tempDir(), "theirs");
    for (const end of ["", "-journal", "-wal", "-shm"]) {
      fs.writeFileSync(theirs, "of another program", { mode: 0o644 });
      const dir = end === "" ? tempDir() : await filledRecord(1);
      fs.rmSync(path.join(dir, `history.db${end}`), { force: true });
      fs.symlinkSync(theirs, path.join(dir, `history.db${end}`));
      await expectRefused(dir, "is a link and not a regular file");
      expect(() => recordExists(dir), end).to.throw(StartError, "is a link and not a regular file");
      expect(fs.statSync(theirs).mode & 0o777, end).to.equal(0o644);
      expect(fs.readFileSync(theirs, "utf8")).to.equal("of another program");
    }
  });

  it("K8 a directory, a device or a FIFO in its place is refused by name", async () => {
    const file = (dir: string): string => path.join(dir, "history.db");
    const make: ((dir: string) => void)[] = [
      (dir) => fs.mkdirSync(file(dir)),
      (dir) => fs.symlinkSync("/dev/full", file(dir)),
      (dir) => void spawnSync("mkfifo", [file(dir)]),
    ];
    for (const makeIt of make) {
      const dir = tempDir();
      makeIt(dir);
      await expectRefused(dir, "not a regular file");
    }
  });

  it("J14 a record of a newer version is refused and not written", async () => {
    const dir = await filledRecord(1);
    const known = peek(dir, (db) => db.pragma("user_version", { simple: true })) as number;
    peek(dir, (db) => db.pragma(`user_version = ${known + 1}`));
    await expectRefused(
      dir,
      `newer agentd (record version ${known + 1}, this one knows ${known}). Update agentd, or choose another --data-dir`,
    );
  });

  it("H12 a database of another program is refused and not written", async () => {
    const foreign = tempDir();
    peek(foreign, (db) => db.exec("CREATE TABLE theirs (id)"));
    await expectRefused(foreign, "another program");
    const marked = tempDir();
    peek(marked, (db) => db.pragma("application_id = 42"));
    await expectRefused(marked, "another program");
  });
});
