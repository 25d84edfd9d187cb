// What a tool's result is in MCP: text and structured content, or, for an application that is an MCP server itself, the blocks it
// answered. Source: https://modelcontextprotocol.io/specification/2026-07-28/server/tools
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { pictureOf, withoutPicture } from "../../domain/picture.js";
import { isObject, type JsonObject, type JsonValue, markBigints, toJson } from "../../lib/json.js";

/** The kind of transport whose results are what an MCP server answered. */
const MCP_KIND = "mcp";

/** The fields without which a block of its type cannot be sent on. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

function isBlock(block: JsonValue): boolean {
  if (!isObject(block)) return false;
  const needed = typeof block["type"] === "string" ? NEEDED[block["type"]] : undefined;
  const isWhole = needed?.every((name) => typeof block[name] === "string") ?? false;
  return isWhole && (block["type"] !== "resource" || isObject(block["resource"] ?? null));
}

/** The blocks of an MCP server's own answer; undefined for anything else, and for one that was shortened. */
function blocksOf(value: JsonValue): JsonObject | undefined {
  if (!isObject(value) || !Array.isArray(value["content"]) || !value["content"].every(isBlock)) return undefined;
  const { content, structuredContent } = value;
  return isObject(structuredContent ?? null) ? { content, structuredContent: structuredContent ?? null } : { content };
}

/** What an MCP server's tool said went wrong, in its own blocks. */
function ownFailure(value: JsonValue): ContentBlock[] | undefined {
  if (!isObject(value) || value["error"] !== "tool_error") return undefined;
  const { message, content } = value;
  if (Array.isArray(content) && content.every(isBlock)) return markBigints(content) as unknown as ContentBlock[];
  return typeof message === "string" ? [{ type: "text", text: message }] : undefined;
}

/** A result that says what went wrong, for the model to read. */
export function failure(code: string, message: string, more: JsonObject = {}): CallToolResult {
  return { content: [{ type: "text", text: toJson({ error: code, message, ...more }) }], isError: true };
}

/** The result of a call, with every digit marked; `kind` is that of the tool's transport. */
export function toolResult(value: JsonValue, { isError, kind }: { isError: boolean; kind: string }): CallToolResult {
  const error = isError ? { isError } : {};
  const blocks = kind === MCP_KIND ? blocksOf(value) : undefined;
  if (blocks) {
    const { content, ...structured } = markBigints(blocks);
    return { content: content as unknown as ContentBlock[], ...structured, ...error };
  }
  const failed = isError && kind === MCP_KIND ? ownFailure(value) : undefined;
  if (failed) return { content: failed, isError };
  const told = withoutPicture(value);
  const text = typeof told === "string" ? told : toJson(told);
  const content: ContentBlock[] = [{ type: "text", text }];
  const picture = pictureOf(value);
  if (picture) content.push({ type: "image", data: picture.base64, mimeType: picture.type });
  // A list is wrapped where the revision asks for it, by what writes the answer.
  const isStructured = !isError && typeof told === "object" && told !== null;
  return isStructured ? { content, structuredContent: markBigints(told), ...error } : { content, ...error };
}
