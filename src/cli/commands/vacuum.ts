// `agentd vacuum`: gives the space of deleted rows back to the disk, while no daemon runs.
import { compactRecord, hasRecord } from "../../open.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { say, warn } from "../terminal/output.js";

export const vacuumCommand = defineCommand({
  options: {},
  examples: [["agentd vacuum", "once, for a record that an older agentd began"]],
  async run(args) {
    const { dir } = await existingDataDir(args);
    if (!(await hasRecord(dir))) {
      say(`nothing is recorded in ${dir} yet`);
      return 0;
    }
    const { before, after } = await compactRecord(dir, warn);
    say(`the record was rewritten: ${before} bytes before, ${after} after`);
    return 0;
  },
});
