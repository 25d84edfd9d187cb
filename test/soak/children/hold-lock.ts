// Another program that holds the write lock of a database for some milliseconds: `hold-lock.ts FILE MS`. Prints "held", and when
// it lets go, in milliseconds of this machine's clock.
import { SqliteDatabase } from "../../../src/lib/sqlite.js";

const [file = "", ms = "0"] = process.argv.slice(2);
const db = new SqliteDatabase(file);
db.exec("BEGIN IMMEDIATE");
console.log("held");
setTimeout(() => {
  console.log(`released ${Date.now()}`);
  db.exec("COMMIT");
  db.close();
}, Number(ms));
