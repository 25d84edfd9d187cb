// `agentd history`: the recorded calls, newest first.
import { toJson } from "../json.js";
import { HISTORY_STATUSES, type HistoryEntry, type HistoryQuery } from "../store/store.js";
import { defineCommand } from "./command.js";
import { openRecords } from "./desk.js";
import { TOKEN, wholeNumber } from "./options.js";
import { print, say } from "./output.js";
import { jsonLine } from "./render.js";
import { oneLine, table } from "./table.js";

/** As GET /history. */
const DEFAULT_LIMIT = 20;
const MOST_ROWS = 10_000;
const LONGEST_ARGUMENTS = 60;

function row(entry: HistoryEntry): string[] {
  const took = entry.duration_ms === null ? "" : `${Math.round(entry.duration_ms)} ms`;
  const args = oneLine(toJson(entry.arguments), LONGEST_ARGUMENTS);
  return [String(entry.id), oneLine(entry.ts), entry.status, oneLine(entry.tool), took, args];
}

export const history = defineCommand({
  options: {
    limit: {
      type: "number",
      coerce: wholeNumber("limit", 1, MOST_ROWS),
      describe: `Rows to show [default: ${DEFAULT_LIMIT}]`,
    },
    before: {
      type: "number",
      coerce: wholeNumber("before", 1, Number.MAX_SAFE_INTEGER),
      describe: "Only rows with a smaller id",
    },
    session: { type: "string", describe: "Only this conversation" },
    tool: { type: "string", describe: "Only this tool" },
    status: { choices: HISTORY_STATUSES, describe: "Only this status" },
    json: { type: "boolean", describe: "Print them as GET /history does" },
    ...TOKEN,
  },
  examples: [["agentd history --status error --limit 5", "the last five calls that failed"]],
  async run(args) {
    const records = await openRecords(args);
    try {
      const { before, session: session_id, tool, status } = args;
      const query: HistoryQuery = {
        limit: args.limit ?? DEFAULT_LIMIT,
        ...(before !== undefined && { before }),
        ...(session_id !== undefined && { session_id }),
        ...(tool !== undefined && { tool }),
        ...(status !== undefined && { status }),
      };
      const entries = await records.history(query);
      if (args.json) print(`${jsonLine(entries)}\n`);
      else if (entries.length > 0)
        print(table(["ID", "TIME", "STATUS", "TOOL", "TOOK", "ARGUMENTS"], entries.map(row)));
      else say("No calls are recorded.");
      return 0;
    } finally {
      await records.close();
    }
  },
});
