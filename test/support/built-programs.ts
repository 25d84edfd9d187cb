// Programs that a daemon in the process of a test starts beside itself, such as the one that reads a description: built ones, when the
// build is newer than every source, which is so under `npm test`. From the sources, each takes half a second of a processor longer.
// Loaded by mocha before any test (.mocharc.json).
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";
import { isNewerThan } from "./program.js";

if (isNewerThan(join(packageRoot, "dist", "main.js"), ["src"]))
  process.execArgv = [`--import=${join(packageRoot, "test", "support", "run-built.js")}`];
