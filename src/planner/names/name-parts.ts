// Parts of what records are called: which texts are one, what is said above an answer by one, and the question before a change by one.

import { isPlural, singularOf } from "../../lib/plural.js";
import { type Step, textStep } from "../step.js";

/** What a name may go without, and a prompt may have beside it: "Northern Star" is the "MV Northern Star". */
const TITLE = /^(?:\p{Lu}{1,3}|[Tt]he|[Aa]n?|Dr|Mrs?|Ms|Miss|Prof|Sir|St)\.?$/u;
/** Of fewer letters a text is no part of a name. */
const MIN_PART = 3;

const partsOf = (name: string): string[] => name.split(/[^\p{L}\p{N}'’.-]+/u).filter((part) => part !== "");

/** Whether a text is part of a name, and whether that has nothing but a title before it. */
export function partOf(name: string, text: string): "part" | "title" | undefined {
  const whole = partsOf(name);
  const said = partsOf(text).filter((part) => !TITLE.test(part));
  const lower = said.map((part) => part.toLowerCase());
  if (said.join("").length < MIN_PART) return undefined;
  // "how many drive belts", "the Okafors".
  const isPart = (part: string): boolean =>
    whole.some((one) => one.toLowerCase() === part || (isPlural(part) && one.toLowerCase() === singularOf(part)));
  if (!lower.every(isPart)) return undefined;
  const at = whole.findIndex((_, i) => lower.every((part, j) => whole[i + j]?.toLowerCase() === part));
  const isWhole = at >= 0 && at + said.length === whole.length && said.length === partsOf(text).length;
  return isWhole && whole.slice(0, at).every((word) => TITLE.test(word)) ? "title" : "part";
}

/** Whether a text is one or more whole words of a name. */
export const isPartOf = (name: string, text: string): boolean => partOf(name, text) !== undefined;

/** What says of which record a prompt has a part of the name; empty where it has all of it. */
export const partNote = (
  { start, end, key, whole }: { start: number; end: number; key: string; whole?: string },
  text: string,
): string => (whole === undefined ? "" : `"${text.slice(start, end)}" is ${key}, ${whole}.\n\n`);

/** A step whose answer has a note above it. */
export const withNote = (step: Step, note: string): Step =>
  step.kind === "call" && note !== "" ? { ...step, goal: { ...step.goal, note } } : step;

/** Asks whether a record is meant of which a change has a part of the name: the change is the next step once the person says so. */
export function askForPart(step: Step, { said, key, whole }: { said: string; key: string; whole: string }): Step {
  const text = `"${said}" is not the whole name of ${key}, "${whole}". Nothing was changed: say`;
  if (step.kind === "text") return textStep(`${text} "${key}" if you mean that one.`);
  const goal = { ...step.goal, step: "ask" as const, missing: [], phrase: key };
  return { kind: "text", text: `${text} "yes" or "${key}" if you mean that one.`, goal };
}
