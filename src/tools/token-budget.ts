// Tool definitions under a token budget: descriptions are shortened and optional depth is pruned, step by step, for all alike or
// less for the better ones. Required parameters are never dropped; a tool that was cut says so. Pure.

import type { Tool } from "../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import { referenceNames } from "../lib/json-pointer.js";

/** Tools as they are offered to the model. */
interface Fitted {
  tools: readonly Tool[];
  /** Whether any of them was cut. */
  cut: boolean;
  /** Whether they are under the budget now. */
  fits: boolean;
}

interface Step {
  /** Characters of a tool's description, and of a parameter's. */
  description: number;
  parameter: number;
  /** Levels below the arguments at which optional parameters keep their own shape. */
  depth: number;
  /** Whether optional parameters are listed at all. */
  optional: boolean;
}

const STEPS: readonly Step[] = [
  { description: 400, parameter: 160, depth: 4, optional: true },
  { description: 240, parameter: 80, depth: 2, optional: true },
  { description: 160, parameter: 40, depth: 1, optional: true },
  { description: 100, parameter: 0, depth: 0, optional: true },
  { description: 80, parameter: 0, depth: 0, optional: false },
];

/** Keywords that explain rather than constrain; the first to go. */
const DECORATION = new Set([
  "title",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "externalDocs",
  "xml",
  "default",
  "$comment",
]);
/** What a tool that was cut says of itself; `search_tools` says what to do about it. */
const CUT_MARK = " (shortened)";

/** Bytes that a vendor's request wraps around each definition: a type, a name for what is inside, braces and a comma. */
const WRAPPING = 44;

const tokens = new WeakMap<Tool, number>();

/** Tokens a tool's definition takes in a request: an estimate, the usual four bytes a token. */
export function tokensOf(tool: Tool): number {
  let count = tokens.get(tool);
  if (count === undefined) {
    const { name, description, input_schema } = tool;
    count = Math.ceil((Buffer.byteLength(toJson({ name, description, input_schema })) + WRAPPING) / 4);
    tokens.set(tool, count);
  }
  return count;
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit === 0) return "";
  const sentence = text.slice(0, limit).lastIndexOf(". ");
  return sentence > limit / 2
    ? text.slice(0, sentence + 1)
    : `${text
        .slice(0, limit - 1)
        .trimEnd()
        .toWellFormed()}…`;
}

/** What is left of an optional parameter below the depth: its type, its values, a word of description. */
function shallow(schema: JsonObject, step: Step): JsonObject {
  const kept: JsonObject = {};
  for (const key of ["type", "enum", "const", "format"]) if (schema[key] !== undefined) kept[key] = schema[key];
  if (typeof schema["description"] === "string" && step.parameter > 0)
    kept["description"] = shorten(schema["description"], step.parameter);
  return kept;
}

function isNested(schema: JsonValue): boolean {
  return (
    isObject(schema) &&
    ["properties", "items", "$ref", "allOf", "anyOf", "oneOf", "additionalProperties"].some(
      (key) => isObject(schema[key]) || typeof schema[key] === "string" || Array.isArray(schema[key]),
    )
  );
}

function pruneProperties(schema: JsonObject, step: Step, depth: number): JsonObject {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const kept: JsonObject = {};
  for (const [name, inner] of Object.entries(properties)) {
    const must = required.has(name);
    if (!must && !step.optional) continue;
    kept[name] =
      !must && depth <= 0 && isObject(inner) && isNested(inner) ? shallow(inner, step) : prune(inner, step, depth - 1);
  }
  return kept;
}

/** A schema without decoration, its descriptions shortened and its optional depth cut. */
function prune(schema: JsonValue, step: Step, depth: number): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => prune(item, step, depth));
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DECORATION.has(key) || key === "$defs") continue;
    if (key === "description") {
      if (typeof value === "string" && step.parameter > 0) out[key] = shorten(value, step.parameter);
    } else if (key === "properties") out[key] = pruneProperties(schema, step, depth);
    else if (["items", "additionalProperties", "allOf", "anyOf", "oneOf", "prefixItems", "not"].includes(key))
      out[key] = prune(value, step, depth);
    else out[key] = value;
  }
  return out;
}

/** The names of the definitions that are referred to. */
function refsIn(value: JsonValue, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) refsIn(item, found);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      if (key === "$ref" && typeof inner === "string") {
        const [section, name] = referenceNames(inner);
        if (section === "$defs" && name !== undefined) found.add(name);
      } else refsIn(inner, found);
  return found;
}

/** The definitions still referred to, each pruned in the same way. */
function pruneDefs(root: JsonObject, defs: JsonObject, step: Step): JsonObject {
  const kept: JsonObject = {};
  const open = [...refsIn(root, new Set())];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const def = defs[name];
    if (def === undefined || Object.hasOwn(kept, name)) continue;
    const pruned = prune(def, step, step.depth - 1);
    kept[name] = pruned;
    open.push(...refsIn(pruned, new Set()));
  }
  return kept;
}

function cutTool(tool: Tool, step: Step): Tool {
  const pruned = prune(tool.input_schema, step, step.depth);
  const root = isObject(pruned) ? pruned : {};
  const defs = tool.input_schema["$defs"];
  const kept = isObject(defs) ? pruneDefs(root, defs, step) : {};
  const input_schema = Object.keys(kept).length > 0 ? { ...root, $defs: kept } : root;
  const description = shorten(tool.description, step.description);
  const isCut = description !== tool.description || toJson(input_schema) !== toJson(tool.input_schema);
  return isCut ? { ...tool, description: description + CUT_MARK, input_schema } : tool;
}

const forms = new WeakMap<Tool, Tool[]>();

/** A tool as a step leaves it; kept, because the same tools are fitted turn after turn. */
function form(tool: Tool, step: Step, at: number): Tool {
  let known = forms.get(tool);
  if (!known) forms.set(tool, (known = []));
  return (known[at] ??= cutTool(tool, step));
}

const total = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + tokensOf(tool), 0);

/** All of the tools, none cut more than another, or the nearest to that: then some optional parameters are not listed. */
export function fitAlike(tools: readonly Tool[], budget: number): Fitted {
  if (total(tools) <= budget) return { tools, cut: false, fits: true };
  let fitted = tools;
  for (const [at, step] of STEPS.entries()) {
    if (!step.optional) break;
    fitted = tools.map((tool) => form(tool, step, at));
    if (total(fitted) <= budget) return { tools: fitted, cut: true, fits: true };
  }
  return { tools: fitted, cut: true, fits: false };
}

/** The fullest form of a tool that takes no more than this; its barest one when none does. */
function fullest(tool: Tool, most: number): Tool {
  if (tokensOf(tool) <= most) return tool;
  let smaller = tool;
  for (const [at, step] of STEPS.entries()) {
    smaller = form(tool, step, at);
    if (tokensOf(smaller) <= most) break;
  }
  return smaller;
}

/**
 * As many of these, best first, as fit in their barest form, the first `whole` ones in full where that fits; then each, best
 * first, as full as half of what is left allows. The best one is always there.
 */
export function fitRanked(tools: readonly Tool[], budget: number, whole = 0): Fitted {
  if (total(tools) <= budget) return { tools, cut: false, fits: true };
  const least: number[] = [];
  let left = budget;
  for (const [at, tool] of tools.entries()) {
    const bare = Math.min(tokensOf(tool), tokensOf(fullest(tool, 0)));
    const count = at < whole && tokensOf(tool) <= left ? tokensOf(tool) : bare;
    if (at > 0 && count > left) break;
    least.push(count);
    left -= count;
  }
  const fitted = least.map((count, at) => {
    const chosen = fullest(tools[at] as Tool, count + Math.max(0, left / 2));
    left -= tokensOf(chosen) - count;
    return chosen;
  });
  return { tools: fitted, cut: true, fits: fitted.length === tools.length && left >= 0 };
}
