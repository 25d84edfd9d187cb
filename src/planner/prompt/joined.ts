// Values of one kind that a prompt names in one breath: "driver 11 or 12", "floors 1 and 3", "doctor 1 and doctor 2".

import { stem } from "../../tools/search/terms.js";
import { SPAN_START } from "./comparison.js";
import type { Entity } from "./entities.js";
import { ownerOf } from "./key-owner.js";
import { oncePerEntity, type PromptText, textBefore } from "./prompt.js";

const JOINT = /^\s*(?:,|,?\s*(?:and|or|&))\s*(?:(?:the\s+)?(\p{L}+)\s+(?:#|no\.?\s*)?)?$/iu;

/** Whether one value follows another as its alternative, with the same noun or with none. */
function follows(second: Entity, first: Entity, prompt: PromptText): boolean {
  const joint = JOINT.exec(prompt.text.slice(first.end, second.start));
  if (
    !joint ||
    second.kind !== first.kind ||
    (SPAN_START.test(textBefore(prompt, first.start)) && first.kind !== "name")
  )
    return false;
  const [, noun] = joint;
  return noun === undefined || stem(noun.toLowerCase()) === ownerOf(prompt, first).word?.term;
}

/** All values that are named together with this one, itself among them, in the order of the prompt. */
export const joinedWith = oncePerEntity((prompt, entity): readonly Entity[] => {
  if (!/^(?:number|id|name|quoted)$/.test(entity.kind)) return [entity];
  const all = prompt.entities;
  // A value may be offered in another form, such as the code of a country.
  let first = all.findIndex((one) => one === entity || (one.start === entity.start && one.end === entity.end));
  let last = first;
  const isNext = (at: number): boolean => {
    const [one, other] = [all[at], all[at + 1]];
    return one !== undefined && other !== undefined && follows(other, one, prompt);
  };
  while (first > 0 && isNext(first - 1)) first--;
  while (isNext(last)) last++;
  return first < 0 ? [entity] : all.slice(first, last + 1);
});
