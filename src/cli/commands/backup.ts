// `agentd backup`: a consistent copy of the record, with or without a daemon running.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { openReader } from "../../open.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";

export const backupCommand = defineCommand({
  positionals: "<file>",
  positional: { file: { type: "string", describe: "Where to write the copy; nothing is overwritten" } },
  options: {},
  examples: [["agentd backup /mnt/safe/history-monday.db", "put it back as history.db in a data directory"]],
  async run(args) {
    const file = resolve(String(args.file));
    const reader = await openReader((await existingDataDir(args)).dir);
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    try {
      await reader.backup(file, stop.signal);
      say(`the record was copied to ${file} (${statSync(file).size} bytes)`);
      return 0;
    } finally {
      release();
      await reader.close();
    }
  },
});
