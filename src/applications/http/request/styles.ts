// Values to text as OpenAPI's `style` and `explode` say. Source: OpenAPI 3.1.1, section 4.8.12.4 and appendix C; RFC 6570.
// Everything but RFC 3986's unreserved characters is percent-encoded, so that no value can end its part of a URL.
import { isObject, type JsonValue, objectOf, toJson } from "../../../lib/json.js";
import { CallError } from "../../transport.js";
import type { RequestParameter } from "./operation.js";

/** A name and its value in a query string or form body; the key is raw, the value is encoded. */
export type Pair = readonly [key: string, value: string];

/** The part of a parameter that decides how its value is written. */
export type Style = Pick<RequestParameter, "key" | "style" | "explode" | "allowReserved" | "inner">;

const LONE_SURROGATE = /\p{Cs}/u;
/** Reserved characters that stay as they are with allowReserved. `&`, `=`, `+`, `#`, `[`, `]` would change what is read, so they do not. */
const RESERVED_KEPT = /%(?:3A|2F|3F|40|24|2C|3B|21|27|28|29|2A)/g;
/** A character that is percent-encoded already; allowReserved leaves it as it is. Source: RFC 6570, section 3.2.3. */
const ESCAPED = /(%[0-9A-Fa-f]{2})/;

/** The text itself. Throws CallError on half a character, which would arrive as something else. */
export function wellFormed(text: string): string {
  if (LONE_SURROGATE.test(text))
    throw new CallError("a text holds half a character (a lone surrogate); send whole characters");
  return text;
}

/** Percent-encodes everything but unreserved characters. Throws CallError on text that is not Unicode. */
export function encode(text: string, allowReserved = false): string {
  if (allowReserved && ESCAPED.test(text))
    return text
      .split(ESCAPED)
      .map((part, i) => (i % 2 === 1 ? part : encode(part, true)))
      .join("");
  const strict = encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return allowReserved ? strict.replace(RESERVED_KEPT, decodeURIComponent) : strict;
}

/**
 * The text of a single value; objects and arrays become JSON. Throws CallError on what has no lossless text: a number that is not
 * finite, an integer that already lost its digits, a NUL.
 */
export function plainText(value: JsonValue, name: string): string {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new CallError(`${name} is not a number that can be sent`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new CallError(`${name} is too large to be exact as a number; send its digits as a string`);
    return String(value);
  }
  const text = typeof value === "string" ? value : typeof value === "object" ? toJson(value) : String(value);
  if (text.includes("\0")) throw new CallError(`${name} holds a NUL character`);
  return text;
}

type Write = (value: JsonValue) => string;

/** Names and values of an object that are there; null is not sent, as in RFC 6570. */
function members(value: JsonValue): [string, JsonValue][] {
  return Object.entries(objectOf(value)).filter(([, inner]) => inner !== null);
}

function items(value: JsonValue[]): JsonValue[] {
  return value.filter((item) => item !== null);
}

/** Delimiters between the items of an unexploded array or object. */
const DELIMITER: Record<string, string> = {
  form: ",",
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};
const delimiterOf = (style: string): string => DELIMITER[style] ?? ",";
const plainDelimiterOf = (style: string): string => decodeURIComponent(delimiterOf(style));

/** Writes lists inside of a list as the description says, and whatever else as `write` does. */
function writeInner(styles: readonly string[] | undefined, write: Write, delimiter: (style: string) => string): Write {
  const [style, ...deeper] = styles ?? [];
  if (style === undefined) return write;
  const inner = writeInner(deeper, write, delimiter);
  return (value) => (Array.isArray(value) ? items(value).map(inner).join(delimiter(style)) : write(value));
}

/** How the members of a list are put together. */
interface Joining {
  separator: string;
  /** Whether members of an object are written `name=value`. */
  explode: boolean;
  write: Write;
}

/** `simple` and `label`, and `matrix` inside: comma, dot or semicolon lists. */
function list(value: JsonValue, { separator, explode, write }: Joining): string {
  if (Array.isArray(value)) return items(value).map(write).join(separator);
  if (!isObject(value)) return write(value);
  return members(value)
    .map(([key, inner]) => `${write(key)}${explode ? "=" : separator}${write(inner)}`)
    .join(separator);
}

function matrix({ key, explode }: Pick<Style, "key" | "explode">, value: JsonValue, write: Write): string {
  const named = (name: string, text: string): string => (text === "" ? `;${name}` : `;${name}=${text}`);
  const own = encode(key);
  if (explode && Array.isArray(value))
    return items(value)
      .map((item) => named(own, write(item)))
      .join("");
  if (explode && isObject(value))
    return members(value)
      .map(([name, inner]) => named(write(name), write(inner)))
      .join("");
  return named(own, list(value, { separator: ",", explode: false, write }));
}

/** What allowReserved keeps and no value in a path may have as it is. Source: OpenAPI 3.2, "Path Templating". */
const NOT_IN_PATH = /[/?]/g;
/** The same, and what would part a value that does not stand alone. */
const NOT_IN_PART = /[/?,;]/g;

/** A path parameter's text, percent-encoded. */
export function pathText(style: Style, value: JsonValue): string {
  const parting = style.style === "simple" && typeof value !== "object" ? NOT_IN_PATH : NOT_IN_PART;
  const writeOne: Write = (inner) =>
    encode(plainText(inner, style.key), style.allowReserved).replace(parting, encodeURIComponent);
  const write = writeInner(style.inner, writeOne, delimiterOf);
  switch (style.style) {
    case "label":
      return `.${list(value, { separator: style.explode ? "." : ",", explode: style.explode, write })}`;
    case "matrix":
      return matrix(style, value, write);
    default:
      return list(value, { separator: delimiterOf(style.style), explode: style.explode, write });
  }
}

/** A header's text. Headers are not percent-encoded. */
export function headerText(style: Style, value: JsonValue): string {
  const write = writeInner(style.inner, (inner) => plainText(inner, style.key), plainDelimiterOf);
  return list(value, { separator: plainDelimiterOf(style.style), explode: style.explode, write });
}

/** `a[b]=c`, `a[0][b]=c`: nested values as deepObject, Stripe and most form parsers read them. */
function brackets(key: string, value: JsonValue, write: Write): Pair[] {
  if (Array.isArray(value)) return items(value).flatMap((item, i) => brackets(`${key}[${i}]`, item, write));
  if (isObject(value)) return members(value).flatMap(([name, inner]) => brackets(`${key}[${name}]`, inner, write));
  return [[key, write(value)]];
}

/** The values of an exploded object's member: a list's items stand beside each other, as those of a list by itself do. */
function inside(value: JsonValue): JsonValue[] {
  return Array.isArray(value) && !value.some((item) => typeof item === "object" && item !== null)
    ? items(value)
    : [value];
}

/** Names and values, with a delimiter between those that stand in one value. */
function written(style: Style, value: JsonValue, { write, delimiter }: { write: Write; delimiter: string }): Pair[] {
  if (value === null) return [];
  if (typeof value !== "object") return [[style.key, write(value)]];
  if (style.style === "deepObject") return brackets(style.key, value, write);
  if (style.explode)
    return Array.isArray(value)
      ? items(value).map((item) => [style.key, write(item)])
      : members(value).flatMap(([name, inner]) => inside(inner).map((item): Pair => [name, write(item)]));
  const joined = list(value, { separator: delimiter, explode: false, write });
  return joined === "" ? [] : [[style.key, joined]];
}

/** A query parameter's or form field's pairs. A null value, an empty array and an empty object give none. */
export function pairs(style: Style, value: JsonValue): Pair[] {
  const delimiter = delimiterOf(style.style);
  // Between items a comma is no character of theirs: allowReserved keeps it in a value that stands alone.
  const isJoined = typeof value === "object" && !style.explode && style.style !== "deepObject" && delimiter === ",";
  const write: Write = (inner) => {
    const text = encode(plainText(inner, style.key), style.allowReserved);
    return isJoined ? text.replaceAll(",", "%2C") : text;
  };
  return written(style, value, { write: writeInner(style.inner, write, delimiterOf), delimiter });
}

/** What a cookie of style `cookie` cannot hold as it is: it is not escaped. Source: RFC 6265, section 4.1.1. */
const NOT_IN_COOKIE = /[^\x21-\x3a\x3c-\x7e]/;

/**
 * The cookies of a parameter, but for those that are taken: percent-encoded in style `form`, as they are in OpenAPI 3.2's style
 * `cookie`. Throws CallError.
 */
export function cookiePairs(style: Style, value: JsonValue, taken: ReadonlySet<string>): Pair[] {
  const isFree = ([key]: Pair): boolean => !taken.has(key);
  if (style.style !== "cookie")
    return pairs(style, value)
      .filter(isFree)
      .map(([key, text]) => [encode(key), text.replaceAll(";", "%3B")]);
  const write: Write = (inner) => plainText(inner, style.key);
  const all = written(style, value, { write: writeInner(style.inner, write, plainDelimiterOf), delimiter: "," });
  if (all.some(([key, text]) => NOT_IN_COOKIE.test(`${key}${text}`) || key.includes("=")))
    throw new CallError(`${style.key} goes into a cookie as it is; escape blanks, ";" and what is not ASCII`);
  return all.filter(isFree);
}

/** The same as they stand in the parts of a multipart body, where nothing is percent-encoded. */
export function plainPairs(style: Style, value: JsonValue): Pair[] {
  const write: Write = (inner) => wellFormed(plainText(inner, style.key));
  const delimiter = plainDelimiterOf(style.style);
  return written(style, value, { write: writeInner(style.inner, write, plainDelimiterOf), delimiter });
}

/** Pairs as they are written in a query string or form body. Brackets stay readable to every parser when encoded. */
export function joinPairs(list: readonly Pair[]): string {
  return list.map(([key, value]) => `${encode(key)}=${value}`).join("&");
}

/**
 * The pairs of a form's field of which nothing says how it is written: lists of plain values repeat the name and nested ones use
 * brackets, as form parsers read them.
 */
export function fieldPairs(key: string, value: JsonValue, allowReserved = false): Pair[] {
  const style = { key, style: "form", explode: true, allowReserved, inner: undefined };
  const isFlat = Array.isArray(value) ? value.every((item) => typeof item !== "object") : !isObject(value);
  return pairs(isFlat ? style : { ...style, style: "deepObject" }, value);
}

/** The text of a value that is serialised by its media type; undefined where a style writes it. */
export function serialised(
  { key, content }: Pick<RequestParameter, "key" | "content">,
  value: JsonValue,
): string | undefined {
  if (content === undefined) return undefined;
  if (content === "form" && isObject(value))
    return joinPairs(Object.entries(value).flatMap(([name, inner]) => fieldPairs(name, inner)));
  return content === "json" || typeof value === "object" ? toJson(value) : plainText(value, key);
}
