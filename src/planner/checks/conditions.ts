// Conditions of a change, and words that reach beyond it: "if it is empty", "all but 3", "and its orders". The planner cannot
// evaluate them, so a change that has them is not made.
import type { Candidate } from "../match/candidates.js";
import { intentOfTool } from "../match/tool-intent.js";
import { isInside } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { unassignedText } from "./coverage.js";

/** The change depends on something, or leaves out some of the records that are named. */
const DEPENDS =
  /\b(?:if|unless|in case|provided|assuming|whenever|when|once|as long as|as soon as|otherwise|except|excluding|apart from|other than|but|later|without|instead of|rather than)\b/i;
/** A denial that is no value of a switch. */
const DENIES = /\bnot\b|n['’]t\b/i;
/** So do these, unless an entity of the call follows: "before 2026-03-01" may be a parameter's. */
const DEPENDS_UNLESS_USED = /\b(?:after|before|until|till|while)\b/i;
/** The change includes what belongs to the record. */
const REACHES = /\b(?:and|with|including|plus)\s+(?:all\s+)?(?:of\s+)?(?:its|their|his|her)\b/i;

/** Such words in a prompt that are part of no entity, up to the end of their clause. */
export function conditionIn(candidate: Candidate, prompt: PromptText): string | undefined {
  const { tool, filled } = candidate;
  const intent = intentOfTool(tool);
  const free = intent === "create" ? unassignedText(candidate) : "";
  const from = free === "" ? prompt.text.length : prompt.text.indexOf(free);
  const isUsed = (at: number): boolean => (at >= from && at < from + free.length) || isInside(at, filled.used);
  const find = (pattern: RegExp): RegExpExecArray | undefined =>
    [...prompt.text.matchAll(new RegExp(pattern, "gi"))].find(({ index }) => !isUsed(index));
  const isFollowed = ({ index, 0: text }: RegExpExecArray): boolean => {
    const next = prompt.tokens.find(({ start }) => start >= index + text.length);
    return next !== undefined && isUsed(next.start);
  };
  const open = find(DEPENDS_UNLESS_USED);
  const found =
    find(DEPENDS) ??
    (open && !isFollowed(open) ? open : undefined) ??
    ([...filled.certain].some(({ type }) => type === "boolean") ? undefined : find(DENIES)) ??
    (intent === "delete" || intent === "act" ? find(REACHES) : undefined);
  return found && /^[^,;.!?]*/.exec(prompt.text.slice(found.index))?.[0].trim();
}
