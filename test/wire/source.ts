// What a description says its operations take, read from its own text: nothing of the program's reading is used, so that what the
// program loses on the way to a tool is missed here. References are followed as the standards say, into other files too.
// Source: OpenAPI 3.1, Path Item, Operation, Parameter and Request Body Objects; Swagger 2.0, Parameter Object.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];
/** References to references. */
const MAX_HOPS = 20;
/** Parts of a schema inside of parts. */
const MAX_PARTS = 50;

/** A value with the file it stands in: its references are relative to that. */
interface Place {
  value: JsonObject;
  file: string;
}

/** One parameter, by its location and its name in the request. */
export interface SourceParameter {
  location: string;
  name: string;
  required: boolean;
}

/** A body in one media type. */
export interface SourceBody {
  contentType: string;
  /** The members that a client may send; undefined for what is no plain object. */
  members: string[] | undefined;
}

/** What one operation takes. */
export interface SourceOperation {
  method: string;
  path: string;
  parameters: SourceParameter[];
  bodies: SourceBody[];
}

/** Reads the files of one description. */
class Reader {
  private readonly files = new Map<string, JsonObject>();

  load(file: string): JsonObject {
    let known = this.files.get(file);
    if (!known) {
      const text = readFileSync(file, "utf8");
      known = /\.json$/.test(file)
        ? (JSON.parse(text) as JsonObject)
        : (parse(text, { merge: true, uniqueKeys: false, maxAliasCount: -1, logLevel: "error" }) as JsonObject);
      this.files.set(file, known);
    }
    return known;
  }

  /** The value itself, or what its reference leads to; an empty one where it leads nowhere. */
  follow(given: JsonValue | undefined, from: string): Place {
    let place: Place = { value: objectOf(given), file: from };
    for (let hop = 0; hop < MAX_HOPS && typeof place.value["$ref"] === "string"; hop++) {
      const [address = "", pointer = ""] = place.value["$ref"].split("#");
      if (/^https?:/.test(address)) return { value: {}, file: from };
      const file = address === "" ? place.file : resolve(dirname(place.file), address);
      let node: JsonValue | undefined = this.load(file);
      for (const step of pointer.split("/").slice(1)) {
        const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
        node = (Array.isArray(node) ? node[Number(name)] : objectOf(node)[name]) as JsonValue | undefined;
        if (isObject(node) && typeof node["$ref"] === "string" && Object.keys(node).length === 1)
          node = this.follow(node, file).value;
      }
      place = { value: objectOf(node), file };
    }
    return place;
  }

  private isReadOnly(given: JsonValue, file: string): boolean {
    const { value, file: own } = this.follow(given, file);
    return (
      value["readOnly"] === true || listOf(value["allOf"]).some((part) => objectOf(part)["readOnly"] === true && own)
    );
  }

  /** The members of an object and of its parts that a client may send; undefined where it is no plain object. */
  members(given: JsonValue | undefined, from: string, depth = 0): Map<string, boolean> | undefined {
    const { value, file } = this.follow(given, from);
    if (depth > MAX_PARTS || ["oneOf", "anyOf", "not", "if"].some((key) => value[key] !== undefined)) return undefined;
    if (![value["type"] ?? "object"].flat().includes("object")) return undefined;
    const all = new Map<string, boolean>();
    const add = (name: string, isReadOnly: boolean): void => void all.set(name, isReadOnly || all.get(name) === true);
    for (const part of listOf(value["allOf"])) {
      const inner = this.members(part, file, depth + 1);
      if (!inner) return undefined;
      for (const [name, isReadOnly] of inner) add(name, isReadOnly);
    }
    for (const [name, schema] of Object.entries(objectOf(value["properties"])))
      add(name, this.isReadOnly(schema, file));
    return all;
  }

  bodyOf(contentType: string, schema: JsonValue | undefined, file: string): SourceBody {
    const members = this.members(schema, file);
    const sent = members && [...members].flatMap(([name, isReadOnly]) => (isReadOnly ? [] : [name]));
    return { contentType, members: sent?.length ? sent : undefined };
  }
}

/** What the parameters of an operation are: its own over those of its path. */
function parametersOf(reader: Reader, lists: readonly (readonly [JsonValue | undefined, string])[]): Place[] {
  const all = new Map<string, Place>();
  for (const [list, file] of lists)
    for (const one of listOf(list)) {
      const place = reader.follow(one, file);
      all.set(`${place.value["in"]} ${place.value["name"]}`, place);
    }
  return [...all.values()];
}

function bodiesOf(reader: Reader, operation: Place, parameters: readonly Place[]): SourceBody[] {
  const body = reader.follow(operation.value["requestBody"], operation.file);
  const bodies = Object.entries(objectOf(body.value["content"])).map(([type, media]) =>
    reader.bodyOf(type, objectOf(media)["schema"], body.file),
  );
  for (const { value, file } of parameters)
    if (value["in"] === "body") bodies.push(reader.bodyOf("*", value["schema"], file));
  const fields = parameters.filter(({ value }) => value["in"] === "formData").map(({ value }) => String(value["name"]));
  return fields.length > 0 ? [...bodies, { contentType: "*", members: fields }] : bodies;
}

/** Every operation of the description in a file, by "METHOD path". */
export function sourceOperations(file: string): Map<string, SourceOperation> {
  const reader = new Reader();
  const root = resolve(file);
  const found = new Map<string, SourceOperation>();
  for (const [path, given] of Object.entries(objectOf(reader.load(root)["paths"]))) {
    const referred = reader.follow(given, root);
    const item: Place = { value: { ...referred.value, ...objectOf(given) }, file: referred.file };
    for (const method of METHODS) {
      if (!isObject(item.value[method])) continue;
      const isOwn = isObject(objectOf(given)[method]);
      const operation = reader.follow(item.value[method], isOwn ? root : item.file);
      const all = parametersOf(reader, [
        [item.value["parameters"], objectOf(given)["parameters"] === undefined ? item.file : root],
        [operation.value["parameters"], operation.file],
      ]);
      const parameters = all
        .filter(({ value }) => !["body", "formData"].includes(String(value["in"])))
        .map(({ value }) => ({
          location: String(value["in"]),
          name: String(value["name"]),
          required: value["required"] === true,
        }));
      const bodies = bodiesOf(reader, operation, all);
      found.set(`${method.toUpperCase()} ${path}`, { method, path, parameters, bodies });
    }
  }
  return found;
}
