// Whether a parameter takes a value with the words that stand before it: "not from Germany" is no value of a country, and "longer
// than 100" none of a greatest length.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import { comparisonOf, isOtherUnit } from "../prompt/comparison.js";
import { isNegated } from "../prompt/negation.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { boundOf } from "../slots/bounds.js";
import type { Slot } from "../slots/slot.js";
import { traitsOf } from "../slots/traits.js";
import type { Assignment } from "./assignment.js";

/** Parameters that take what is not wanted. */
const EXCLUDES = /^(?:not|non|exclud\w*|except|without|ignor\w*|omit|ne|neq)$/;
/** Descriptions of parameters that are bounds without being called so. */
const BOUNDING =
  /\b(?:min(?:imum)?|max(?:imum)?|at least|at most|above|below|over|under|greater|less|limit|budget|up to)\b/i;

/** Names of bounds that leave the bound itself out. */
const STRICT = /^(?:gt|lt|above|below|over|under)$/;

/** The bounds of a column that words before a value stand for. */
const SPANS: readonly [RegExp, prefix: string][] = [
  [/\b(?:since|from|between)\s+(?:the\s+)?$/i, "min"],
  [/\bafter\s+(?:the\s+)?$/i, "above"],
  [/\bbefore\s+(?:the\s+)?$/i, "below"],
  [/\b(?:until|till|through)\s+(?:the\s+)?$|\b(?:between|from)\s+\S+\s+(?:and|to)\s+$/i, "max"],
];

/** Whether a filter of a table takes a value behind such words: "since May" is not the day itself, and "before" leaves it out. */
function allowsSpan({ name }: Slot, before: string): boolean {
  const [, prefix] = SPANS.find(([pattern]) => pattern.test(before)) ?? [];
  const bound = boundOf(name);
  return prefix === undefined ? bound === undefined : bound !== undefined && name.startsWith(`${prefix}_`);
}

/** Whether the operator before the value of an assignment is one that its slot stands for. */
export function allowsOperator({ slot, entity }: Assignment, tool: Tool, prompt: PromptText): boolean {
  const { side } = traitsOf(slot);
  if (side !== undefined && !/^(?:number|date|time|id)$/.test(entity.kind)) return false;
  if (tool.safety !== "read_only") return true;
  if (isNegated(entity.start, prompt) && !slot.label.some((term) => EXCLUDES.test(term))) return false;
  const comparison = comparisonOf(entity, prompt);
  if (!comparison) return tool.transport.table === undefined || allowsSpan(slot, textBefore(prompt, entity.start));
  const { sign } = comparison;
  if (sign === undefined || isOtherUnit(`${slot.name} ${slot.description}`, entity, prompt)) return false;
  if (sign === "=") return side === undefined;
  // "at least 100" is not more than 100.
  if (/[≤≥]/.test(sign) && words(slot.name).some((word) => STRICT.test(word))) return false;
  const wanted = sign === ">" || sign === "≥" ? "above" : "below";
  return side === undefined ? BOUNDING.test(`${slot.name} ${slot.description}`) : side === wanted;
}
