// How many records an answer tells of: all of them, or at least those that stand in it. Pure.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";
import { namesCurrency, namesMoney } from "./names.js";
import { fieldOf, type Rows } from "./rows.js";

/** A number of records. */
interface RecordCount {
  count: number;
  /** False where there may be more. */
  isAll: boolean;
}

/** What an answer says of its list, and what was asked for. */
interface ListAnswer {
  result: JsonValue;
  /** How many items stand in it. */
  items: number;
  /** Whether fewer were kept than came. */
  isIncomplete: boolean;
  /** The arguments of the tool. */
  schema: JsonObject;
  /** How many items were asked for; undefined for as many as the application gives. */
  limit?: number | undefined;
}

const TOTALS = ["total", "total_count", "totalCount", "total_items", "totalItems", "total_results", "totalResults"];
const NEXT = /^(?:next|has_?more|has_?next(?:_?page)?|next_?(?:page|cursor|token|page_?token|url|link))$/i;
/** Arguments that say how large a page is. */
const PAGE_SIZE = /^(?:limit|per_?page|page_?size|size|first|take|count|max_?results|top)$/i;
/** Arguments that say which page. */
const PAGE = /^(?:page|offset|skip|cursor|after|start|starting_?after|page_?token|next_?token|continuation)$/i;

/** The objects in which a list says of itself: the answer, and those directly in it. */
function around(result: JsonValue): JsonObject[] {
  if (!isObject(result)) return [];
  const whole = result["truncated"] === true ? objectOf(result["rest"]) : result;
  return [result, whole, ...Object.values(whole).filter(isObject)];
}

/** The default size of a page: undefined where there is none, 0 where it is not known. */
function pageSize(schema: JsonObject): number | undefined {
  const properties = Object.entries(objectOf(schema["properties"]));
  const sizes = properties.filter(([name]) => PAGE_SIZE.test(name)).map(([, one]) => objectOf(one)["default"]);
  const known = sizes.find((size) => typeof size === "number");
  if (typeof known === "number") return known;
  return sizes.length > 0 || properties.some(([name]) => PAGE.test(name)) ? 0 : undefined;
}

/** How many records there are, as far as the answer tells. */
export function recordCount({ result, items, isIncomplete, schema, limit }: ListAnswer): RecordCount {
  const objects = around(result);
  const hasNext = objects.some((one) => Object.keys(one).some((name) => NEXT.test(name) && Boolean(one[name])));
  const keys = objects.some((one) => "next" in one) ? [...TOTALS, "count"] : TOTALS;
  const totals = objects.flatMap((one) => keys.map((key) => one[key]));
  const total = totals.find((value) => typeof value === "number" && Number.isInteger(value) && value >= items);
  if (typeof total === "number") return { count: total, isAll: true };
  const size = limit ?? pageSize(schema);
  return { count: items, isAll: !isIncomplete && !hasNext && (size === undefined || items < size) };
}

/** A page of at least so many rows has a round number of them; fewer with amounts of money may be a bill with its total. */
const MIN_PAGE = 10;
const PAGE_STEP = 5;

/** Whether a total beside these rows may be one of money: the rows have amounts, and nothing says that they are a page. */
function mayBeBill(rows: readonly JsonObject[], objects: readonly JsonObject[]): boolean {
  const isPaged = objects.some((one) =>
    Object.keys(one).some((name) => NEXT.test(name) || PAGE.test(name) || PAGE_SIZE.test(name)),
  );
  const isRound = rows.length >= MIN_PAGE && rows.length % PAGE_STEP === 0;
  return !isPaged && !isRound && Object.keys(rows[0] ?? {}).some(namesMoney);
}

/** Whether a number is the sum of a column of these rows, and so no count of rows. */
function isSum(total: number, rows: readonly JsonObject[]): boolean {
  const sumOf = (name: string): number =>
    rows.reduce((sum, row) => {
      const value = fieldOf(row, name);
      return typeof value === "number" || typeof value === "string" ? sum + Number(value) : Number.NaN;
    }, 0);
  return Object.keys(rows[0] ?? {}).some((name) => sumOf(name) === total);
}

/** How many rows an answer itself says there are, where it has fewer; undefined where it says nothing of the kind. */
export function statedCount({ rows, rest, isPart }: Rows): number | undefined {
  if (rest === null || isPart) return undefined;
  const objects = around(rest).filter(
    (one) => !Object.keys(one).some((name) => namesMoney(name) || namesCurrency(name)),
  );
  const keys = mayBeBill(rows, objects) ? TOTALS.filter((key) => key !== "total") : [...TOTALS, "count"];
  const totals = objects.flatMap((one) => keys.map((key) => fieldOf(one, key)));
  return totals.find(
    (value): value is number =>
      Number.isSafeInteger(value) && Number(value) > rows.length && !isSum(Number(value), rows),
  );
}
