// What must arrive when an operation is called with certain values, by its description alone: path, query, headers, cookies and
// body are written, or read back, by the standard's own rules and compared with the bytes that arrived.
// Source: OpenAPI 3.1.1, Style Examples and appendix C; RFC 6570; RFC 7578.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";
import type { SourceBody, SourceOperation, SourceStyle } from "./source.js";

/** A request as it arrived. */
export interface Arrived {
  /** Method, path and query. */
  url: string;
  contentType: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

type Pair = [name: string, value: string];
type Write = (value: JsonValue) => string;

const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

const plain: Write = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
/** All but RFC 3986's unreserved characters escaped: there is one spelling of each value then. */
const escaped: Write = (value) =>
  encodeURIComponent(plain(value)).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The same with the reserved characters as they are that neither end a value in a query or form, nor are forbidden there, and with
 * what is escaped already. Source: RFC 6570, section 3.2.3.
 */
const reserved: Write = (value) =>
  escaped(value)
    .replace(/%(?:21|24|27|28|29|2A|2C|2F|3A|3B|3F|40)/g, decodeURIComponent)
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, "%");

/** The same text in that spelling. */
const respelled = (text: string): string =>
  text.replace(/(%[0-9a-f]{2})+/gi, (run) => escaped(decodeURIComponent(run)));

/** A list, or an object's names and values, between delimiters. */
function joined(value: JsonValue, delimiter: string, { explode, write }: { explode: boolean; write: Write }): string {
  if (Array.isArray(value))
    return value
      .filter((one) => one !== null)
      .map(write)
      .join(delimiter);
  if (!isObject(value)) return write(value);
  const members = Object.entries(value).filter(([, one]) => one !== null);
  return members.map(([name, one]) => `${write(name)}${explode ? "=" : delimiter}${write(one)}`).join(delimiter);
}

function inPath(name: string, { style, explode, asJson }: SourceStyle, value: JsonValue): string {
  if (asJson) return escaped(JSON.stringify(value));
  if (style === "label") return `.${joined(value, explode ? "." : ",", { explode, write: escaped })}`;
  if (style !== "matrix") return joined(value, ",", { explode, write: escaped });
  const own = escaped(name);
  if (explode && Array.isArray(value)) return value.map((one) => `;${own}=${escaped(one)}`).join("");
  if (explode && isObject(value)) return `;${joined(value, ";", { explode, write: escaped })}`;
  return `;${own}=${joined(value, ",", { explode: false, write: escaped })}`;
}

function bracketed(name: string, value: JsonValue, write: Write): Pair[] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [[name, write(value)]];
  return Object.entries(value).flatMap(([key, inner]) => bracketed(`${name}[${key}]`, inner, write));
}

/** Names and values of a query, a cookie or a form. */
function pairsOf(name: string, { style, explode, asJson, allowReserved }: SourceStyle, value: JsonValue): Pair[] {
  const write = allowReserved ? reserved : escaped;
  if (value === null) return [];
  if (asJson) return [[name, write(JSON.stringify(value))]];
  if (typeof value !== "object") return [[name, write(value)]];
  if (style === "deepObject") return bracketed(name, value, write);
  if (explode) {
    const isPlain = (one: JsonValue): boolean => typeof one !== "object" || one === null;
    const all: [string, JsonValue][] = Array.isArray(value)
      ? value.map((one) => [name, one])
      : Object.entries(value).flatMap(([key, one]) =>
          Array.isArray(one) && one.every(isPlain) ? one.map((item): [string, JsonValue] => [key, item]) : [[key, one]],
        );
    return all.flatMap(([key, one]): Pair[] => (one === null ? [] : [[key, write(one)]]));
  }
  // A comma inside of an item is no delimiter.
  const item: Write = (one) => write(one).replaceAll(",", "%2C");
  const text = joined(value, DELIMITERS[style] ?? ",", { explode: false, write: item });
  return text === "" ? [] : [[name, text]];
}

/** The pairs of a query, cookies or a form as they arrived, in the one spelling. */
function readPairs(text: string, between: string): Pair[] {
  return text.split(between).flatMap((pair): Pair[] => {
    const at = pair.indexOf("=");
    return at < 0 ? [] : [[decodeURIComponent(pair.slice(0, at)), respelled(pair.slice(at + 1))]];
  });
}

const sorted = (pairs: readonly Pair[]): string[] => pairs.map(([name, value]) => `${name}=${value}`).sort();

/** The first pair on one side alone. */
function unlike(expected: readonly Pair[], arrived: readonly Pair[], where: string): string | undefined {
  const [ours, theirs] = [sorted(expected), sorted(arrived)];
  const missing = ours.find((one) => !theirs.includes(one));
  if (missing !== undefined) return `${missing} did not arrive in the ${where}, but ${theirs.join(" ").slice(0, 300)}`;
  const extra = theirs.find((one) => !ours.includes(one));
  if (extra !== undefined) return `${extra} arrived in the ${where}`;
  return ours.length === theirs.length ? undefined : `${where} arrived ${theirs.length} times, not ${ours.length}`;
}

/** Whether JSON that arrived is the value; names in any order. */
function alike(value: JsonValue, arrived: JsonValue | undefined): boolean {
  if (Array.isArray(value))
    return Array.isArray(arrived) && value.length === arrived.length && value.every((one, i) => alike(one, arrived[i]));
  if (!isObject(value)) return value === arrived;
  const names = Object.keys(value);
  return (
    isObject(arrived) &&
    names.length === Object.keys(arrived).length &&
    names.every((name) => Object.hasOwn(arrived, name) && alike(value[name] ?? null, arrived[name]))
  );
}

/** How a field of a form is written: without an `encoding` lists repeat the name, and nested values have names in brackets. */
function fieldStyle(value: JsonValue, encoding: JsonObject): SourceStyle {
  const { style, explode, contentType, allowReserved } = encoding;
  const isNested = isObject(value) || (Array.isArray(value) && value.some((one) => typeof one === "object"));
  const isSaid = style !== undefined || explode !== undefined;
  const asJson = !isSaid && isNested && String(contentType).includes("json");
  const usual = isNested && !isSaid ? "deepObject" : "form";
  const named = String(style ?? usual);
  return {
    style: named,
    explode: (explode ?? named === "form") === true,
    asJson,
    allowReserved: allowReserved === true,
  };
}

/** The pairs of a form, or of a query string that is one. */
function fieldsOf(value: JsonValue, { encoding }: SourceBody): Pair[] {
  return Object.entries(objectOf(value)).flatMap(([name, one]) =>
    pairsOf(name, fieldStyle(one, objectOf(encoding[name])), one),
  );
}

/** The parts that one field of a multipart body becomes: without a style, one for each item, a nested one as JSON. */
function partsOf(name: string, value: JsonValue, encoding: JsonObject): Pair[] {
  const { style, explode } = encoding;
  if (style === undefined && explode === undefined)
    return [value].flat().flatMap((one): Pair[] => (one === null ? [] : [[name, escaped(one)]]));
  return pairsOf(name, fieldStyle(value, encoding), value);
}

async function partsUnlike(value: JsonObject, { encoding }: SourceBody, arrived: Arrived): Promise<string | undefined> {
  const form = await new Response(Buffer.from(arrived.body), {
    headers: { "content-type": arrived.contentType },
  }).formData();
  const read = await Promise.all(
    [...form].map(
      async ([name, one]): Promise<Pair> => [name, escaped(typeof one === "string" ? one : await one.text())],
    ),
  );
  const expected = Object.entries(value).flatMap(([name, one]) => partsOf(name, one, objectOf(encoding[name])));
  // Nothing is escaped in a part, the delimiters neither.
  const plainly = expected.map(([name, text]): Pair => [name, escaped(decodeURIComponent(text))]);
  return unlike(plainly, read, "form");
}

function isSameType(described: string, arrived: string): boolean {
  const [range, type] = [described, arrived].map((one) => (one.split(";")[0] ?? "").trim().toLowerCase());
  if (range === "*" || range === "*/*" || range === type) return true;
  return range?.endsWith("/*") === true && type?.startsWith(range.slice(0, -1)) === true;
}

async function bodyUnlike(value: JsonValue, body: SourceBody, arrived: Arrived): Promise<string | undefined> {
  const { contentType } = arrived;
  if (!isSameType(body.contentType, contentType)) return `the body is ${contentType}, not ${body.contentType}`;
  const text = new TextDecoder().decode(arrived.body);
  if (/[/+]json($|;)/.test(contentType))
    return alike(value, JSON.parse(text)) ? undefined : `the body was ${JSON.stringify(value)} and arrived as ${text}`;
  if (contentType.startsWith("multipart/")) return partsUnlike(objectOf(value), body, arrived);
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    return unlike(fieldsOf(value, body), readPairs(text, "&"), "form");
  }
  if (Array.isArray(value)) {
    // Source: RFC 7464: a record separator before each text of a sequence.
    const [before, ...texts] = contentType.startsWith("application/json-seq")
      ? text.split("\u001e")
      : ["", ...text.split(/(?<=\n)/)];
    const isWhole = before === "" && texts.every((line) => /^[^\n]+\n$/.test(line));
    const lines = isWhole ? texts.map((line) => JSON.parse(line) as JsonValue) : undefined;
    return alike(value, lines) ? undefined : `the lines are ${text}`;
  }
  return text === plain(value) ? undefined : `the body was ${plain(value)} and arrived as ${text}`;
}

/** The values of one call: by "LOCATION NAME", and the body. */
export type SourceValues = JsonObject;

/** What is not as the description says it must arrive; undefined where all is. `base` is the path of the server. */
export async function arrivedUnlike(
  { operation, body }: { operation: SourceOperation; body: SourceBody | undefined },
  values: SourceValues,
  { arrived, base }: { arrived: Arrived; base: string },
): Promise<string | undefined> {
  const [, address = ""] = arrived.url.split(" ");
  const [path = ""] = address.split("?");
  // Of several question marks the others are part of the query.
  const query = address.slice(path.length + 1);
  const sent = operation.parameters.flatMap((one) => {
    const value = values[`${one.location} ${one.name}`];
    return value === undefined ? [] : [{ ...one, value }];
  });
  const at = (location: string) => sent.filter((one) => one.location === location);
  const template = operation.path.split("#")[0] ?? "";
  const [written = "", fixed = ""] = template.split("?");
  const filled = written.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const one = at("path").find((other) => other.name === name);
    return one ? inPath(name, one, one.value) : whole;
  });
  if (respelled(base + filled) !== respelled(path)) return `the path is ${path}, not ${base}${filled}`;
  const inQuery = at("query").flatMap((one) => pairsOf(one.name, one, one.value));
  const whole = operation.queryString && fieldsOf(values["querystring"] ?? {}, operation.queryString);
  const expected = [...readPairs(fixed, "&"), ...inQuery, ...(whole ?? [])];
  const wrong = unlike(expected, readPairs(query, "&"), "query");
  if (wrong !== undefined) return wrong;
  const cookies = at("cookie").flatMap((one) => pairsOf(one.name, one, one.value));
  const wrongCookie = unlike(cookies, readPairs(arrived.headers["cookie"] ?? "", "; "), "cookies");
  if (wrongCookie !== undefined) return wrongCookie;
  for (const { name, value, explode, asJson } of at("header")) {
    const text = asJson ? JSON.stringify(value) : joined(value, ",", { explode, write: plain });
    const there = arrived.headers[name.toLowerCase()];
    if (there !== text.trim() && value !== null) return `the header ${name} is ${there}, not ${text}`;
  }
  if (body === undefined || values["body"] === undefined) return undefined;
  return bodyUnlike(values["body"], body, arrived);
}
