// A picture that an application answered, as its result holds it: `{ binary: true, type, bytes, sha256, data }`, where `data` is a
// data: URL. People see it; a model reads its description.
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";

/** The URL of a picture that is whole; one that was cut for the record is none. */
const WHOLE = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The media type and the base64 of a result that is a picture. */
export function pictureOf(value: JsonValue): { type: string; base64: string } | undefined {
  const data = isObject(value) && value["binary"] === true ? value["data"] : undefined;
  const [, type, base64] = (typeof data === "string" && WHOLE.exec(data)) || [];
  return type === undefined || base64 === undefined ? undefined : { type, base64 };
}

/** Where the pieces of a picture's `data` are kept that is longer than its record. */
export const PICTURE_PATH: readonly string[] = ["data"];

/** Whether a value is what is said of a picture, with or without its bytes. */
export function isPictureDescription(value: JsonValue): boolean {
  return isObject(value) && value["binary"] === true && String(value["type"]).startsWith("image/");
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

/** An object without a field of base64, of which it has the number of bytes instead. */
function withoutBytes(value: JsonObject, field: string): JsonObject {
  const { [field]: base64, ...others } = value;
  if (typeof base64 !== "string" || typeof value["mimeType"] !== "string" || !BASE64.test(base64)) return value;
  return { ...others, bytes: Math.floor((base64.replace(/[\s=]+/g, "").length * 3) / 4) };
}

/** A block of an MCP server's answer, or anything else, as a model reads it. */
function described(block: JsonValue): JsonValue {
  if (!isObject(block)) return block;
  const { type, resource = null } = block;
  if (type === "image" || type === "audio") return withoutBytes(block, "data");
  const inner = type === "resource" && isObject(resource) ? withoutBytes(resource, "blob") : resource;
  return inner === resource ? block : { ...block, resource: inner };
}

/** A result as a model reads it: of pictures, and of images, sounds and files that an MCP server answered, the description. */
export function withoutMedia(value: JsonValue): JsonValue {
  const content = isObject(value) ? value["content"] : undefined;
  if (!isObject(value) || !Array.isArray(content)) return withoutPicture(value);
  const blocks = content.map(described);
  return blocks.every((block, at) => block === content[at]) ? value : { ...value, content: blocks };
}

/** A picture without what is only for the eyes: its description. Everything else is as it is. */
export function withoutPicture(value: JsonValue): JsonValue {
  if (!isObject(value) || value["binary"] !== true) return value;
  const { data, ...others } = value;
  return typeof data === "string" && data.startsWith("data:image/") ? others : value;
}
