// Whether a parameter takes a value with the words that stand before it: "not from Germany" is no value of a country, and "longer
// than 100" none of a greatest length.

import type { Tool } from "../../domain/tool.js";
import { synonymsOf } from "../../tools/search/synonyms.js";
import { stem, terms, words } from "../../tools/search/terms.js";
import { type Comparison, comparisonOf, isOtherUnit } from "../prompt/comparison.js";
import type { Entity } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { isCount } from "../prompt/key-nouns.js";
import { countedBehind, namedBeside } from "../prompt/measured.js";
import { isNegated } from "../prompt/negation.js";
import { orderIn } from "../prompt/order.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { fieldTermsOf, isFromWithin, isTime, PLAIN_TIME, timeRelationOf } from "../prompt/span.js";
import { measuresOf } from "../prompt/superlatives.js";
import { boundOf } from "../slots/bounds.js";
import { hasWord } from "../slots/name-words.js";
import { ID_LIKE, type Slot, slotsOf } from "../slots/slot.js";
import { isStrictBound, isYearName, LIMIT, sideOf, traitsOf } from "../slots/traits.js";
import type { Assignment } from "./assignment.js";
import { isSortSlot, sortOption } from "./sort-option.js";

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
function allowsSpan({ slot, entity }: Pair, tool: Tool, prompt: PromptText): boolean {
  const { name } = slot;
  const before = textBefore(prompt, entity.start);
  // "in 2026" is no day but a span that begins there.
  const span = entity.through !== undefined && slot.format.startsWith("date") ? "min" : undefined;
  const [, prefix = span] = (!isFromWithin(entity, prompt) && SPANS.find(([pattern]) => pattern.test(before))) || [];
  const bound = boundOf(name);
  if (isTime(entity) && !isDated(slot, entity, { tool, prompt })) return false;
  return prefix === undefined ? bound === undefined : bound !== undefined && name.startsWith(`${prefix}_`);
}

/** Whether a column of days is the one that the verb before a day calls it by, where there is one. */
function isNamed({ label }: Slot, entity: Entity, prompt: PromptText): boolean {
  const verb = fieldTermsOf(prompt, entity);
  const own = label.filter((term) => !PLAIN_TIME.has(term) && !/^(?:below|abov)$/.test(term));
  return !verb || own.length === 0 || own.some((term) => verb.has(term));
}

/** Whether a column of a table may be the one that a day or a year is of: its words say so, or no other may be. */
function isDated(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  const columnOf = ({ name }: Slot): string => boundOf(name)?.column ?? name;
  const own = slot.label.filter((term) => !BOUND_TERMS.has(term) && !PLAIN_TIME.has(term));
  const isSaid = own.some((term) => prompt.terms.has(term));
  const isDay = slot.format.startsWith("date");
  if (!isDay && !(entity.kind === "number" && (isSaid || isYearName(columnOf(slot))))) return isSaid;
  if (fieldTermsOf(prompt, entity)) return isNamed(slot, entity, prompt);
  // "from before 1970" may be when a player was born, or joined.
  const isYears = (one: Slot): boolean =>
    one.format === "" && isYearName(columnOf(one)) && /^(?:number|integer)$/.test(one.type);
  const rivals = slotsOf(tool).filter(
    (one) => columnOf(one) !== columnOf(slot) && (isDay ? isYears(one) : one.format.startsWith("date")),
  );
  return entity.kind !== "number" || isSaid || rivals.length === 0;
}

/** Whether a value is named alone, or the slot takes several: of "driver 11 or 12" one driver is no filter. */
const isSingle = ({ type }: Slot, entity: Entity, prompt: PromptText): boolean =>
  type === "array" || joinedWith(prompt, entity).length === 1;

/** Whether a filter of a list takes a day, a month or a year with what stands before it: "after May" is no end, and "on" is both. */
function allowsTime({ slot, entity }: Pair, tool: Tool, prompt: PromptText): boolean {
  const isYear = slot.type === "integer" || slot.type === "number";
  if (isYear && !isYearName(slot.name)) return true;
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

const ASKED =
  /\b(?:what|which)(?:['’]s|\s+is)?(?:\s+the)?\s+(\p{L}+(?:[\s_]\p{L}+)?)\s+(?:is|are|was|were|does|do|did|has|have|of)\b/iu;

/** Whether a prompt asks for the field behind a slot, and gives no value for it: "what country is Goat Season from". */
function isAskedFor({ label }: Slot, { start }: Entity, { text }: PromptText): boolean {
  const asked = ASKED.exec(text);
  const said = words(asked?.[1] ?? "").map(stem);
  return asked !== null && asked.index + asked[0].length <= start && label.every((term) => said.includes(term));
}

/** Whether a target may be asked for so many records: it lists them in the order that is wanted, or is asked for that order. */
function allowsCount(before: string, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (/\b(?:last|latest|newest)\s+$/i.test(before)) return false;
  const order = orderIn(prompt);
  const isPutBy = (slot: Slot): boolean =>
    isSortSlot(slot) && order !== undefined && sortOption(slot, order, prompt) !== undefined;
  return !order || order.asListed === "first" || slotsOf(tool).some(isPutBy);
}

/** Whether a read takes a value that is compared by no sign. */
function allowsPlain({ slot, entity }: Pair, tool: Tool, prompt: PromptText): boolean {
  const before = textBefore(prompt, entity.start);
  if (tool.transport.path === undefined || slot.required) return true;
  if (slot.type === "string" && isCount(entity, prompt)) return false;
  if (NO_WHOLE_NAME.test(slot.name) && NAMED.test(before)) return false;
  if (PARTLY.test(before) || (LIMIT.test(slot.name) && !allowsCount(before, { tool, prompt }))) return false;
  if (!isSingle(slot, entity, prompt) || isAskedFor(slot, entity, prompt)) return false;
  if (tool.transport.table !== undefined) return allowsSpan({ slot, entity }, tool, prompt);
  return !isTime(entity) || allowsTime({ slot, entity }, tool, prompt);
}

/** What a parameter is a bound of: "weight" for `min_weight` and `below_weight_kg`. */
const boundTerms = ({ name, label }: Slot): string[] => {
  const own = label.filter((term) => !BOUND_TERMS.has(term));
  return own.length > 0 ? own : [name];
};
const BOUND_TERMS: ReadonlySet<string> = new Set(
  "min minimum max maximum above below over under gt gte lt lte from to lower upper least most".split(" ").map(stem),
);

/** What a number without a name is one of. */
const MAIN = /(?:price|amount|total|budget|salary|value|quantity)s?$|^(?:costs?|fees?)$/;
/** Words of a comparison with money. */
const OF_MONEY = /[$€£]|\b(?:cost|costs|costing|cheaper|dearer|expensive|priced?)\b/i;
/** The name of a field right before a comparison: "with a length over 10", "whose ticket price is over 10". */
const NAMED_BEFORE =
  /\b(?:with|whose|where|has|have|having|of)\s+(?:an?\s+|the\s+|its\s+)?(\p{Ll}+(?:[\s_]\p{Ll}+)?)\s+(?:of\s+|is\s+|are\s+)?$/u;

/** The verb right before a comparison: "that spent more than 10". */
const VERB_BEFORE =
  /(?:\bthat|\bwho|(?<=\p{L}\s)which)\s+(?!(?:is|are|was|were|be|ha[sd]|have|get|gets|got|do|does|of|the|in|with)\b)(\p{L}+)\s+$/iu;
/** So much of a word says the same: "weigh" of a weight. */
const SAME_LETTERS = 4;

/** Comparatives of age, and words in the names of what they compare. */
const AGED = /\b(?:older|younger|newer|earlier|later)\b/i;
const AGES = /^(?:ages?|old|years?|born|birth|birthday|built|made|since|dates?|times?|days?|created|updated)$/;

/** Whether the words of a comparison say what a parameter is a bound of; undefined where they say nothing of what it is. */
function isBoundOfWords(
  slot: Slot,
  tool: Tool,
  { comparison, prompt }: { comparison: Comparison; prompt: PromptText },
): boolean | undefined {
  const { text } = comparison;
  const bounds = slotsOf(tool).map((one) => ({ of: boundTerms(one).join(" "), stems: boundTerms(one) }));
  const whole = namedBeside(bounds, comparison, prompt);
  if (whole.length > 0) return whole.includes(boundTerms(slot).join(" "));
  const about = `${slot.name} ${slot.description}`;
  const measures = measuresOf(text);
  if (measures.length > 0) return words(about).some((word) => measures.includes(word));
  if (AGED.test(text)) return words(about).some((word) => AGES.test(word));
  const counted = countedBehind(comparison, prompt);
  if (counted === undefined && OF_MONEY.test(prompt.text) && !/\p{L}er than/iu.test(text)) return hasWord(about, MAIN);
  const at = prompt.text.indexOf(text);
  const before = prompt.text.slice(0, Math.max(0, at));
  const named = (NAMED_BEFORE.exec(before) ?? VERB_BEFORE.exec(before))?.[1] ?? counted;
  if (at < 0 || named === undefined || /^(?:at|all|any|more|less)$/i.test(named)) return undefined;
  const own = [...boundTerms(slot), ...terms(about)];
  const isOwn = (term: string): boolean =>
    own.some((one) => one === term || (term.length >= SAME_LETTERS && one.startsWith(term)));
  // Of "tickets sold" the last word says what of the tickets is meant: their price is not.
  const said = words(named).map(stem);
  const last = said.at(-1) ?? "";
  const isPart = ({ stems }: (typeof bounds)[number]): boolean => stems.includes(last);
  // "over 50 tickets" may be those sold, or their price.
  if (named === counted && new Set(bounds.filter(isPart).map(({ of }) => of)).size > 1) return false;
  return boundTerms(slot).every((term) => said.includes(term)) || [last, ...synonymsOf(last)].some(isOwn);
}

/** Whether a comparison may be about a parameter: its words say so, or they do not and it is the only one of its side. */
function isClearBound(slot: Slot, tool: Tool, by: { comparison: Comparison; prompt: PromptText }): boolean {
  if (slot.required) return true;
  const { prompt } = by;
  const said = isBoundOfWords(slot, tool, by);
  if (said !== undefined) return said;
  const { side } = traitsOf(slot);
  const rivals = slotsOf(tool).filter(
    (one) =>
      /^(?:number|integer)$/.test(one.type) &&
      side !== undefined &&
      traitsOf(one).side === side &&
      !ID_LIKE.test(one.name) &&
      boundTerms(one).join(" ") !== boundTerms(slot).join(" "),
  );
  if (rivals.length === 0) return true;
  const isMain = hasWord(slot.name, MAIN) && !rivals.some((one) => hasWord(one.name, MAIN));
  return isMain || boundTerms(slot).some((term) => prompt.terms.has(term));
}

const aboutUnit = ({ name, description, inMinutes }: Slot): string =>
  `${name} ${description}${inMinutes ? " minutes" : ""}`;

/** Whether the operator before the value of an assignment is one that its slot stands for. */
export function allowsOperator({ slot, entity }: Assignment, tool: Tool, prompt: PromptText): boolean {
  const { side } = traitsOf(slot);
  if (side !== undefined && !/^(?:number|date|time|id)$/.test(entity.kind)) return false;
  if (tool.safety !== "read_only") return true;
  if (isNegated(entity.start, prompt) && !slot.label.some((term) => EXCLUDES.test(term))) return false;
  const comparison = comparisonOf(entity, prompt);
  // The numbers that a calculation is "between" are bounds of nothing.
  const isPlain = comparison?.isSpan && (tool.transport.table !== undefined || (side === undefined && slot.required));
  if (!comparison || isPlain) return allowsPlain({ slot, entity }, tool, prompt);
  const { sign, isAlternative, isYear } = comparison;
  // Either of two bounds is no filter, and a year bounds no length.
  if (isAlternative || (isYear && !isYearName(slot.name) && !/date/i.test(slot.name))) return false;
  if (entity.kind === "number" && !isClearBound(slot, tool, { prompt, comparison })) return false;
  if (sign === undefined || isOtherUnit(aboutUnit(slot), entity, prompt)) return false;
  if (sign === "=") return side === undefined;
  // "at least 100" is not more than 100.
  if (/[≤≥]/.test(sign) && isStrictBound(slot.name)) return false;
  const wanted = sign === ">" || sign === "≥" ? "above" : "below";
  return side === undefined ? BOUNDING.test(`${slot.name} ${slot.description}`) : side === wanted;
}
