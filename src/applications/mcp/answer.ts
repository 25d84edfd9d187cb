// What a tool answered, as an outcome. Every digit is as the server wrote it. Source: docs/mcp.md, "Answers".
import { isObject, type JsonObject, type JsonValue, listOf } from "../../lib/json.js";
import { parseOutsideJson } from "../../lib/outside-json.js";
import type { Outcome } from "../transport.js";

/** Characters of what a tool says went wrong. */
const MAX_FAULT = 8_000;

const textOf = (block: JsonValue): string | undefined =>
  isObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? block["text"] : undefined;

/** A text that is a JSON object or array, as that; any other as it is. */
function parsedText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseOutsideJson(text);
  } catch {
    return text;
  }
}

/** The outcome of a call that the server answered. */
export function answerOutcome(result: JsonObject): Outcome {
  const { structuredContent, isError } = result;
  const content = listOf(result["content"]);
  const texts = content.map(textOf);
  const isText = texts.every((text) => text !== undefined);
  if (isError === true) {
    const message = texts.filter((text) => text !== undefined).join("\n");
    const value: JsonObject = {
      error: "tool_error",
      message: message.slice(0, MAX_FAULT) || "the tool failed and does not say why",
    };
    if (!isText) value["content"] = content;
    if (structuredContent !== undefined) value["details"] = structuredContent;
    return { status: "error", value };
  }
  if (structuredContent !== undefined && isText) return { status: "ok", value: structuredContent };
  const [only] = texts;
  if (content.length === 1 && only !== undefined) return { status: "ok", value: parsedText(only) };
  const value: JsonObject = { content };
  if (structuredContent !== undefined) value["structuredContent"] = structuredContent;
  return { status: "ok", value };
}
