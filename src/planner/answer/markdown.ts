// Values as text a person reads: records as a Markdown table, one record as its fields, anything else as compact JSON.
import { isObject, type JsonObject, type JsonValue, listOf, toJson } from "../../lib/json.js";
import { addSignals, type Signal } from "../../lib/score.js";

const MAX_COLUMNS = 8;
/** Rows of one table; more is for paging. */
export const MAX_ROWS = 20;
const MAX_CELL = 60;
const MAX_FIELDS = 40;
const MAX_FIELD = 400;

/** Columns in this order, then the others. */
const FIRST = [
  /^_?id$/i,
  /^number$/i,
  /^(?:name|title|login|username|full_?name|subject|label)$/i,
  /name|title/i,
  /^(?:desc|description|summary)$/i,
  /status|state/i,
  /price|amount|total|cost/i,
  /email|phone/i,
  /date|created|updated|_at$/i,
];
const LAST = /url$|_url|href|^node_id$|avatar|gravatar|hash|sha|token|^__v$|permissions|^links?$|^_links$/i;

function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
}

/** One value in a few words: a record by its name, a list by its items or its length. */
export function brief(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === "") return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value.replace(/\s+/g, " ");
  if (Array.isArray(value)) {
    if (value.length === 0) return "";
    if (value.every((item) => typeof item !== "object" || item === null)) return value.map(brief).join(", ");
    const names = value.flatMap((item) => (isObject(item) ? [shortName(item) ?? ""] : [brief(item)]));
    return names.every((name) => name !== "") && names.length <= 5
      ? names.join(", ")
      : `${value.length} item${value.length === 1 ? "" : "s"}`;
  }
  if (isObject(value)) return shortName(value) ?? toJson(value);
  return String(value);
}

function shortName(value: JsonObject): string | undefined {
  for (const key of ["name", "title", "login", "label", "username", "email", "id"]) {
    const inner = value[key];
    if (typeof inner === "string" || typeof inner === "number") return String(inner);
  }
  return undefined;
}

const cell = (value: JsonValue | undefined, max: number): string => clip(brief(value), max).replaceAll("|", "\\|");

/** A column of a table. */
interface Column {
  key: string;
  rows: readonly JsonObject[];
  wanted: ReadonlySet<string>;
}

/** A column further behind than this is left out of a table that could hold every column: it is empty. */
const MAX_RANK = 100;

/** What puts a column further behind, or in front. */
const RANKS: readonly Signal<Column>[] = [
  {
    signal: ({ key }) => {
      const at = FIRST.findIndex((pattern) => pattern.test(key));
      return at < 0 ? FIRST.length : at;
    },
    weight: 1,
    why: "what identifies a record comes first",
  },
  { signal: ({ key }) => LAST.test(key), weight: 60, why: "links and hashes are for programs" },
  {
    signal: ({ key, rows }) => rows.some((row) => isObject(row[key]) && shortName(row[key]) === undefined),
    weight: 20,
    why: "an object without a name fills its cell with JSON",
  },
  { signal: ({ key, rows }) => rows.every((row) => brief(row[key]) === ""), weight: 100, why: "the column is empty" },
  { signal: ({ key, wanted }) => wanted.has(key), weight: -1000, why: "the prompt asks for it" },
];

function columnsOf(rows: readonly JsonObject[], wanted: ReadonlySet<string>): string[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const all = keys.map((key, i) => ({ key, i, rank: addSignals(0, RANKS, { key, rows, wanted }) }));
  const useful = keys.length <= MAX_COLUMNS ? all.filter(({ rank }) => rank < MAX_RANK) : all;
  const chosen = useful.sort((a, b) => a.rank - b.rank || a.i - b.i).slice(0, MAX_COLUMNS);
  return (chosen.length > 0 ? chosen : all.slice(0, 1)).map(({ key }) => key);
}

/** Records as a Markdown table of at most 8 columns and 20 rows. `wanted` columns are always among them, those of `texts` at length. */
export function markdownTable(
  rows: readonly JsonObject[],
  wanted: ReadonlySet<string> = new Set(),
  texts: readonly string[] = [],
): string {
  const first = rows.slice(0, MAX_ROWS);
  const columns = columnsOf(first, wanted);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map((key) => key.replaceAll("|", "\\|"))),
    line(columns.map(() => "---")),
    ...first.map((row) => line(columns.map((key) => cell(row[key], texts.includes(key) ? MAX_FIELD : MAX_CELL)))),
  ].join("\n");
}

/** Whether a table would cut what one record has: a column, or a text. */
export function isCutInTable(row: JsonObject): boolean {
  const texts = Object.values(row).map(brief);
  return texts.filter((text) => text !== "").length > MAX_COLUMNS || texts.some((text) => text.length > MAX_CELL);
}

/** One record as a list of its fields; empty ones are left out. */
export function fieldList(record: JsonObject): string {
  const entries = Object.entries(record).filter(([, value]) => brief(value) !== "");
  const lines = entries.slice(0, MAX_FIELDS).map(([key, value]) => `- **${key}**: ${clip(brief(value), MAX_FIELD)}`);
  if (entries.length > MAX_FIELDS) lines.push(`- … and ${entries.length - MAX_FIELDS} more fields`);
  return lines.join("\n");
}

/** Lists of records inside a record that become tables of their own. */
const MAX_INNER = 3;

/** One record: its fields, then the lists of records in it as tables. */
export function recordText(value: JsonObject): string {
  const inner = Object.entries(value).filter(
    ([, list]) => Array.isArray(list) && list.length > 0 && list.every(isObject),
  );
  const lists = new Map(inner.slice(0, MAX_INNER));
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => !lists.has(key)));
  const tables = [...lists].map(([key, list]) => {
    const rows = listOf(list).filter(isObject);
    const more = rows.length > MAX_ROWS ? `\n\n… and ${rows.length - MAX_ROWS} more.` : "";
    return `**${key}**:\n\n${markdownTable(rows)}${more}`;
  });
  return [fieldList(own), ...tables].filter((part) => part !== "").join("\n\n");
}
