// The intent of a tool: what it is called, which kind of change it makes, and whether a prompt commands that.

import { ownName, type Tool } from "../../domain/tool.js";
import { type Intent, intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { commandsTerm, type Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import { isNumberField } from "./codes.js";
import type { FilledSlots } from "./filled-slots.js";
import { formsOf, isStateCommanded } from "./options.js";

/** Words in tool names and paths that mean nothing. */
const FILLER = new Set(
  "api v1 v2 v3 controller service id by for from of to in the a an and or with all rest json public data info function".split(
    " ",
  ),
);

/** The terms of a tool's name, without fillers. */
export function nameTerms(tool: Tool): string[] {
  const parts = words(ownName(tool)).filter((word) => !FILLER.has(word) && !isStopWord(word) && !/^\d+$/.test(word));
  return [...new Set(parts.map(stem))];
}

/** The terms of a tool's path, without its parameters. */
export function pathTerms(tool: Tool): string[] {
  return words((tool.transport.path ?? "").replace(/\{[^}]*\}/g, " "))
    .filter((word) => !FILLER.has(word))
    .map(stem);
}

/** What a tool does to a record; "act" is a change of another kind, such as POST /orders/{id}/ship. */
export type ToolIntent = Intent | "act";

/** The intent of a tool, by its safety, its verb and the verbs in its name. */
export function intentOfTool(tool: Tool): ToolIntent {
  if (tool.safety === "read_only") return "read";
  if (tool.verb === "create" && !createsRecord(tool)) return "update";
  if (tool.verb === "create" || tool.verb === "update" || tool.verb === "delete") return tool.verb;
  const verbs = words(ownName(tool)).flatMap((word) => [...intentsOf(stem(word))]);
  const [only] = verbs.filter((intent) => intent !== "read");
  return tool.verb === "action" && !tool.transport.path && only ? only : "act";
}

/** Whether a POST creates a record: POST /customers/{customer} changes one, unless a verb in the name says "create". */
function createsRecord(tool: Tool): boolean {
  const { transport } = tool;
  if (transport.method !== "POST" || !transport.path?.endsWith("}")) return true;
  return words(ownName(tool)).some((word) => word !== "post" && intentsOf(stem(word)).has("create"));
}

/** Whether the prompt commands what this tool does. Reading needs no command. */
export function isRequested(tool: Tool, request: Request, filled: FilledSlots): boolean {
  if (tool.safety === "read_only") return true;
  if (request.howTo || request.negated) return false;
  const intent = intentOfTool(tool);
  if (isCommandedByVerb(tool, request)) return true;
  // "comment on issue 12" is POST /issues/{number}/comments; "lock issue 3" is not DELETE /issues/{number}/lock.
  const last = /\}\/[^/{}]+$/.test(tool.transport.path ?? "") ? pathTerms(tool).at(-1) : undefined;
  if (intent !== "delete" && last !== undefined && commandsTerm(request, last)) return true;
  if (request.commands.some(({ term }) => term === firstTerm(tool)) || isCommandedByName(tool, request)) return true;
  // "transfer 50 from account 7 to account 9" is POST /transfers, or POST /transfer, once it has all that a transfer needs.
  if (
    (tool.verb === "create" || intent === "act") &&
    filled.missing.length === 0 &&
    !isOnlyNamed(tool, filled) &&
    commandsTerm(request, resourceNoun(tool))
  )
    return true;
  if (intent === "act" || intent === "read") return false;
  if (request.commands.some(({ intents, term }) => intents.has(intent) && !isOtherVerb(tool, term))) return true;
  // "finish todo 3": the command itself is the value of a field.
  return intent === "update" && [...filled.certain].some((slot) => isStateCommanded(slot, request));
}

const CALLED = /^(?:(?:full|display)_?)?name$|^title$/i;

/** Whether a new record would have what it is called, or nothing but a number: "owner Ada Holm" and "tram number 606" call one that is there. */
const isOnlyNamed = (tool: Tool, { filled }: FilledSlots): boolean =>
  tool.verb === "create" &&
  ([...filled].some(({ name }) => CALLED.test(name)) ||
    [...filled].every(({ name }) => isNumberField(name, resourceNoun(tool))));

/** Verbs that say no more than that something changes. */
const GENERIC = new Set(
  "update change modify edit set patch replace adjust correct fix put turn switch make".split(" ").map(stem),
);

/** Whether a tool is called by another verb than a command that says what is to be done: to deactivate is not to assign. */
function isOtherVerb(tool: Tool, command: string): boolean {
  const verb = stem(words(ownName(tool))[0] ?? "");
  if (!intentsOf(verb).has("update") || GENERIC.has(verb) || GENERIC.has(command)) return false;
  return verb !== command && !formsOf(verb).includes(command);
}

/** Whether the prompt commands a known verb of the tool's name. */
export function isCommandedByVerb(tool: Tool, request: Request): boolean {
  const noun = stem(resourceNoun(tool));
  return (
    tool.safety !== "read_only" &&
    nameTerms(tool).some((term) => term !== noun && intentsOf(term).size > 0 && commandsTerm(request, term))
  );
}

/** Whether the prompt commands the first word of the tool's name, though no known verb: "lend book 2" is lendBook. */
export function isCommandedByName(tool: Tool, request: Request): boolean {
  const [verb = "", ...rest] = words(ownName(tool)).map(stem);
  const isNoun = verb === stem(resourceNoun(tool)) || slotsOf(tool).some(({ label }) => label.includes(verb));
  return rest.length > 0 && !isNoun && request.commands.some(({ term }) => term === verb);
}

/** The first term of a tool's description: "Star a repository" begins with its verb. */
function firstTerm(tool: Tool): string {
  return stem(words(tool.description.slice(0, 60))[0] ?? "");
}

/**
 * The action a path ends with behind a parameter: a verb, or with a POST a word that is no collection either
 * (/orders/{id}/ship, /charges/{charge}/refund).
 */
export function actionOf(tool: Tool): string | undefined {
  const last = words(/\}\/([^/{}]+)$/.exec(tool.transport.path ?? "")?.[1] ?? "").at(-1);
  if (last === undefined || tool.safety === "read_only") return undefined;
  const acts = intentsOf(stem(last)).size > 0 || (tool.transport.method === "POST" && !/[^s]s$/.test(last));
  return acts ? stem(last) : undefined;
}
