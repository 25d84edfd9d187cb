// The arguments of one action: one flat object for everything that path, query, header, cookie and body take. Each name in
// the request gets an argument name of its own, so that two values of the same name both arrive.
import { type JsonObject, type JsonValue, objectOf } from "../../../lib/json.js";
import { createArgumentNames } from "../../names.js";
import type { ParameterLocation } from "../description.js";
import { textOf } from "./read.js";
import { ARGUMENT_TEXT, plain, sentences } from "./text.js";

/** Characters of a name in the request that a description repeats. */
const MAX_KEY = 200;

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
  /** Arguments of a body that may be left out, and those of them that it does not go without. */
  together?: { members: readonly string[]; required: readonly string[] } | undefined;
}

/** Collects the arguments of one action. */
export interface Arguments {
  /** What the schemas added so far refer to. */
  readonly uses: Set<string>;
  /** Says which names there are in a place, before they are added. */
  expect(location: Argument["location"], keys: Iterable<string>): void;
  /** Adds one argument; gives the name it has in the tool. */
  add(argument: Argument): string;
  /** JSON Schema 2020-12 of them all, with what the body requires of its members together. */
  toSchema(body?: MembersRule): JsonObject;
}

const withNotes = new WeakMap<JsonObject, Map<string, JsonObject>>();

/** The schema with a description of its own: the same one for the same schema and text, so that it can stand once. */
function described(schema: JsonObject, description: string | undefined): JsonObject {
  if (!description) return schema;
  const known = withNotes.get(schema) ?? new Map<string, JsonObject>();
  withNotes.set(schema, known);
  let made = known.get(description);
  if (!made) known.set(description, (made = { ...schema, description: plain(description, ARGUMENT_TEXT) }));
  return made;
}

/** Names in all lists of what members need; a body with more has them checked by the target. */
const MAX_NEEDED = 2000;

/** What each member of a body needs beside it, where the body may be left out. */
function dependencies({ members, required }: NonNullable<MembersRule["together"]>): JsonObject {
  const needs = members.map((name): [string, string[]] => [name, required.filter((one) => one !== name)]);
  const given = needs.filter(([, others]) => others.length > 0);
  if (given.length === 0 || members.length * required.length > MAX_NEEDED) return {};
  return { dependentRequired: Object.fromEntries(given) };
}

/** The description of an argument that the request calls something else: that name comes first, the text may be cut. */
function withWireName(key: string, description = ""): string {
  return sentences(`In the request: ${plain(key, MAX_KEY)}`, plain(description, ARGUMENT_TEXT));
}

/** An empty collection. */
export function createArguments(): Arguments {
  const expected = new Set<string>();
  const nameFor = createArgumentNames(expected);
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  let requiredOutside = 0;
  return {
    uses: new Set(),
    expect(location, keys) {
      for (const key of keys) expected.add(`${location} ${key}`);
    },
    add({ location, key, schema, required: needed, description }) {
      const name = nameFor(location, key);
      const text =
        name === key ? description : withWireName(key, description ?? textOf(objectOf(schema)["description"]));
      properties.set(name, schema === false ? false : described(objectOf(schema), text));
      if (needed) required.push(name);
      if (needed && location !== "body") requiredOutside++;
      return name;
    },
    toSchema: ({ additional, minimum, together }: MembersRule = { additional: false, minimum: 0 }) => ({
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(minimum > 0 && requiredOutside + minimum > required.length && { minProperties: requiredOutside + minimum }),
      ...(together && dependencies(together)),
      additionalProperties: additional,
    }),
  };
}
