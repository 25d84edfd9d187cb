// Keeps the account's own state out of every test, bench and soak: what agentd remembers goes to a folder that is removed at the
// end. Loaded by mocha before any test (.mocharc.json), and with spawn.ts by everything that starts the program.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "agentd-state-"));
process.env["XDG_STATE_HOME"] = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
