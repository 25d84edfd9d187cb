// What people can ask of a resource: sentences made of the summaries of its tools, with an ellipsis where a value belongs.
import type { Tool } from "../../../src/domain/tool.js";
import { words } from "../format.js";

/** Prompts of one resource. */
const MAX_PROMPTS = 4;
/** Characters of a summary that is a prompt; a longer one explains more than a person would ask. */
const MAX_SUMMARY = 70;
/** Required arguments that a prompt names. */
const MAX_NAMED = 2;
const VERBS: readonly Tool["verb"][] = ["list", "get", "create", "update", "action", "delete"];

/** What stands where a value belongs. */
export const BLANK = "…";

const requiredOf = ({ input_schema: { required } }: Tool): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Whether a list is that of a resource's own records: its path ends with the resource, or is that of a single record without its key. The
 * rows of a report are no records.
 */
function isCollection({ resource, transport: { path } }: Tool, others: readonly Tool[]): boolean {
  if (path === undefined) return true;
  const last = path.split("/").findLast((segment) => segment !== "") ?? "";
  if (letters(last.replace(/\.\w+$/, "")) === letters(resource)) return true;
  const below = path.replace(/\/?$/, "/");
  const isOfOne = (other: string | undefined): boolean =>
    other?.startsWith(below) === true && /^\{[^/]*\}$/.test(other.slice(below.length));
  return others.some((other) => isOfOne(other.transport.path));
}

/** The list tool of a resource's records that can be called as it is, and only reads. */
export function listTool(tools: readonly Tool[]): Tool | undefined {
  return tools.find(
    (tool) =>
      tool.verb === "list" &&
      tool.safety === "read_only" &&
      tool.permission?.is !== "deny" &&
      requiredOf(tool).length === 0 &&
      isCollection(tool, tools),
  );
}

function summaryOf({ description, verb, resource }: Tool): string {
  const [line = ""] = description.trim().split("\n");
  const [sentence = ""] = line.split(/(?<=\w)\.(?:\s|$)/);
  if (sentence.length > 0 && sentence.length <= MAX_SUMMARY) return sentence.trim();
  return verb === "action" ? "" : `${verb[0]?.toUpperCase()}${verb.slice(1)} ${words(resource)}`;
}

/** A tool as a prompt; "" for one that takes too much, or says too much of itself. */
function promptOf(tool: Tool): string {
  const required = requiredOf(tool);
  const isPlainList = tool.verb === "list" && required.length === 0 && tool.resource !== "";
  const summary = isPlainList ? `List ${words(tool.resource)}` : summaryOf(tool);
  if (summary === "" || required.length > MAX_NAMED) return "";
  const named = required.map((name) => `${words(name)} ${BLANK}`).join(", ");
  return named === "" ? summary : `${summary} with ${named}`;
}

/** At most four prompts: reading ones first, one for each kind of tool. With several applications they name theirs. */
export function promptsOf(tools: readonly Tool[], application: string): string[] {
  const allowed = tools.filter(({ permission }) => permission?.is !== "deny");
  const first = VERBS.flatMap((verb) => allowed.filter((tool) => tool.verb === verb).slice(0, 1));
  const ordered = [...first, ...allowed.filter((tool) => !first.includes(tool))];
  const prompts = ordered.map(promptOf).filter((text) => text !== "");
  const placed = (text: string): string =>
    application === "" || text.includes(application) ? text : `${text} in ${application}`;
  return [...new Set(prompts)].slice(0, MAX_PROMPTS).map(placed);
}
