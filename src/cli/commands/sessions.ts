// `agentd sessions`: the conversations, newest first, or one of them whole.

import { StartError } from "../../domain/error.js";
import type { RecordClient } from "../client/client.js";
import { connectRecord } from "../client/connect.js";
import { listedDataDir } from "../client/data-dir.js";
import { type SessionGiven, sessionGiven } from "../client/session-given.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber, TOKEN } from "../options.js";
import { lookOf } from "../terminal/look.js";
import { print, printJson, say } from "../terminal/output.js";
import { PAGER, showText } from "../terminal/pager.js";
import { sessionList } from "../terminal/session-rows.js";
import { wholeTimeFor } from "../terminal/short-time.js";

/** As GET /-/sessions. */
const DEFAULT_LIMIT = 50;
const MAX_ROWS = 1000;

/** Prints one conversation, rendered on a terminal; the exit code. */
async function showConversation(
  records: RecordClient,
  { id, didYouMean }: SessionGiven,
  args: { json?: boolean; pager?: boolean },
): Promise<number> {
  const found = await records.conversation(id);
  if (!found) throw new StartError(`there is no conversation ${id}.${didYouMean} agentd sessions lists them.`);
  if (args.json) printJson(found.json);
  else if (!process.stdout.isTTY) print(found.markdown);
  else {
    const { conversationPage } = await import("../terminal/conversation-page.js");
    const look = { ...lookOf(process.stdout), timeOf: wholeTimeFor(process.stdout) };
    await showText(conversationPage({ ...found, session_id: id }, look), args);
  }
  return 0;
}

export const sessionsCommand = defineCommand({
  positionals: "[id]",
  positional: { id: { type: "string", describe: "Show this conversation whole" } },
  options: {
    search: { type: "string", describe: "Only those with this text in their title, a prompt or an answer" },
    limit: {
      type: "number",
      coerce: parseWholeNumber("limit", 1, MAX_ROWS),
      describe: `Conversations to show [default: ${DEFAULT_LIMIT}]`,
    },
    json: { type: "boolean", describe: "Print them as a JSON array" },
    ...PAGER,
    ...TOKEN,
  },
  examples: [
    ["agentd sessions --search milk", ""],
    ["agentd sessions 9f2c4e1a", "the whole conversation whose id begins so"],
  ],
  async run(args) {
    const chosen = await listedDataDir(args);
    const records = await connectRecord(args, chosen);
    try {
      if (args.id)
        return await showConversation(
          records,
          await sessionGiven(chosen.dir, String(args.id), { isThere: true }),
          args,
        );
      const list = await records.sessions(args.limit ?? DEFAULT_LIMIT, args.search);
      if (args.json) printJson(list);
      else if (list.length > 0) await showText(sessionList(list), args);
      else if (args.search !== undefined) say("No conversation fits.");
      else if (chosen.origin !== "missing") say("There are no conversations yet.");
      return 0;
    } finally {
      await records.close();
    }
  },
});
