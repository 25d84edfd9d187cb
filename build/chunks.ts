// Which modules are loaded together: a file costs a start about a millisecond, whatever its size.
import { dirname, join } from "node:path";
import type { Rolldown } from "vite";

type Context = Rolldown.ChunkingContext;
type Group = Rolldown.CodeSplittingGroup;

const src = (path: string): string => join(dirname(import.meta.dirname), "src", path).replaceAll("\\", "/");

/** Modules that these files import, at any depth, without what they load on demand. */
function importedBy(files: readonly string[]): (id: string, context: Context) => boolean {
  let found: Set<string> | undefined;
  return (id, context) => {
    if (!found) {
      found = new Set();
      const queue = files.map(src);
      const missing = queue.find((file) => !context.getModuleInfo(file));
      if (missing !== undefined) throw new Error(`build/chunks.ts names ${missing}, which is not there`);
      for (let next = queue.pop(); next !== undefined; next = queue.pop())
        if (!found.has(next)) {
          found.add(next);
          queue.push(...(context.getModuleInfo(next)?.importedIds ?? []));
        }
    }
    return found.has(id);
  };
}

/** What next to every command loads. */
const ofProgram = importedBy(["cli/start.ts", "cli/client/data-dir.ts", "config/values.ts"]);

/**
 * The groups, for `codeSplitting` of Rolldown. Only what is complete in itself: with what a daemon loads besides in a few files, too,
 * a start is hardly quicker, and 2,000 turns leave some 7 MB more taken.
 */
export const chunkGroups: Group[] = [
  { debugName: "program", name: (id, context) => (ofProgram(id, context) ? "program" : null) },
];
