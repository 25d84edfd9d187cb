// Saves what a table displays as a file: the daemon writes what it keeps, the page what it has.
import { type JsonObject, type JsonValue, toJson } from "../../../src/lib/json.js";
import { BASE } from "../../state/base.js";
import { queryParameters, type RowSource } from "../../state/row-source.js";
import { storedToken } from "../../state/token.js";
import { toCsv, toTsv } from "../../values/delimited.js";
import type { Query } from "../../values/query.js";
import { fieldOf } from "../../values/rows.js";
import type { SheetJob } from "./sheet-worker.js";

/** The formats of files. */
export const FILE_FORMATS = ["csv", "tsv", "json", "xlsx"] as const;
/** A format of files. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What is saved: what matches, in these columns. */
interface Selection {
  source: RowSource;
  query: Query;
  columns: readonly string[];
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

/** Rows of a sheet below its head, in every program that opens one. */
const MAX_SHEET_ROWS = 1_048_575;

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

/** Rows as a workbook, made beside the page, which goes on answering. */
function toSheet(rows: readonly JsonObject[], columns: readonly string[]): Promise<Blob> {
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), { type: "module" });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Blob | string>) =>
      typeof data === "string" ? reject(new Error(data)) : resolve(data);
    worker.onerror = () => reject(new Error("The file could not be made."));
    worker.postMessage({ rows, columns } satisfies SheetJob);
  }).finally(() => worker.terminate());
}

async function toFile(selection: Selection, format: FileFormat): Promise<Blob> {
  const { columns } = selection;
  const rows = await rowsOf(selection);
  if (format === "xlsx" && rows.length > MAX_SHEET_ROWS)
    throw new Error(`A sheet has room for ${MAX_SHEET_ROWS.toLocaleString()} rows; save these as CSV.`);
  if (format === "xlsx") return toSheet(rows, columns);
  const chosen = (): JsonValue =>
    rows.map((row) => Object.fromEntries(columns.map((name) => [name, fieldOf(row, name) ?? null])));
  const text = format === "json" ? toJson(chosen(), 2) : (format === "csv" ? toCsv : toTsv)(rows, columns);
  return new Blob([text], { type: MEDIA_TYPES[format] });
}

async function fetchFile({ source, query, columns }: Selection, format: FileFormat): Promise<Blob> {
  const parameters = queryParameters(query);
  parameters.set("format", format);
  // More names than the daemon takes: then it writes all columns.
  if (columns.length <= MAX_NAMES) parameters.set("fields", JSON.stringify(columns));
  if (format === "json") parameters.set("download", "true");
  const headers = new Headers({ "x-agentd-client": "web" });
  const token = storedToken();
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  const response = await fetch(`${BASE}/-/results/${source.history_id}?${parameters}`, { headers, redirect: "error" });
  if (!response.ok) throw new Error(`The daemon answered ${response.status}: the file was not written.`);
  return response.blob();
}

/** Saves all rows that match as a file. Throws Error when the daemon or the library refuses. */
export async function saveSelection(selection: Selection, format: FileFormat, name: string): Promise<void> {
  // The daemon writes no workbooks.
  const isKept = selection.source.history_id !== undefined && format !== "xlsx";
  const blob = await (isKept ? fetchFile(selection, format) : toFile(selection, format));
  saveBlob(blob, `${name}.${format}`);
}
