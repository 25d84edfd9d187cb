// Makes workbooks (XLSX) beside the page: one of 100,000 rows takes seconds. A job comes in, the file goes out, or what went wrong as a text.
import writeExcelFile, { type Row, type SheetData } from "write-excel-file/browser";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { fieldOf, plainText } from "../../values/rows.js";

/** Rows to write, and their columns. */
export interface SheetJob {
  rows: readonly JsonObject[];
  columns: readonly string[];
}

function sheetCell(value: JsonValue | undefined): Row[number] {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return { value, type: Number };
  if (typeof value === "boolean") return { value, type: Boolean };
  // Texts stay texts, those that begin like a formula too; so do numbers with more digits than a sheet keeps.
  return { value: plainText(value), type: String };
}

async function toSheet({ rows, columns }: SheetJob): Promise<Blob> {
  const head = columns.map((value) => ({ value, type: String, fontWeight: "bold" as const }));
  const data: SheetData = [head, ...rows.map((row) => columns.map((name) => sheetCell(fieldOf(row, name))))];
  return writeExcelFile(data, { stickyRowsCount: 1 }).toBlob();
}

addEventListener("message", ({ data }: MessageEvent<SheetJob>) => {
  toSheet(data).then(postMessage, (error: unknown) => postMessage(String(error)));
});
