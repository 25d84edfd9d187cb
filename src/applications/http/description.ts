// How an action of kind `http` is called: the `transport` object of a schema document, as the OpenAPI importer writes it and as
// a request is made from it. A document may be written by hand: what is missing gets OpenAPI's default, what is of another
// type counts as missing, and what a request cannot do without is refused with a message.
import { format, parse } from "content-type";
import { z } from "zod";
import { isObject, type JsonObject } from "../../lib/json.js";
import { isHeaderName } from "./argument-names.js";

/** Where OpenAPI puts a parameter. */
const LOCATIONS = ["path", "query", "querystring", "header", "cookie"] as const;
export type ParameterLocation = (typeof LOCATIONS)[number];

/** Source: OpenAPI 3.1, Parameter Object, style. */
export const DEFAULT_STYLE: Readonly<Record<ParameterLocation, string>> = {
  path: "simple",
  query: "form",
  // One value in the form of its media type, without a style.
  querystring: "form",
  header: "simple",
  cookie: "form",
};

const METHOD = /^[A-Za-z]{1,16}$/;
/** Methods that a document may write in any case; others are sent as they are written. */
const STANDARD = /^(?:get|head|post|put|patch|delete|options|trace|query|connect)$/i;
const DEFAULT_ACCEPT = "application/json, text/*;q=0.9, */*;q=0.8";
const NEEDS_KEY = "a parameter needs a key and a place: path, query, querystring, header or cookie";

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const isSet = z.boolean().default(false).catch(false);

/** A list whose items are checked; anything that is no list counts as missing. */
function listOf<T extends z.ZodType>(item: T) {
  const given = (value: z.input<T>[] | undefined): unknown => (Array.isArray(value) ? value : undefined);
  return z.preprocess(given, z.array(item).optional()).optional();
}

/** Values by name; anything that is no object counts as empty. */
function mapOf<T extends z.ZodType>(value: T) {
  const given = (raw: Record<string, z.input<T>> | undefined): unknown => (isObject(raw) ? raw : {});
  return z.preprocess(given, z.record(z.string(), value)).transform((members) => new Map(Object.entries(members)));
}

/** The styles of lists inside of a list, the outermost first: `tags` of `[["a", "b"], ["c"]]`. Without them such a list is JSON. */
const innerStyles = z.array(z.string()).optional().catch(undefined);

/** Whether a media type, with or without parameters, is one of JSON under any of its names. */
export const isJsonType = (type: string): boolean => /^[^/;]+\/([^;]*\+)?json\s*(?:;|$)/i.test(type);

/** How a value of a media type is written: a text that is neither JSON nor a form stands as it is. */
function writtenAs(type: string): "json" | "form" | "text" {
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return "form";
  return isJsonType(type) || /^(?:\*|application)\/\*\s*(?:;|$)/.test(type) ? "json" : "text";
}

const Parameter = z
  .object(
    {
      /** Property name among the tool's arguments; the key when missing. */
      name: text,
      in: z.enum(LOCATIONS, NEEDS_KEY),
      /** Name in the request; the argument's name when missing. */
      key: text,
      style: text,
      explode: flag,
      allowReserved: isSet,
      inner: innerStyles,
      /** Media type of a value that is serialised first (OpenAPI's `content` parameters). */
      content: text,
    },
    "a parameter is not an object",
  )
  .transform(({ content, ...one }, context) => {
    const key = one.key ?? one.name;
    if (!key) {
      context.addIssue(NEEDS_KEY);
      return z.NEVER;
    }
    const style = one.style ?? DEFAULT_STYLE[one.in];
    const explode = one.explode ?? /^(?:form|deepObject|cookie)$/.test(style);
    return { ...one, key, name: one.name ?? key, style, explode, content: content && writtenAs(content) };
  });

const FieldEncoding = z
  .object({ style: text, explode: flag, allowReserved: isSet, inner: innerStyles, contentType: text })
  .catch({ style: undefined, explode: undefined, allowReserved: false, inner: undefined, contentType: undefined })
  .transform(({ contentType, ...one }) => ({
    ...one,
    contentType: contentType?.split(",")[0]?.trim(),
    isChoice: contentType?.includes(",") ?? false,
  }));

const PRINTABLE = /^[\x20-\x7e]*$/;

/** A media type, and its parameters as they are sent behind it; character set and boundary are those of what is sent. */
function mediaTypeIn(text: string): { contentType: string; typeParameters: string } {
  const { type, parameters } = parse(text);
  const others = Object.entries(parameters).filter(
    ([name, value]) => !/^(?:charset|boundary)$/i.test(name) && isHeaderName(name) && PRINTABLE.test(value),
  );
  // The name is no part of what is added to it.
  const sent = format({ type: "a/b", parameters: Object.fromEntries(others) }).slice("a/b".length);
  return { contentType: type, typeParameters: sent };
}

const Body = z
  .object({
    /** Without parameters and in lower case once it is read; they are kept beside it. */
    contentType: z.string().default("application/json").catch("application/json"),
    required: isSet,
    /** Argument name to field name in the request. */
    properties: mapOf(text).prefault({}),
    /** The one argument that is the whole body. */
    argument: text,
    /** How single fields are written, by field name in the request. */
    encoding: mapOf(FieldEncoding).prefault({}),
    /** Arguments that are not described go into the body under their own names. */
    additional: isSet,
  })
  .transform(({ contentType, properties, ...body }) => ({
    ...body,
    ...mediaTypeIn(contentType),
    properties: new Map([...properties].map(([name, field]) => [name, field ?? name])),
  }));

const givenBody = (given: z.input<typeof Body> | undefined): unknown => (isObject(given) ? given : undefined);

/** The scopes an operation needs of each scheme; of an alternative that is no object nothing is left. */
const Security = z
  .preprocess(
    (given: Record<string, string[]>[] | undefined): unknown =>
      Array.isArray(given) ? given.filter(isObject) : undefined,
    z.array(z.custom<JsonObject>()).optional(),
  )
  .optional();

/** The object itself. Its issues are sentences for the message that the action cannot be called. */
export const HttpDescription = z.object({
  kind: z.literal("http"),
  method: z
    .string()
    .default("GET")
    .catch("GET")
    .transform((method) => (STANDARD.test(method) ? method.toUpperCase() : method))
    .refine((method) => METHOD.test(method) && method !== "CONNECT", {
      error: ({ input }) => `the method ${input} cannot be sent`,
    }),
  /** With placeholders: "/pets/{id}". */
  path: z.string("it names no path"),
  /** Where it differs from the document's: absolute, or a path. */
  server: text,
  /** Missing means: placeholders are path parameters, the rest goes into the body, or the query where the method has none. */
  parameters: listOf(Parameter),
  body: z.preprocess(givenBody, Body.optional()).optional(),
  accept: z.string().default(DEFAULT_ACCEPT).catch(DEFAULT_ACCEPT),
  /** Alternatives; missing means that the document does not describe security. */
  security: Security,
  /** Whether its requests change nothing, whatever their method. */
  isSafe: z.boolean().optional().catch(undefined),
});

/** As it is written to a document. */
export type WrittenHttpDescription = z.input<typeof HttpDescription>;
export type WrittenParameter = z.input<typeof Parameter>;
export type WrittenBody = z.input<typeof Body>;

/** As it is read, with every default filled in. */
export type HttpDescription = z.output<typeof HttpDescription>;
export type HttpParameter = z.output<typeof Parameter>;
export type HttpBody = z.output<typeof Body>;
export type HttpFieldEncoding = z.output<typeof FieldEncoding>;

/** The body of a description that lists no parameters: every argument is a field of it. */
export const OPEN_BODY: HttpBody = Body.parse({ additional: true });

/** The parameter of a placeholder that is not described. */
export function pathParameter(key: string): HttpParameter {
  return Parameter.parse({ in: "path", key });
}

/** Whether bodies of a media type are JSON values one after another: lines, or a JSON text sequence. Source: RFC 7464, jsonlines.org. */
export function isJsonLines(type: string): boolean {
  return /^application\/(([^;]*\+)?json-seq|jsonl(ines)?|(x-)?ndjson|x-jsonlines|x-json-stream)(?![\w.+-])/i.test(type);
}

/**
 * Whether a value is bytes that are sent as they are: `format: binary` in OpenAPI 3.0; in 3.1 `contentMediaType` without an encoding, or
 * the encoding that is none. Source: RFC 2045, 6.2.
 */
export function isOfBytes({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
  const isEncoded = contentEncoding !== undefined && contentEncoding !== "binary";
  return format === "binary" || (!isEncoded && (contentMediaType !== undefined || contentEncoding !== undefined));
}
