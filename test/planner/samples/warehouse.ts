// A warehouse for the planner's tests: the tools a database gives, and its rows in memory behind the calls.
import type { Verb } from "../../../src/domain/schema-document.js";
import type { Tool } from "../../../src/domain/tool.js";
import { isObject, type JsonObject, type JsonValue, objectOf, textsOf } from "../../../src/lib/json.js";
import { createSession as createConversation, type Turn } from "../session.js";

interface Column {
  type: string | string[];
  description?: string;
  format?: string;
  enum?: string[];
}

const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte"];

function filterOf(column: Column): JsonObject {
  const operators = Object.fromEntries(OPERATORS.map((name) => [name, { ...column }]));
  return { anyOf: [{ ...column }, { type: "object", properties: operators, additionalProperties: false }] };
}

/** The four tools of a table, as the import makes them. */
export function table(
  name: string,
  columns: Readonly<Record<string, Column>>,
  { key = ["id"], required = [], application = "" }: { key?: string[]; required?: string[]; application?: string } = {},
): Tool[] {
  const names = Object.keys(columns);
  const own = Object.fromEntries(Object.entries(columns).map(([column, schema]) => [column, { ...schema }]));
  const tool = (operation: string, safety: Tool["safety"], schema: JsonObject): Tool => ({
    name: `${application === "" ? "" : `${application}_`}${operation}_${name}`,
    application,
    ...(application !== "" && { own_name: `${operation}_${name}` }),
    description: "",
    input_schema: { type: "object", additionalProperties: false, ...schema },
    resource: name,
    verb: operation as Verb,
    safety,
    provenance: "declared",
    transport: { kind: "sql", operation, table: name, key },
  });
  const keys = Object.fromEntries(key.map((column) => [column, own[column] ?? {}]));
  return [
    tool("list", "read_only", {
      properties: {
        where: {
          type: "object",
          properties: Object.fromEntries(
            names.map((column) => [column, filterOf(columns[column] ?? { type: "string" })]),
          ),
        },
        order_by: { type: "array", items: { type: "string", enum: names.flatMap((column) => [column, `-${column}`]) } },
        columns: { type: "array", items: { type: "string", enum: names } },
        after: { type: "object" },
        limit: { type: "integer", minimum: 1 },
      },
    }),
    tool("create", "mutating", { properties: own, required }),
    tool("update", "mutating", { properties: own, required: key }),
    tool("delete", "destructive", { properties: keys, required: key }),
  ];
}

const S = { type: "string" };
const I = { type: "integer" };

/** The warehouse's tools. */
export function warehouseTools(application = ""): Tool[] {
  return [
    ...table(
      "stock",
      {
        id: I,
        sku: S,
        product: S,
        quantity: I,
        reorder_at: I,
        shelf_id: { type: "integer", description: "id of a shelf (list_shelves)" },
        counted_at: { type: "string", format: "date" },
      },
      { required: ["sku", "product"], application },
    ),
    ...table("shelves", { id: I, name: S, room: S }, { required: ["name"], application }),
  ];
}

export const STOCK: readonly JsonObject[] = [
  {
    id: 1,
    sku: "TEA-001",
    product: "Assam Breakfast",
    quantity: 4,
    reorder_at: 10,
    shelf_id: 1,
    counted_at: "2026-01-10",
  },
  { id: 2, sku: "TEA-002", product: "Sencha", quantity: 25, reorder_at: 10, shelf_id: 1, counted_at: "2026-02-10" },
  {
    id: 3,
    sku: "COF-001",
    product: "Sumatra Night",
    quantity: 8,
    reorder_at: 5,
    shelf_id: 2,
    counted_at: "2026-03-10",
  },
];
const SHELVES: readonly JsonObject[] = [
  { id: 1, name: "A1", room: "dry" },
  { id: 2, name: "B2", room: "cool" },
];

function holds(value: JsonValue | undefined, filter: JsonValue): boolean {
  if (!isObject(filter)) return value === filter;
  return Object.entries(filter).every(([operator, bound]) => {
    const [a, b] = [value as number, bound as number];
    return operator === "lt" ? a < b : operator === "lte" ? a <= b : operator === "gt" ? a > b : a >= b;
  });
}

/** What the database answers. */
export function answerOf({ resource, verb }: Tool, args: JsonObject): JsonValue {
  const rows = resource === "stock" ? STOCK : SHELVES;
  if (verb !== "list") return rows.find(({ id }) => id === args["id"]) ?? { ...args };
  const where = Object.entries(objectOf(args["where"]));
  const found = rows.filter((row) => where.every(([name, filter]) => holds(row[name], filter)));
  for (const order of textsOf(args["order_by"]).toReversed()) {
    const name = order.replace(/^-/, "");
    const sign = order.startsWith("-") ? -1 : 1;
    found.sort((a, b) => (String(a[name]) < String(b[name]) ? -sign : sign));
  }
  return found.slice(0, Number(args["limit"] ?? found.length));
}

/** One prompt to the planner with the warehouse alone. */
export const askWarehouse = (prompt: string): Promise<Turn> => createConversation(warehouseTools(), answerOf)(prompt);
