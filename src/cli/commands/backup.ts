// `agentd backup`: a consistent copy of the record, with --all of the configuration and documents too, with or without a daemon running.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../domain/error.js";
import { hasRecord, openReader } from "../../open.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { backupFolder } from "./backup-folder.js";

export const backupCommand = defineCommand({
  positionals: "<file>",
  positional: { file: { type: "string", describe: "Where to write the copy; nothing is overwritten" } },
  options: {
    all: { type: "boolean", describe: "A folder with the configuration and documents, too" },
    "with-secrets": { type: "boolean", describe: "With --all: also a config.json that holds secrets in plain text" },
  },
  examples: [
    ["agentd backup /mnt/safe/history-monday.db", "the record alone"],
    ["agentd backup /mnt/safe/monday --all", "a folder for agentd restore"],
  ],
  async run(args) {
    if (args.withSecrets && !args.all) throw usageError("--with-secrets goes with --all.");
    const target = resolve(String(args.file));
    const { dir } = await existingDataDir(args);
    const reader = args.all && !(await hasRecord(dir)) ? undefined : await openReader(dir);
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    try {
      if (args.all) {
        const withSecrets = args.withSecrets === true;
        const input = { dataDir: dir, reader, folder: target, withSecrets, signal: stop.signal };
        say(`copied ${(await backupFolder(input)).join(", ")} to ${target}`);
      } else {
        await reader?.backup(target, stop.signal);
        say(`the record was copied to ${target} (${statSync(target).size} bytes)`);
      }
      return 0;
    } finally {
      release();
      await reader?.close();
    }
  },
});
