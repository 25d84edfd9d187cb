// The schemas of a description as JSON Schema 2020-12, made of its own text beside the program: what the source says a value may
// be. References stay references, into `definitions`; what a client may not send (`readOnly`) is left out.
// Source: OpenAPI 3.0.3 and 3.1, Schema and Discriminator Objects; Swagger 2.0, Schema and Items Objects.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import type { Reader } from "./reader.js";
import { keywords, meant } from "./source-keywords.js";

const NONE: ReadonlySet<string> = new Set();
/** Parts of a schema inside of parts. */
const MAX_PARTS = 50;
const SAME_VALUE = ["allOf", "oneOf", "anyOf"];
const ONE = ["not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"];
const BY_NAME = ["patternProperties", "dependentSchemas"];

/** Where a schema is translated. */
interface Around {
  file: string;
  /** Names that a client may not send, by what is around. */
  hidden: ReadonlySet<string>;
  /** Whether a base schema is just itself, as inside of what builds on it. */
  plain: boolean;
  depth: number;
}

/** What a discriminator picks: a reference, and the values that pick it. */
interface Pick {
  id: string;
  value: string;
}

const propertyOf = (schema: JsonObject): string | undefined => {
  const { discriminator } = schema;
  const name = isObject(discriminator) ? discriminator["propertyName"] : discriminator;
  return typeof name === "string" ? name : undefined;
};

/** The schemas of one description. */
export class SourceSchemas {
  /** What translated schemas refer to, by name. */
  readonly definitions: Record<string, JsonValue> = {};
  private readonly reader: Reader;
  private readonly root: string;
  private readonly names = new Map<string, string>();
  private readonly queue: (() => void)[] = [];
  private readonly components: Map<string, string>;
  private readonly ignoresSiblings: boolean;
  private readonly isSwagger: boolean;

  constructor(reader: Reader, root: string) {
    this.reader = reader;
    this.root = root;
    const document = reader.load(root);
    this.isSwagger = document["swagger"] !== undefined;
    this.ignoresSiblings = this.isSwagger || String(document["openapi"]).startsWith("3.0");
    const [way, schemas] = this.isSwagger
      ? ["#/definitions/", objectOf(document["definitions"])]
      : ["#/components/schemas/", reader.follow(objectOf(document["components"])["schemas"], root).value];
    this.components = new Map(
      Object.keys(schemas).map((name) => [name, `${way}${name.replaceAll("~", "~0").replaceAll("/", "~1")}`]),
    );
  }

  /** A schema in JSON Schema 2020-12; its references lead into `definitions`, which has them all. */
  translate(given: JsonValue | undefined, file: string): JsonValue {
    const out = this.convert(given, { file, hidden: NONE, plain: false, depth: 0 });
    for (let next = this.queue.pop(); next; next = this.queue.pop()) next();
    return out;
  }

  /** The names of an object that a client may not send: in one of its parts is enough. */
  private readOnlyNames(given: JsonValue | undefined, from: string, depth = 0): ReadonlySet<string> {
    const { value, file } = this.reader.follow(given, from);
    if (depth > MAX_PARTS) return NONE;
    const own = Object.entries(objectOf(value["properties"])).flatMap(([name, one]) =>
      this.isReadOnly(one, file, depth) ? [name] : [],
    );
    const parts = listOf(value["allOf"]).flatMap((part) => [...this.readOnlyNames(part, file, depth + 1)]);
    return own.length + parts.length > 0 ? new Set([...own, ...parts]) : NONE;
  }

  private isReadOnly(given: JsonValue, from: string, depth: number): boolean {
    if (objectOf(given)["readOnly"] === true) return true;
    const { value, file } = this.reader.follow(given, from);
    if (value["readOnly"] === true) return true;
    return depth < MAX_PARTS && listOf(value["allOf"]).some((part) => this.isReadOnly(part, file, depth + 1));
  }

  /** Whether a schema is, through nothing but parts and choices, the one at an address: it would never end. */
  private leadsTo(id: string, given: JsonValue, from: string, seen = new Set<string>()): boolean {
    const ref = objectOf(given)["$ref"];
    if (typeof ref === "string") {
      const found = this.reader.locate(ref, from);
      if (found.id === id) return true;
      if (seen.has(found.id)) return false;
      seen.add(found.id);
      return this.leadsTo(id, found.value, found.file, seen);
    }
    return SAME_VALUE.flatMap((key) => listOf(objectOf(given)[key])).some((part) => this.leadsTo(id, part, from, seen));
  }

  private refer(ref: string, { file, plain }: Around): JsonObject {
    const { id, value, file: own } = this.reader.locate(ref, file);
    const picked = plain ? [] : this.picksOf(id, value, own);
    const key = plain && this.picksOf(id, value, own).length > 0 ? `${id}|plain` : id;
    let name = this.names.get(key);
    if (name === undefined) {
      this.names.set(key, (name = `d${this.names.size}`));
      const around: Around = { file: own, hidden: NONE, plain: key !== id, depth: 0 };
      const as = name;
      this.queue.push(() => {
        this.definitions[as] =
          picked.length > 0
            ? {
                anyOf: picked.map((one) =>
                  this.pinned(one.id, own, { property: propertyOf(value) ?? "", values: [one.value], base: id }),
                ),
              }
            : this.convert(value, around, id);
      });
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** What the discriminator of a base schema picks from: what its mapping names, what else builds on it, in Swagger 2.0 itself too. */
  private picksOf(id: string, value: JsonObject, file: string): Pick[] {
    if (propertyOf(value) === undefined || Array.isArray(value["oneOf"]) || Array.isArray(value["anyOf"])) return [];
    const mapping = Object.entries(objectOf(objectOf(value["discriminator"])["mapping"]));
    const mapped = mapping.map(([text, to]): Pick => ({ value: text, id: this.target(to, file) }));
    const isMapped = (one: string): boolean => mapped.some((pick) => pick.id === one);
    const picks = [...mapped, ...this.heirs(id).filter((one) => one.id !== id && !isMapped(one.id))];
    const name = [...this.components].find(([, ref]) => this.reader.end(ref, this.root) === id)?.[0];
    if (this.isSwagger && picks.length > 0 && !isMapped(id) && name !== undefined) picks.push({ id, value: name });
    return picks;
  }

  private target(to: JsonValue, file: string): string {
    const text = String(to);
    return this.reader.end(
      /[#/]/.test(text) ? text : (this.components.get(text) ?? text),
      /[#/]/.test(text) ? file : this.root,
    );
  }

  private heirs(base: string): Pick[] {
    return [...this.components].flatMap(([value, ref]) => {
      const id = this.reader.end(ref, this.root);
      const { value: schema, file } = this.reader.locate(id, this.root);
      const refs = listOf(schema["allOf"]).map((part) => objectOf(part)["$ref"]);
      return refs.some((one) => typeof one === "string" && this.reader.end(one, file) === base) ? [{ id, value }] : [];
    });
  }

  /** The values that a schema itself limits a property to. */
  private limits(id: string, property: string, depth = 0): JsonValue[] | undefined {
    const { value, file } = this.reader.locate(id, this.root);
    const own = this.reader.follow(objectOf(value["properties"])[property], file).value;
    if (own["const"] !== undefined) return [own["const"]];
    if (Array.isArray(own["enum"])) return own["enum"];
    if (depth > MAX_PARTS) return undefined;
    for (const part of listOf(value["allOf"])) {
      const { $ref, properties } = objectOf(part);
      const inside = this.reader.follow(objectOf(properties)[property], file).value;
      const found =
        typeof $ref === "string" ? this.limits(this.reader.end($ref, file), property, depth + 1) : inside["enum"];
      if (Array.isArray(found)) return found;
    }
    return undefined;
  }

  /** A branch with the value of the discriminating property that picks it. */
  private pinned(
    ref: string,
    file: string,
    { property, values, base }: { property: string; values: string[] | undefined; base?: string },
  ): JsonObject {
    const id = this.reader.end(ref, file);
    const referred = this.refer(id, { file, hidden: NONE, plain: id === base, depth: 0 });
    const limited = this.limits(id, property);
    if (limited?.length === 1 || (limited && !values)) return referred;
    const named = [...this.components].find(([, one]) => this.reader.end(one, this.root) === id)?.[0];
    const last = decodeURIComponent(id.split("/").at(-1) ?? "").replace(/\.(json|ya?ml)#?$/, "");
    const properties = Object.fromEntries([[property, { enum: values ?? [named ?? last] }]]);
    return { allOf: [referred, { type: "object", properties, required: [property] }] };
  }

  /** Another description of the same value. `self` is the address of the schema it is part of. */
  private part(given: JsonValue, around: Around, self: string | undefined): JsonValue | undefined {
    const ref = objectOf(given)["$ref"];
    if (self !== undefined && this.leadsTo(self, given, around.file)) return undefined;
    if (typeof ref !== "string") return this.convert(given, around, self);
    const { id, value, file } = this.reader.locate(ref, around.file);
    const own = this.readOnlyNames(value, file);
    const hidesMore = [...around.hidden].some((name) => !own.has(name));
    const isBase = self !== undefined && this.picksOf(id, value, file).some((one) => one.id === self);
    const plain = around.plain || isBase;
    if (hidesMore && around.depth < MAX_PARTS)
      return this.convert(value, { ...around, file, plain, depth: around.depth + 1 }, id);
    return this.refer(ref, { ...around, plain });
  }

  private combined(value: JsonObject, around: Around, self: string | undefined): JsonObject {
    const out: JsonObject = {};
    const property = propertyOf(value);
    const mapping = Object.entries(objectOf(objectOf(value["discriminator"])["mapping"]));
    for (const key of SAME_VALUE) {
      const parts = listOf(value[key]).flatMap((part) => {
        const ref = objectOf(part)["$ref"];
        if (property === undefined || typeof ref !== "string" || key === "allOf")
          return this.part(part, around, self) ?? [];
        if (self !== undefined && this.leadsTo(self, part, around.file)) return [];
        const id = this.reader.end(ref, around.file);
        const values = mapping.flatMap(([text, to]) => (this.target(to, around.file) === id ? [text] : []));
        return this.pinned(ref, around.file, { property, values: values.length > 0 ? values : undefined });
      });
      if (parts.length > 0) out[key] = parts;
    }
    return out;
  }

  private members(value: JsonObject, { file }: Around, hidden: ReadonlySet<string>): JsonObject {
    const inner: Around = { file, hidden: NONE, plain: false, depth: 0 };
    const out: JsonObject = {};
    const all = Object.entries(objectOf(value["properties"]));
    const visible = all.filter(([name]) => !hidden.has(name));
    if (all.length > 0)
      out["properties"] = Object.fromEntries(visible.map(([name, one]) => [name, this.convert(one, inner)]));
    const { additionalProperties: rest, patternProperties } = value;
    // What an object requires and forbids at once need not be sent.
    const isForbidden = (name: string): boolean =>
      rest === false && !isObject(patternProperties) && !all.some(([one]) => one === name);
    const required = listOf(value["required"]).filter(
      (name) => typeof name === "string" && !hidden.has(name) && !isForbidden(name),
    );
    if (required.length > 0) out["required"] = [...new Set(required)];
    if (isObject(rest) || typeof rest === "boolean") out["additionalProperties"] = this.convert(rest, inner);
    for (const key of BY_NAME)
      if (isObject(value[key]))
        out[key] = Object.fromEntries(
          Object.entries(objectOf(value[key])).map(([name, one]) => [name, this.convert(one, inner)]),
        );
    const tuple = Array.isArray(value["items"]) ? value["items"] : listOf(value["prefixItems"]);
    if (tuple.length > 0) out["prefixItems"] = tuple.map((one) => this.convert(one, inner));
    const items = Array.isArray(value["items"]) ? value["additionalItems"] : value["items"];
    if (isObject(items) || typeof items === "boolean") out["items"] = this.convert(items, inner);
    for (const key of ONE)
      if (isObject(value[key]) || typeof value[key] === "boolean") out[key] = this.convert(value[key], inner);
    return out;
  }

  private convert(described: JsonValue | undefined, around: Around, self?: string): JsonValue {
    if (typeof described === "boolean") return described;
    if (!isObject(described)) return {};
    const given = meant(described);
    const { $ref, ...siblings } = given;
    if (typeof $ref === "string") {
      const target = this.refer($ref, around);
      return this.ignoresSiblings ? target : { ...objectOf(this.convert(siblings, around)), ...target };
    }
    const own = this.readOnlyNames(given, around.file);
    const hidden = own.size === 0 ? around.hidden : new Set([...own, ...around.hidden]);
    return {
      ...keywords(given),
      ...this.members(given, around, hidden),
      ...this.combined(given, { ...around, hidden }, self),
    };
  }
}
