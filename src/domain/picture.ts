// A picture that an application answered, as its result holds it: `{ binary: true, type, bytes, sha256, data }`, where `data` is a
// data: URL. People see it; a model reads its description.
import { isObject, type JsonValue } from "../lib/json.js";

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

/** A picture without what is only for the eyes: its description. Everything else is as it is. */
export function withoutPicture(value: JsonValue): JsonValue {
  if (!isObject(value) || value["binary"] !== true) return value;
  const { data, ...described } = value;
  return typeof data === "string" && data.startsWith("data:image/") ? described : value;
}
