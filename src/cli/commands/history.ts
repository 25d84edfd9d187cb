// `agentd history`: the recorded calls, newest first, as they come, or all of them into a file; and whether the record is whole.
// Only a list or a call asks a running daemon; the rest reads the record itself, which needs no daemon and no token.

import { resolve } from "node:path";
import { UNNAMED } from "../../domain/application-name.js";
import { messageOf, StartError, usageError } from "../../domain/error.js";
import { HISTORY_STATUSES } from "../../domain/history-status.js";
import type { HistoryEntry, HistoryQuery } from "../../domain/record.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import type { RecordClient } from "../client/client.js";
import { connectRecord } from "../client/connect.js";
import { type DataDir, existingDataDir, listedDataDir } from "../client/data-dir.js";
import { sessionGiven } from "../client/session-given.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber, TOKEN } from "../options.js";
import { historyList } from "../terminal/history-rows.js";
import { lookOf } from "../terminal/look.js";
import { printJson, say } from "../terminal/output.js";
import { PAGER, showText } from "../terminal/pager.js";
import { wholeTimeFor } from "../terminal/short-time.js";
import { withProgress } from "../terminal/status-line.js";

/** As GET /history. */
const DEFAULT_LIMIT = 20;
const MAX_ROWS = 10_000;
/** Options that are found by looking at rows. */
const SEARCHES = ["toolContains", "search", "safety", "from", "to"] as const;
const ACTIONS = ["list", "export", "verify"];
/** Flags that are called otherwise than the field of GET /history. */
const FLAGS: Readonly<Record<string, string>> = { q: "search", tool_contains: "tool-contains" };

const options = {
  limit: {
    type: "number",
    coerce: parseWholeNumber("limit", 1, MAX_ROWS),
    describe: `Rows to show [default: ${DEFAULT_LIMIT}]`,
  },
  before: {
    type: "number",
    coerce: parseWholeNumber("before", 1, Number.MAX_SAFE_INTEGER),
    describe: "Only rows with a smaller id",
  },
  after: {
    type: "number",
    coerce: parseWholeNumber("after", 0, Number.MAX_SAFE_INTEGER),
    describe: "Only rows with a larger id: the next --limit of them",
  },
  session: { type: "string", describe: "Only this conversation" },
  "asked-by": { type: "string", describe: "Only what came with the token of this name" },
  application: { type: "string", describe: `Only this application; ${UNNAMED} is the one without a name` },
  tool: { type: "string", describe: "Only this tool" },
  "tool-contains": { type: "string", describe: "Only tools whose name has this in it" },
  search: { type: "string", describe: "Only calls with this text in tool, arguments, request or result" },
  safety: { type: "string", describe: "Only these: read_only, mutating, destructive, separated by commas" },
  from: { type: "string", describe: "Only from this day or time on, such as 2026-01-31 or 2026-01-31T09:00:00Z" },
  to: { type: "string", describe: "Only up to this day or time" },
  status: { choices: HISTORY_STATUSES, describe: "Only this status" },
  follow: { type: "boolean", describe: "Go on with new rows as they come, newest last; Ctrl-C ends it" },
  json: { type: "boolean", describe: "Print what GET /history answers; with --follow one JSON object a line" },
  ...PAGER,
  ...TOKEN,
} as const;

/** Refuses an option that the action ignores: it was given for a reason. */
function refuseUnused(action: string, args: Record<string, unknown>, unused: readonly string[]): void {
  const given = unused.find((name) => args[name] !== undefined && args[name] !== "");
  if (given === undefined) return;
  const named = given === "file" ? "a file" : `--${given}`;
  throw usageError(`agentd history ${action} has no use for ${named}. See agentd history --help.`);
}

/** The filters that look at rows, checked as those of GET /history are. Throws StartError. */
async function searchOf({ toolContains, search, safety, from, to }: Record<string, unknown>): Promise<object> {
  const given = Object.entries({ tool_contains: toolContains, q: search, safety, from, to });
  const query = new URLSearchParams();
  for (const [name, value] of given) if (value !== undefined) query.set(name, String(value));
  if (query.size === 0) return {};
  const { parseQuery } = await import("../../server/request/query.js");
  try {
    const { limit: _, ...checked } = parseQuery("history", query);
    return checked;
  } catch (error) {
    // The daemon's names of the fields, as the flags have them.
    const message = messageOf(error).replace(
      /^(q|tool_contains|safety|from|to)(?= )/,
      (name) => `--${FLAGS[name] ?? name}`,
    );
    throw usageError(message);
  }
}

/** Prints one call whole; the exit code. */
async function showCall(
  records: RecordClient,
  { id, chosen }: { id: number; chosen: DataDir },
  args: { json?: boolean; pager?: boolean },
): Promise<number> {
  const [entry] = await records.history({ after: id - 1, before: id + 1, limit: 1 });
  if (!entry) throw new StartError(`there is no call ${id} on record; agentd history lists them.`);
  if (args.json) printJson(entry);
  else {
    const [{ callPage }, { sentRequest }] = await Promise.all([
      import("../terminal/call-page.js"),
      import("../client/sent-request.js"),
    ]);
    // A pipe has no width.
    const { width, styled } = lookOf(process.stdout);
    const timeOf = wholeTimeFor(process.stdout);
    const look = { width: process.stdout.isTTY ? width : Number.POSITIVE_INFINITY, styled, timeOf };
    await showText(callPage(entry, look, await sentRequest(entry, chosen)), args);
  }
  return 0;
}

/** The filters among the arguments; one that was not given has no key, so that the defaults of the query hold. */
async function filterOf(args: {
  before?: number;
  after?: number;
  session?: string;
  askedBy?: string;
  application?: string;
  tool?: string;
  status?: string;
  toolContains?: string;
  search?: string;
  safety?: string;
  from?: string;
  to?: string;
}): Promise<Omit<HistoryQuery, "limit">> {
  const { before, after, session: session_id, askedBy: asked_by, application, tool } = args;
  const status = HISTORY_STATUSES.find((one) => one === args.status);
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(session_id !== undefined && { session_id }),
    ...(asked_by !== undefined && { asked_by }),
    ...(application !== undefined && { application: application === UNNAMED ? "" : application }),
    ...(tool !== undefined && { tool }),
    ...(status !== undefined && { status }),
    ...(await searchOf(args)),
  };
}

/** The filter with the whole id of the conversation that is meant. Throws StartError. */
async function inSession<T extends { session_id?: string }>(dir: string, filter: T): Promise<T> {
  if (filter.session_id === undefined) return filter;
  return { ...filter, session_id: (await sessionGiven(dir, filter.session_id, { isThere: true })).id };
}

const isOfSeveral = (entries: readonly HistoryEntry[]): boolean =>
  entries.some(({ application }) => application !== "");

export const historyCommand = defineCommand({
  positionals: "[action] [file]",
  positional: {
    action: {
      type: "string",
      choices: ACTIONS,
      describe: "list, which it does when nothing is said; the id of a call, to show all of it; export; or verify",
    },
    file: { type: "string", describe: "Where export writes to; stdout when left out" },
  },
  options,
  examples: [
    ["agentd history 17", "one call whole: request, arguments, result, effect"],
    ['agentd history --search "buy milk" --safety mutating,destructive', ""],
    ["agentd history --status error --limit 5", "the last five calls that failed"],
    ["agentd history --follow", "what is called, as it happens"],
    ["agentd history export calls.ndjson", "the whole history, oldest first, one JSON object a line"],
    ["agentd history verify", "whether a recorded call was changed or removed"],
  ],
  async run(args) {
    const action = args.action || "list";
    const filter = await filterOf(args as Parameters<typeof filterOf>[0]);
    const limit = args.limit ?? DEFAULT_LIMIT;
    if (action === "export") {
      refuseUnused("export", args, ["limit", "follow"]);
      const file = args.file && args.file !== "-" ? resolve(String(args.file)) : undefined;
      const { dir } = await existingDataDir(args);
      return (await import("./history-export.js")).exportHistory(dir, await inSession(dir, filter), file);
    }
    if (action === "verify") {
      refuseUnused("verify", args, [
        "limit",
        "before",
        "after",
        "session",
        "askedBy",
        "application",
        "tool",
        "status",
        ...SEARCHES,
        "follow",
        "file",
      ]);
      return (await import("./history-verify.js")).verifyHistory((await existingDataDir(args)).dir, args.json === true);
    }
    const id = /^[1-9]\d{0,14}$/.test(String(action)) ? Number(action) : undefined;
    if (id !== undefined) refuseUnused(String(id), args, ["file", "limit", "follow", ...Object.keys(filter)]);
    else if (action !== "list")
      throw usageError(
        `agentd history does not know what to do with "${action}".${didYouMean(String(action), ACTIONS)} See agentd history --help.`,
      );
    refuseUnused("list", args, ["file"]);
    if (args.follow) {
      refuseUnused("--follow", args, ["before", "after"]);
      const { dir } = await existingDataDir(args);
      const followed = { ...(await inSession(dir, filter)), limit };
      return (await import("./history-follow.js")).followHistory(dir, followed, args.json === true);
    }
    const chosen = await listedDataDir(args);
    const records = await connectRecord(args, chosen);
    try {
      if (id !== undefined) return await showCall(records, { id, chosen }, args);
      const wanted = { ...(await inSession(chosen.dir, filter)), limit };
      const entries = await withProgress((step) => {
        step("searching the record");
        return records.history(wanted);
      });
      if (args.json) printJson(entries);
      else if (entries.length > 0) await showText(historyList(entries, isOfSeveral(entries)), args);
      else if (chosen.origin === "missing") return 0;
      else if (Object.keys(filter).length > 0) say("No recorded call fits.");
      else say(`No calls are recorded in ${chosen.dir}.`);
      return 0;
    } finally {
      await records.close();
    }
  },
});
