// Saves what a table displays as a file: the daemon writes what it keeps, and every spreadsheet; the page writes what it has.
import { type JsonObject, type JsonValue, toJson } from "../../../src/lib/json.js";
import { requestBlob } from "../../state/api.js";
import { queryParameters, type RowSource } from "../../state/row-source.js";
import { toCsv, toTsv } from "../../values/delimited.js";
import type { Query } from "../../values/query.js";
import { fieldOf } from "../../values/rows.js";

/** The formats of files. */
export const FILE_FORMATS = ["csv", "tsv", "json", "xlsx"] as const;
/** A format of files. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Where the daemon has the rows of a recorded call. */
export interface RecordedRows {
  history_id: number;
  /** The list in the result, as a JSON Pointer. */
  path: string;
}

/** What is saved: what matches, in these columns. */
interface Selection {
  source: RowSource;
  query: Query;
  columns: readonly string[];
  /** Undefined for rows of no recorded call, which are not saved as a spreadsheet. */
  recorded: RecordedRows | undefined;
}

const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
/** The daemon takes this many names of columns. */
const MAX_NAMES = 100;
/** How long the browser may take to begin the download before its address is released. */
const RELEASE_MS = 60_000;

/** Offers bytes as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}

/** All rows that match. Throws as the source does. */
async function rowsOf({ source, query }: Selection): Promise<JsonObject[]> {
  const { rows } = await source.page(query, { offset: 0, limit: source.total });
  return rows;
}

/** Rows as a text for the clipboard. */
interface Copied {
  text: string;
  rows: number;
  matching: number;
}

/** The most rows that are put on the clipboard: a clipboard is no file. */
const MAX_COPIED = 10_000;

/** The first rows that match, as tab-separated values; how many there are, and how many match. Throws as the source does. */
export async function selectionAsTsv({ source, query, columns }: Selection): Promise<Copied> {
  const { rows, matching } = await source.page(query, { offset: 0, limit: MAX_COPIED });
  return { text: toTsv(rows, columns), rows: rows.length, matching };
}

async function toFile(selection: Selection, format: Exclude<FileFormat, "xlsx">): Promise<Blob> {
  const { columns } = selection;
  const rows = await rowsOf(selection);
  const chosen = (): JsonValue =>
    rows.map((row) => Object.fromEntries(columns.map((name) => [name, fieldOf(row, name) ?? null])));
  const text = format === "json" ? toJson(chosen(), 2) : (format === "csv" ? toCsv : toTsv)(rows, columns);
  return new Blob([text], { type: MEDIA_TYPES[format] });
}

function fetchFile({ source, query, columns }: Selection, format: FileFormat, at: RecordedRows): Promise<Blob> {
  const parameters = queryParameters(query);
  parameters.set("format", format);
  // The list that the daemon keeps is found without.
  if (source.history_id === undefined) parameters.set("path", at.path);
  // More names than the daemon takes: then it writes all columns.
  if (columns.length <= MAX_NAMES) parameters.set("fields", JSON.stringify(columns));
  if (format === "json") parameters.set("download", "true");
  return requestBlob(`/-/results/${at.history_id}?${parameters}`, MEDIA_TYPES[format]);
}

/** Saves all rows that match as a file. Throws ApiError when the daemon refuses, Error where there is no such format. */
export async function saveSelection(selection: Selection, format: FileFormat, name: string): Promise<void> {
  const { source, recorded } = selection;
  let blob: Blob;
  if (recorded !== undefined && (source.history_id !== undefined || format === "xlsx"))
    blob = await fetchFile(selection, format, recorded);
  else if (format !== "xlsx") blob = await toFile(selection, format);
  else throw new Error("Only the rows of a recorded call are saved as a spreadsheet.");
  saveBlob(blob, `${name}.${format}`);
}
