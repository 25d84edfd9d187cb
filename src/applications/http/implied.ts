// What an HTTP method implies about a request that declares nothing itself. Source: RFC 9110, section 9.2.1 (safe methods).
import type { Implied, Safety, TransportDescription, Verb } from "../../domain/schema-document.js";

/** The methods whose requests change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** How dangerous a request of this method is. */
export function impliedSafety(method: string): Safety {
  const upper = method.toUpperCase();
  if (SAFE_METHODS.has(upper)) return "read_only";
  return upper === "DELETE" ? "destructive" : "mutating";
}

const VERBS: Readonly<Record<string, Verb>> = { GET: "get", PUT: "update", PATCH: "update", DELETE: "delete" };

/** What an action's transport object implies; without a method it may do anything. */
export function impliedByMethod({ method }: TransportDescription): Implied {
  if (typeof method !== "string") return { safety: "destructive", verb: "action" };
  return { safety: impliedSafety(method), verb: VERBS[method.toUpperCase()] ?? "action" };
}
