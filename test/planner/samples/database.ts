// A database for the planner's tests, made from its tables: the tools that the import gives for them, and the answers of their rows.
import { isObject, type JsonObject, type JsonValue, objectOf, textsOf } from "../../../src/lib/json.js";
import type { Application } from "./collections.js";
import { table } from "./warehouse.js";

interface Table {
  columns: Parameters<typeof table>[1];
  rows: readonly JsonObject[];
  required?: string[];
}

function holds(value: JsonValue | undefined, filter: JsonValue): boolean {
  if (!isObject(filter)) return value === filter;
  return Object.entries(filter).every(([operator, bound]) => {
    const [a, b] = [value as number, bound as number];
    return operator === "lt" ? a < b : operator === "lte" ? a <= b : operator === "gt" ? a > b : a >= b;
  });
}

/** A database with these tables, each with the key `id`; it keeps nothing. */
export function createDatabase(tables: Readonly<Record<string, Table>>): Application {
  const tools = Object.entries(tables).flatMap(([name, { columns, required = [] }]) =>
    table(name, columns, { required }),
  );
  const reply: Application["reply"] = ({ resource, verb }, args) => {
    const rows = tables[resource]?.rows ?? [];
    if (verb !== "list") return rows.find(({ id }) => id === args["id"]) ?? { ...args };
    const where = Object.entries(objectOf(args["where"]));
    const found = rows.filter((row) => where.every(([name, filter]) => holds(row[name], filter)));
    for (const order of textsOf(args["order_by"]).toReversed()) {
      const name = order.replace(/^-/, "");
      const sign = order.startsWith("-") ? -1 : 1;
      found.sort((a, b) => (String(a[name]) < String(b[name]) ? -sign : sign));
    }
    return found.slice(0, Number(args["limit"] ?? found.length));
  };
  return { tools, reply };
}
