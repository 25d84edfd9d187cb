// The one key that a change still needs, by what the prompt calls its record: "book hut 4 for Anna Berg". A call in, the look-up or the
// question out.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import type { Candidate } from "../match/candidates.js";
import { type Entity, overlaps } from "../prompt/entities.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { askFor, type Step } from "../step.js";
import { lookUpPhrase } from "./lookup-call.js";

/** What stands before the one that something is done for. */
const BEFORE = /\b(?:to|for|by|with|from|at|of|in|on)\s+(?:the\s+)?(?:\p{L}+\s+)?$/iu;

interface Open {
  args: JsonObject;
  missing: readonly Slot[];
  prompt: PromptText;
  /** What of the prompt the call has taken. */
  used: ReadonlySet<Entity>;
}

/** The step that looks that record up; undefined where more is missing, or the prompt has no name or several for it. */
function lookUpNamed(
  tool: Tool,
  { args, missing, prompt, used }: Open,
  { tools, readsLeft }: Situation,
): Step | undefined {
  const [key, ...more] = missing;
  const [name, ...others] = prompt.entities.filter(
    (one) => one.kind === "name" && ![...used].some((other) => overlaps(one, other)),
  );
  if (!key || more.length > 0 || !name || others.length > 0 || readsLeft <= 0 || tool.safety === "read_only")
    return undefined;
  if (!KEY_NAME.test(key.name) || pathNames(tool).has(key.name) || !BEFORE.test(textBefore(prompt, name.start)))
    return undefined;
  return lookUpPhrase(tool, { args, key, prompt, phrase: name.text }, tools);
}

/** The step to what a call still needs. */
export function stepToMissing(tool: Tool, open: Open, situation: Situation): Step {
  const { args, missing, prompt } = open;
  return lookUpNamed(tool, open, situation) ?? askFor(tool, { args, missing, prompt: prompt.text });
}

const DESCRIBED = /^\s*(?:please\s+)?\p{L}+\s+(?:the|our|my)\s+(\p{L}+(?:\s+\p{L}+)?\s+(\p{L}+))[\s.!]*$/iu;

const NAME = String.raw`(?:the\s+)?(?<name>\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){0,2})`;
/** "set the skipper of trip 5 to runa falk", "assign skipper runa falk to trip 5". */
const REFERRED: readonly RegExp[] = [
  new RegExp(String.raw`^\s*(?:set|change)\s+the\s+(?<ref>\p{L}+)\s+of\s+\p{L}+\s+#?\d+\s+to\s+${NAME}[\s.!]*$`, "iu"),
  new RegExp(String.raw`^\s*assign\s+(?:the\s+)?(?<ref>\p{L}+)\s+${NAME}\s+to\s+\p{L}+\s+#?\d+[\s.!]*$`, "iu"),
];

/** The step that looks for the record that another, given by its key, is to refer to. */
function lookUpReferred(
  tool: Tool,
  { args, prompt }: { args: JsonObject; prompt: PromptText },
  tools: readonly Tool[],
): Step | undefined {
  const { ref = "", name = "" } = REFERRED.map((one) => one.exec(prompt.text)?.groups).find(Boolean) ?? {};
  const paths = pathNames(tool);
  if (tool.verb !== "update" || ref === "" || !Object.keys(args).every((one) => paths.has(one))) return undefined;
  const isReference = (slot: Slot): boolean =>
    KEY_NAME.test(slot.name) && !paths.has(slot.name) && words(slot.name).slice(0, -1).join(" ") === ref.toLowerCase();
  const [key, ...others] = slotsOf(tool).filter(isReference);
  return key && others.length === 0 ? lookUpPhrase(tool, { args, key, prompt, phrase: name }, tools) : undefined;
}

/** The step that looks for the record that a command describes and nothing else: "acknowledge the ice alarm". */
export function lookUpDescribed(
  { tool, filled: { args, missing } }: Candidate,
  prompt: PromptText,
  { tools, readsLeft }: Situation,
): Step | undefined {
  if (missing.length === 0 && tool.safety !== "read_only")
    return readsLeft > 0 ? lookUpReferred(tool, { args, prompt }, tools) : undefined;
  const [key, ...others] = missing;
  const [, phrase, noun] = DESCRIBED.exec(prompt.text) ?? [];
  if (tool.safety === "read_only" || !key || others.length > 0 || !pathNames(tool).has(key.name)) return undefined;
  if (phrase === undefined || noun?.toLowerCase() !== resourceNoun(tool) || prompt.entities.length > 0)
    return undefined;
  return readsLeft > 0 ? lookUpPhrase(tool, { args, key, prompt, phrase }, tools) : undefined;
}
