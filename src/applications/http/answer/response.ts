// An answer to an outcome: JSON and rows with all digits of their integers, text by its charset, anything else described. An answer is never
// refused for its shape; what cannot be parsed is given as text.
import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { withoutPicture } from "../../../domain/picture.js";
import type { JsonObject, JsonValue } from "../../../lib/json.js";
import { parseOutsideJson } from "../../../lib/outside-json.js";
import type { Outcome } from "../../transport.js";
import type { HttpAnswer } from "../http-client.js";
import { parseCsv } from "./csv.js";
import { parseLines } from "./json-lines.js";
import { isJson, isUtf8, type MediaType, mediaTypeOf, type RowFormat, rowFormatOf } from "./media-type.js";
import { repairJson } from "./repair-json.js";

const TEXT_TYPE = /^text\/|[/+](xml|yaml|x-yaml|javascript|ecmascript|graphql|toml|sql|x-www-form-urlencoded|http)$/;
/** Headers that are reported where there is no body: where the thing is, which version it is, when to come back. */
const REPORTED = ["location", "retry-after", "etag"];
/** Headers that are reported of a failure. */
const REPORTED_OF_FAILURE = ["location", "retry-after"];

function decodeText(bytes: Buffer, charset: string, strict = false): string {
  // The usual case without a decoder object, which costs more than the decoding.
  if (!strict && isUtf8(charset)) return bytes.toString("utf8").replace(/^\ufeff/, "");
  try {
    return new TextDecoder(charset || "utf-8", { fatal: strict }).decode(bytes);
  } catch (error) {
    if (strict) throw error;
    return new TextDecoder("utf-8").decode(bytes);
  }
}

function jsonOrText(text: string, truncated: boolean): JsonValue {
  try {
    return truncated ? repairJson(text) : parseOutsideJson(text);
  } catch {
    return text;
  }
}

/** Pictures that every browser draws and that can hold no script. */
const PICTURE = /^image\/(?:avif|gif|jpeg|png|webp)$/;
/** Bytes of a picture that is kept with its description: those of a photograph. */
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;

function describe(bytes: Buffer, type: string): JsonObject {
  return {
    binary: true,
    type: type || "application/octet-stream",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    ...(PICTURE.test(type) &&
      bytes.length <= MAX_PICTURE_BYTES && { data: `data:${type};base64,${bytes.toString("base64")}` }),
  };
}

/** An answer without a content type: JSON or text when it reads as such, else bytes. */
function guess(bytes: Buffer, truncated: boolean): JsonValue {
  if (bytes.includes(0)) return describe(bytes, "");
  try {
    // A cut may fall inside a character, which is no reason to call the whole answer binary.
    return jsonOrText(decodeText(bytes, "utf-8", !truncated), truncated);
  } catch {
    return describe(bytes, "");
  }
}

/** The rows of a whole text that is made of them; the text itself when it is not what its type names. */
async function rowsOrText(bytes: Buffer, media: MediaType, format: RowFormat): Promise<JsonValue> {
  const text = decodeText(bytes, media.charset);
  try {
    return format === "lines" || format === "sequence" ? parseLines(text, format) : await parseCsv(bytes, media);
  } catch {
    return text;
  }
}

/** The body of an answer as a JSON value; undefined when it has none. */
async function bodyValue({ bytes, headers, truncated }: HttpAnswer): Promise<JsonValue | undefined> {
  if (bytes.length === 0) return undefined;
  const media = mediaTypeOf(headers["content-type"] ?? "");
  const { type, charset } = media;
  if (type === "") return guess(bytes, truncated);
  // No text in UTF-8 holds a NUL, whatever it calls itself; as JSON it would take six times the space.
  if (isUtf8(charset) && bytes.includes(0)) return describe(bytes, type);
  if (isJson(type)) return jsonOrText(decodeText(bytes, charset), truncated);
  const format = rowFormatOf(type);
  if (format && !truncated) return rowsOrText(bytes, media, format);
  return format || TEXT_TYPE.test(type) ? decodeText(bytes, charset) : describe(bytes, type);
}

function reported(headers: Record<string, string>, names: string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name.replace("-", "_"), headers[name]]] : [])));
}

/** By such a tag a target finds out that anything was changed: RFC 9110, section 8.8.1. */
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;

/** What an answer is read with. */
interface AnswerContext {
  /** Schemes without a credential. */
  missing: readonly string[];
  /** The key of config.json that holds the settings of the application. */
  settings: string;
  /** For a text that was cut: it may end in the middle of a secret, of which the beginning would not be recognised later. */
  cutText(text: string): string;
}

/** What to do about a refused credential. */
function accessHint({ missing, settings }: AnswerContext): string {
  if (missing.length === 0) return `; check the credential in ${settings}.auth or ${settings}.headers`;
  return `; the operation needs ${missing.join(" and ")}, for which ${settings}.auth holds no credential`;
}

/** A failed answer in one sentence. */
function sentence({ status, headers }: HttpAnswer, context: AnswerContext): string {
  if (status >= 300 && status < 400 && headers["location"])
    return `the target answered ${status} and points to ${headers["location"]}; redirects are not followed`;
  const reason = STATUS_CODES[status];
  const hint = status === 401 || status === 403 ? accessHint(context) : "";
  return `the target answered ${status}${reason ? ` ${reason}` : ""}${hint}`;
}

/**
 * The outcome of an answer.
 * 2xx: the parsed body itself, a list where it is made of rows; without a body `{ status, location? }`; a body over the cap
 * `{ truncated: true, bytes_read, body }`, where a cut JSON text holds every element that arrived whole.
 * A binary body is `{ binary: true, type, bytes, sha256 }`, of a picture of up to 4 MiB with `data`, a data: URL.
 * Anything else: `{ error: "http_404", message, status, body?, location?, retry_after?, truncated? }`.
 */
export async function outcomeOf(answer: HttpAnswer, context: AnswerContext): Promise<Outcome> {
  const { status, headers, truncated } = answer;
  const found = await bodyValue(answer);
  // A cut JSON text is closed behind its last whole element, so only texts end anywhere.
  const body = truncated && typeof found === "string" ? context.cutText(found) : found;
  if (status >= 200 && status < 300) {
    if (body === undefined || body === null) return { status: "ok", value: { status, ...reported(headers, REPORTED) } };
    const { etag } = headers;
    return {
      status: "ok",
      value: truncated ? { truncated: true, bytes_read: answer.bytes.length, body: withoutPicture(body) } : body,
      ...(etag !== undefined && STRONG_TAG.test(etag) && { etag }),
    };
  }
  return {
    status: "error",
    value: {
      error: `http_${status}`,
      message: sentence(answer, context),
      status,
      ...reported(headers, REPORTED_OF_FAILURE),
      ...(body !== undefined && { body: withoutPicture(body) }),
      ...(truncated && { truncated: true }),
    },
  };
}
