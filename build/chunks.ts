// Which modules are loaded together: a file costs a start about a millisecond, whatever its size, and without this there are
// a hundred of them on the way of `serve`. A module stays apart from what loads it on demand.
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
/** What a daemon loads besides, until it listens. */
const ofDaemon = importedBy([
  "cli/commands/serve.ts",
  "open.ts",
  "agent/create.ts",
  "agent/notify.ts",
  "data-dir/lock.ts",
  "data-dir/restore.ts",
  "data-dir/running.ts",
  "providers/open.ts",
  "providers/openai-compatible/provider.ts",
  "store/sqlite/store.ts",
  "tools/applications.ts",
]);

/** The groups, for `codeSplitting` of Rolldown. */
export const chunkGroups: Group[] = [
  { debugName: "program", name: (id, context) => (ofProgram(id, context) ? "program" : null), priority: 2 },
  {
    debugName: "daemon",
    name: (id, context) => (ofDaemon(id, context) ? "daemon" : null),
    priority: 1,
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
  },
];
