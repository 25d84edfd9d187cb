// What the transport object of an action on a database says by itself. Read without the zod schema of the description, because
// every action of a document is asked when it is loaded.
import type { Implied, TransportDescription } from "../../domain/schema-document.js";
import { isObject, listOf } from "../../lib/json.js";

const BY_OPERATION: Readonly<Record<string, Implied>> = {
  list: { safety: "read_only", verb: "list" },
  query: { safety: "read_only", verb: "list" },
  create: { safety: "mutating", verb: "create" },
  update: { safety: "mutating", verb: "update" },
  delete: { safety: "destructive", verb: "delete" },
};

const UNKNOWN: Implied = { safety: "destructive", verb: "action" };

/** Safety, verb, and the names of columns that arguments have other names for. What is not known may do anything. */
export function impliedByOperation(transport: TransportDescription): Implied {
  const { operation, is_volatile: isVolatile, columns } = transport;
  const isReading = operation === "routine" && isVolatile === false;
  const implied = isReading
    ? { ...UNKNOWN, safety: "read_only" as const }
    : (BY_OPERATION[String(operation)] ?? UNKNOWN);
  const renamed = listOf(columns).flatMap((column): [string, string][] => {
    if (!isObject(column) || typeof column["argument"] !== "string") return [];
    return [[column["argument"], String(column["name"])]];
  });
  return renamed.length > 0 ? { ...implied, wireNames: Object.fromEntries(renamed) } : implied;
}
