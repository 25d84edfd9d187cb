// The answer to a call that failed: what happened, in the words of the target where it has any.
import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, toJson } from "../../lib/json.js";
import { brief } from "./markdown.js";
import { readResultText } from "./rows.js";

/** A word of a program, not of a sentence: "not_found". */
const CODE = /^[a-z]+(?:_[a-z\d]+)*$/;
/** Texts of an error that are joined, and how much of them. */
const MOST_PARTS = 2;
const MAX_MESSAGE = 1000;

/** The message in an error, wherever the target puts it. */
function messageIn(value: JsonObject): string | undefined {
  const parts: string[] = [];
  for (const key of ["message", "detail", "error_description", "title", "body", "error"]) {
    const inner = value[key];
    // A code beside a sentence adds nothing.
    const isCode = typeof inner === "string" && (/^http_\d+$/.test(inner) || (parts.length > 0 && CODE.test(inner)));
    if (typeof inner === "string" && !isCode && !parts.some((part) => part.includes(inner))) parts.push(inner);
    else if (isObject(inner)) {
      const nested = messageIn(inner);
      if (nested && !parts.includes(nested)) parts.push(nested);
    }
    if (parts.length === MOST_PARTS) break;
  }
  return parts.length > 0 ? parts.join(": ").slice(0, MAX_MESSAGE) : undefined;
}

/** What happened to a failed, refused or held call. */
export function errorText(tool: Tool, text: string): string {
  const { value } = readResultText(text);
  if (!isObject(value)) return `\`${tool.name}\` failed: ${brief(value) || "no reason was given"}`;
  if (value["error"] === "confirmation_required") {
    const until = value["expires_at"] ? ` until ${brief(value["expires_at"])}` : "";
    return `\`${tool.name}\` needs a person's yes first. It waits as confirmation ${brief(value["confirmation_id"])}${until}; nothing was sent yet.`;
  }
  const status = value["status"] ?? value["status_code"];
  const message = messageIn(value) ?? toJson(value);
  // No failure: nothing was wrong with the call.
  if (value["error"] === "denied" || value["error"] === "confirmation_expired")
    return `\`${tool.name}\` was not called: ${message}`;
  if (value["error"] === "refused") return `\`${tool.name}\` was refused: ${message}`;
  const code = status === undefined || message.includes(brief(status)) ? "" : ` (${brief(status)})`;
  return `\`${tool.name}\` failed${code}: ${message}`;
}
