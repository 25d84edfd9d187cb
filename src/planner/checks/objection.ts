// Everything that speaks against a call, in the order in which it is worth knowing. A change with an objection is not made; a
// read is made all the same, except with an invalid value.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { quoted } from "../answer/sentences.js";
import type { Candidate } from "../match/candidates.js";
import { headNoun, isBesideHead } from "../match/head-noun.js";
import { uncoveredPairs } from "../match/maps.js";
import { intentOfTool } from "../match/tool-intent.js";
import { isInside } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { vagueDay } from "../slots/moment.js";
import { keysOf, type Slot, slotsOf } from "../slots/slot.js";
import { askAgain, offerRead, type Step, textStep } from "../step.js";
import { conditionIn } from "./conditions.js";
import {
  incrementIn,
  invalidSlots,
  invalidSlotText,
  strayUnit,
  textGivenFor,
  uncoveredEntities,
  uncoveredWords,
} from "./coverage.js";
import { misreadCommand } from "./misread-command.js";
import { ownershipObjection } from "./ownership.js";
import { uncoveredInRead } from "./read-coverage.js";
import { textWithMore } from "./text-with-more.js";

/** Whether a tool deletes or acts on the one record whose key it takes. */
function takesOne(tool: Tool): boolean {
  const intent = intentOfTool(tool);
  return (
    (intent === "delete" || intent === "act") &&
    keysOf(tool).length > 0 &&
    !/\}\/[^{}]*[^su]s$/.test(tool.transport.path ?? "")
  );
}

/** The text for a tool that takes one record only. */
export function oneOnlyText(tool: Tool): string {
  const names = keysOf(tool).map(({ name }) => name);
  return `\`${tool.name}\` works on one ${resourceNoun(tool)} at a time, so I called nothing. Say which one by its ${names.at(-1)} or name.`;
}

/** The text for a call that would leave out something that the prompt says. */
function unplacedText(tool: Tool, lost: readonly string[]): string {
  return `I could not place ${quoted(lost, "and")} in \`${tool.name}\`, so I called nothing. Say it in one plain sentence.`;
}

/** The text for a tool that makes or deletes something else than the prompt speaks of. */
function besideText(tool: Tool, prompt: PromptText, request: Request): string {
  const verb = intentOfTool(tool) === "create" ? "makes a new" : "deletes a";
  const head = headNoun(prompt, request)?.word ?? "an existing one";
  return `\`${tool.name}\` ${verb} ${resourceNoun(tool)}, and the prompt speaks of "${head}", so I called nothing.`;
}

/** Whether a change is what a later command of the prompt says, and not its first: "archive patient 3 and delete it". */
function isLaterCommand(tool: Tool, request: Request): boolean {
  const intent = intentOfTool(tool);
  const [first, ...later] = request.commands.filter(({ intents }) => intents.size > 0);
  if (!first || intent === "read" || intent === "act") return false;
  return !first.intents.has(intent) && later.some(({ intents }) => intents.has(intent));
}

/** The slot that a day of the prompt is meant for, and why it is none of its values. */
function vagueMoment({ tool, filled }: Candidate, prompt: PromptText): { slot: Slot; why: string } | undefined {
  const open = slotsOf(tool).filter((slot) => !filled.filled.has(slot));
  for (const entity of prompt.entities) {
    if (isInside(entity.start, filled.used)) continue;
    for (const slot of open) {
      const why = vagueDay(slot, entity);
      if (why !== undefined) return { slot, why };
    }
  }
  return undefined;
}

function objectionToRead(
  candidate: Candidate,
  invalid: readonly Slot[],
  { prompt, request, tools }: { prompt: PromptText; request: Request; tools: readonly Tool[] },
): Step | undefined {
  const { tool } = candidate;
  const why = misreadCommand(prompt, request, { tool, tools });
  // Where no record or value is named, nothing can be offered: "wash the dishes" is no list of them.
  if (why !== undefined)
    return candidate.filled.missing.length > 0 || candidate.filled.used.size === 0
      ? textStep(`${why}, so I called nothing. Say it in one plain sentence.`)
      : offerRead(candidate, { prompt: prompt.text, why });
  const isSet = ({ name }: Slot): boolean =>
    new RegExp(`\\b${words(name).join("[\\W_]?")}\\s*[:=]`, "i").test(prompt.text);
  const slot = invalid.find(isSet);
  if (slot) return textStep(`${invalidSlotText(tool, slot, textGivenFor(slot, prompt))} I called nothing.`);
  // What is missing is asked for first.
  const lost = candidate.filled.missing.length > 0 ? [] : uncoveredInRead(candidate, prompt);
  if (lost.length === 0) return undefined;
  return offerRead(candidate, {
    prompt: prompt.text,
    why: `I could not place ${quoted(lost, "and")} in \`${tool.name}\``,
  });
}

/** The record that a prompt without a word for a change begins with: "lot 2 grain?" and "lot 2's grain" make no new lot. */
function recordAtStart({ tokens, entities, text }: PromptText, tool: Tool, { changes }: Request): string | undefined {
  const noun = tokens.find(({ word }) => !/^(?:please|the|our|my|and)$/.test(word));
  const key = entities.find(({ start, kind }) => start >= (noun?.end ?? Infinity) && /^(?:number|id)$/.test(kind));
  const isOf = noun && key && noun.word === resourceNoun(tool) && /^\s+#?$/.test(text.slice(noun.end, key.start));
  const isField = key && /^(?:['’]s?)?\s+\p{L}+(?:\s\p{L}+)?[\s?.!]*$/u.test(text.slice(key.end));
  return isOf && isField && !changes ? text.slice(noun.start, key.end) : undefined;
}

/** The objection to a call as a step; undefined without one. */
export function objectionTo(
  candidate: Candidate,
  prompt: PromptText,
  { request, tools }: { request: Request; tools: readonly Tool[] },
): Step | undefined {
  const { tool, filled } = candidate;
  const reads = tool.safety === "read_only";
  // Whose tool is meant was decided before.
  const own = tools.filter(({ application }) => application === tool.application);
  const ownership = reads ? undefined : ownershipObjection(candidate, prompt, own);
  if (ownership !== undefined) return textStep(ownership);
  const nouns = new Set(own.map((one) => stem(resourceNoun(one))));
  if (!reads && isBesideHead(tool, { prompt, request }, nouns)) return textStep(besideText(tool, prompt, request));
  const invalid = invalidSlots(candidate, prompt);
  if (reads) return objectionToRead(candidate, invalid, { prompt, request, tools });
  const record = tool.verb === "create" ? recordAtStart(prompt, tool, request) : undefined;
  if (record !== undefined) return textStep(`I cannot tell what is wanted of ${record}, so I called nothing.`);
  if (isLaterCommand(tool, request))
    return textStep("I make one change a prompt, so I called nothing. Ask for one of them.");
  const more = textWithMore(candidate, prompt, own);
  if (more !== undefined)
    return textStep(`I cannot tell whether all of "${more}" is one text, so I called nothing. Put the text in quotes.`);
  const vague = vagueMoment(candidate, prompt);
  if (vague) return askAgain(tool, filled, { invalid: [vague.slot], prompt: prompt.text, why: vague.why });
  if (invalid.length > 0) {
    const why = invalid.map((slot) => invalidSlotText(tool, slot, textGivenFor(slot, prompt))).join(" ");
    return askAgain(tool, filled, { invalid, prompt: prompt.text, why });
  }
  const increment = intentOfTool(tool) === "update" && incrementIn(prompt);
  if (increment)
    return textStep(
      `I set values, I do not reckon with them, so I called nothing. Say what it is to be, not by how much ("${increment.text}").`,
    );
  const measure = strayUnit(candidate);
  if (measure !== undefined)
    return textStep(
      `\`${tool.name}\` does not say which unit it takes, so I called nothing. Say "${measure}" as the number it takes, without a unit.`,
    );
  if (request.everything && takesOne(tool)) return textStep(oneOnlyText(tool));
  const condition = conditionIn(candidate, prompt);
  if (condition !== undefined)
    return textStep(`I cannot weigh "${condition}", so I called nothing. Look first, then say what to do without it.`);
  const entities = uncoveredEntities(candidate, prompt).map(({ text }) => text);
  const pairs = uncoveredPairs(prompt, filled.args, filled.filled);
  const lost = entities.length > 0 ? entities : pairs.length > 0 ? pairs : uncoveredWords(candidate, prompt);
  if (lost.length === 0) return undefined;
  return textStep(`${unplacedText(tool, lost)} I make one change at a time.`);
}
