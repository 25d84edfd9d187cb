// The arguments of one action: one flat object for everything that path, query, header, cookie and body take. Each name in
// the request gets an argument name of its own, so that two values of the same name both arrive.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import type { ParameterLocation } from "../description.js";
import { createArgumentNames } from "./names.js";
import { ARGUMENT_TEXT, plain } from "./text.js";

/** One argument to be added. */
interface Argument {
  location: ParameterLocation | "body";
  /** The name in the request. */
  key: string;
  /** Converted: its references point into `#/$defs`. */
  schema: JsonValue;
  required: boolean;
  description?: string | undefined;
}

/** What a body requires of all its members together. */
interface MembersRule {
  /** What else may be given, as for `additionalProperties`. */
  additional: JsonValue;
  /** How many there must be. */
  minimum: number;
}

/** Collects the arguments of one action. */
export interface Arguments {
  /** What the schemas added so far refer to. */
  readonly uses: Set<string>;
  /** Adds one argument; gives the name it has in the tool. */
  add(argument: Argument): string;
  /** JSON Schema 2020-12 of them all, with what the body requires of its members together. */
  toSchema(definitions: JsonObject | undefined, body?: MembersRule): JsonObject;
}

/** An empty collection. */
export function createArguments(): Arguments {
  const nameFor = createArgumentNames();
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  let requiredOutside = 0;
  return {
    uses: new Set(),
    add({ location, key, schema, required: needed, description }) {
      const name = nameFor(location, key);
      const note: JsonObject = description ? { description: plain(description, ARGUMENT_TEXT) } : {};
      properties.set(name, isObject(schema) ? { ...schema, ...note } : schema === false ? false : note);
      if (needed) required.push(name);
      if (needed && location !== "body") requiredOutside++;
      return name;
    },
    toSchema: (definitions, { additional, minimum } = { additional: false, minimum: 0 }) => ({
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(minimum > 0 && requiredOutside + minimum > required.length && { minProperties: requiredOutside + minimum }),
      additionalProperties: additional,
      ...(definitions && { $defs: definitions }),
    }),
  };
}
