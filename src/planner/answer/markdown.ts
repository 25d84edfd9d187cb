// Values as text a person reads: records as a Markdown table, one record as its fields, anything else as compact JSON.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";

const MAX_COLUMNS = 8;
/** Rows of one table; more is for paging. */
export const MAX_ROWS = 20;
const MAX_CELL = 60;
const MAX_FIELDS = 40;
const MAX_FIELD = 400;

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

const cell = (value: JsonValue | undefined): string => clip(brief(value), MAX_CELL).replaceAll("|", "\\|");

function columnsOf(rows: readonly JsonObject[], wanted: ReadonlySet<string>): string[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const rank = (key: string): number => {
    const at = FIRST.findIndex((pattern) => pattern.test(key));
    const empty = rows.every((row) => brief(row[key]) === "");
    const nested = rows.some((row) => isObject(row[key]) && shortName(row[key]) === undefined);
    const place = at < 0 ? FIRST.length : at;
    return place + (LAST.test(key) ? 60 : 0) + (nested ? 20 : 0) + (empty ? 100 : 0) - (wanted.has(key) ? 1000 : 0);
  };
  const order = keys.map((key, i) => ({ key, i, rank: rank(key) }));
  const shown = keys.length <= MAX_COLUMNS ? order.filter((one) => one.rank < 100) : order;
  const chosen = shown.sort((a, b) => a.rank - b.rank || a.i - b.i).slice(0, MAX_COLUMNS);
  return (chosen.length > 0 ? chosen : order.slice(0, 1)).map(({ key }) => key);
}

/** Records as a Markdown table of at most 8 columns and 20 rows. `wanted` columns are always among them. */
export function markdownTable(rows: readonly JsonObject[], wanted: ReadonlySet<string> = new Set()): string {
  const shown = rows.slice(0, MAX_ROWS);
  const columns = columnsOf(shown, wanted);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map((key) => key.replaceAll("|", "\\|"))),
    line(columns.map(() => "---")),
    ...shown.map((row) => line(columns.map((key) => cell(row[key])))),
  ].join("\n");
}

/** One record as a list of its fields; empty ones are left out. */
export function fieldList(record: JsonObject): string {
  const entries = Object.entries(record).filter(([, value]) => brief(value) !== "");
  const shown = entries.slice(0, MAX_FIELDS).map(([key, value]) => `- **${key}**: ${clip(brief(value), MAX_FIELD)}`);
  if (entries.length > MAX_FIELDS) shown.push(`- … and ${entries.length - MAX_FIELDS} more fields`);
  return shown.join("\n");
}

/** Lists of records inside a record that are shown as tables of their own. */
const MAX_INNER = 3;

/** One record: its fields, then the lists of records in it as tables. */
export function recordText(value: JsonObject): string {
  const inner = Object.entries(value).filter(
    ([, list]) => Array.isArray(list) && list.length > 0 && list.every(isObject),
  );
  const lists = new Map(inner.slice(0, MAX_INNER));
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => !lists.has(key)));
  const tables = [...lists].map(([key, list]) => {
    const rows = Array.isArray(list) ? list.filter(isObject) : [];
    const more = rows.length > MAX_ROWS ? `\n\n… and ${rows.length - MAX_ROWS} more.` : "";
    return `**${key}**:\n\n${markdownTable(rows)}${more}`;
  });
  return [fieldList(own), ...tables].filter((part) => part !== "").join("\n\n");
}
