// Which tool gets the thing that a value names: "customer_id" leads to the tool that gets a customer. Pure.

import type { Tool } from "../../src/domain/tool.js";
import { isObject, textsOf } from "../../src/lib/json.js";
import { wordsOf } from "../../src/lib/name-words.js";
import { singularOf } from "../../src/lib/plural.js";

/** A tool that gets one thing, and the argument that names it. */
export interface ThingTool {
  tool: string;
  argument: string;
}

const KEY_WORDS = /^(id|uuid|key|number|no|code|slug)$/;

const nounOf = (name: string): string => wordsOf(name).map(singularOf).join(" ");

/** The only required argument of a tool that reads; undefined when it has another number of them. */
function onlyArgument({ safety, input_schema }: Tool): string | undefined {
  if (safety !== "read_only") return undefined;
  const required = textsOf(input_schema["required"]);
  const [name] = required;
  const properties = input_schema["properties"];
  const schema = isObject(properties) && name !== undefined ? properties[name] : undefined;
  const isPlain = isObject(schema) && ["string", "integer", "number"].includes(String(schema["type"] ?? "string"));
  return required.length === 1 && isPlain ? name : undefined;
}

/** The thing a column names: "customer" of "customer_id"; "" of "id" itself, undefined of a column that names none. */
function namedThing(column: string): string | undefined {
  const words = wordsOf(column);
  return KEY_WORDS.test(words.at(-1) ?? "") ? words.slice(0, -1).map(singularOf).join(" ") : undefined;
}

/** Whether an argument is the key of this thing: "id", or "customer_id" of a customer. */
function isKeyOf(argument: string, thing: string): boolean {
  const named = namedThing(argument);
  return named !== undefined && (named === "" || named === thing || thing.endsWith(named));
}

/**
 * The tool that gets what the values of a column name, in the application of the tool whose result it is. An "id" is that of the
 * tool's own resource. Undefined when there is none, or when it is the tool itself.
 */
export function thingTool(column: string, from: Tool, tools: readonly Tool[]): ThingTool | undefined {
  const named = namedThing(column);
  if (named === undefined) return undefined;
  const thing = named === "" ? nounOf(from.resource) : named;
  if (thing === "") return undefined;
  for (const tool of tools) {
    if (tool.application !== from.application || tool.name === from.name) continue;
    const argument = onlyArgument(tool);
    const resource = nounOf(tool.resource);
    const isSame = resource === thing || resource.endsWith(` ${thing}`);
    if (argument !== undefined && isSame && tool.verb !== "list" && isKeyOf(argument, thing))
      return { tool: tool.name, argument };
  }
  return undefined;
}
