// Bundles the program into dist/: loading some 300 small files one by one is a third of the time to the first answer.
// Without comments, and in ASCII: the text of a loaded file stays in memory, at two bytes a character once one is beyond Latin-1.
// `npm run check` does the type checking; what is loaded on demand stays in chunks of its own.
import { defineConfig } from "vite";
import { bundledPackages } from "./build/bundled-packages.js";
import { leanDrizzle } from "./build/lean-drizzle.js";
import { leanExpress } from "./build/lean-express.js";

/** Loaded at run time: an addon, and packages that look for files of their own. */
export const EXTERNAL = ["better-sqlite3", "better-sqlite3-13", "pino-pretty", "open"];

export default defineConfig({
  publicDir: false,
  plugins: [leanDrizzle(), leanExpress(), bundledPackages("server")],
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: true,
    target: "node20",
    minify: false,
    rolldownOptions: {
      input: {
        main: "src/main.ts",
        "check-child": "src/store/sqlite/check-child.ts",
        "checkpoint-thread": "src/store/sqlite/writing/checkpoint-thread.ts",
        "child-guard": "src/lib/child-guard.ts",
        "helper-guard": "src/lib/helper-guard.ts",
        "sheet-thread": "src/results/sheet-thread.ts",
        "sqlite-child": "src/applications/sql/sqlite/sqlite-child.ts",
        "read-child": "src/applications/connect/read-child.ts",
        "validate-child": "src/tools/arguments/validate-child.ts",
        "demo/main": "src/demo/main.ts",
      },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        comments: false,
        charset: "ascii",
      },
    },
  },
  ssr: {
    target: "node",
    noExternal: true,
    external: EXTERNAL,
  },
});
