// Files that must stay what they are while they are open. What is written to one that was deleted or replaced is lost at the next
// start, without an error. Only looks at names, sizes and inodes: opening a file that SQLite holds would drop SQLite's locks.
import fs from "node:fs";

/** A file as it was when it was opened. */
export interface FileIdentity {
  file: string;
  ino: number;
  dev: number;
}

/** What the file is now. Throws when it is not there. */
export function identify(file: string): FileIdentity {
  const { ino, dev } = fs.statSync(file);
  return { file, ino, dev };
}

/** Throws when the file was deleted or replaced since it was opened; its size in bytes otherwise. */
export function sizeOfSame({ file, ino, dev }: FileIdentity): number {
  const now = fs.statSync(file, { throwIfNoEntry: false });
  if (now?.ino !== ino || now.dev !== dev)
    throw new Error(`${file} was deleted or replaced while the daemon runs; restart agentd`);
  return now.size;
}
