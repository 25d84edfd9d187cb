// What the operator says about single arguments: a description that is wrong about one must not keep anybody from sending it. An
// action and the corrections come in, the action with a schema changed along the way to each goes out; nothing is changed in place.
// Source: docs/configuration.md, "The data directory".
import { z } from "zod";
import { definitionName, definitionOf } from "../domain/definitions.js";
import type { Action } from "../domain/schema-document.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";
import { withoutNeeded } from "./arguments/operator-arguments.js";

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
/** Keywords whose schemas describe the same value. */
const PARTS = ["allOf", "anyOf", "oneOf"];
/** The step from a list to its items. */
const ITEMS = "*";
/** References to references, and parts inside of parts; real ones have a handful. */
const MAX_STEPS = 32;

const ReplacementIn = z
  .custom<JsonObject>(isObject, "must be a JSON Schema, which is an object")
  .refine(({ type }) => [type ?? []].flat().every((one) => TYPES.includes(String(one))), {
    error: `the type of a JSON Schema is one of ${TYPES.join(", ")}`,
  });

/** The corrections of one argument, or of a member inside one. */
export const ParameterOverrideIn = z
  .strictObject({
    schema: ReplacementIn.optional(),
    without: z.array(z.string()).min(1, "names no keyword").optional(),
    required: z.boolean().optional(),
  })
  .refine((said) => Object.keys(said).length > 0, { error: "says nothing; schema, without or required is needed" });

type ParameterOverride = z.infer<typeof ParameterOverrideIn>;

/** Changes one argument of one action. */
class Change {
  /** Keywords to leave out that were not found so far. */
  readonly missing: Set<string>;
  private readonly action: Action;
  private readonly said: ParameterOverride;

  constructor(action: Action, said: ParameterOverride) {
    this.action = action;
    this.said = said;
    this.missing = new Set(said.without);
  }

  /** The schema with what its references lead to in it. */
  private resolved(given: JsonValue | undefined): JsonObject {
    let schema = objectOf(given);
    for (let step = 0; step < MAX_STEPS; step++) {
      const { $ref, ...rest } = schema;
      const name = definitionName($ref);
      if (name === undefined) break;
      schema = { ...objectOf(definitionOf(this.action, name)), ...rest };
    }
    return schema;
  }

  private relaxed(given: JsonValue | undefined, depth = 0): JsonObject {
    const schema = this.resolved(given);
    for (const key of this.said.without ?? []) if (Object.hasOwn(schema, key)) this.missing.delete(key);
    const kept = Object.entries(schema).filter(([key]) => !this.said.without?.includes(key));
    const inner = kept.map(([key, value]): [string, JsonValue] => [
      key,
      PARTS.includes(key) && depth < MAX_STEPS ? listOf(value).map((part) => this.relaxed(part, depth + 1)) : value,
    ]);
    return Object.fromEntries(inner);
  }

  private final(schema: JsonValue | undefined): JsonValue {
    const { schema: replacement, without } = this.said;
    const base = replacement ?? schema ?? {};
    return without ? this.relaxed(base) : base;
  }

  /** Whether a name is required, said again for all parts of the object. */
  private withRequired(schema: JsonObject, name: string): JsonObject {
    const { required } = this.said;
    if (required === undefined) return schema;
    const others = listOf(schema["required"]).filter((one) => one !== name);
    const parts = listOf(schema["allOf"]).map((part) => this.withRequired(this.resolved(part), name));
    return {
      ...(required ? schema : withoutNeeded(schema, new Set([name]))),
      required: required ? [...others, name] : others,
      ...(parts.length > 0 && !required && { allOf: parts }),
    };
  }

  /** The schema with the change at the end of the path; undefined when there is no such member. */
  along(given: JsonValue | undefined, path: readonly string[], depth = 0): JsonObject | undefined {
    const schema = this.resolved(given);
    const [step, ...rest] = path;
    if (step === undefined || depth > MAX_STEPS) return undefined;
    const inside = (inner: JsonValue | undefined): JsonValue | undefined =>
      rest.length === 0 ? this.final(inner) : this.along(inner, rest, depth + 1);
    if (step === ITEMS && schema["items"] !== undefined) {
      const items = inside(schema["items"]);
      return items === undefined ? undefined : { ...schema, items };
    }
    const properties = objectOf(schema["properties"]);
    if (Object.hasOwn(properties, step)) {
      const inner = inside(properties[step]);
      if (inner === undefined) return undefined;
      const changed = { ...schema, properties: { ...properties, [step]: inner } };
      return rest.length === 0 ? this.withRequired(changed, step) : changed;
    }
    // Required, and described nowhere.
    const isNamed = rest.length === 0 && textsOf(schema["required"]).includes(step);
    let found = false;
    const parts = PARTS.flatMap((key): [string, JsonValue][] => {
      if (!Array.isArray(schema[key])) return [];
      const changed = schema[key].map((part) => this.along(part, path, depth + 1) ?? part);
      found ||= changed.some((part, at) => part !== listOf(schema[key])[at]);
      return [[key, changed]];
    });
    if (!found && !isNamed) return undefined;
    if (!found) return this.withRequired({ ...schema, properties: { ...properties, [step]: this.final({}) } }, step);
    const whole = { ...schema, ...Object.fromEntries(parts) };
    return rest.length === 0 ? this.withRequired(whole, step) : whole;
  }
}

/**
 * The action with its arguments as the operator says they are. What had no effect goes to `warn`, as the argument and a
 * sentence about the file.
 */
export function overrideParameters(
  action: Action,
  said: Readonly<Record<string, ParameterOverride>>,
  warn: (argument: string, sentence: string) => void,
): Action {
  let changed = action;
  for (const [key, one] of Object.entries(said)) {
    const change = new Change(changed, one);
    const parameters = change.along(changed.parameters, fromPointer(key));
    if (!parameters) {
      const known = Object.keys(objectOf(action.parameters["properties"]));
      const near = didYouMean(key, known) || ` It takes ${known.join(", ") || "none"}.`;
      warn(key, `names the argument ${key} of ${action.name}, which it does not have.${near}`);
      continue;
    }
    for (const keyword of change.missing)
      warn(key, `takes ${keyword} from the argument ${key} of ${action.name}, which has none.`);
    changed = { ...changed, parameters };
  }
  return changed;
}
