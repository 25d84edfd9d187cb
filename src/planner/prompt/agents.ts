// The word for whom a question asks by what they do: "who drives truck 3" asks for the driver, "who wrote it" for the writer or author.

import { singularOf } from "../../lib/plural.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { isPersonNoun } from "./person-nouns.js";
import { type PromptText, type Token, textBefore } from "./prompt.js";
import { plainForm } from "./verb-forms.js";

/** Who does it where the word for them has another stem. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  write: ["author"],
  paint: ["artist"],
  draw: ["artist"],
  own: ["keeper"],
  lead: ["head"],
};

/** Who does it where the word for them is the verb itself: "who coaches club 2". */
const SAME =
  /^(?:coach|sponsor|guide|host|pilot|captain|judge|mentor|chair|tutor|guard|cook|partner|nurse|doctor|referee|umpire|skipper|steward|model|boss|usher|marshal|butcher|cox|patron|escort|companion|volunteer)$/;

/** The least letters of a verb that a word for a person is read from: "own" of "owner". */
const LEAST = 3;

/** Whether a person of this name does what a verb says: "owner" for "owns", "runner" for "ran". */
export function isAgent(verb: string, name: string): boolean {
  const base = plainForm(verb.toLowerCase()) ?? verb.toLowerCase();
  const noun = singularOf(name.toLowerCase());
  if (OTHERS[base]?.includes(noun) || OTHERS[stem(base)]?.includes(noun)) return true;
  if (SAME.test(noun) && [base, singularOf(base), stem(base)].some((one) => one === noun || one === stem(noun)))
    return true;
  const [, plain = ""] = /^(\p{L}+?)(?:e?r|or|ist)$/u.exec(noun) ?? [];
  if (plain.length < LEAST) return false;
  const root = plain.replace(/(\p{L})\1$/u, "$1");
  const same = (one: string): boolean => one === plain || one === root || one === `${plain}e`;
  return same(base) || same(stem(base)) || isAkin(stem(base), stem(noun));
}

const WHO = /^\s*(?:(?:and|so|ok(?:ay)?),?\s+)?who(?:m|se)?\b/iu;
const AUXILIARY = /^(?:is|are|was|were|has|have|had|will|did|does|do|been|being|s|currently|now)$/;

/** The verb of a question for a person: "owns" of "who owns boat 3", and "own" for "whose boat is it". */
export function askedDeed(prompt: PromptText): string | undefined {
  const lead = WHO.exec(prompt.text)?.[0];
  if (lead === undefined) return undefined;
  if (/whose$/i.test(lead)) return "own";
  const verb = prompt.tokens.find(({ start, word }) => start >= lead.length && !AUXILIARY.test(word));
  return verb && isVerb(verb, prompt) ? verb.word : undefined;
}

const isVerb = ({ word, start }: Token, prompt: PromptText): boolean =>
  !/^(?:the|a|an|our|my)$/.test(word) && /\p{L}/u.test(word) && /\s$/.test(textBefore(prompt, start));

/** What the person does whom a record is for: "who placed order 3" asks for its customer. */
const ASKS_FOR = /^(?:placed|submitted|requested|ordered|booked|reserved|bought)$/i;

/** The verb of a form of it, to be compared. */
const rootOf = (word: string): string => stem(plainForm(word) ?? word);

/** Whether the name of a field, without what says that it is a key, is that of the person who does it: `driver_id`, `driven_by`. */
export function isAgentField(verb: string, field: string): boolean {
  const parts = words(field).filter((part) => !/^(?:id|ids|uuid|name)$/.test(part));
  const last = parts.at(-1) ?? "";
  if (last === "by") return rootOf(parts.at(-2) ?? "") === rootOf(verb.toLowerCase());
  return last !== "" && (isAgent(verb, last) || (ASKS_FOR.test(verb) && isPersonNoun(last)));
}
