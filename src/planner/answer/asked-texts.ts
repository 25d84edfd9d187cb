// What records say at length, where a prompt asks for it: "why was order 7 refused", "what happened with it", "what does the note say". Rows
// and a prompt in, fields and a remark out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { fieldNamesOf } from "./narrowed.js";

const WHY = /^\s*(?:(?:and|so|but|ok(?:ay)?),?\s+)?(?:why\b|how come\b|for what reason\b)/i;
const MATTER =
  /\bwhat(?:['’]s|\s+is|\s+was)?\s+(?:exactly\s+|has\s+|had\s+|the\s+)?(?:happened|went wrong|gone wrong|wrong|reason|cause|matter|story)\b/i;
/** Words of such a question that no record has to have. */
const ASKING = "happened went gone wrong reason cause matter story say says come";

/** Fields that say more of a record than what it is called and where it is. */
const TEXT_NAME =
  /^(?:notes?|reasons?|comments?|remarks?|desc|descriptions?|findings?|explanations?|causes?|messages?|details?|texts?|body|summary|outcomes?|resolutions?|memo)$/;
const NAME = /name|title|subject|label|mail|url|address|phone|_id$|Id$/i;
/** A text of so many words is no state and no name. */
const MIN_WORDS = 4;

const isLong = (value: JsonValue | undefined): boolean =>
  typeof value === "string" && value.trim().split(/\s+/).length >= MIN_WORDS;

/** The fields in which some records say something at length. */
const textFields = (rows: readonly JsonObject[]): string[] =>
  fieldNamesOf(rows).filter((key) => {
    const isText = rows.some((row) => typeof row[key] === "string" && row[key] !== "");
    if (!isText || NAME.test(key)) return false;
    return words(key).some((word) => TEXT_NAME.test(word)) || rows.some((row) => isLong(row[key]));
  });

/** Whether a prompt asks for what happened, or why. */
const asksForMatter = ({ text }: PromptText): boolean => WHY.test(text) || MATTER.test(text);

/** The fields of a text that a prompt asks for: all for what happened, or those it has the words of. */
export function askedTexts(rows: readonly JsonObject[], prompt: PromptText): string[] {
  const all = textFields(rows);
  if (asksForMatter(prompt)) return all;
  return all.filter((key) => words(key).every((word) => prompt.tokens.some(({ term }) => term === stem(word))));
}

/** The words of a question for texts that ask for nothing else. */
export const askingWords = (texts: readonly string[]): string => (texts.length > 0 ? ASKING : "");

/** The remark where a prompt asks why and no record says it. */
export function whyNote(rows: readonly JsonObject[], { text }: PromptText): string {
  const isOpen = WHY.test(text) && rows.length > 0 && textFields(rows).length === 0;
  return isOpen ? "I found no field that says why.\n\n" : "";
}
