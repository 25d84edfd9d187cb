// A program: the thread that writes a spreadsheet. It gets rows as they are read, and gives the bytes of the file once they are all there:
// the library that writes it has the sheet in memory.
import { parentPort, workerData } from "node:worker_threads";
import writeSheet, { type SheetData } from "write-excel-file/node";
import type { SheetCell } from "./sheet-cells.js";

/** What the thread is started with. */
export interface SheetHead {
  columns: readonly string[];
  /** The format of the times of each column that has some. */
  formats: readonly (string | null)[];
}

type Cell = SheetData[number][number];

/** A spreadsheet reads `_x0041_` as an A; the first sign written so stands for itself. */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** The library finds names such as `constructor` among the texts it knows; the sign before it is left out of the file. */
const asItIs = (text: string): string => {
  const value = text.replaceAll(ESCAPE, "_x005F_");
  return value in Object.prototype ? `\u0001${value}` : value;
};

function toCell(value: SheetCell, format: string | null): Cell {
  if (value === null || value === "") return null;
  if (typeof value === "number") return { value, type: Number };
  if (typeof value === "boolean") return { value, type: Boolean };
  if (typeof value === "string") return { value: asItIs(value), type: String };
  return { value: new Date(value.ms), type: Date, format: format ?? "yyyy-mm-dd" };
}

const { columns, formats } = workerData as SheetHead;
const data: SheetData = [
  columns.map((name) => (name === "" ? null : { value: asItIs(name), type: String, fontWeight: "bold" })),
];
parentPort?.on("message", (rows: SheetCell[][] | null) => {
  if (rows) {
    for (const row of rows) data.push(row.map((value, at) => toCell(value, formats[at] ?? null)));
    return;
  }
  void writeSheet(data, { stickyRowsCount: 1 })
    .toBuffer()
    // A copy of its own, which can be given away whatever block the bytes are in.
    .then((buffer) => new Uint8Array(buffer))
    .then((bytes) => parentPort?.postMessage(bytes, [bytes.buffer]));
});
