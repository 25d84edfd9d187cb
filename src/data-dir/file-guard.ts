// Files that must stay what they are while they are open. What is written to one that was deleted or replaced is lost at the next
// start, without an error. Only looks at names, sizes and inodes: opening a file that SQLite holds would drop SQLite's locks.
import fs from "node:fs";

/**
 * Remembers which files are open, and throws once one of them was deleted or replaced: what is written to them then is
 * lost at the next start.
 */
export function createFileGuard(files: readonly string[]): () => void {
  const opened = files.map((file) => ({ file, stat: fs.statSync(file) }));
  return () => {
    for (const { file, stat } of opened) {
      const now = fs.statSync(file, { throwIfNoEntry: false });
      if (now?.ino !== stat.ino || now.dev !== stat.dev)
        throw new Error(`${file} was deleted or replaced while the daemon runs; restart agentd`);
    }
  };
}
