// A plugin of Vite for what Drizzle brings along: its driver imports better-sqlite3 to open databases by their names. The program
// opens them itself (src/lib/sqlite.ts), and a command that opens none has to run where that package cannot be loaded.
import type { Plugin } from "vite";

const NONE = "\0no-driver";

/** Leaves the package out of Drizzle. */
export function leanDrizzle(): Plugin {
  return {
    name: "lean-drizzle",
    apply: "build",
    enforce: "pre",
    resolveId: (id, importer = "") =>
      id === "better-sqlite3" && /\/node_modules\/drizzle-orm\//.test(importer.replaceAll("\\", "/"))
        ? NONE
        : undefined,
    load: (id) => (id === NONE ? "export default undefined;" : undefined),
  };
}
