// Arguments and results in a few words, for the one line of a closed card. Pure.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { counted } from "./format.js";
import { rowCount, rowsIn } from "./rows.js";

const MAX_SUMMARY_LENGTH = 48;
const MAX_ARGUMENTS_LENGTH = 120;

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Arguments on one line, cut where it becomes too long. */
export function argumentsLine(args: JsonObject): string {
  let text = "";
  for (const [name, value] of Object.entries(args)) {
    if (text.length > MAX_ARGUMENTS_LENGTH) break;
    text += `${text === "" ? "" : ", "}${name}: ${typeof value === "string" ? value : toJson(value)}`;
  }
  return cut(text, MAX_ARGUMENTS_LENGTH);
}

/** A result in a few words; "" when there is no short form. */
export function summaryOf(value: JsonValue): string {
  const rows = rowsIn(value);
  if (rows !== null) return rowCount(rows);
  // A file: its bytes are not in the result.
  if (isObject(value) && value["binary"] === true)
    return `${value["type"]}, ${Number(value["bytes"]).toLocaleString()} bytes`;
  if (Array.isArray(value)) return counted(value.length, "item");
  const text = isObject(value) ? [value["message"], value["error"]].find((one) => typeof one === "string") : value;
  return text === undefined ? "" : cut(String(text), MAX_SUMMARY_LENGTH);
}
