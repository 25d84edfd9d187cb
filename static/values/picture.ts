// Pictures whose bytes are in a value, as data: URLs: nothing is loaded to display them. Pure.
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { fieldOf } from "./rows.js";

const IMAGE = /^data:image\/(png|jpeg|gif|webp|avif|bmp);base64,[a-z0-9+/=]+$/i;
/** Fields of blocks and resources of MCP servers that are bytes, in base64. */
const BYTES = ["data", "blob"];

/** Whether a text is an image that is in the text itself. */
export function isInlineImage(text: string): boolean {
  return IMAGE.test(text);
}

/**
 * The image in a field of an object; undefined where it is none. Its media type is in the text, beside it, or in the object that the
 * field is. Source: https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export function imageIn(row: JsonObject, name: string): string | undefined {
  const value: JsonValue | undefined = fieldOf(row, name);
  if (isObject(value)) {
    const inner = BYTES.find((one) => typeof value[one] === "string");
    return inner === undefined ? undefined : imageIn(value, inner);
  }
  if (typeof value !== "string") return undefined;
  if (isInlineImage(value)) return value;
  const type = row["mimeType"] ?? row["type"];
  if (!BYTES.includes(name) || typeof type !== "string") return undefined;
  const url = `data:${type};base64,${value}`;
  return isInlineImage(url) ? url : undefined;
}
