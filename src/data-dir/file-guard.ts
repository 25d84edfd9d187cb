// Files that must stay what they are while they are open. What is written to one that was deleted or replaced is lost at the next
// start, without an error. Only looks at names, sizes and inodes: opening a file that SQLite holds would drop SQLite's locks.
import fs from "node:fs";

/** A file as it was when it was opened. */
export interface FileIdentity {
  file: string;
  ino: number;
  dev: number;
}

/** What the files are now. Throws when one is not there. */
export function identify(files: readonly string[]): FileIdentity[] {
  return files.map((file) => {
    const { ino, dev } = fs.statSync(file);
    return { file, ino, dev };
  });
}

/** Makes the check that throws once one of the files was deleted or replaced. */
export function createFileGuard(opened: readonly FileIdentity[]): () => void {
  return () => {
    for (const { file, ino, dev } of opened) {
      const now = fs.statSync(file, { throwIfNoEntry: false });
      if (now?.ino !== ino || now.dev !== dev)
        throw new Error(`${file} was deleted or replaced while the daemon runs; restart agentd`);
    }
  };
}
