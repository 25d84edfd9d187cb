// `agentd sessions`: the conversations, newest first.

import { connectRecord } from "../client/connect.js";
import { chooseDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber, TOKEN } from "../options.js";
import { print, printJson, say } from "../terminal/output.js";
import { formatTable, oneLine } from "../terminal/table.js";
import { costText, tokensText } from "../terminal/usage.js";

/** As GET /-/sessions. */
const DEFAULT_LIMIT = 50;
const MAX_ROWS = 1000;
const MAX_TITLE_CHARS = 60;

export const sessionsCommand = defineCommand({
  options: {
    limit: {
      type: "number",
      coerce: parseWholeNumber("limit", 1, MAX_ROWS),
      describe: `Conversations to show [default: ${DEFAULT_LIMIT}]`,
    },
    json: { type: "boolean", describe: "Print them as a JSON array" },
    ...TOKEN,
  },
  async run(args) {
    const chosen = await chooseDataDir(args);
    const records = await connectRecord(args, chosen);
    try {
      const list = await records.sessions(args.limit ?? DEFAULT_LIMIT);
      const hasCost = list.some(({ usage }) => usage?.cost !== undefined);
      if (args.json) printJson(list);
      else if (list.length > 0)
        print(
          formatTable(
            ["SESSION", "LAST USED", "TURNS", "STATUS", "MODEL", "TOKENS", ...(hasCost ? ["COST"] : []), "BEGAN WITH"],
            list.map((one) => [
              oneLine(one.session_id),
              one.updated_at,
              String(one.turns),
              one.status,
              oneLine(one.model),
              one.usage ? tokensText(one.usage) : "-",
              ...(hasCost ? [(one.usage && costText(one.usage)) || "-"] : []),
              oneLine(one.title, MAX_TITLE_CHARS),
            ]),
          ),
        );
      else if (chosen.origin !== "missing") say("There are no conversations yet.");
      return 0;
    } finally {
      await records.close();
    }
  },
});
