// What pins a tool: a hash over all that a server says of it and a model or a person may rely on. Pure.
// Source: docs/mcp.md, "Tools that change".
import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../../lib/json.js";

/** What a server says of a tool; what else it has may differ. */
const PINNED = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Digits that tell two versions of one part of one tool apart. */
const PART_DIGITS = 12;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The hash of a tool as its server lists it, and the beginnings of those of its parts. */
export function pinOf(tool: JsonObject): { hash: string; parts: Record<string, string> } {
  const members = PINNED.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]] as const]));
  const parts = members.map(([key, value]) => [key, sha256(canonicalJson(value)).slice(0, PART_DIGITS)]);
  return { hash: sha256(canonicalJson(Object.fromEntries(members))), parts: Object.fromEntries(parts) };
}
