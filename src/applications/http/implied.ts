// What the transport object of an action says by itself: how dangerous its method is, and what its arguments are called in the
// request. Source: RFC 9110, section 9.2.1 (safe methods).
import type { Implied, Safety, TransportDescription, Verb } from "../../domain/schema-document.js";
import { isObject, listOf, objectOf } from "../../lib/json.js";

/** The methods whose requests change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** How dangerous a request of this method is. */
export function impliedSafety(method: string): Safety {
  const upper = method.toUpperCase();
  if (SAFE_METHODS.has(upper)) return "read_only";
  return upper === "DELETE" ? "destructive" : "mutating";
}

const VERBS: Readonly<Record<string, Verb>> = { GET: "get", PUT: "update", PATCH: "update", DELETE: "delete" };

function impliedByMethod(method: unknown): Pick<Implied, "safety" | "verb"> {
  if (typeof method !== "string") return { safety: "destructive", verb: "action" };
  return { safety: impliedSafety(method), verb: VERBS[method.toUpperCase()] ?? "action" };
}

/** Read without the zod schema of the description, because every action of a document is asked when it is loaded. */
function wireNamesOf({ parameters, body }: TransportDescription): Implied["wireNames"] {
  const pairs = listOf(parameters).map((one) => (isObject(one) ? [one["name"], one["key"]] : []));
  const fields = Object.entries(objectOf(objectOf(body)["properties"]));
  const others = [...pairs, ...fields].filter(
    (pair): pair is [string, string] => pair.every((name) => typeof name === "string") && pair[0] !== pair[1],
  );
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

/** What an action's transport object implies; without a method it may do anything. */
export function impliedByDescription(transport: TransportDescription): Implied {
  const implied = impliedByMethod(transport["method"]);
  const wireNames = wireNamesOf(transport);
  return wireNames ? { ...implied, wireNames } : implied;
}
