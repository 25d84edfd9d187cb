// Arguments and results in a few words, for the one line of a closed card. Pure.
import type { KeptResult } from "../../src/domain/record.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { reasonOf } from "../turn/reason.js";
import { statedCount } from "../values/record-count.js";
import { type Rows, rowsIn, totalOf } from "../values/rows.js";
import { counted } from "./format.js";

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

/** A result in the line of a card: words of the application, whose invisible characters are made visible, then those of the page. */
interface Summary {
  theirs: string;
  own: string;
}

const ownSummary = (own: string): Summary => ({ theirs: "", own });

/** How many rows there are, and of how many where the answer, or what the daemon returned of it, has only some. */
function rowCount(found: Rows): string {
  const total = Math.max(totalOf(found), statedCount(found) ?? 0);
  const { length } = found.rows;
  return total > length ? `${length.toLocaleString()} of ${counted(total, "row")}` : counted(length, "row");
}

/** A result that is kept whole in a few words. */
export function keptSummary({ items, truncated }: KeptResult): Summary {
  return ownSummary(`${truncated ? "first " : ""}${counted(items, "row")}`);
}

/** A result in a few words; both parts are "" when there is no short form. */
export function summaryOf(value: JsonValue): Summary {
  const rows = rowsIn(value);
  // What has a list within is a thing like others.
  if (rows !== null && !rows.isPart) return ownSummary(rowCount(rows));
  // A file: its bytes are not in the result.
  if (isObject(value) && value["binary"] === true)
    return { theirs: String(value["type"]), own: `, ${Number(value["bytes"]).toLocaleString()} bytes` };
  if (Array.isArray(value)) return ownSummary(counted(value.length, "item"));
  if (!isObject(value)) return { theirs: cut(String(value), MAX_SUMMARY_LENGTH), own: "" };
  const isFailure = "error" in value || typeof value["message"] === "string";
  return { theirs: cut((isFailure && reasonOf(value)) || "", MAX_SUMMARY_LENGTH), own: "" };
}
