// What the transport object of an action says by itself: a query may still have effects, but only a mutation is declared to have
// some.
import type { Implied, TransportDescription } from "../../domain/schema-document.js";
import { isObject } from "../../lib/json.js";

function wireNamesOf(names: unknown): Implied["wireNames"] {
  if (!isObject(names)) return undefined;
  const pairs = Object.entries(names).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** What an action's transport object implies; what is no query may do anything. */
export function impliedByGraphql({ operation, names }: TransportDescription): Implied {
  const isQuery = operation === "query";
  const wireNames = wireNamesOf(names);
  return {
    safety: isQuery ? "read_only" : "destructive",
    verb: isQuery ? "get" : "action",
    ...(wireNames && { wireNames }),
  };
}
