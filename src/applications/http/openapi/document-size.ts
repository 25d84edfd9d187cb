// How large a document becomes, and what keeps it in proportion to its description: an argument's schema that many tools have in
// common stands once, and operations that would make it too large are not imported.
import { sizeOf } from "../../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../lib/json.js";
import { ImportProblem } from "./read.js";

/** Characters of all tools together, and more for each byte of the description: no daemon should have to read more. */
const MAX_TOOLS = 16_000_000;
const TOOLS_PER_BYTE = 3;
/** Up to here schemas are written out for each tool, which is easier to read and to search. */
const WRITTEN_OUT = 1_000_000;
const WRITTEN_OUT_PER_BYTE = 1;
/** Smaller schemas are written out always: a reference would not be much shorter. */
const MIN_SHARED = 100;
/** Characters of a reference with the name of its argument. */
const REFERENCE = 60;

/** The sizes of the tools of one document. */
interface DocumentSize {
  /** Counts one more tool. Throws ImportProblem when the document would become too large. */
  add(action: JsonObject): void;
  /** The schemas that several of the tools counted have, when they would take too much room in each of them. */
  common(): ReadonlySet<JsonObject>;
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
    common() {
      if (written <= WRITTEN_OUT + WRITTEN_OUT_PER_BYTE * bytes) return new Set();
      const several = [...uses].filter(([schema, count]) => count > 1 && sizeOf(schema) >= MIN_SHARED);
      return new Set(several.map(([schema]) => schema));
    },
  };
}

/** Replaces schemas among the arguments of tools by references; gives the definitions they lead to. */
export function shareArguments(
  actions: readonly JsonObject[],
  common: ReadonlySet<JsonObject>,
  newName: (like: string) => string,
): Map<string, JsonValue> {
  const names = new Map<JsonObject, string>();
  for (const action of actions) {
    const parameters = objectOf(action["parameters"]);
    const entries = Object.entries(argumentsOf(action)).map(([argument, schema]): [string, JsonValue] => {
      if (!isObject(schema) || !common.has(schema)) return [argument, schema];
      const name = names.get(schema) ?? newName(argument);
      names.set(schema, name);
      return [argument, { $ref: `#/$defs/${name}` }];
    });
    action["parameters"] = { ...parameters, properties: Object.fromEntries(entries) };
  }
  return new Map([...names].map(([schema, name]) => [name, schema]));
}
