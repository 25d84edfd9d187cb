// What makes a change depend on something, or reaches beyond it: "if it is empty", "all but 3", "and its orders". Nothing here
// weighs such words, so a change that comes with them is not made.
import type { Candidate } from "../match/candidates.js";
import { intentOfTool } from "../match/tool-intent.js";
import type { PromptText } from "../prompt/prompt.js";
import { unassignedText } from "./coverage.js";

/** The change is to be made only then, or not to everything that is named. */
const DEPENDS =
  /\b(?:if|unless|in case|provided|assuming|whenever|when|once|as long as|as soon as|otherwise|except|excluding|apart from|other than|but|later)\b/i;
/** So do these, when no value of the call stands behind them: "before 2026-03-01" may be a parameter's. */
const DEPENDS_UNPLACED = /\b(?:after|before|until|till|while)\b/i;
/** What belongs to the record is meant as well. */
const REACHES = /\b(?:and|with|including|plus)\s+(?:all\s+)?(?:of\s+)?(?:its|their|his|her)\b/i;

/** Such words in a prompt that are part of no value, up to the end of their clause. */
export function conditionIn(candidate: Candidate, prompt: PromptText): string | undefined {
  const { tool, filled } = candidate;
  const kind = intentOfTool(tool);
  const free = kind === "create" ? unassignedText(candidate, prompt) : "";
  const from = free === "" ? prompt.text.length : prompt.text.indexOf(free);
  const isUsed = (at: number): boolean =>
    (at >= from && at < from + free.length) || [...filled.used].some(({ start, end }) => at >= start && at < end);
  const find = (pattern: RegExp): RegExpExecArray | undefined =>
    [...prompt.text.matchAll(new RegExp(pattern, "gi"))].find(({ index }) => !isUsed(index));
  const placed = ({ index, 0: text }: RegExpExecArray): boolean => {
    const next = prompt.tokens.find(({ start }) => start >= index + text.length);
    return next !== undefined && isUsed(next.start);
  };
  const unplaced = find(DEPENDS_UNPLACED);
  const found =
    find(DEPENDS) ??
    (unplaced && !placed(unplaced) ? unplaced : undefined) ??
    (kind === "delete" || kind === "act" ? find(REACHES) : undefined);
  return found && /^[^,;.!?]*/.exec(prompt.text.slice(found.index))?.[0].trim();
}
