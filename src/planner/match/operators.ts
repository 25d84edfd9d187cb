// Whether a parameter takes a value with the words that stand before it: "not from Germany" is no value of a country, and "longer
// than 100" none of a greatest length.

import type { Tool } from "../../domain/tool.js";
import { comparisonOf, isOtherUnit } from "../prompt/comparison.js";
import type { Entity } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { isCount } from "../prompt/key-nouns.js";
import { isNegated } from "../prompt/negation.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { fieldTermsOf, isTime, PLAIN_TIME, timeRelationOf } from "../prompt/span.js";
import { boundOf } from "../slots/bounds.js";
import type { Slot } from "../slots/slot.js";
import { isStrictBound, LIMIT, sideOf, traitsOf } from "../slots/traits.js";
import type { Assignment } from "./assignment.js";

/** Parameters that take what is not wanted. */
const EXCLUDES = /^(?:not|non|exclud\w*|except|without|ignor\w*|omit|ne|neq)$/;
/** Descriptions of parameters that are bounds without being called so. */
const BOUNDING =
  /\b(?:min(?:imum)?|max(?:imum)?|at least|at most|above|below|over|under|greater|less|limit|budget|up to)\b/i;

/** What takes no whole name: "named Weiss" does not say which part that is, and "titled dark mode" no label. */
const NO_WHOLE_NAME = /^(?:first|last|middle|given|family|sur|fore|nick)_?name$|^(?:labels?|tags?)$/i;
const NAMED = /\b(?:named|called|titled|entitled|by the name(?: of)?)\s+["“'‘]?$/i;

type Pair = Pick<Assignment, "slot" | "entity">;

/** A text behind these is a part of a value. */
const PARTLY = /\b(?:starts?|starting|begins?|beginning|ends?|ending)\s+(?:with|in)\s+(?:the\s+letters?\s+)?$/i;

/** The bounds of a column that words before a value stand for. */
const SPANS: readonly [RegExp, prefix: string][] = [
  [/\b(?:since|from|between)\s+(?:the\s+)?$/i, "min"],
  [/\bafter\s+(?:the\s+)?$/i, "above"],
  [/\bbefore\s+(?:the\s+)?$/i, "below"],
  [/\b(?:until|till|through)\s+(?:the\s+)?$|\b(?:between|from)\s+\S+\s+(?:and|to)\s+$/i, "max"],
];

/** Whether a filter of a table takes a value behind such words: "since May" is not the day itself, and "before" leaves it out. */
function allowsSpan(slot: Slot, entity: Entity, prompt: PromptText): boolean {
  const { name } = slot;
  const before = textBefore(prompt, entity.start);
  // "in 2026" is no day but a span that begins there.
  const span = entity.through !== undefined && slot.format.startsWith("date") ? "min" : undefined;
  const [, prefix = span] = SPANS.find(([pattern]) => pattern.test(before)) ?? [];
  const bound = boundOf(name);
  if (isTime(entity) && slot.format.startsWith("date") && !isNamed(slot, entity, prompt)) return false;
  return prefix === undefined ? bound === undefined : bound !== undefined && name.startsWith(`${prefix}_`);
}

/** Whether a column of days is the one that the verb before a day calls it by, where there is one. */
function isNamed({ label }: Slot, entity: Entity, prompt: PromptText): boolean {
  const verb = fieldTermsOf(prompt, entity);
  const own = label.filter((term) => !PLAIN_TIME.has(term) && !/^(?:below|abov)$/.test(term));
  return !verb || own.length === 0 || own.some((term) => verb.has(term));
}

/** Whether a value is named alone, or the slot takes several: of "driver 11 or 12" one driver is no filter. */
const isSingle = ({ type }: Slot, entity: Entity, prompt: PromptText): boolean =>
  type === "array" || joinedWith(prompt, entity).length === 1;

/** Whether a filter of a list takes a day, a month or a year with what stands before it: "after May" is no end, and "on" is both. */
function allowsTime({ slot, entity }: Pair, tool: Tool, prompt: PromptText): boolean {
  const isYear = slot.type === "integer" || slot.type === "number";
  if (isYear && !/year/i.test(slot.name)) return true;
  const verb = fieldTermsOf(prompt, entity);
  const own = slot.label.filter((term) => !PLAIN_TIME.has(term));
  if (verb && own.length > 0 && !slot.label.some((term) => verb.has(term))) return false;
  const side = sideOf(slot.name);
  const relation = timeRelationOf(entity, prompt);
  if (relation === "after" || relation === "since") return side === "above";
  if (relation === "before") return side === "below";
  // A filter that leaves its day out has not all records until that day.
  if (relation === "until") return side === "below" && (entity.kind === "number" || !isStrictBound(slot.name));
  if (side === undefined) return entity.through === undefined || isYear;
  // The rest of a single day is narrowed among the records that were returned.
  const isSpan = entity.through !== undefined;
  return side === "above" && (isSpan || (tool.verb === "list" && !isStrictBound(slot.name)));
}

/** Whether a read takes a value that is compared by no sign. */
function allowsPlain({ slot, entity }: Pair, tool: Tool, prompt: PromptText): boolean {
  const before = textBefore(prompt, entity.start);
  if (tool.transport.path === undefined || slot.required) return true;
  if (slot.type === "string" && isCount(entity, prompt)) return false;
  if (NO_WHOLE_NAME.test(slot.name) && NAMED.test(before)) return false;
  if (PARTLY.test(before) || (LIMIT.test(slot.name) && /\b(?:last|latest|newest)\s+$/i.test(before))) return false;
  if (!isSingle(slot, entity, prompt)) return false;
  if (tool.transport.table !== undefined) return allowsSpan(slot, entity, prompt);
  return !isTime(entity) || allowsTime({ slot, entity }, tool, prompt);
}

/** Whether the operator before the value of an assignment is one that its slot stands for. */
export function allowsOperator({ slot, entity }: Assignment, tool: Tool, prompt: PromptText): boolean {
  const { side } = traitsOf(slot);
  if (side !== undefined && !/^(?:number|date|time|id)$/.test(entity.kind)) return false;
  if (tool.safety !== "read_only") return true;
  if (isNegated(entity.start, prompt) && !slot.label.some((term) => EXCLUDES.test(term))) return false;
  const comparison = comparisonOf(entity, prompt);
  if (!comparison || (comparison.isSpan && tool.transport.table !== undefined))
    return allowsPlain({ slot, entity }, tool, prompt);
  const { sign, isAlternative, isYear } = comparison;
  // Either of two bounds is no filter, and a year bounds no length.
  if (isAlternative || (isYear && !/year|date|born|built|made|since/i.test(slot.name))) return false;
  if (sign === undefined || isOtherUnit(`${slot.name} ${slot.description}`, entity, prompt)) return false;
  if (sign === "=") return side === undefined;
  // "at least 100" is not more than 100.
  if (/[≤≥]/.test(sign) && isStrictBound(slot.name)) return false;
  const wanted = sign === ">" || sign === "≥" ? "above" : "below";
  return side === undefined ? BOUNDING.test(`${slot.name} ${slot.description}`) : side === wanted;
}
