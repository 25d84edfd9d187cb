// The form of a schema with everything inside it: what a person typed, ticked and added becomes a value, and a value what they would have
// typed. Simple fields are those of form.ts; what no form can hold is written as JSON. Pure. The daemon checks the value again.
import {
  isObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
  objectOf,
  parseJson,
  stringOf,
  textsOf,
  toJson,
} from "../lib/json.js";
import { referred, toPointer } from "../lib/json-pointer.js";
import { type FormField, fieldAnswer, formField } from "./form.js";

/** What is in a part of the form: a field, members, items, one of several forms, or JSON. Undefined for nothing. */
export type FormDraft =
  | { text: string }
  | { json: string }
  | { members: Readonly<Record<string, FormDraft | undefined>> }
  | { items: readonly (FormDraft | undefined)[] }
  | { variant: number; of: FormDraft | undefined };

/** A part of a form, one level deep: what is inside is made of its schemas when it is displayed. */
export type FormPart = { name: string; title: string; description: string; required: boolean } & (
  | { kind: "field"; field: FormField }
  | { kind: "json" }
  | { kind: "members"; properties: readonly { name: string; schema: JsonObject; required: boolean }[] }
  | { kind: "items"; schema: JsonObject; min: number; max: number }
  | { kind: "variants"; titles: readonly string[]; schemas: readonly JsonObject[] }
);

/** What a part comes to: a value, nothing, or what is wrong, by JSON Pointer. */
type PartAnswer = { value: JsonValue } | { errors: Readonly<Record<string, string>> } | Record<string, never>;

/** Where a part stands. */
export interface PartPlace {
  name: string;
  required: boolean;
  /** The schema of all, which references lead into. */
  root: JsonObject;
  /** How many parts it is inside of: what is deeper is written as JSON. */
  depth: number;
}

const MAX_DEPTH = 8;
const MAX_REFERENCES = 20;

const countOf = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

/** A schema without the reference it is, and without `null`: what is left out is as good. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  let found = schema;
  for (let n = 0; n < MAX_REFERENCES && typeof found["$ref"] === "string"; n++) {
    const { $ref: _, ...beside } = found;
    const target = referred(found, root);
    if (!isObject(target)) return found;
    found = { ...target, ...beside };
  }
  const { type } = found;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== "null");
    const [only] = types;
    if (types.length === 1 && only !== undefined) return { ...found, type: only };
  }
  for (const key of ["anyOf", "oneOf"]) {
    const list = found[key];
    if (!Array.isArray(list)) continue;
    const others = list.filter((one) => objectOf(one)["type"] !== "null");
    const [only] = others;
    const { [key]: _, ...beside } = found;
    if (others.length === 1 && isObject(only)) return resolved({ ...only, ...beside }, root);
  }
  return found;
}

/** Keywords that a form of members or items does not display: such a value is written as JSON. */
const UNDISPLAYED = ["allOf", "not", "if", "patternProperties", "prefixItems", "propertyNames"];

function variantsOf(schema: JsonObject): JsonObject[] {
  const list = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(list) || isObject(schema["properties"])) return [];
  const schemas = list.filter(isObject);
  return schemas.some((one) => Object.hasOwn(one, "const")) ? [] : schemas;
}

/** Whether the schema says itself that an object may have members that it does not name. */
function takesOthers({ additionalProperties: others }: JsonObject): boolean {
  return others === true || isObject(others);
}

/** The part of a schema. */
export function formPart(given: JsonObject, { name, required, root, depth }: PartPlace): FormPart {
  const schema = resolved(given, root);
  const about = {
    name,
    title: stringOf(schema["title"], name),
    description: stringOf(schema["description"]),
    required,
  };
  const isPlain = !UNDISPLAYED.some((key) => Object.hasOwn(schema, key)) && depth < MAX_DEPTH;
  const variants = variantsOf(schema);
  if (variants.length > 0 && isPlain) {
    const titles = variants.map((one, at) => {
      const inner = resolved(one, root);
      return stringOf(inner["title"], stringOf(inner["type"], `Form ${at + 1}`));
    });
    return { ...about, kind: "variants", titles, schemas: variants };
  }
  const { properties, items, type } = schema;
  if (isObject(properties) && isPlain && (type === "object" || type === undefined)) {
    const needed = new Set(textsOf(schema["required"]));
    const list = Object.entries(properties).map(([key, one]) => ({
      name: key,
      schema: objectOf(one),
      required: needed.has(key),
    }));
    const isDescribed = [...needed].every((key) => Object.hasOwn(properties, key));
    // A tool without parameters has nothing to ask for; an object inside others is written as JSON, whatever it may hold.
    const hasForm = list.length > 0 || (depth === 0 && !takesOthers(schema));
    if (hasForm && isDescribed) return { ...about, kind: "members", properties: list };
  }
  const field = formField(name, schema, required);
  if (field.kind !== "json") return { ...about, kind: "field", field };
  if (type === "array" && isObject(items) && isPlain && !Object.hasOwn(schema, "enum"))
    return {
      ...about,
      kind: "items",
      schema: items,
      min: countOf(schema["minItems"], 0),
      max: countOf(schema["maxItems"], Number.POSITIVE_INFINITY),
    };
  return { ...about, kind: "json" };
}

/** The errors of the parts inside, below their names. */
function below(name: string, { errors }: { errors: Readonly<Record<string, string>> }): [string, string][] {
  return Object.entries(errors).map(([pointer, error]) => [toPointer([name]) + pointer, error]);
}

/** Whether what is inside a part is displayed: not while it may be left out and is. */
export function isOpenGroup({ required, kind }: FormPart, draft: FormDraft | undefined): boolean {
  return required || draft !== undefined || kind === "items";
}

function membersAnswer(
  part: FormPart & { kind: "members" },
  draft: FormDraft | undefined,
  place: PartPlace,
): PartAnswer {
  const members = draft && "members" in draft ? draft.members : {};
  if (!draft && !part.required) return {};
  const values: [string, JsonValue][] = [];
  const errors: [string, string][] = [];
  for (const { name, schema, required } of part.properties) {
    const own = Object.hasOwn(members, name) ? members[name] : undefined;
    const answer = partAnswer(schema, own, { name, required, root: place.root, depth: place.depth + 1 });
    if ("errors" in answer) errors.push(...below(name, answer as { errors: Record<string, string> }));
    else if ("value" in answer) values.push([name, answer.value as JsonValue]);
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { value: Object.fromEntries(values) };
}

function itemsAnswer(part: FormPart & { kind: "items" }, draft: FormDraft | undefined, place: PartPlace): PartAnswer {
  if (!draft && !part.required) return {};
  const items = draft && "items" in draft ? draft.items : [];
  if (items.length < part.min) return { errors: { "": `This needs at least ${part.min} entries.` } };
  if (items.length > part.max) return { errors: { "": `This takes at most ${part.max} entries.` } };
  const values: JsonValue[] = [];
  const errors: [string, string][] = [];
  for (const [at, item] of items.entries()) {
    const name = String(at);
    const answer = partAnswer(part.schema, item, { name, required: true, root: place.root, depth: place.depth + 1 });
    if ("errors" in answer) errors.push(...below(name, answer as { errors: Record<string, string> }));
    else if ("value" in answer) values.push(answer.value as JsonValue);
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { value: values };
}

function jsonAnswer(text: string, required: boolean): PartAnswer {
  if (text.trim() === "") return required ? { errors: { "": "This needs an answer." } } : {};
  try {
    return { value: parseJson(text) };
  } catch {
    return { errors: { "": "This needs a value as JSON." } };
  }
}

/** What is in a part of the form as a value. */
export function partAnswer(schema: JsonObject, draft: FormDraft | undefined, place: PartPlace): PartAnswer {
  if (draft && "json" in draft) return jsonAnswer(draft.json, place.required);
  const part = formPart(schema, place);
  switch (part.kind) {
    case "field": {
      // An empty text that somebody left in a field is nothing; one that was put there on purpose is written as JSON.
      const answer = fieldAnswer(part.field, draft && "text" in draft ? draft.text : "");
      if ("error" in answer) return { errors: { "": `This needs ${answer.error}.` } };
      return answer;
    }
    case "json":
      return jsonAnswer("", place.required);
    case "members":
      return membersAnswer(part, draft, place);
    case "items":
      return itemsAnswer(part, draft, place);
    case "variants": {
      if (!draft && !place.required) return {};
      const { variant = 0, of = undefined } = draft && "variant" in draft ? draft : {};
      const inner = part.schemas[variant] ?? {};
      return partAnswer(inner, of, { ...place, required: true, depth: place.depth + 1 });
    }
    default:
      return part satisfies never;
  }
}

/** A value as it would have been typed; as JSON where the form cannot hold it. */
export function toDraft(schema: JsonObject, value: JsonValue, place: PartPlace): FormDraft {
  const draft = draftOf(formPart(schema, place), value, place);
  const answer = draft && partAnswer(schema, draft, place);
  const isSame = answer && "value" in answer && isSameJson(answer.value, value);
  return draft && isSame ? draft : { json: toJson(value, 2) };
}

function draftOf(part: FormPart, value: JsonValue, place: PartPlace): FormDraft | undefined {
  const inside = { root: place.root, depth: place.depth + 1 };
  switch (part.kind) {
    case "field": {
      const { initial } = formField(part.name, { ...fieldSchema(part.field), default: value }, part.required);
      return initial === "" ? undefined : { text: initial };
    }
    case "json":
      return undefined;
    case "members": {
      if (!isObject(value)) return undefined;
      const members = part.properties.flatMap(({ name, schema, required }): [string, FormDraft][] => {
        const own = Object.hasOwn(value, name) ? value[name] : undefined;
        return own === undefined ? [] : [[name, toDraft(schema, own, { ...inside, name, required })]];
      });
      return { members: Object.fromEntries(members) };
    }
    case "items":
      if (!Array.isArray(value)) return undefined;
      return {
        items: value.map((item, at) => toDraft(part.schema, item, { ...inside, name: String(at), required: true })),
      };
    case "variants": {
      const drafts = part.schemas.map((one) => toDraft(one, value, { ...inside, name: part.name, required: true }));
      const at = Math.max(
        0,
        drafts.findIndex((one) => !("json" in one)),
      );
      return drafts[at] && { variant: at, of: drafts[at] };
    }
    default:
      return part satisfies never;
  }
}

/** The schema that a field was made of, as far as its initial text needs it. */
function fieldSchema({ kind, choices }: FormField): JsonObject {
  const values = choices.map(({ value }) => value);
  if (kind === "choices") return { type: "array", items: { enum: values } };
  return kind === "choice" ? { enum: values } : { type: kind === "text" ? "string" : kind };
}

/** Keywords by which an object without members may be refused. */
const DEMANDING = ["required", "minProperties", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"];

/** Whether an object without members fits; also where no type is named, if it is that of all arguments. */
function takesEmptyObject(given: JsonObject, { root, depth }: PartPlace): boolean {
  const schema = resolved(given, root);
  const { type } = schema;
  const isObjectType = type === "object" || (type === undefined && depth === 0);
  return isObjectType && !DEMANDING.some((key) => Object.hasOwn(schema, key));
}

/** The untouched form: the defaults of its fields, two levels deep, and `{}` for an object whose members no schema names. */
export function firstDraft(schema: JsonObject, place: PartPlace): FormDraft | undefined {
  const part = formPart(schema, place);
  if (part.kind === "json" && part.required && takesEmptyObject(schema, place)) return { json: "{}" };
  if (part.kind === "field") return part.field.initial === "" ? undefined : { text: part.field.initial };
  if (part.kind !== "members" || (!part.required && place.depth > 0)) return undefined;
  const members = part.properties.flatMap(({ name, schema: own, required }): [string, FormDraft][] => {
    const draft = firstDraft(own, { name, required, root: place.root, depth: place.depth + 1 });
    return draft ? [[name, draft]] : [];
  });
  return { members: Object.fromEntries(members) };
}
