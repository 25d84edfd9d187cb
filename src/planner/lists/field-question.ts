// A question that calls no records and names a field of them: "whose certificate expires before 2027", "what is out of stock", "what is
// the highest fee". A prompt in; how to find the field in the records of a list, and the prompt with their noun, out.

import type { JsonObject } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { numericFields } from "../answer/amounts.js";
import { fieldNamesOf } from "../answer/narrowed.js";
import { withAmounts } from "../answer/nested.js";
import { supplyField } from "../answer/supply.js";
import { comparisonOf } from "../prompt/comparison.js";
import { oncePerPrompt } from "../prompt/prompt.js";
import { isTime } from "../prompt/span.js";
import { withoutUnit } from "../prompt/units.js";

/** Such a question. */
interface FieldQuestion {
  /** Whether the records of a list have the field. */
  isOf: (rows: readonly JsonObject[]) => boolean;
  /** The prompt with what the records are called, in the plural. */
  withNoun: (nouns: string) => string;
}

const WHOSE = /^\s*whose\s+(\p{L}+)\s+(?:is\s+|was\s+|are\s+)?(\p{L}+)?/iu;
const SUPPLY =
  /^\s*(?:what|which)(?:['’]?s|\s+is|\s+are|\s+ones\s+are)\s+(?:still\s+|currently\s+|now\s+)?((?:out of|not in|in) stock|sold out)\b(.*)$/iu;
const MOST =
  /^\s*(?:what(?:['’]?s|\s+is|\s+was)\s+|(?:show|give|tell)\s+me\s+)?(?:the\s+|our\s+)?(?:highest|lowest|largest|smallest|maximum|minimum)\s+(\p{L}+(?:\s\p{L}+)?)[\s?.!]*$/iu;

const SUM =
  /^\s*(?:what(?:['’]?s|\s+is|\s+was)\s+|(?:show|give|tell)\s+me\s+)?(?:the\s+|our\s+)?(?:sum|total|average|avg|mean)\s+(?:of\s+)?(?:(?:all|the|our)\s+){0,2}(\p{L}+(?:\s\p{L}+)?)[\s?.!]*$/iu;

const termsOf = (field: string): string[] => withoutUnit(words(field)).map(stem);

/** Whether a field is called by these words: by all of its name, or by the last of it. */
function isCalled(field: string, said: string): boolean {
  const wanted = words(said).map(stem).join(" ");
  const own = termsOf(field);
  return own.join(" ") === wanted || own.at(-1) === wanted;
}

/** The question that a prompt asks by a field alone; undefined for any other. */
export const fieldQuestionIn = oncePerPrompt((prompt): FieldQuestion | undefined => {
  const { text, entities } = prompt;
  const [, first = "", second = ""] = WHOSE.exec(text) ?? [];
  if (first !== "" && entities.some((one) => isTime(one) || comparisonOf(one, prompt))) {
    const said = [`${first} ${second}`, first].map((one) => words(one).map(stem).join(" "));
    const isNamed = (field: string): boolean => said.includes(termsOf(field).join(" "));
    return { isOf: (rows) => fieldNamesOf(rows).some(isNamed), withNoun: (nouns) => `${nouns} ${text.trim()}` };
  }
  const [, supply, rest = ""] = SUPPLY.exec(text) ?? [];
  if (supply !== undefined)
    return {
      isOf: (rows) => supplyField(rows) !== undefined,
      withNoun: (nouns) => `${nouns} that are ${supply}${rest}`,
    };
  const field = (MOST.exec(text) ?? SUM.exec(text))?.[1];
  if (field === undefined) return undefined;
  return {
    isOf: (rows) => numericFields(withAmounts(rows)).some((one) => isCalled(one, field)),
    withNoun: (nouns) => `${text.replace(/[\s?.!]+$/, "")} of the ${nouns}`,
  };
});
