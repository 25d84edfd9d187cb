// A program: checks one database file and prints what is wrong, nothing when all is well or when it could not look.
// check.ts runs it as a child process; its argument is the file.
import { SqliteDatabase } from "../../lib/sqlite.js";

/** How long to wait for a writer's lock. */
const TIMEOUT_MS = 1000;

function findDamage(file: string): string | undefined {
  try {
    const db = new SqliteDatabase(file, { readonly: true, timeout: TIMEOUT_MS });
    const found = String(db.pragma("quick_check(1)", { simple: true }));
    return found === "ok" ? undefined : found;
  } catch (error) {
    const isDamage = error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
    return isDamage ? error.message : undefined;
  }
}

const damage = findDamage(process.argv[2] ?? "");
if (damage !== undefined) process.stdout.write(damage);
