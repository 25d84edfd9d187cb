// `agentd result`: the whole result of a recorded call, as a table, or all of its rows as a file. Reads the record itself, beside a
// daemon or without one. Source: docs/reference.md, "Whole results"
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeNewFile } from "../../data-dir/atomic-file.js";
import { messageOf, StartError, usageError } from "../../domain/error.js";
import {
  parseAggregates,
  parseGroup,
  parseNames,
  parseSort,
  RESULT_FORMATS,
  type ResultFormat,
  type ResultPage,
  type ResultQuery,
} from "../../domain/result-query.js";
import { visible, visibleJson } from "../../lib/invisible-characters.js";
import type { JsonObject } from "../../lib/json.js";
import { createSemaphore } from "../../lib/semaphore.js";
import { openRecoveredReader } from "../../open.js";
import { answerQuery, foundIn } from "../../results/answer.js";
import { createOrderCache, SCANS_AT_ONCE } from "../../results/query.js";
import { recordedResult } from "../../results/recorded.js";
import { fileOf } from "../../results/result-file.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber } from "../options.js";
import { checkFields } from "../terminal/check-fields.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { print, printJson, printPieces, say, warn } from "../terminal/output.js";
import { parseCondition } from "../terminal/result-filter.js";
import { printRows } from "../terminal/result-rows.js";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

const options = {
  format: { choices: RESULT_FORMATS, describe: "All rows that match in this form, in place of a table" },
  json: { type: "boolean", describe: "As --format json" },
  filter: {
    type: "string",
    array: true,
    describe: "Only rows whose field has this value; also !=, <, <=, >, >=, and ~ for a text inside; may be repeated",
  },
  sort: { type: "string", describe: "Fields to order by; a minus before one for the other way round" },
  fields: { type: "string", describe: "Only these fields, separated by commas" },
  group: { type: "string", describe: "Fields to group by, such as status or created_at:month" },
  aggregate: { type: "string", describe: "What to compute: count, sum:FIELD, avg, min, max, distinct" },
  path: { type: "string", describe: "A JSON Pointer to another list or value inside the result" },
  limit: {
    type: "number",
    coerce: parseWholeNumber("limit", 0, MAX_LIMIT),
    describe: `Rows of the table [default: ${DEFAULT_LIMIT}]`,
  },
  offset: {
    type: "number",
    coerce: parseWholeNumber("offset", 0, Number.MAX_SAFE_INTEGER),
    describe: "Rows before the first one of the table",
  },
  output: { type: "string", describe: "Where the rows are written to, with --format; stdout when left out" },
} as const;

/** What a text means; what is wrong with it is an error of usage. */
function read<T>(name: string, text: string | undefined, parse: (text: string) => T): T | undefined {
  try {
    return text === undefined || text === "" ? undefined : parse(text);
  } catch (error) {
    throw usageError(`--${name} ${messageOf(error)}`);
  }
}

/** The groups of a page of them, and how many there are. */
function printGroups(
  groups: readonly JsonObject[],
  { matching_items }: ResultPage,
  { offset, limit }: ResultQuery,
): void {
  const shown = groups.slice(offset, offset + limit);
  if (shown.length > 0) printRows(shown);
  const isPart = shown.length < groups.length && shown.length > 0;
  const part = isPart ? `, ${offset + 1} to ${offset + shown.length}` : "";
  const more = offset + limit < groups.length ? `; the next ones: --offset ${offset + limit}` : "";
  say(`${groups.length} ${groups.length === 1 ? "group" : "groups"} of ${matching_items} rows${part}${more}`);
}

function printPage(page: ResultPage, query: ResultQuery): void {
  const { items, groups, sums, matching_items, total_items, offset, next_offset, incomplete } = page;
  const rows = groups?.map(({ key, values }) =>
    Object.fromEntries([...Object.entries(key), ...Object.entries(values)]),
  );
  if (rows) {
    printGroups(rows, page, query);
    return;
  }
  if (sums) printRows([sums]);
  else if (items.length > 0) printRows(items);
  const of = matching_items === total_items ? `${total_items} rows` : `${matching_items} of ${total_items} rows match`;
  const more = !sums && next_offset !== undefined ? `; the next ones: --offset ${next_offset}` : "";
  const part = !sums && items.length > 0 ? `, rows ${offset + 1} to ${offset + items.length}` : "";
  say(`${of}${part}${more}${incomplete ? "; the answer had more than is kept" : ""}`);
}

/** The text of a file for a terminal, on which nothing in it acts. */
async function* forTerminal(chunks: AsyncIterable<string | Uint8Array>, format: ResultFormat): AsyncGenerator<string> {
  const show = format === "json" || format === "ndjson" ? visibleJson : visible;
  for await (const chunk of chunks) yield show(String(chunk));
}

/** Writes all rows to a file, which appears when it is whole, or to stdout. Returns the exit code. */
async function writeRows(
  chunks: AsyncIterable<string | Uint8Array>,
  format: ResultFormat,
  output: string | undefined,
): Promise<number> {
  if (output === undefined || output === "-")
    return printPieces(process.stdout.isTTY ? forTerminal(chunks, format) : chunks);
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort());
  const { signal } = stop;
  const file = resolve(output);
  const fill = (partial: string): Promise<void> =>
    pipeline(Readable.from(chunks), createWriteStream(partial, { flush: true }), { signal });
  await writeNewFile(file, fill, { what: "the result", signal }).finally(release);
  say(`written to ${file}`);
  return 0;
}

export const resultCommand = defineCommand({
  positionals: "<id>",
  positional: { id: { type: "string", describe: "Which call, by its id in agentd history" } },
  options,
  examples: [
    ["agentd result 17 --sort=-price --limit 20", "the twenty dearest"],
    ["agentd result 17 --filter 'status=open' --filter 'price>=10' --format csv --output open.csv", ""],
    ["agentd result 17 --group created_at:month --aggregate count,sum:amount", ""],
  ],
  async run(args) {
    const id = String(args.id);
    if (!/^[1-9]\d{0,14}$/.test(id)) throw usageError(`"${id}" is no id of a call: agentd history lists them.`);
    const { output, limit, offset } = args;
    const format = args.json ? (args.format ?? "json") : args.format;
    if (args.json && format !== "json") throw usageError(`--json and --format ${format} do not go together.`);
    if (output !== undefined && format === undefined)
      throw usageError("--output needs --format: a table is for a terminal.");
    if (format === "xlsx" && (output === undefined || output === "-") && process.stdout.isTTY)
      throw usageError("a spreadsheet is no text: give --output FILE.");
    if (format !== undefined && (limit !== undefined || offset !== undefined))
      throw usageError(
        `${args.json ? "--json" : "--format"} writes all rows that match; --limit and --offset are for a table.`,
      );
    const query: ResultQuery = {
      path: args.path || undefined,
      filter: (args.filter ?? []).map(parseCondition),
      sort: read("sort", args.sort, parseSort) ?? [],
      fields: read("fields", args.fields, parseNames),
      group: read("group", args.group, parseGroup) ?? [],
      aggregate: read("aggregate", args.aggregate, parseAggregates) ?? [],
      offset: offset ?? 0,
      limit: limit ?? DEFAULT_LIMIT,
      count: false,
      columns: false,
    };
    const reader = await openRecoveredReader((await existingDataDir(args)).dir, warn);
    const [entry] = await reader.rows([Number(id)]);
    const rows = entry && (await reader.keptRows(entry));
    try {
      if (!entry || entry.status === "held" || entry.status === "pending")
        throw new StartError(`there is no result of a call ${id} on record: agentd history lists the calls.`);
      const result = recordedResult(entry.result, rows);
      const signal = new AbortController().signal;
      const found = await foundIn(result, query.path);
      // A file is made of a value, too.
      if ("list" in found || format === undefined) await checkFields(found, query);
      const question = {
        history_id: entry.id,
        query,
        orders: createOrderCache(),
        scans: createSemaphore(SCANS_AT_ONCE),
        signal,
      };
      if (format !== undefined) return await writeRows(await fileOf(result, question, format), format, output);
      const answer = await answerQuery(result, question);
      if ("items" in answer) printPage(answer, query);
      else if (typeof answer.value === "string") print(`${answer.value}\n`);
      else printJson(answer.value, 2);
      return 0;
    } finally {
      await rows?.close();
      await reader.close();
    }
  },
});
