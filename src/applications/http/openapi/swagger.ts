// Swagger 2.0 to OpenAPI 3.0, by the library that has seen the most of it; here only what must hold before it runs.
// The library is never given a file name or an address, and its own resolver stays off: it does no I/O.
import { messageOf, StartError } from "../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { FILES } from "./bundle.js";
import { listOf, objectOf } from "./read.js";
import { createRefs } from "./refs.js";

/** Parameters, responses and path items of other files are written out: the library converts them only where they stand. */
function inlineForeign(root: JsonObject): void {
  const refs = createRefs(root, new Map());
  const inline = (value: JsonValue | undefined): JsonValue | undefined => {
    const foreign = isObject(value) && typeof value["$ref"] === "string" && value["$ref"].startsWith(`#/${FILES}/`);
    return foreign ? structuredClone(refs.follow(value)) : value;
  };
  const inlineAll = (holder: JsonObject): void => {
    for (const [key, value] of Object.entries(holder)) holder[key] = inline(value) ?? value;
  };
  const paths = objectOf(root["paths"]);
  inlineAll(paths);
  for (const item of Object.values(paths).map(objectOf)) {
    for (const place of [item, ...Object.values(item).map(objectOf)]) {
      if (Array.isArray(place["parameters"]))
        place["parameters"] = listOf(place["parameters"]).map((parameter) => inline(parameter) ?? parameter);
      if (isObject(place["responses"])) inlineAll(place["responses"]);
    }
  }
}

function withoutBigints(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigints(inner)]));
}

/** Converts a Swagger 2.0 description. Throws StartError naming `where` when the library cannot. */
export async function upgradeSwagger(root: JsonObject, where: string): Promise<JsonObject> {
  const { default: library } = await import("swagger2openapi");
  try {
    if (FILES in root) inlineForeign(root);
    const input = withoutBigints({
      ...root,
      swagger: "2.0",
      info: { title: "", version: "", ...objectOf(root["info"]) },
    });
    // `text` is only quoted in the library's own reports; without it the library would serialise the whole document.
    const options = { patch: true, warnOnly: true, resolve: false, text: "{}" };
    const { openapi } = await library.convertObj(objectOf(input), options);
    return openapi;
  } catch (error) {
    throw new StartError(`${where} cannot be converted from Swagger 2.0: ${messageOf(error)}`, { cause: error });
  }
}
