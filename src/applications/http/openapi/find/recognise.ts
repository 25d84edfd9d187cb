// What a text is that is no OpenAPI description, in words, and what to do about it: the other files that people have of their API.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../../lib/json.js";
import { textOf } from "../read.js";

/** A text that was recognised. */
export interface Recognised {
  /** "a Postman collection". */
  what: string;
  /** What to do next; a sentence without its end. */
  next: string;
  /** Whether a description cannot be behind it: another place is not worth a try. */
  isFinal: boolean;
}

const CONVERT = "convert it to OpenAPI, or give the address of the application it is about";
const SOAP = "SOAP is not supported; give an OpenAPI description if the service has one";
const GRAPHQL = "give it to agentd sync graphql";
const OWN = "give the description in OpenAPI that the application itself serves, or the address of the application";

/** The origin of the first address in some data, as a hint where the application is. */
function applicationIn(value: JsonValue): string {
  let left = 2_000;
  const search = (inner: JsonValue | undefined): string | undefined => {
    if (--left < 0) return undefined;
    if (typeof inner === "string") {
      const found = /^https?:\/\/[\w.:[\]-]+/i.exec(inner)?.[0];
      return found && !/schema\.getpostman|json-schema\.org|w3\.org/i.test(found) ? found : undefined;
    }
    if (typeof inner !== "object" || inner === null) return undefined;
    for (const one of Object.values(inner)) {
      const found = search(one);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const origin = search(value);
  return origin && URL.canParse(origin) ? `${OWN}: agentd sync openapi ${new URL(origin).origin}` : OWN;
}

type Row = [
  test: (value: JsonObject) => boolean,
  what: string | ((value: JsonObject) => string),
  next?: (value: JsonObject) => string,
];

const has =
  (...keys: string[]) =>
  (value: JsonObject): boolean =>
    keys.every((key) => value[key] !== undefined);

/** Objects by the fields that only they have. */
const OBJECTS: readonly Row[] = [
  [has("asyncapi"), "an AsyncAPI description: it describes messages, not requests", () => OWN],
  [has("openrpc"), "an OpenRPC description (JSON-RPC)", () => OWN],
  [
    has("arazzo"),
    "an Arazzo workflow, which only refers to descriptions",
    (it) => {
      const sources = listOf(it["sourceDescriptions"])
        .map((one) => textOf(objectOf(one)["url"]))
        .filter((one) => one !== undefined);
      return sources.length > 0 ? `give one of those it is about: ${sources.slice(0, 3).join(", ")}` : OWN;
    },
  ],
  [
    has("overlay"),
    "an OpenAPI overlay, which only changes a description",
    (it) => `apply it to ${textOf(it["extends"]) ?? "its description"} and give the result`,
  ],
  [
    has("swaggerVersion"),
    (it) => `a Swagger ${String(it["swaggerVersion"]).slice(0, 8)} description, older than 2.0`,
    () => CONVERT,
  ],
  [
    (it) =>
      /getpostman\.com/.test(String(objectOf(it["info"])["schema"])) ||
      (Array.isArray(it["item"]) && isObject(it["info"])),
    "a Postman collection",
    applicationIn,
  ],
  [
    (it) => isObject(it["collection"]) && isObject(objectOf(it["collection"])["info"]),
    "a Postman collection",
    applicationIn,
  ],
  [
    (it) => Array.isArray(objectOf(it["log"])["entries"]),
    "a HAR file: recorded requests, not a description",
    (it) => applicationIn(objectOf(it["log"])["entries"] ?? null),
  ],
  [(it) => it["_type"] === "export" && Array.isArray(it["resources"]), "an Insomnia export", applicationIn],
  [
    (it) => it["__schema"] !== undefined || objectOf(it["data"])["__schema"] !== undefined,
    "a GraphQL schema (an introspection result)",
    () => GRAPHQL,
  ],
  [
    (it) => listOf(it["errors"]).some((one) => /query|graphql|operation/i.test(String(objectOf(one)["message"]))),
    "the answer of a GraphQL service",
    () => GRAPHQL,
  ],
  [(it) => /^discovery#/.test(String(it["kind"])), "a Google API discovery document", () => CONVERT],
  [has("smithy"), "a Smithy model", () => CONVERT],
  [
    (it) => Array.isArray(it["resources"]) && it["source"] !== undefined && it["version"] !== undefined,
    "a schema document of agentd, which needs no sync",
    () => "serve it with agentd serve --schema",
  ],
  [
    (it) => /json-schema\.org/.test(String(it["$schema"])),
    "a JSON Schema: it describes data, not operations",
    () => OWN,
  ],
  [
    (it) => has("paths")(it) || isObject(objectOf(it["components"])["schemas"]),
    'part of an OpenAPI description without its "openapi" field',
    () => 'give the main file, or add "openapi": "3.1.0" when this is all of it',
  ],
];

/** Texts by how they begin, or what they hold near their beginning. */
const TEXTS: readonly [test: RegExp, what: string, next: string, isFinal?: false][] = [
  [/^\s*$/, "empty", "check what writes it"],
  [/^%PDF/, "a PDF file", OWN],
  [/^PK\u0003\u0004/, "a ZIP archive", "unpack it and give the description in it"],
  [/^version https:\/\/git-lfs/, "a Git LFS pointer, not the file itself", "fetch the file with git lfs pull"],
  [/^#%RAML/, "a RAML description", CONVERT],
  [/^\s*FORMAT:\s*1A/, "an API Blueprint", CONVERT],
  [/<(?:\w+:)?definitions\b[^>]*schemas\.xmlsoap\.org\/wsdl/, "a WSDL description of a SOAP service", SOAP],
  [/<(?:\w+:)?description\b[^>]*w3\.org\/ns\/wsdl/, "a WSDL 2.0 description of a SOAP service", SOAP],
  [/<(?:\w+:)?application\b[^>]*wadl/, "a WADL description", CONVERT],
  [/<(?:\w+:)?Edmx\b/, "OData metadata", CONVERT],
  [/^\s*<(?:\?xml|\w+:\w|[A-Za-z]\w*[\s>])/, "an XML text", OWN, false],
];
/** The same, behind comments and descriptions. */
const CODE: readonly [test: RegExp, what: string, next: string][] = [
  [/^syntax\s*=\s*["']proto/, "a Protocol Buffers file (gRPC)", OWN],
  [/^import\s+["']@typespec\//, "a TypeSpec file", "compile it to OpenAPI (tsp compile) and give the result"],
  [
    /^(?:extend\s+)?(?:schema\b[^{\n:]*\{|(?:type|interface|input|enum)\s+\w+[^\n:{]*\{|scalar\s+\w|union\s+\w+\s*=|directive\s+@)/,
    "a GraphQL schema",
    GRAPHQL,
  ],
];

/** What an error of a server says. */
function errorMessage(value: JsonObject): string | undefined {
  const error = value["error"];
  const place = isObject(error) ? error : value;
  const texts = ["message", "error_description", "detail", "title", "error", "msg"].map((key) => textOf(place[key]));
  return texts
    .find((text) => text !== undefined)
    ?.replaceAll(/\s+/g, " ")
    .slice(0, 100);
}

/** The first link of a Markdown text that looks like a description's. */
function linkIn(text: string): string | undefined {
  return /[^\s()<>"'`]*(?:openapi|swagger)[^\s()<>"'`]*\.(?:json|ya?ml)/i.exec(text.slice(0, 200_000))?.[0];
}

/** A text that is neither JSON nor YAML, or is YAML by accident. */
export function recogniseText(text: string, name: string): Recognised | undefined {
  const head = text.slice(0, 20_000);
  const row = TEXTS.find(([test]) => test.test(head));
  if (row) return { what: row[1], next: row[2], isFinal: row[3] ?? true };
  const code = head.replace(/^(?:\s+|#[^\n]*\n|\/\/[^\n]*\n)+/, "").replace(/^"""[\s\S]*?"""\s*|^"[^"\n]*"\s+/, "");
  const found = CODE.find(([test]) => test.test(code));
  if (found) return { what: found[1], next: found[2], isFinal: true };
  if (/\.(?:md|markdown)$/i.test(name) || /^\s*#{1,3} \S/.test(head) || /^```/m.test(head)) {
    const link = linkIn(text);
    return { what: "a Markdown text", next: link ? `give the description it mentions: ${link}` : OWN, isFinal: true };
  }
  if (head.includes("\0")) return { what: "not a text", next: OWN, isFinal: true };
  return undefined;
}

/** A value that names no version of OpenAPI. */
export function recogniseValue(value: JsonValue): Recognised {
  if (Array.isArray(value))
    return { what: `a list of ${value.length} values: data, not a description`, next: OWN, isFinal: false };
  if (!isObject(value)) return { what: "a plain text", next: OWN, isFinal: false };
  const row = OBJECTS.find(([test]) => test(value));
  if (row) {
    const [, what, next = () => OWN] = row;
    return { what: typeof what === "string" ? what : what(value), next: next(value), isFinal: true };
  }
  const message = errorMessage(value);
  if (message !== undefined) return { what: `an answer that says "${message}"`, next: OWN, isFinal: false };
  const names = Object.keys(value).slice(0, 5).join(", ").slice(0, 80);
  return {
    what: `data with ${names === "" ? "no fields" : `the fields ${names}`}: it has neither an "openapi" nor a "swagger" field`,
    next: OWN,
    isFinal: false,
  };
}
