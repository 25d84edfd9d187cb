// Narrowing a list by the states that a prompt gives: the value of a status, a switch that is on or off, and what is not yet so, where the
// order of the states is known. Rows in, fewer out.

import type { JsonValue } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { isInside } from "../prompt/entities.js";
import { isNegated, negationsIn } from "../prompt/negation.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { fieldTermsOf, isTime, verbAskedWhen } from "../prompt/span.js";
import { unrealIn } from "../prompt/unreal.js";
import { isStateBeside } from "./narrow-time.js";
import { fieldNamesOf, keepRows, type Narrowed, type NarrowedBy } from "./narrowed.js";
import { inRow } from "./sentences.js";

const STATE = /status|state|stage|^(?:phase|progress|genre|category|kind|type|tier|priority|colou?r|level|role)$/i;

/** What has not been done by now may be done later: "havent shipped", "have not been paid". */
const NOT_BY_NOW = /\bha(?:ve|s)(?:n['’]?t| not)\b/i;
/** What says that it is not so yet: "yet to be shipped", "waiting to be shipped". What is "to be closed" is not all that is open. */
const TO_COME = /^(?:(?:are|is|were|was|have|has)\s+)?(?:still|yet|waiting)\s+to\s/i;
/** With such a state an order begins. */
const BEGINS =
  /^(?:pending|new|open|draft|plan|request|creat|receiv|queue|to[ _-]?do|backlog|submit|book|reserv|schedul|order|await|wait|regist|appl|propos|upcoming|incoming|ready|not|un|report|rais|logged|plac|invit|nominat|quot|enquir|inquir|intake|idea|lead|offer)/i;
/** States that nothing comes behind, in the order of others or out of it. */
const ENDS = /^(?:deliver|complet|clos|done|finish|archiv|retir|resolv)/i;
const CALLED_OFF =
  /^(?:cancel|reject|refus|declin|fail|void|withdraw|expir|delet|lost|lapse|abandon|refund|no[ _-]?show)/i;

/** What says that something is not so yet, around a value; undefined where nothing does. */
function notYetAt(at: number, prompt: PromptText): { text: string; denied: boolean } | undefined {
  const denial = negationsIn(prompt).find(({ start, end }) => at > start && at < end);
  if (denial) {
    const after = prompt.tokens.filter(({ start }) => start >= denial.end).slice(0, 2);
    const around = prompt.text.slice(denial.start, after.at(-1)?.end ?? denial.end);
    const isYet =
      NOT_BY_NOW.test(prompt.text.slice(Math.max(0, denial.start - "have ".length), denial.end)) ||
      /\byet\b/i.test(around) ||
      /\bstill\s+$/i.test(prompt.text.slice(0, denial.start));
    return isYet ? { text: denial.text, denied: true } : undefined;
  }
  const unreal = unrealIn(prompt).find(({ start, end, text }) => at >= start && at < end && TO_COME.test(text));
  return unreal && { text: unreal.text, denied: false };
}

/** The states before one, where the order of a schema is that in which they come: from a beginning, not by the alphabet, and no end before it. */
function statesBefore(value: string, options: readonly string[], held: ReadonlySet<string>): string[] | undefined {
  const folded = options.map((one) => one.toLowerCase());
  const isSorted = folded.every((one, at) => at === 0 || (folded[at - 1] ?? "") < one);
  const before = options.slice(0, Math.max(0, options.indexOf(value))).filter((one) => !CALLED_OFF.test(one));
  const isKnown = [...held].every((one) => options.includes(one));
  if (
    options.length < 3 ||
    isSorted ||
    !BEGINS.test(options[0] ?? "") ||
    !isKnown ||
    before.length === 0 ||
    CALLED_OFF.test(value)
  )
    return undefined;
  return before.some((one) => ENDS.test(one)) ? undefined : before;
}

/**
 * Keeps the records in a state before the one that they are not in yet, or, where the order of the states is not known, those in any
 * other state, and says so. False where the prompt says nothing of that.
 */
function keepEarlier(
  out: Narrowed,
  { key, value, at, prompt }: { key: string; value: string; at: number; prompt: PromptText },
  options: readonly string[],
): boolean {
  const said = notYetAt(at, prompt);
  if (!said) return false;
  const held = new Set(out.rows.flatMap((row) => (typeof row[key] === "string" ? [row[key]] : [])));
  const before = statesBefore(value, options, held);
  const others = [...held].filter((one) => one !== value).toSorted();
  if (!before && !said.denied) return false;
  for (const one of negationsIn(prompt)) if (at > one.start && at < one.end) out.negations.add(one);
  out.rows = out.rows.filter((row) => (before ? before.includes(String(row[key])) : row[key] !== value));
  out.conditions.push(before ? `${key} = ${before.join(" or ")}, not ${value}` : `${key} ≠ ${value}`);
  out.understood.push(said.text, value, "yet still");
  out.fields.add(key);
  if (!before && others.length > 1)
    out.taken.push(
      `I took "${said.text}" for any other ${key}, as nothing says which come before: ${inRow(others, "or")}.`,
    );
  return true;
}

/** "shipped orders", "incomplete todos", "orders not shipped yet": by the values of states, and by switches. */
export function narrowByState(
  out: Narrowed,
  { rows, prompt, noun, args }: NarrowedBy,
  optionsOf: (field: string) => readonly string[],
): void {
  const keys = fieldNamesOf(rows);
  // In "subscribed before 2025" the verb says what the day is of, and no state.
  const days = prompt.entities.filter((one) => isTime(one) && !isStateBeside(rows, one, prompt));
  const asked = verbAskedWhen(prompt)?.term;
  const datedBy = new Set([...days.flatMap((one) => [...(fieldTermsOf(prompt, one) ?? [])]), asked]);
  for (const key of keys) {
    const values = rows.map((row) => row[key]);
    if (STATE.test(key)) {
      const known = new Set(values.flatMap((value) => (typeof value === "string" ? [value] : [])));
      const tokenOf = (word: string): Token | undefined =>
        prompt.tokens.find(
          // The noun of the records says what they are, and no state: "members from Paris" where some are of the role "member".
          (token) => isWord(token.word, word) && singularOf(token.word) !== noun && !datedBy.has(token.term),
        );
      const named = [...known].filter((value) => words(value).every((word) => tokenOf(word) !== undefined));
      const [value] = named;
      if (value === undefined) continue;
      const at = tokenOf(words(value)[0] ?? "")?.start ?? 0;
      if (named.length === 1 && keepEarlier(out, { key, value, at, prompt }, optionsOf(key))) continue;
      if (named.length > 1 && (isNegated(at, prompt) || !/\b(?:or|and)\b|,/i.test(prompt.text))) continue;
      keepRows(out, { key, value: named.join(" or "), at, prompt }, (row) => named.some((one) => row[key] === one));
    } else if (values.some((value) => typeof value === "boolean") || isFlag(key, values, prompt)) {
      const sent = args[key];
      const wanted = typeof sent === "boolean" ? sent : switchFor(key, prompt);
      if (wanted === undefined) continue;
      out.rows = out.rows.filter((row) => (row[key] === true || row[key] === 1) === wanted);
      for (const one of wanted ? [] : negationsIn(prompt))
        if (
          prompt.tokens.some(
            ({ word, term, start }) =>
              isInside(start, [one]) && (words(key).map(stem).includes(term) || COMPLETE.test(word)),
          )
        )
          out.negations.add(one);
      out.conditions.push(`${key} = ${wanted ? "yes" : "no"}`);
      out.fields.add(key);
    }
  }
}

/** Fields of which there may be none or one. */
const AMOUNT =
  /^(?:count|number|no|qty|quantity|amount|total|sum|price|cost|fee|stock|level|age|year|size|rank|id|order|weight|length|score|points?)$/;

/** What a prompt says of records right before their noun, or behind "are": "vegan main dishes", "which soups are not vegan". */
const isSaidOf = (key: string, { tokens }: PromptText): boolean =>
  tokens.some(({ word }, at) => {
    if (word !== key.toLowerCase()) return false;
    const behind = tokens.slice(at + 1, at + 3).map((token) => token.word);
    const noun = behind.findIndex((one) => isPlural(one) || one === "ones");
    if (noun >= 0 && behind.slice(0, noun).every((one) => !isStopWord(one))) return true;
    return /^(?:is|are|was|were|not)$/.test(tokens[at - 1]?.word ?? "");
  });

/** Whether a field is a switch that a database keeps as 0 and 1: `on_display`, `is_paid`, and any that records are called by. */
const isFlag = (key: string, values: readonly (JsonValue | undefined)[], prompt: PromptText): boolean =>
  (/^(?:is|on|in|has|can|was|needs|open|active|public|private)(?=$|[_A-Z])/.test(key) ||
    words(key).some((word) => /(?:\p{L}{2}[^e]ed|able)$/u.test(word)) ||
    (!AMOUNT.test(key) && isSaidOf(key, prompt))) &&
  values.every((value) => value === 0 || value === 1);

/** Whether a word of the prompt is this one, or several of it: "suites". */
const isWord = (said: string, word: string): boolean => said === word || (isPlural(said) && singularOf(said) === word);

const COMPLETE = /complete|done|finish/i;

function switchFor(key: string, prompt: PromptText): boolean | undefined {
  if (COMPLETE.test(key)) {
    if (
      /\b(?:incomplete|uncompleted|unfinished|undone|open|pending|remaining|left|not (?:yet )?(?:complete|completed|done|finished)|to do)\b/i.test(
        prompt.text,
      )
    )
      return false;
    const said = prompt.tokens.find(({ word }) => /^(?:complete|completed|done|finished)$/.test(word));
    return said && !isNegated(said.start, prompt);
  }
  const terms = words(key)
    .map(stem)
    .filter((term) => term !== "is" && term !== "ha");
  // "inactive" is the opposite of "active".
  const opposite = ({ word }: Token): boolean =>
    terms.length === 1 && stem(word.replace(/^(?:in|un|dis)/, "")) === terms[0];
  if (prompt.tokens.some((token) => token.term !== terms[0] && opposite(token))) return false;
  if (terms.length === 0 || !terms.every((term) => prompt.terms.has(term))) return undefined;
  return !prompt.tokens.some(({ term, start }) => terms.includes(term) && isNegated(start, prompt));
}
