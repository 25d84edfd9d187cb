// What a description says its operations take, read from its own text: nothing of the program's reading is used, so that what the
// program loses on the way to a tool is missed here. References are followed as the standards say, into other files too.
// Source: OpenAPI 3.1, Path Item, Operation, Parameter and Request Body Objects; Swagger 2.0, Parameter Object.
import { resolve } from "node:path";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import { type Place, Reader } from "./reader.js";
import { SourceSchemas } from "./source-schema.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "query"];
/** Parts of a schema inside of parts. */
const MAX_PARTS = 50;

/** How a value is written where everything is text. */
export interface SourceStyle {
  style: string;
  explode: boolean;
  /** Serialised as JSON first. */
  asJson: boolean;
  /** Reserved characters that end nothing stand as they are. */
  allowReserved: boolean;
}

/** One parameter, by its location and its name in the request. */
export interface SourceParameter extends SourceStyle {
  location: string;
  name: string;
  required: boolean;
  /** JSON Schema 2020-12. */
  schema: JsonValue;
}

/** A body in one media type, or a whole query string. */
export interface SourceBody {
  contentType: string;
  required: boolean;
  /** The members that a client may send; undefined for what is no plain object. */
  members: string[] | undefined;
  /** JSON Schema 2020-12. */
  schema: JsonValue;
  /** How single fields are written, by name. */
  encoding: JsonObject;
}

/** What one operation takes. */
export interface SourceOperation {
  method: string;
  path: string;
  parameters: SourceParameter[];
  /** The query string where it is described as a whole (OpenAPI 3.2, `in: querystring`). */
  queryString?: SourceBody | undefined;
  bodies: SourceBody[];
}

/** What a description says: its operations by "METHOD path", and what their schemas refer to. */
export interface SourceDescription {
  operations: Map<string, SourceOperation>;
  definitions: JsonObject;
}

const STYLES: Readonly<Record<string, string>> = { path: "simple", query: "form", header: "simple", cookie: "form" };
/** Swagger 2.0's names for styles. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  csv: "form",
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
  multi: "form",
};

/** Reads one description. */
class Source {
  readonly reader = new Reader();
  readonly root: string;
  readonly schemas: SourceSchemas;
  private readonly isSwagger: boolean;
  /** Whether parts of a multipart body have styles: 3.0 ignores them. */
  private readonly hasStyles: boolean;

  constructor(file: string) {
    this.root = resolve(file);
    this.schemas = new SourceSchemas(this.reader, this.root);
    this.hasStyles = !String(this.reader.load(this.root)["openapi"]).startsWith("3.0");
    this.isSwagger = this.reader.load(this.root)["swagger"] !== undefined;
  }

  private isReadOnly(given: JsonValue, from: string): boolean {
    const { value } = this.reader.follow(given, from);
    return value["readOnly"] === true || listOf(value["allOf"]).some((part) => objectOf(part)["readOnly"] === true);
  }

  /** The members of an object and of its parts that a client may send; undefined where it is no plain object. */
  private members(given: JsonValue | undefined, from: string, depth = 0): Map<string, boolean> | undefined {
    const { value, file } = this.reader.follow(given, from);
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

  private bodyOf(
    contentType: string,
    media: JsonObject,
    { file, required }: { file: string; required: boolean },
  ): SourceBody {
    const { schema, itemSchema } = media;
    // A stream that is described by its items is the list of them (OpenAPI 3.2, Sequential Media Types).
    const whole = schema === undefined && itemSchema !== undefined ? { type: "array", items: itemSchema } : schema;
    const members = this.members(whole, file);
    const sent = members && [...members].flatMap(([name, isReadOnly]) => (isReadOnly ? [] : [name]));
    return {
      contentType,
      required,
      members: sent?.length ? sent : undefined,
      schema: this.schemas.translate(whole, file),
      encoding: this.hasStyles || !/^multipart/i.test(contentType) ? objectOf(media["encoding"]) : {},
    };
  }

  /** What the parameters of an operation are: its own over those of its path. */
  private gathered(lists: readonly (readonly [JsonValue | undefined, string])[]): Place[] {
    const all = new Map<string, Place>();
    for (const [list, file] of lists)
      for (const one of listOf(list)) {
        const place = this.reader.follow(one, file);
        all.set(`${place.value["in"]} ${place.value["name"]}`, place);
      }
    return [...all.values()];
  }

  private parameterOf({ value, file }: Place): SourceParameter {
    const location = String(value["in"]);
    const [media] = Object.values(objectOf(value["content"])).map(objectOf);
    const { collectionFormat = "csv", type } = value;
    const listed = location === "query" && type === "array" ? COLLECTIONS[String(collectionFormat)] : undefined;
    const style = (this.isSwagger ? listed : value["style"]) ?? STYLES[location] ?? "form";
    const exploded = value["explode"] ?? (style === "form" || style === "deepObject");
    return {
      location,
      name: String(value["name"]),
      required: value["required"] === true || location === "path",
      style: String(style),
      explode: this.isSwagger ? listed === undefined || collectionFormat === "multi" : exploded === true,
      asJson: media !== undefined,
      allowReserved: location === "query" && value["allowReserved"] === true,
      schema: this.schemas.translate(this.isSwagger ? itself(value) : (media ?? value)["schema"], file),
    };
  }

  private queryStringOf({ value, file }: Place): SourceBody[] {
    const required = value["required"] === true;
    return Object.entries(objectOf(value["content"])).map(([type, media]) => {
      const place = this.reader.follow(media, file);
      return this.bodyOf(type, place.value, { file: place.file, required });
    });
  }

  private bodiesOf(operation: Place, parameters: readonly Place[]): SourceBody[] {
    const { value: body, file } = this.reader.follow(operation.value["requestBody"], operation.file);
    const required = body["required"] === true;
    const bodies = Object.entries(objectOf(body["content"])).map(([type, media]) =>
      this.bodyOf(type, objectOf(media), { file, required }),
    );
    for (const { value, file: from } of parameters)
      if (value["in"] === "body")
        bodies.push(this.bodyOf("*", value, { file: from, required: value["required"] === true }));
    const fields = parameters.filter(({ value }) => value["in"] === "formData");
    return fields.length > 0 ? [...bodies, this.formOf(fields)] : bodies;
  }

  private formOf(fields: readonly Place[]): SourceBody {
    const nameOf = ({ value }: Place): string => String(value["name"]);
    const required = fields.filter(({ value }) => value["required"] === true).map(nameOf);
    const schema: JsonObject = {
      type: "object",
      properties: Object.fromEntries(
        fields.map((one) => [nameOf(one), this.schemas.translate(itself(one.value), one.file)]),
      ),
      required,
      additionalProperties: false,
    };
    const styled = fields.flatMap((one): [string, JsonObject][] => {
      const { type, collectionFormat = "csv" } = one.value;
      return type === "array" && collectionFormat !== "multi"
        ? [[nameOf(one), { style: COLLECTIONS[String(collectionFormat)] ?? "form", explode: false }]]
        : [];
    });
    const encoding = Object.fromEntries(styled);
    return { contentType: "*", required: required.length > 0, members: fields.map(nameOf), schema, encoding };
  }

  operationOf(title: readonly [method: string, path: string], item: Place, given: JsonObject): SourceOperation {
    const [method, path] = title;
    const isOwn = isObject(given[method]);
    const operation = this.reader.follow(item.value[method], isOwn ? this.root : item.file);
    const all = this.gathered([
      [item.value["parameters"], given["parameters"] === undefined ? item.file : this.root],
      [operation.value["parameters"], operation.file],
    ]);
    const apart = ["body", "formData", "querystring"];
    const parameters = all.filter(({ value }) => !apart.includes(String(value["in"])));
    const described = parameters.map((one) => this.parameterOf(one));
    const [queryString] = all
      .filter(({ value }) => value["in"] === "querystring")
      .flatMap((one) => this.queryStringOf(one));
    const bodies = this.bodiesOf(operation, all);
    return { method, path, parameters: inPlace(path, described), queryString, bodies };
  }
}

/** Each placeholder with what is described for it, be it under another name or in the query; a text where nothing is. */
function inPlace(path: string, described: readonly SourceParameter[]): SourceParameter[] {
  const left = new Set(described);
  const take = (one: SourceParameter | undefined): SourceParameter | undefined =>
    one && left.delete(one) ? one : undefined;
  const usual = {
    location: "path",
    required: true,
    style: "simple",
    explode: false,
    asJson: false,
    allowReserved: false,
  };
  const names = [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ""))];
  const isHole = (name: string): boolean => !described.some((one) => one.location === "path" && one.name === name);
  const spare = described.filter(({ location, name }) => location === "path" && !names.includes(name));
  const spoken = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const holes = names.filter(isHole);
  const filled = holes.map((name): SourceParameter => {
    const alike = spare.filter((one) => spoken(one.name) === spoken(name));
    const only = alike.length === 1 ? alike[0] : holes.length === 1 && spare.length === 1 ? spare[0] : undefined;
    const meant = take(only ?? described.find((one) => one.location === "query" && one.name === name));
    return { ...usual, schema: meant?.schema ?? { type: "string" }, name };
  });
  return [...filled, ...left];
}

/** The schema of a Swagger 2.0 parameter: its own keywords. */
function itself({ name: _, in: __, required: ___, ...keywords }: JsonObject): JsonObject {
  return keywords["type"] === undefined ? { type: "string", ...keywords } : keywords;
}

/** What the description in a file says. */
export function readSource(file: string): SourceDescription {
  const source = new Source(file);
  const operations = new Map<string, SourceOperation>();
  const { reader, root, schemas } = source;
  for (const [path, given] of Object.entries(objectOf(reader.load(root)["paths"]))) {
    const referred = reader.follow(given, root);
    const item: Place = { value: { ...referred.value, ...objectOf(given) }, file: referred.file };
    for (const method of METHODS)
      if (isObject(item.value[method]))
        operations.set(`${method.toUpperCase()} ${path}`, source.operationOf([method, path], item, objectOf(given)));
  }
  return { operations, definitions: schemas.definitions };
}
