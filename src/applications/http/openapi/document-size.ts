// How large a document becomes, and what keeps it in proportion to its description: an argument's schema that is a member of a
// definition, or that many tools have in common, stands once, and operations that would make it too large are not imported.
import { sizeOf } from "../../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, listOf, MAX_JSON_MEMBERS, objectOf } from "../../../lib/json.js";
import { toPointer } from "../../../lib/json-pointer.js";
import { ImportProblem } from "./read.js";

/** Characters of all tools together, and more for each byte of the description: no daemon should have to read more. */
const MAX_TOOLS = 16_000_000;
const TOOLS_PER_BYTE = 3;
/** Up to here schemas are written out for each tool, which is easier to read and to search. */
const WRITTEN_OUT = 100_000;
const WRITTEN_OUT_PER_BYTE = 1;
/** Smaller schemas are written out always: a reference would not be much shorter. */
const MIN_SHARED = 100;
/** Characters of a reference with the name of its argument. */
const REFERENCE = 60;
/** Parts of a definition inside of parts; real ones have a handful. */
const MAX_PARTS_DEPTH = 8;
/** Names that stand in a reference as they are. */
const PLAIN_NAME = /^[\w.-]+$/;

/** The sizes of the tools of one document. */
interface DocumentSize {
  /** Counts one more tool. Throws ImportProblem when the document would become too large. */
  add(action: JsonObject): void;
  /** How often each schema is an argument of the tools counted; undefined when there is room to write them out for each. */
  common(): ReadonlyMap<JsonObject, number> | undefined;
  /** Characters of the tools counted, without what they have in common. */
  characters(): number;
}

const argumentsOf = (action: JsonObject): JsonObject => objectOf(objectOf(action["parameters"])["properties"]);

/** The size of a tool without its arguments' schemas. */
function frameSize({ parameters, transport, ...rest }: JsonObject): number {
  const { properties: _, ...others } = objectOf(parameters);
  const { security, ...request } = objectOf(transport);
  return sizeOf({ ...rest, request, others }) + sizeOf(security);
}

/** An empty count for a description of so many bytes. */
export function createDocumentSize(bytes: number): DocumentSize {
  const most = MAX_TOOLS + TOOLS_PER_BYTE * bytes;
  const uses = new Map<JsonObject, number>();
  let written = 0;
  let shared = 0;
  return {
    add(action) {
      const frame = frameSize(action);
      const schemas = Object.values(argumentsOf(action));
      const isShared = (one: JsonValue): boolean => isObject(one) && uses.has(one) && sizeOf(one) >= MIN_SHARED;
      const sizes = schemas.map((one) => (isShared(one) ? REFERENCE : REFERENCE + sizeOf(one)));
      const size = sizes.reduce((sum, one) => sum + one, frame);
      if (shared + size > most)
        throw new ImportProblem(`with it the document would be larger than ${Math.round(most / 1e6)} MB`);
      shared += size;
      written += schemas.reduce<number>((sum, one) => sum + sizeOf(one), frame);
      for (const one of schemas) if (isObject(one)) uses.set(one, (uses.get(one) ?? 0) + 1);
    },
    common: () => (written <= WRITTEN_OUT + WRITTEN_OUT_PER_BYTE * bytes ? undefined : uses),
    characters: () => shared,
  };
}

/** Where members of definitions stand, as references: those of the parts that a definition is made of, too. */
function placesIn(definitions: ReadonlyMap<string, JsonValue>): Map<JsonObject, string> {
  const places = new Map<JsonObject, string>();
  const look = (schema: JsonValue, path: readonly string[], depth: number): void => {
    for (const [name, member] of Object.entries(objectOf(objectOf(schema)["properties"])))
      if (isObject(member) && !places.has(member) && PLAIN_NAME.test(name))
        places.set(member, `#${toPointer([...path, "properties", name])}`);
    if (depth > 0)
      for (const [at, part] of listOf(objectOf(schema)["allOf"]).entries())
        look(part, [...path, "allOf", String(at)], depth - 1);
  };
  for (const [name, definition] of definitions)
    if (PLAIN_NAME.test(name)) look(definition, ["$defs", name], MAX_PARTS_DEPTH);
  return places;
}

/** What arguments are shared by. */
interface Sharing {
  /** How often each schema is an argument. */
  uses: ReadonlyMap<JsonObject, number>;
  /** The definitions there are: what stands in one of them is referred to there. */
  definitions: ReadonlyMap<string, JsonValue>;
  newName: (like: string) => string;
}

/** Replaces schemas among the arguments of tools by references; gives the definitions that had to be added for it. */
export function shareArguments(
  actions: readonly JsonObject[],
  { uses, definitions, newName }: Sharing,
): Map<string, JsonValue> {
  const references = placesIn(definitions);
  const added = new Map<string, JsonValue>();
  const referenceTo = (schema: JsonObject, argument: string): string | undefined => {
    if (sizeOf(schema) < MIN_SHARED) return undefined;
    const known = references.get(schema);
    // One object has no more members than a reader takes.
    if (known !== undefined || (uses.get(schema) ?? 0) < 2 || definitions.size + added.size >= MAX_JSON_MEMBERS)
      return known;
    const name = newName(argument);
    const reference = `#/$defs/${name}`;
    references.set(schema, reference);
    added.set(name, schema);
    return reference;
  };
  for (const action of actions) {
    const parameters = objectOf(action["parameters"]);
    const entries = Object.entries(argumentsOf(action)).map(([argument, schema]): [string, JsonValue] => {
      const reference = isObject(schema) ? referenceTo(schema, argument) : undefined;
      return [argument, reference === undefined ? schema : { $ref: reference }];
    });
    action["parameters"] = { ...parameters, properties: Object.fromEntries(entries) };
  }
  return added;
}
