// Narrowing a list by what the records are said to do, where a common verb goes with the fields of a few names: "who speak Basque" by
// `languages`, "living in Kendal" by `town`. Also what a prompt says twice, "the river town (Olite)", and the fields that it wants
// to see: ", showing born".

import { stem, words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { fieldNamesOf, keepRows, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";

/** Verbs, and the last words of the fields that hold what they go with. */
const VERBS: readonly (readonly [verb: RegExp, field: RegExp])[] = [
  [/^sp(?:eaks?|eaking|oke)$/, /^(?:languages?|tongues?)$/],
  [/^(?:lives?|living|resid(?:es?|ing))$/, /^(?:city|town|village|address|country|region|place|location|street)$/],
  [
    /^(?:works?|working)$/,
    /^(?:department|company|employer|institution|organi[sz]ation|team|office|role|job|profession)$/,
  ],
  [/^(?:plays?|playing)$/, /^(?:instruments?|position|sport|game)$/],
  [/^(?:stud(?:y|ies|ying)|learns?|learning|teach(?:es|ing)?)$/, /^(?:subjects?|courses?|languages?)$/],
  [/^(?:drives?|driving)$/, /^(?:vehicle|car|make|model|brand)$/],
  [/^(?:runs?|running)$/, /^(?:fuel|power)$/],
];
/** What may stand between the verb and the value. */
const BETWEEN = /^(?:in|at|as|for|on|the|a|an)$/;
/** Before these a verb says what once was, may be, or is wanted, or that there is nothing else. */
const OTHERWISE =
  /\b(?:only|used to|(?:wants?|wish(?:es)?|hopes?|likes?|plans?|going|learn(?:s|ing)?) to|might|may|would|could|will|should)\s+$/i;
/** Values of more words are texts. */
const MOST_WORDS = 3;

/** A value behind such a verb that some records have in a field that goes with it. */
function valueBehind(
  at: number,
  { prompt, rows }: Pick<NarrowedBy, "prompt" | "rows">,
): { key: string; value: string; start: number } | undefined {
  const { tokens, text } = prompt;
  const field = VERBS.find(([verb]) => verb.test(tokens[at]?.word ?? ""))?.[1];
  if (!field || OTHERWISE.test(text.slice(0, tokens[at]?.start))) return undefined;
  const keys = fieldNamesOf(rows).filter((key) => field.test(words(key).at(-1) ?? ""));
  const from = tokens.findIndex(({ word }, i) => i > at && !BETWEEN.test(word));
  const first = tokens[from];
  if (!first) return undefined;
  for (let count = MOST_WORDS; count > 0; count--) {
    const last = tokens[from + count - 1];
    const value = last && text.slice(first.start, last.end).toLowerCase();
    const held = keys.filter((key) => rows.some((row) => textsOfField(row[key]).includes(value ?? "")));
    const [key] = held;
    if (value !== undefined && key !== undefined && held.length === 1) return { key, value, start: first.start };
  }
  return undefined;
}

/** "who speak Basque": the records with that value in the only field that goes with the verb. */
export function narrowByVerb(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  for (const [at, token] of prompt.tokens.entries()) {
    const found = valueBehind(at, { prompt, rows });
    if (!found) continue;
    const { key, value, start } = found;
    out.understood.push(token.word);
    const isMet = (condition: string): boolean =>
      condition
        .toLowerCase()
        .split(/ (?:[=≠]|or) /)
        .includes(value);
    if (out.fields.has(key) && out.conditions.some(isMet)) continue;
    keepRows(out, { key, value, at: start, prompt }, (row) => textsOfField(row[key]).includes(value));
  }
}

/** A value in brackets right behind the name of its field, and other words for it before that. */
const SAID_TWICE = /\b(?:the\s+)?((?:\p{L}+\s+){0,2})(\p{L}+)\s*\(\s*([^()]{2,40}?)\s*\)/gu;

/** "the river town (Olite)": the records with that value in the field; the words before are others for it. */
export function narrowBySaidTwice(
  out: Narrowed,
  { rows, prompt }: { rows: NarrowedBy["rows"]; prompt: PromptText },
): void {
  for (const [whole, before = "", name = "", said = ""] of prompt.text.matchAll(SAID_TWICE)) {
    const value = said.toLowerCase();
    const key = fieldNamesOf(rows).find((one) => stem(words(one).at(-1) ?? "") === stem(name.toLowerCase()));
    if (key === undefined || !rows.some((row) => textsOfField(row[key]).includes(value))) continue;
    out.understood.push(`${before}${name}`);
    if (out.conditions.some((one) => one.toLowerCase().endsWith(` ${value}`))) continue;
    const at = prompt.text.indexOf(whole);
    keepRows(out, { key, value: said, at, prompt }, (row) => textsOfField(row[key]).includes(value));
  }
}

/** Fields that are to be shown, by their names. */
const SHOWING = /,\s*showing\s+((?:[\p{L}\p{N}_]+)(?:,\s*[\p{L}\p{N}_]+)*)\s*$/iu;

/** ", showing born": the fields of that name are shown first; no record is left out. */
export function showFields(out: Narrowed, { rows, prompt }: { rows: NarrowedBy["rows"]; prompt: PromptText }): void {
  const [said = "", names = ""] = SHOWING.exec(prompt.text) ?? [];
  const wanted = names.split(/,\s*/);
  const keys = fieldNamesOf(rows);
  if (said === "" || !wanted.every((name) => keys.includes(name))) return;
  for (const name of wanted) out.fields.add(name);
  out.understood.push(said);
}
