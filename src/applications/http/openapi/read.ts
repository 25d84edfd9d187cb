// Reading an untrusted description value by value: each function gives the shape asked for or nothing.
// Also the two ways an import goes wrong without ending: an operation that is skipped, and a warning.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../../lib/json.js";

/** Characters of a sentence of the report: what the author named in a million of them is shown by its beginning. */
const MAX_SENTENCE = 1_000;
/** Characters of a path in it. */
const MAX_SHOWN_PATH = 200;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** A sentence as the report has it. */
export const reported = (sentence: string): string => cut(sentence, MAX_SENTENCE);

/** One operation cannot be imported; the message is the reason in the report. */
export class ImportProblem extends Error {
  constructor(reason: string) {
    super(reported(reason));
  }
}

/** Collects what a person should know though nothing failed; repeated sentences count once. */
export type Warn = (sentence: string) => void;

/** One operation of a description, with the path item it stands in. */
export interface PathOperation {
  /** In lower case, but for one among `additionalOperations`, which is as it is sent. */
  method: string;
  /** Whether it stands among `additionalOperations`. */
  isAdditional: boolean;
  path: string;
  item: JsonObject;
  operation: JsonObject;
}

/** An operation as people name it: "GET /pets". */
export function operationTitle({ method, path }: Pick<PathOperation, "method" | "path">): string {
  return `${method.toUpperCase()} ${cut(path, MAX_SHOWN_PATH)}`;
}

/** The value as a text with something in it. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Any value as a text, to be compared or shown: an object of the author's may have a `toString` that is no function. */
export function spelled(value: JsonValue | undefined): string {
  return typeof value === "object" && value !== null ? toJson(value) : String(value);
}

/** Levels of lists and objects in a value that is kept as it is: more of them could not be read back where they stand. */
const MAX_LEVELS = 16;

/** Whether a value is nested no deeper than what is kept as it is may be. */
export function isShallow(value: JsonValue | undefined, levels = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** A copy without the members that are undefined, at any depth: as JSON has it. */
export function withoutUndefined(value: object): JsonObject {
  const copy = (inner: unknown): JsonValue => {
    if (Array.isArray(inner)) return inner.map(copy);
    return isObject(inner) ? withoutUndefined(inner) : (inner as JsonValue);
  };
  const known = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(known.map(([key, inner]) => [key, copy(inner)]));
}

/**
 * Keys under which every key is a name of the author's, so that "example" below them is no example. A `$ref` with a text is a
 * reference there too: some keep the whole map in another file.
 */
const NAME_MAPS = new Set(
  [
    "properties patternProperties dependentSchemas $defs definitions schemas",
    "paths pathItems webhooks additionalOperations parameters requestBodies content mediaTypes encoding",
    "responses headers links callbacks securitySchemes securityDefinitions",
  ].flatMap((words) => words.split(" ")),
);
/** Keys that hold data, not description. */
const DATA = new Set(["example", "examples", "default", "enum", "const"]);

/** What stands under a key that is a keyword: data, which stays as it is; a map by names of the author's; or more description. */
export function contentOf(key: string): "data" | "names" | "description" {
  if (DATA.has(key) || key.startsWith("x-")) return "data";
  return NAME_MAPS.has(key) ? "names" : "description";
}

/** The root's field under which the other files of a description hang, by name. */
export const FILES = "x-agentd-files";

/** The field of a parameter or an encoding with the styles of lists inside of its list, the outermost first; OpenAPI has none. */
export const INNER_STYLES = "x-agentd-inner-styles";

/** Whether a description has JSON Schema as it is (from OpenAPI 3.1 on): addresses and names of schemas, and keywords beside a `$ref`. */
export function hasIdentifiers(root: JsonObject): boolean {
  const version = root["openapi"];
  return version !== undefined && !spelled(version).startsWith("3.0") && spelled(version) !== "3";
}

/** Whether the fields of a multipart body are written in a style: from OpenAPI 3.1 on, and in Swagger 2.0; 3.0 ignores styles there. */
export function hasStyledParts(root: JsonObject): boolean {
  return hasIdentifiers(root) || root["swagger"] !== undefined;
}
