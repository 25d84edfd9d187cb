// What the transport object of a tool of an MCP server says by itself: nothing of its safety, because what a server says of its own
// tools is not to be trusted. Read without the zod schema of the description, because every action of a document is asked when it is
// loaded. Source: Model Context Protocol, "Tools".
import type { Implied, TransportDescription } from "../../domain/schema-document.js";
import { objectOf } from "../../lib/json.js";

/** Any tool may do anything; arguments whose names no model takes have others. */
export function impliedByServer({ arguments: renamed }: TransportDescription): Implied {
  const implied: Implied = { safety: "destructive", verb: "action" };
  const names = Object.entries(objectOf(renamed)).map(([name, own]): [string, string] => [name, String(own)]);
  return names.length > 0 ? { ...implied, wireNames: Object.fromEntries(names) } : implied;
}
