// Arguments and results in a few words, for the one line of a closed card. Pure.
import type { KeptResult } from "../../src/domain/record.js";
import { shortenedIn } from "../../src/domain/shortened-result.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { fromPointer } from "../../src/lib/json-pointer.js";
import { keyIn, nameOf } from "../turn/headline.js";
import { reasonOf } from "../turn/reason.js";
import type { CallItem } from "../turn/turn.js";
import { statedCount } from "../values/record-count.js";
import { isEmptyList, type Rows, rowsIn, totalOf } from "../values/rows.js";
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
export interface Summary {
  theirs: string;
  own: string;
}

const ownSummary = (own: string): Summary => ({ theirs: "", own });

/** How many rows there are, and of how many where the answer, or what the daemon returned of it, has only some. */
function rowCount(found: Rows, known: number): string {
  const total = Math.max(known, totalOf(found), statedCount(found) ?? 0);
  const { length } = found.rows;
  return total > length ? `${length.toLocaleString()} of ${counted(total, "row")}` : counted(length, "row");
}

/** A thing with a list in it: what it is called, and how long its list is. */
function thingSummary(name: string, path: readonly string[], count: string): Summary {
  const list = path.at(-1) ?? "";
  return { theirs: cut(name === "" ? list : `${name}, ${list}`, MAX_SUMMARY_LENGTH), own: `: ${count}` };
}

/** The lists of what is a list and no thing, whatever tool returns it. */
const LISTS = /^(data|results?|rows|records|values|entries|list|nodes|edges)$/i;

/** A result that is kept whole in a few words. Where no part of it is here, the call says whether it is about one thing. */
export function keptSummary(
  { items, truncated, path: pointer }: Pick<KeptResult, "items" | "truncated" | "path">,
  { result: value, arguments: args }: Pick<CallItem, "result" | "arguments">,
  tool: Tool | undefined,
): Summary {
  const first = truncated ? "first " : "";
  const rows = value === undefined ? null : rowsIn(shortenedIn(value)?.value ?? value);
  const path = fromPointer(pointer);
  const isNamed = path.length > 0 && !LISTS.test(path.at(-1) ?? "");
  const readsOne = tool?.verb === "get" && isNamed && keyIn(args) !== "";
  if (!(rows?.isPart ?? readsOne)) return ownSummary(first + counted(items, "row"));
  return thingSummary(nameOf(rows?.rest ?? null), path, first + items.toLocaleString());
}

/** A result in a few words; both parts are "" when there is no short form. */
export function summaryOf(value: JsonValue): Summary {
  const { value: whole, total } = shortenedIn(value) ?? { value, total: 0 };
  const rows = rowsIn(whole);
  if (rows?.isPart)
    return thingSummary(nameOf(rows.rest), rows.path, Math.max(total, rows.rows.length).toLocaleString());
  if (rows !== null) return ownSummary(rowCount(rows, total));
  if (isEmptyList(value)) return ownSummary("No rows");
  // A file: its bytes are not in the result.
  if (isObject(value) && value["binary"] === true)
    return { theirs: String(value["type"]), own: `, ${Number(value["bytes"]).toLocaleString()} bytes` };
  if (Array.isArray(value)) return ownSummary(counted(value.length, "item"));
  if (!isObject(value)) return { theirs: cut(String(value), MAX_SUMMARY_LENGTH), own: "" };
  const isFailure = "error" in value || typeof value["message"] === "string";
  return { theirs: cut((isFailure && reasonOf(value)) || "", MAX_SUMMARY_LENGTH), own: "" };
}
