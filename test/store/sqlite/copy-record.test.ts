// A copy of a record that is written into meanwhile: a real connection writes, and only the moment of it is chosen here.
import fs from "node:fs";
import path from "node:path";
import type { Database } from "better-sqlite3";
import { expect } from "chai";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { copyRecord } from "../../../src/store/sqlite/copy-record.js";
import { cleanUp, tempDir } from "./fixture.js";

const ROWS = 500;

/** A record of many pages, and the connection that writes it. */
function writtenRecord(): { file: string; db: Database } {
  const file = path.join(tempDir(), "record.db");
  const db = new SqliteDatabase(file);
  db.pragma("journal_mode = WAL");
  db.pragma("wal_autocheckpoint = 0");
  db.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, filler BLOB, round INTEGER)");
  const insert = db.prepare("INSERT INTO rows (filler, round) VALUES (randomblob(4000), 0)");
  db.transaction(() => {
    for (let i = 0; i < ROWS; i++) insert.run();
  })();
  return { file, db };
}

/** Writes every row, puts all pages into the record, and begins the log anew. */
function writeAndCheckpoint(db: Database, round: number): void {
  db.prepare("UPDATE rows SET round = ?").run(round);
  db.pragma("wal_checkpoint(RESTART)");
  db.prepare("UPDATE rows SET round = ? WHERE id % 7 = 0").run(-round);
}

/** Copies while `write` runs after each of the record's own copies. */
function copyMeanwhile(file: string, write: (copies: number) => void): string {
  const copy = path.join(tempDir(), "copy.db");
  const { copyFileSync } = fs;
  let copies = 0;
  fs.copyFileSync = (from, to, mode) => {
    copyFileSync(from, to, mode);
    if (from === file) write(++copies);
  };
  try {
    copyRecord(file, copy);
  } finally {
    fs.copyFileSync = copyFileSync;
  }
  return copy;
}

describe("A copy of a record", () => {
  afterEach(cleanUp);

  it("is made anew where pages went into the record meanwhile", () => {
    const { file, db } = writtenRecord();
    const copy = copyMeanwhile(file, (copies) => {
      if (copies === 1) writeAndCheckpoint(db, 1);
    });
    const copied = new SqliteDatabase(copy);
    expect(copied.pragma("integrity_check", { simple: true })).to.equal("ok");
    const rounds = "SELECT round, count(*) AS n FROM rows GROUP BY round";
    expect(copied.prepare(rounds).all()).to.deep.equal(db.prepare(rounds).all());
    copied.close();
    db.close();
  });

  it("takes what was only added to the log as it comes", () => {
    const { file, db } = writtenRecord();
    let copies = 0;
    copyMeanwhile(file, (n) => {
      copies = n;
      db.prepare("UPDATE rows SET round = 1").run();
    });
    expect(copies).to.equal(1);
    db.close();
  });

  it("is none of a record that is written into at every try", () => {
    const { file, db } = writtenRecord();
    expect(() => copyMeanwhile(file, (copies) => writeAndCheckpoint(db, copies))).to.throw("try again");
    db.close();
  });
});
