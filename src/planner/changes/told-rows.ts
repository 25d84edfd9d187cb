// A new record told in a row of values: "add a guest: Mira Holt, mira@x.example, 555 77, 4". A value that has no name is placed where only one
// parameter can take it by its form; any other is asked for by name. A candidate and its prompt in, a step out.

import type { JsonValue } from "../../lib/json.js";
import { valueAt } from "../../lib/json-pointer.js";
import { singularOf } from "../../lib/plural.js";
import { inRow } from "../answer/sentences.js";
import { uncoveredWords } from "../checks/coverage.js";
import type { Candidate } from "../match/candidates.js";
import { NAME_FIELD } from "../names/name-lists.js";
import { overlaps } from "../prompt/entities.js";
import { PRICE_WORD } from "../prompt/price-times.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, keyNoun, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Step, textStep } from "../step.js";

/** What the row is of, and where it begins. */
const ROW =
  /^\s*(?:please\s+)?(?:add|create|register|enter|record|make|new)\s+(?:(?:an?|the|another)\s+)?(?:new\s+)?(?<noun>\p{L}+)(?::|\s[-–])?\s+(?=\S)/iu;
const MOST_VALUES = 12;

const NUMBER = /^\d+(?:\.\d+)?$/;
/** Digits in groups, or with a plus: no amount is written so, and no range of years. */
const PHONE = /^(?!\d{4}-\d{4}$)\+?\d[\d()/-]*(?:\s[\d()/-]+)*$/;
/** A number with fewer digits is rather another one, and so is one without blanks. */
const PHONE_DIGITS = 5;
const PHONE_DIGITS_JOINED = 7;
const PHONE_NAME = /phone|mobile|^tel|cell/i;
/** "30 kr", "$12.50". */
const MONEY =
  /^(?:[$€£]\s?(?<before>\d+(?:\.\d+)?)|(?<behind>\d+(?:\.\d+)?)\s?(?:kr|sek|nok|dkk|eur|euros?|usd|dollars?|gbp|pounds?|[$€£]))$/i;
const COLOUR =
  /^(?:black|white|gr[ae]y|red|green|blue|yellow|orange|brown|pink|purple|violet|silver|gold|beige|turquoise)$/i;
const COLOUR_NAME = /colou?r/i;
/** "3 Oak St", "Hill Road 9". */
const ADDRESS =
  /^(?:\d{1,4}\p{L}?(?:\s\p{L}[\p{L}'’.-]*){1,4}|\p{L}[\p{L}'’.-]*(?:\s\p{L}[\p{L}'’.-]*){0,3}\s\d{1,4}\p{L}?)$/u;
const STREET =
  /\b(?:st|street|road|rd|lane|ln|avenue|ave|way|drive|square|place|court|hill|weg|gade|vej|gate|veien|strasse|straße|gata|rue|via)\b|(?:vej|gade|gata|veien|strasse|straße|weg)\b/i;
const ADDRESS_NAME = /address|street/i;
/** Texts that no bare number is: what something is called, or says at length. */
const NO_NUMBER =
  /name|title|mail|colou?r|address|street|city|country|note|desc|comment|remark|text|reason|role|type|kind|status|url|supplier|company|employer|brand|author|composer|instrument/i;

/** Texts that no word is. */
const NO_WORD = /phone|mobile|^tel|cell|mail|url|date|time/i;
/** What says that a number is none for sure. */
const VAGUE =
  /^(?:about|around|approx(?:imately)?|roughly|circa|some|almost|nearly|maybe|perhaps|at (?:least|most)|up to|over|under)\s/i;

/** A value of a row, as it is written, and where it stands. */
interface Value {
  text: string;
  start: number;
  end: number;
}

/** The values of a row; none where a prompt is no row of this noun, or has texts in quotes. */
function valuesIn({ text }: PromptText, noun: string): Value[] {
  const lead = ROW.exec(text);
  if (!lead || singularOf(lead.groups?.["noun"]?.toLowerCase() ?? "") !== noun || /["“”`\n=]/.test(text)) return [];
  const values: Value[] = [];
  let at = lead[0].length;
  for (const part of text.slice(at).split(/[,;](?=\s)/)) {
    const said = part.trim().replace(/[.!]+$/, "");
    const start = at + part.indexOf(said);
    values.push({ text: said, start, end: start + said.length });
    at += part.length + 1;
  }
  return values.length < 2 || values.length > MOST_VALUES || values.some(({ text: said }) => said === "") ? [] : values;
}

/** Whether nothing of a value went into an argument, and no word of it says which. `open` are the words that were left out. */
function isLost(
  { text, start, end }: Value,
  { tool, filled }: Candidate,
  { prompt, open, isFirst }: { prompt: PromptText; open: readonly string[]; isFirst: boolean },
): boolean {
  if ([...filled.used].some((one) => overlaps(one, { start, end }))) return false;
  const own = new Set(
    prompt.tokens.filter((token) => token.start >= start && token.end <= end).map(({ term }) => term),
  );
  if (slotsOf(tool).some(({ label }) => label.some((term) => own.has(term)))) return false;
  const isName = isFirst && filled.missing.some(({ name }) => NAME_FIELD.test(name));
  return (
    isName || prompt.entities.some((one) => overlaps(one, { start, end })) || open.some((word) => text.includes(word))
  );
}

/** The parameters that a value may be for by its form: as a name where it is the first, and as no number where it is a day. */
function takersOf(
  { text }: Value,
  slots: readonly Slot[],
  { isFirst, isDay }: { isFirst: boolean; isDay: boolean },
): Slot[] {
  const texts = slots.filter(({ type, format, options }) => type === "string" && format === "" && options.length === 0);
  const named = (pattern: RegExp): Slot[] => texts.filter(({ name }) => pattern.test(name));
  const digits = text.replace(/\D/g, "").length;
  const least = /\s/.test(text) ? PHONE_DIGITS : PHONE_DIGITS_JOINED;
  if (PHONE.test(text) && digits >= least && !NUMBER.test(text)) return isDay ? [] : named(PHONE_NAME);
  const isPrice = ({ label, type }: Slot): boolean => type !== "string" && label.some((term) => PRICE_WORD.test(term));
  if (MONEY.test(text)) return slots.filter(isPrice);
  if (NUMBER.test(text)) {
    const numeric = slots.filter(
      (slot) =>
        (slot.type === "number" || slot.type === "integer") &&
        !KEY_NAME.test(slot.name) &&
        toSlotValue(slot, Number(text)) !== undefined,
    );
    const isOther = ({ name }: Slot): boolean =>
      !NO_NUMBER.test(name) && (!PHONE_NAME.test(name) || digits >= PHONE_DIGITS);
    return [...numeric, ...texts.filter(isOther)];
  }
  const colours = COLOUR.test(text) ? named(COLOUR_NAME) : [];
  const addresses = ADDRESS.test(text) && STREET.test(text) ? named(ADDRESS_NAME) : [];
  const names = isFirst && /^\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){1,3}$/u.test(text) ? named(NAME_FIELD) : [];
  return [colours, addresses, names].find(({ length }) => length > 0) ?? [];
}

/** A value without the sign of a currency. */
function plain(text: string): string {
  const { before, behind } = MONEY.exec(text)?.groups ?? {};
  return before ?? behind ?? text;
}

/** A value as it is written behind the name of its parameter. */
const written = ({ type, name }: Slot, text: string): string =>
  `${name}: ${type === "string" ? `"${text}"` : plain(text)}`;

/** The question for a value that several parameters can take, or that none can by its form; undefined where there is nothing to name. */
function whichText({ tool, filled }: Candidate, { text }: Value, slots: readonly Slot[]): string | undefined {
  const texts = slots.filter(({ type, options }) => type === "string" && options.length === 0);
  const no = /\p{L}/u.test(text) ? NO_WORD : NO_NUMBER;
  const near = slots.some(({ type }) => type !== "string") ? slots : texts.filter(({ name }) => !no.test(name));
  const keys = filled.missing.flatMap(({ name }) => keyNoun(name) ?? []);
  const names = [...near.map(({ name }) => name), ...(/\p{L}/u.test(text) ? keys : [])];
  const [first] = names;
  if (first === undefined) return undefined;
  const which = names.length === 1 ? `It may be its ${first}` : `It may be ${inRow(names, "or")}`;
  return `I could not place "${text}" in \`${tool.name}\`, so I called nothing. ${which}: say all of it again with that name, such as "${first}: ${text}".`;
}

/** The step for a new record that is told in a row; `again` gives the one for a prompt with names beside its values. Undefined for any other. */
export function rowStep(candidate: Candidate, prompt: PromptText, again: (text: string) => Step): Step | undefined {
  const { tool, filled } = candidate;
  if (tool.verb !== "create" || tool.safety === "read_only" || pathNames(tool).size > 0) return undefined;
  const values = valuesIn(prompt, resourceNoun(tool));
  const open = uncoveredWords(candidate, prompt);
  const vague = values.find(({ text }) => VAGUE.test(text));
  if (vague) return textStep(`"${vague.text}" is no certain value, so I called nothing. Say what it is to be.`);
  const lost = values.filter((value, at) => isLost(value, candidate, { prompt, open, isFirst: at === 0 }));
  if (lost.length === 0) return undefined;
  const slots = slotsOf(tool).filter(
    (slot) => slot.path.length === 1 && !filled.filled.has(slot) && slot.schema["readOnly"] !== true,
  );
  const isDay = (value: Value): boolean =>
    prompt.entities.some((one) => /^(?:date|time)$/.test(one.kind) && overlaps(one, value));
  const placed = lost.map((value) => ({
    value,
    takers: takersOf(value, slots, { isFirst: value === values[0], isDay: isDay(value) }),
  }));
  const chosen = placed.map(({ takers }) => (takers.length === 1 ? takers[0] : undefined));
  const unclear = placed.find((_, at) => chosen[at] === undefined);
  if (!unclear && new Set(chosen).size < chosen.length) return undefined;
  if (unclear) {
    const { value, takers } = unclear;
    const others = slots.filter(({ type }) => type === "string");
    // A number that no number of the record can be is none of its texts.
    const isOdd =
      !/\p{L}/u.test(value.text) &&
      slots.some(({ type, name }) => type !== "string" && type !== "boolean" && !KEY_NAME.test(name));
    const near = takers.length > 0 || isOdd ? takers : others;
    const text = isDay(value) ? undefined : whichText(candidate, value, near);
    return text === undefined ? undefined : textStep(text);
  }
  let text = prompt.text;
  for (const [at, { value }] of [...placed.entries()].toReversed()) {
    const slot = chosen[at];
    if (slot) text = text.slice(0, value.start) + written(slot, value.text) + text.slice(value.end);
  }
  const step = again(text);
  const { tool: name, args = {} } = step.goal ?? {};
  const isPlaced = (slot: Slot | undefined, said: string): boolean => {
    const value: JsonValue | undefined = slot && valueAt(args, slot.path);
    return value !== undefined && String(value) === (slot?.type === "string" ? said : String(Number(plain(said))));
  };
  return name === tool.name && placed.every(({ value }, at) => isPlaced(chosen[at], value.text)) ? step : undefined;
}
