// Results as rows: the records in what a tool returned, whatever it is wrapped in, how many there are in all, and finding a
// record by its name.
import { isObject, type JsonObject, type JsonValue, parseJson } from "../../lib/json.js";

/** The content of a result. */
export interface ResultContent {
  value: JsonValue;
  /** The records, when the result is a list of objects. */
  rows?: JsonObject[];
  /** How many there are in all, if the result has a total; otherwise how many it holds. */
  total: number;
  /** Whether the target returned or has more records than are here. */
  partial: boolean;
  /** Whether records that the target returned were cut off for their size. */
  isCut: boolean;
  /** Whether the target has a further page, where it says so. */
  hasMore?: boolean | undefined;
}

const TOTALS = [
  "total_items",
  "total_count",
  "totalCount",
  "total",
  "totalItems",
  "count",
  "total_results",
  "totalResults",
];
const NAMES = [
  "name",
  "title",
  "label",
  "subject",
  "full_name",
  "fullName",
  "display_name",
  "displayName",
  "login",
  "username",
  "email",
  "summary",
  "key",
  "slug",
  "code",
  "sku",
  "desc",
  "description",
];

function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const ABOUT_PAGE = /^(?:meta|pagination|paging|page_?info)$/i;
const HAS_MORE = /^has_?(?:more|next)(?:_?page)?$/i;

/** What a list says about itself beside its records. */
export function aboutPage(value: JsonValue): [string, JsonValue][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] =>
    isObject(inner) && ABOUT_PAGE.test(name) ? Object.entries(inner) : [[name, inner]],
  );
}

function totalIn(value: JsonObject): number | undefined {
  for (const key of TOTALS) if (typeof value[key] === "number") return value[key];
  for (const key of ["meta", "pagination", "page_info", "paging"]) {
    const inner = value[key];
    if (isObject(inner)) return totalIn(inner);
  }
  return undefined;
}

function listIn(value: JsonObject): JsonValue[] | undefined {
  // What went wrong beside the records is told with them.
  const about = Object.entries(value).filter(([key]) => key !== "errors");
  const lists = about.map(([, inner]) => inner).filter((inner) => Array.isArray(inner));
  const objects = lists.filter((list) => list.some(isObject));
  if (objects.length === 1) return objects[0];
  if (lists.length !== 1) return undefined;
  // An object with one list among its fields is a record with tags; a wrapper has little else.
  const scalars = Object.values(value).filter((inner) => !Array.isArray(inner));
  return lists[0]?.length === 0 &&
    scalars.every((inner) => /^(?:number|boolean)$/.test(typeof inner) || isObject(inner) || inner === null)
    ? lists[0]
    : undefined;
}

/** Wrappers have a list and numbers about it; a record may hold a list of its parts besides many fields of its own. */
function isWrapper(value: JsonObject): boolean {
  const texts = Object.entries(value).filter(
    ([key, inner]) => typeof inner === "string" && !/url|link|next|prev|object|cursor/i.test(key),
  );
  return !("id" in value) && texts.length === 0;
}

/** What a single record may be wrapped in, and what may stand beside it. */
const WRAPS = /^(?:data|result|item|record|payload|response)$/i;
const BESIDE = /^(?:meta|links?|success|ok|status|code|message|errors?)$/i;

/** The record within its wrapper, or the value as it is. */
function recordIn(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const [entry, ...others] = Object.entries(value).filter(([name]) => !BESIDE.test(name));
  const [name, inner] = entry ?? ["", null];
  return others.length === 0 && WRAPS.test(name) && isObject(inner) && Object.keys(inner).length > 0 ? inner : value;
}

/** Reads a tool's result text: JSON, a preview of it, or plain text. */
export function readResultText(text: string): ResultContent {
  let value = parse(text);
  let total: number | undefined;
  let isCut = false;
  if (isObject(value) && value["truncated"] === true && "preview" in value) {
    total = totalIn(value);
    isCut = true;
    value = value["preview"] ?? null;
  }
  if (isObject(value) && value["truncated"] === true && "body" in value) {
    isCut = true;
    value = value["body"] ?? null;
  }
  let list = Array.isArray(value) ? value : undefined;
  if (isObject(value) && isWrapper(value)) {
    list = listIn(value);
    if (list) total = totalIn(value) ?? total;
  }
  if (!list) return { value: recordIn(value), total: 1, partial: isCut, isCut };
  const rows = list.filter(isObject);
  const whole = total ?? list.length;
  if (rows.length === 0 && list.length > 0) return { value: list, total: whole, partial: isCut, isCut };
  const said = aboutPage(value).find(([name]) => HAS_MORE.test(name))?.[1];
  const hasMore = typeof said === "boolean" ? said : undefined;
  return { value, rows, total: Math.max(whole, rows.length), partial: isCut || whole > rows.length, isCut, hasMore };
}

/** The name of a record: the first of the usual fields it has, if any. */
export function recordName(row: JsonObject): string | undefined {
  for (const key of NAMES) if (typeof row[key] === "string" && row[key] !== "") return row[key];
  const [, found] =
    Object.entries(row).find(([key, inner]) => /name|title/i.test(key) && typeof inner === "string") ?? [];
  return typeof found === "string" ? found : undefined;
}

const fold = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

const FIRST = /^(?:first|given|fore)_?name$/i;
const LAST = /^(?:last|family|sur)_?name$/i;

/** The name of a record that has it in two fields. */
export function splitName(row: JsonObject): string | undefined {
  const [first, last] = [FIRST, LAST].map((pattern) => Object.entries(row).find(([field]) => pattern.test(field))?.[1]);
  return typeof first === "string" && typeof last === "string" ? `${first} ${last}` : undefined;
}

const withoutArticle = (text: string): string => text.replace(/^the /, "");

/**
 * The records that `phrase` may mean: those with exactly this text in a field, else those whose name contains it. An article before it
 * may be a part of the name or not.
 */
export function findRows(rows: readonly JsonObject[], phrase: string): { exact: boolean; rows: JsonObject[] } {
  const wanted = fold(phrase);
  const texts = (row: JsonObject): string[] =>
    [...Object.values(row), splitName(row)].flatMap((inner) => (typeof inner === "string" ? [fold(inner)] : []));
  const exact = rows.filter((row) => texts(row).some((text) => withoutArticle(text) === withoutArticle(wanted)));
  const same = exact.filter((row) => texts(row).includes(wanted));
  if (exact.length > 0) return { exact: true, rows: wanted.startsWith("the ") && same.length > 0 ? same : exact };
  return {
    exact: false,
    rows: wanted.length < 3 ? [] : rows.filter((row) => fold(recordName(row) ?? "").includes(wanted)),
  };
}

const MAX_SIMILAR = 5;

/** The records whose name shares a word with `phrase`, the first few. */
export function similarRows(rows: readonly JsonObject[], phrase: string): JsonObject[] {
  const wanted = new Set(fold(phrase).split(" "));
  const shares = (row: JsonObject): boolean =>
    fold(recordName(row) ?? "")
      .split(" ")
      .some((word) => wanted.has(word));
  return rows.filter(shares).slice(0, MAX_SIMILAR);
}

/** The value of a record for a parameter such as `customer_id`. */
export function idOf(row: JsonObject, parameter: string): JsonValue | undefined {
  const tail = parameter.replace(/^.*(?:_|(?=Id$))/, "");
  for (const key of [parameter, "id", tail, tail.toLowerCase(), "_id", "uuid", "number", "key", "slug"]) {
    const found = row[key];
    if (typeof found === "string" || typeof found === "number" || typeof found === "bigint") return found;
  }
  return undefined;
}
