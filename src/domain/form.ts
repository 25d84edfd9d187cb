// The form of a question: the fields that an application asks for, and values from what a person typed or chose. Pure, for the web UI
// and the terminal alike. The daemon checks the values again, by the schema itself.
// Source: docs/reference.md, "Questions of an application".
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  parseJson,
  stringOf,
  textsOf,
  toJson,
} from "../lib/json.js";

/** One of the values that a field may have. */
interface FormChoice {
  value: JsonValue;
  title: string;
}

/** How a field is answered: typed, one of its choices, or any of them. `json` is what no simpler kind can hold. */
type FieldKind = "text" | "number" | "integer" | "choice" | "choices" | "json";

/** A field of a form; every text is the application's own. */
export interface FormField {
  name: string;
  title: string;
  description: string;
  required: boolean;
  kind: FieldKind;
  /** Of a text. */
  format: "email" | "uri" | "date" | "date-time" | "";
  choices: readonly FormChoice[];
  /** Of a number its bounds, of a text its length, of several choices how many. */
  min: number | undefined;
  max: number | undefined;
  /** What it is answered with unless a person changes it; "" for nothing. Choices by their positions, separated by commas. */
  initial: string;
}

/** What a field comes to: a value, nothing, or why it cannot be sent. */
type FieldAnswer = { value: JsonValue } | { error: string } | Record<string, never>;

const FORMATS: readonly string[] = ["email", "uri", "date", "date-time"];
const YES_NO: FormChoice[] = [
  { value: true, title: "Yes" },
  { value: false, title: "No" },
];
/** A number as JSON writes it, so that no digit is lost. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const numberOf = (value: JsonValue | undefined): number | undefined => (typeof value === "number" ? value : undefined);

/** The values that a schema names, with their titles. */
function choicesOf(schema: JsonObject): FormChoice[] {
  if (schema["type"] === "boolean") return YES_NO;
  const titled = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].filter(isObject);
  const constants = titled.filter((one) => Object.hasOwn(one, "const"));
  if (constants.length > 0)
    return constants.map((one) => {
      const value = one["const"] ?? null;
      return { value, title: stringOf(one["title"], stringOf(value, toJson(value))) };
    });
  const names = listOf(schema["enumNames"]);
  return listOf(schema["enum"]).map((value, at) => ({
    value,
    title: stringOf(names[at], stringOf(value, toJson(value))),
  }));
}

function kindOf(schema: JsonObject, choices: readonly FormChoice[]): FieldKind {
  const { type, items } = schema;
  if (choices.length > 0) return type === "array" ? "json" : "choice";
  if (type === "array") return isObject(items) && choicesOf(items).length > 0 ? "choices" : "json";
  if (type === "number" || type === "integer") return type;
  return type === "string" ? "text" : "json";
}

function initialOf(value: JsonValue | undefined, kind: FieldKind, choices: readonly FormChoice[]): string {
  if (value === undefined) return "";
  const positions = (values: readonly JsonValue[]): string =>
    values
      .map((one) => choices.findIndex((choice) => toJson(choice.value) === toJson(one)))
      .filter((at) => at >= 0)
      .join(",");
  if (kind === "choice") return positions([value]);
  if (kind === "choices") return positions(listOf(value));
  return kind === "text" ? stringOf(value) : toJson(value);
}

/** The field of one value. */
export function formField(name: string, schema: JsonObject, required: boolean): FormField {
  const { title, description, format, items, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const own = choicesOf(schema);
  const kind = kindOf(schema, own);
  const choices = kind === "choices" ? choicesOf(objectOf(items)) : own;
  const text = stringOf(format);
  return {
    name,
    title: stringOf(title, name),
    description: stringOf(description),
    required,
    kind,
    format: kind === "text" && FORMATS.includes(text) ? (text as FormField["format"]) : "",
    choices,
    min: numberOf(kind === "text" ? minLength : kind === "choices" ? minItems : minimum),
    max: numberOf(kind === "text" ? maxLength : kind === "choices" ? maxItems : maximum),
    initial: initialOf(schema["default"], kind, choices),
  };
}

/** The fields of a form, in the order of its schema. */
export function formFields(schema: JsonObject): FormField[] {
  const required = textsOf(schema["required"]);
  return Object.entries(objectOf(schema["properties"])).map(([name, one]) =>
    formField(name, objectOf(one), required.includes(name)),
  );
}

/** Whether a text is a day that exists. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function textAnswer({ format, min, max }: FormField, typed: string): FieldAnswer {
  const length = [...typed].length;
  if (min !== undefined && length < min) return { error: `at least ${min} characters` };
  if (max !== undefined && length > max) return { error: `at most ${max} characters` };
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(typed)) return { error: "an e-mail address" };
  if (format === "uri" && !URL.canParse(typed)) return { error: "an address with its scheme, as https://example.com" };
  if (format === "date" && !isDay(typed)) return { error: "a day as 2026-01-31" };
  if (format !== "date-time") return { value: typed };
  const time = new Date(typed);
  if (!/^\d{4}-\d\d-\d\dT/.test(typed) || Number.isNaN(time.getTime())) return { error: "a time as 2026-01-31T12:00" };
  // Without a zone it is the person's own.
  return { value: /(Z|[+-]\d\d:\d\d)$/i.test(typed) ? typed : time.toISOString() };
}

function numberAnswer({ kind, min, max }: FormField, typed: string): FieldAnswer {
  const text = typed.trim();
  if (!NUMBER.test(text)) return { error: kind === "integer" ? "a whole number" : "a number" };
  const value = parseJson(text);
  const near = Number(text);
  if (!Number.isFinite(near)) return { error: "a smaller number" };
  if (kind === "integer" && typeof value === "number" && !Number.isInteger(value)) return { error: "a whole number" };
  if (min !== undefined && near < min) return { error: `at least ${min}` };
  if (max !== undefined && near > max) return { error: `at most ${max}` };
  return { value };
}

function choicesAnswer({ choices, min, max, required }: FormField, chosen: string): FieldAnswer {
  const positions = chosen === "" ? [] : chosen.split(",").map(Number);
  const values = positions.flatMap((at) => (choices[at] ? [choices[at].value] : []));
  if (values.length < positions.length) return { error: "some of the choices" };
  if (values.length === 0 && !required) return {};
  if (min !== undefined && values.length < min) return { error: `at least ${min} of the choices` };
  if (max !== undefined && values.length > max) return { error: `at most ${max} of the choices` };
  return { value: values };
}

/** What was typed or chosen as a value; choices by their positions. Nothing where it is empty and need not be there. */
export function fieldAnswer(field: FormField, given: string): FieldAnswer {
  if (field.kind === "choices") return choicesAnswer(field, given);
  if (given === "") return field.required ? { error: "an answer" } : {};
  switch (field.kind) {
    case "text":
      return textAnswer(field, given);
    case "number":
    case "integer":
      return numberAnswer(field, given);
    case "choice": {
      const choice = field.choices[Number(given)];
      return choice ? { value: choice.value } : { error: "one of the choices" };
    }
    case "json":
      try {
        return { value: parseJson(given) };
      } catch {
        return { error: "a value as JSON" };
      }
    default:
      return field.kind satisfies never;
  }
}

/** What is wrong with a field, as a sentence: `fieldAnswer` says what is needed. */
export function fieldError(answer: FieldAnswer): string {
  return "error" in answer ? `This needs ${answer.error}.` : "";
}
