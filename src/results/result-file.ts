// All rows a query asks for as the text of a file, in pieces that the daemon makes as its client takes them.
// Source: docs/reference.md, "Results as files"
import { AppError } from "../domain/error.js";
import type { ResultFormat, ResultGroup } from "../domain/result-query.js";
import type { JsonValue } from "../lib/json.js";
import { foundIn, type Question, rowPicker, rowsInOrder } from "./answer.js";
import { type LineFormat, lineFormat } from "./file-lines.js";
import { createProfile, entriesOf } from "./profile.js";
import { questionRows } from "./query.js";
import type { Result } from "./result.js";
import { toRowList } from "./rows-at.js";
import { writeSheet } from "./sheet.js";

/** Columns of a table; of rows with more the wanted ones are named. */
const MAX_COLUMNS = 5_000;
/** Rows fetched at once. */
const FETCH = 200;
/** Bytes of a piece of a file that was made whole. */
const PIECE = 64 * 1024;

/** The names of all columns, in the order in which they come up. */
function createColumnNames(): { add(row: JsonValue): void; names: ReadonlySet<string> } {
  const names = new Set<string>();
  return {
    names,
    add(row) {
      for (const [name] of entriesOf(row)) names.add(name);
      if (names.size > MAX_COLUMNS)
        throw new AppError(
          "invalid_query",
          `The rows have more than ${MAX_COLUMNS} columns: name those you want with fields.`,
        );
    },
  };
}

async function* linesOf(
  batches: AsyncIterable<readonly JsonValue[]>,
  { head, line, tail }: LineFormat,
): AsyncGenerator<string, void, void> {
  if (head !== "") yield head;
  let isFirst = true;
  for await (const rows of batches) {
    const lines: string[] = [];
    for (const row of rows) {
      lines.push(line(row, isFirst));
      isFirst = false;
    }
    yield lines.join("");
  }
  if (tail !== "") yield tail;
}

const rowOf = ({ key, values }: ResultGroup): JsonValue =>
  Object.fromEntries([...Object.entries(key), ...Object.entries(values)]);

async function* inBatches(rows: readonly JsonValue[]): AsyncGenerator<JsonValue[], void, void> {
  for (let at = 0; at < rows.length; at += FETCH) yield rows.slice(at, at + FETCH);
}

/** Bytes that are there already, in pieces for a client that takes its time. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** The file of a query. Throws AppError invalid_query before its first piece, and the signal's reason. */
export async function fileOf(
  result: Result,
  question: Question,
  format: ResultFormat,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { query, history_id, orders, scans, signal } = question;
  const found = await foundIn(result, query.path);
  const list = "list" in found ? found.list : toRowList([found.value]);
  const isSheet = format === "xlsx";
  const isTable = isSheet || format === "csv" || format === "tsv";
  const columns = createColumnNames();
  const profile = createProfile();
  const pick = rowPicker(query.fields);
  const isGrouped = query.group.length > 0;
  const visitors: { add(row: JsonValue): void }[] = [];
  if (isTable && !query.fields && !isGrouped) visitors.push(columns);
  if (isSheet && !isGrouped) visitors.push({ add: (row) => profile.add(pick(row)) });
  const rows = await questionRows(list, query, {
    orders,
    listKey: `${history_id} ${found.path} ${list.count}`,
    scans,
    signal,
    visitors,
  });
  const groups = rows.groups?.groups.map(rowOf);
  for (const row of groups?.slice(0, 1) ?? []) columns.add(row);
  const names = groups ? [...columns.names] : (query.fields ?? [...columns.names]);
  const rowsOf = async function* (of: (row: JsonValue) => JsonValue): AsyncGenerator<JsonValue[], void, void> {
    for await (const batch of rowsInOrder(list, rows, { from: 0, size: FETCH, signal })) yield batch.rows.map(of);
  };
  if (isSheet) {
    const count = groups?.length ?? rows.matching;
    const batches = groups ? inBatches(groups) : rowsOf((row) => row);
    const sheet = { columns: names, profile: profile.columns(), count, rows: batches };
    return inPieces(await writeSheet(sheet, signal));
  }
  const batches = groups ? inBatches(groups) : rowsOf(isTable ? (row) => row : pick);
  return linesOf(batches, lineFormat(format, names));
}
