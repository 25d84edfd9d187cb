// The arguments of one action: one flat object for everything that path, query, header, cookie and body take. Each wire
// name gets an argument name of its own, so that two values of the same name both reach their place.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { createArgumentNames } from "./names.js";
import { ARGUMENT_TEXT, plain } from "./text.js";

/** Where an argument goes. */
export type Place = "path" | "query" | "header" | "cookie" | "body";

/** What `add` is told of one argument. */
export interface Argument {
  place: Place;
  /** The name on the wire. */
  key: string;
  /** Converted: its references point into `#/$defs`. */
  schema: JsonValue;
  required: boolean;
  description?: string | undefined;
}

/** What a body says of all its members together. */
export interface Together {
  /** What else may be given, as for `additionalProperties`. */
  additional: JsonValue;
  /** How many there must be. */
  least: number;
}

/** Collects the arguments of one action. */
export interface Arguments {
  /** What the schemas added so far refer to. */
  readonly uses: Set<string>;
  /** Adds one argument; gives the name it has in the tool. */
  add(argument: Argument): string;
  /** JSON Schema 2020-12 of them all, with what the body says of its members together. */
  toSchema(definitions: JsonObject | undefined, body?: Together): JsonObject;
}

/** An empty collection. */
export function createArguments(): Arguments {
  const nameFor = createArgumentNames();
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  let elsewhere = 0;
  return {
    uses: new Set(),
    add({ place, key, schema, required: needed, description }) {
      const name = nameFor(place, key);
      const note: JsonObject = description ? { description: plain(description, ARGUMENT_TEXT) } : {};
      properties.set(name, isObject(schema) ? { ...schema, ...note } : schema === false ? false : note);
      if (needed) required.push(name);
      if (needed && place !== "body") elsewhere++;
      return name;
    },
    toSchema: (definitions, { additional, least } = { additional: false, least: 0 }) => ({
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(least > 0 && elsewhere + least > required.length && { minProperties: elsewhere + least }),
      additionalProperties: additional,
      ...(definitions && { $defs: definitions }),
    }),
  };
}
