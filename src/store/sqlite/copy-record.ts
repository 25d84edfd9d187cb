// Copies a record and its write-ahead log while its daemon may write. Knows nothing of what is in them.
import fs from "node:fs";

/** Times that a copy is tried: a checkpoint writes into the record once in a while, for less than a copy takes. */
const TRIES = 5;
/** Source: https://sqlite.org/fileformat2.html#the_write_ahead_log */
const WAL_HEADER_BYTES = 32;

/** The header of a log, which is another once the log begins anew; "" where there is none. */
function headerOf(log: string): string {
  if (!fs.existsSync(log)) return "";
  const file = fs.openSync(log, "r");
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    fs.readSync(file, header);
    return header.toString("hex");
  } finally {
    fs.closeSync(file);
  }
}

/** What is another once pages went from the log into the record, or the log began anew. What is only added to the log changes nothing. */
function stateOf(record: string): string {
  const { ino, mtimeNs } = fs.statSync(record, { bigint: true });
  return `${ino} ${mtimeNs} ${headerOf(`${record}-wal`)}`;
}

/** Copies a record with its log, both of one time, readable by their owner only. Throws when it is written into at every try. */
export function copyRecord(record: string, copy: string): void {
  for (let n = 0; n < TRIES; n++) {
    const before = stateOf(record);
    for (const end of ["", "-wal"]) {
      fs.rmSync(copy + end, { force: true });
      if (!fs.existsSync(record + end)) continue;
      fs.copyFileSync(record + end, copy + end, fs.constants.COPYFILE_FICLONE);
      fs.chmodSync(copy + end, 0o600);
    }
    if (stateOf(record) === before) return;
  }
  throw new Error("it was written into while it was copied; try again");
}
