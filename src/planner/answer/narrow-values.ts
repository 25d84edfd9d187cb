// Narrowing a list to the records with a value that the prompt gives: a name, a label, the key of another record, one of several.

import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { comparisonOf } from "../prompt/comparison.js";
import { countryCode } from "../prompt/countries.js";
import type { Entity } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { ownerOf } from "../prompt/key-owner.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { isTime } from "../prompt/span.js";
import { withoutUnit } from "../prompt/units.js";
import { keyNoun } from "../slots/slot.js";
import { numericFields } from "./amounts.js";
import { fieldNamesOf, keepRows, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";

/** A word or two in lower case behind such a preposition are a name where a record has them. */
const BEHIND =
  /\b(?:in|on|from|at|of|by|for|to|with|under|contain(?:s|ing)?|includ(?:es?|ing)|ha(?:ve|s))\s+(?:the\s+)?(\p{Ll}[\p{L}-]+(?:\s(?!(?:in|on|from|to|at|since|until|before|after|over|under|above|below|between|with|and|or|but|do|does|did)\b)\p{Ll}[\p{L}-]+)?)(?=[?.!,;]|\s*$|\s+(?:in|on|from|to|at|since|until|before|after|over|under|above|below|between|with|that|which|who|and|or|but|do|does|did)\b)/gu;
/** What says no more than that something is in a place, or in something else: "found on the car deck", "containing nuts". */
const PLACED =
  /(?:\b(?:found|kept|located|situated|placed|put|seen|lying|sitting|based)\s+(?:in|on|at|under|from|with|by)\s+(?:the\s+)?|\b(?:contain|includ)\p{L}*\s+)$/iu;
/** So is a word behind "is": "that are not calm". */
const BEING = /\b(?:is|are|was|were)\s+(?:not\s+)?(\p{Ll}[\p{L}-]+)(?=[?.!,;]|\s*$|\s+(?:and|or|but)\b)/gu;
/** So is the word behind what says that records are labelled; it is no condition of another kind. */
const LABELLED =
  /\b(?:labell?ed|tagged|(?:with\s+)?(?:the\s+)?(?:labels?|tags?))\s+(?:as\s+|with\s+|is\s+)?["“'‘]?(\p{Ll}[\p{L}\p{N}-]*)/giu;

/** Words of which either will do: "red or blue boats", "boats in oslo or bergen". */
const EITHER = /(?<![\p{L}-])(\p{L}[\p{L}-]*(?:,\s*\p{L}[\p{L}-]*)*),?\s+or\s+(\p{L}[\p{L}-]*)(?![\p{L}-])/gu;

/** Fields for where something begins and where it ends. */
const SIDES = {
  from: /^(?:from|origin|departure|start|source|pickup)$/,
  to: /^(?:to|destination|arrival|end|target|delivery|dropoff)$/,
};

/** The fields that may hold what stands behind "from", or behind "to", where the records have both sides. */
function fieldsOfSide(keys: readonly string[], before: string, isHolding: (key: string) => boolean): readonly string[] {
  const side = /\b(from|to)\s+(?:the\s+)?$/i.exec(before)?.[1]?.toLowerCase();
  const sideOf = (pattern: RegExp): string[] => keys.filter((key) => words(key).some((word) => pattern.test(word)));
  const [from, to] = [sideOf(SIDES.from), sideOf(SIDES.to)];
  if (side === undefined || from.length === 0 || to.length === 0) return keys;
  const [own, other] = side === "from" ? [from, to] : [to, from];
  const holding = own.filter(isHolding);
  return holding.length > 0 ? holding : keys.filter((key) => !other.includes(key));
}

/** Fields that may hold a country by its code. */
const isCountry = (key: string): boolean => /country|nation|origin|flag/i.test(key);

type Name = Pick<Entity, "text" | "start"> & { of: readonly string[] };

/** The words right before the noun of the records, or before the name of a field: "german artists", "in the stamping line". */
function adjectivesIn({ tokens, text }: PromptText, keys: readonly string[], noun: string): Name[] {
  const fields = new Set(keys.flatMap(words).map(stem));
  return tokens.flatMap(({ word, start, end }, at): Name[] => {
    const next = tokens[at + 1];
    if (!next || isStopWord(word) || !/^\p{L}/u.test(word) || !/^\s$/.test(text.slice(end, next.start))) return [];
    const isBefore = singularOf(next.word) === noun || fields.has(next.term);
    return isBefore ? [{ text: word, start, of: [word] }] : [];
  });
}

/** Whether a word is a capital that may be a value: "warehouse A". */
const isLetter = (text: string): boolean => /^\p{Lu}$/u.test(text);

/** The words right behind the name of a field: "of make nissan", "language de". */
function labelledIn({ tokens, text }: PromptText, keys: readonly string[]): (Name & { key: string })[] {
  return tokens.flatMap(({ term, end }, at) => {
    const next = tokens[at + 1];
    const key = keys.find((one) => stem(one.toLowerCase()) === term);
    if (
      key === undefined ||
      !next ||
      (isStopWord(next.word) && !isLetter(text.slice(next.start, next.end))) ||
      !/^\p{L}/u.test(next.word) ||
      !/^\s(?:is\s|=\s?)?$/.test(text.slice(end, next.start))
    )
      return [];
    return [{ text: text.slice(next.start, next.end), start: next.start, of: [next.word], key }];
  });
}

/** Plurals that may be what the records are called by one of their fields: "all neutered beagles". */
function pluralsIn({ tokens, text }: PromptText, noun: string): Name[] {
  return tokens.flatMap(({ word, start, end }): Name[] =>
    isPlural(word) && singularOf(word) !== noun
      ? [{ text: text.slice(start, end), start, of: [singularOf(word)] }]
      : [],
  );
}

/** Values of more words than these are texts. */
const MAX_PHRASE = 4;

/** The values of several words that stand in a prompt as they are: "items on the car deck". */
function phrasesIn({ text }: PromptText, rows: readonly JsonObject[]): Name[] {
  const prompt = text.toLowerCase();
  const values = new Set(rows.flatMap((row) => Object.values(row).flatMap(textsOfField)));
  return [...values].flatMap((value): Name[] => {
    if (!/^\p{L}[\p{L}'’-]*(?:\s[\p{L}\p{N}'’-]+)+$/u.test(value) || value.split(" ").length > MAX_PHRASE) return [];
    const start = prompt.indexOf(value);
    const around = `${prompt[start - 1] ?? " "}${prompt[start + value.length] ?? " "}`;
    return start < 0 || /[\p{L}\p{N}-]/u.test(around) ? [] : [{ text: value, start, of: [value] }];
  });
}

/** A code that looks like a number and its unit: "2027A". */
const codeOf = ({ kind, whole = "" }: Entity): string | undefined =>
  kind === "number" && /^\d+\p{Lu}$/u.test(whole) ? whole : undefined;

/** "cheaper than Huila Decaf" compares with that one, and shows others. */
const THAN = /\p{L}\sthan\s(?:the\s)?$/iu;

/** The names of a prompt, each with those it is named together with. */
function namesIn(prompt: PromptText): Name[] {
  const given = prompt.entities.flatMap((entity): Name[] => {
    const code = codeOf(entity);
    if (code !== undefined) return [{ text: code, start: entity.start, of: [code] }];
    if (!/^(?:name|quoted|id|email)$/.test(entity.kind)) return [];
    const [first, ...others] = joinedWith(prompt, entity);
    if (first !== entity) return [];
    return [{ text: entity.text, start: entity.start, of: [entity, ...others].map(({ text }) => text) }];
  });
  const plain = [BEHIND, BEING, LABELLED].flatMap((pattern) =>
    [...prompt.text.matchAll(pattern)].map(({ index, 0: whole, 1: text = "" }): Name => {
      return { text, start: index + whole.lastIndexOf(text), of: [text] };
    }),
  );
  const all = [...given, ...plain.filter(({ start }) => !prompt.entities.some((one) => one.start === start))];
  const joint = [...prompt.text.matchAll(EITHER)].map(
    ({ index, 0: text, 1: first = "", 2: last = "" }): Name => ({
      text,
      start: index,
      of: [...first.split(/,\s*/), last],
    }),
  );
  const isWithin = (name: Name, { start, text }: Name): boolean =>
    name.start >= start && name.start < start + text.length;
  const alone = joint.filter((one) => !all.some((name) => name.of.length > 1 && isWithin(name, one)));
  return [...alone, ...all.filter((name) => !alone.some((one) => isWithin(name, one)))];
}

/** What a record that others refer to by a key is called by one letter: "line D" of a `line_id`. */
function lettersIn({ text }: PromptText, keys: readonly string[]): string[] {
  const nouns = new Set(keys.map(keyNoun));
  return [...text.matchAll(/(?<![\p{L}\p{N}])(\p{L}{2,})\s\p{Lu}(?![\p{L}\p{N}'’.-])/gu)].flatMap(
    ({ 0: said, 1: noun = "" }) => (nouns.has(noun.toLowerCase()) ? [said] : []),
  );
}

/** "customers in London", "issues labelled bug": a name that some records have in a field of their own. */
export function narrowByName(out: Narrowed, { rows, prompt, args, noun }: NarrowedBy): void {
  const keys = fieldNamesOf(rows);
  const sent = new Set(Object.values(args).map((value) => String(value).toLowerCase()));
  const holds = (row: JsonObject, key: string, { one, of }: { one: string; of: readonly string[] }): boolean => {
    const texts = textsOfField(row[key]);
    const said = one.toLowerCase();
    return (
      texts.includes(said) ||
      (isCountry(key) && texts.includes(countryCode(one)?.toLowerCase() ?? "")) ||
      (of.length > 1 && texts.includes(singularOf(said)))
    );
  };
  const has = (row: JsonObject, key: string, { of }: Name): boolean => of.some((one) => holds(row, key, { one, of }));
  // Of several fields the one that has most of what is named: a port for "in Oslo or Bergen", where a ship is called Oslo.
  const heldBy = (key: string, { of }: Name): number =>
    of.filter((one) => rows.some((row) => holds(row, key, { one, of }))).length;
  const keyOf = (name: Name): string | undefined => {
    const before = prompt.text.slice(0, name.start);
    const own = fieldsOfSide(keys, before, (key) => heldBy(key, name) > 0);
    const most = Math.max(...own.map((key) => heldBy(key, name)));
    return most > 0 ? own.find((key) => heldBy(key, name) === most) : undefined;
  };
  const isKnown = (one: string): boolean =>
    sent.has(one) ||
    out.conditions.some((condition) => new RegExp(` ${one.replace(/\W/g, ".")}(?: or |$)`, "i").test(condition));
  const isHeld = ({ text, key }: { text: string; key: string }): boolean =>
    rows.some((row) => textsOfField(row[key]).includes(text.toLowerCase()));
  const allLabelled = labelledIn(prompt, keys);
  // "cellar C" is none of grade C.
  const isOfOther = ({ start, text, of }: Name): boolean =>
    of.length === 1 && isLetter(text) && allLabelled.some((one) => one.start === start);
  const named = namesIn(prompt).filter(
    (name) =>
      keyOf(name) !== undefined &&
      !isOfOther(name) &&
      !name.of.some((one) => out.conditions.length > 0 && isKnown(one.toLowerCase())),
  );
  const isOpen = ({ text, of, start }: Name): boolean =>
    ![text, ...of].some((one) => isKnown(one.toLowerCase())) &&
    !named.some((one) => start >= one.start && start < one.start + one.text.length);
  const adjectives = adjectivesIn(prompt, keys, noun).filter(
    ({ text, start }) =>
      !isKnown(text) && !named.some((one) => start >= one.start && start < one.start + one.text.length),
  );
  const labelled = allLabelled.filter(
    ({ text, start }) =>
      !isKnown(text.toLowerCase()) && !named.some((one) => start >= one.start && start < one.start + one.text.length),
  );
  // "warehouse A" passes for a word without a meaning.
  out.unmet.push(
    ...labelled.filter((one) => isLetter(one.text) && !isHeld(one)).map(({ key, text }) => `${key} ${text}`),
  );
  out.unmet.push(...lettersIn(prompt, keys).filter((text) => !isKnown(text.split(" ")[1]?.toLowerCase() ?? "")));
  const plain = [...named, ...adjectives, ...labelled.filter(isHeld), ...pluralsIn(prompt, noun).filter(isOpen)];
  const isWithin = (one: Name, other: Name): boolean =>
    one.start < other.start + other.text.length && other.start < one.start + one.text.length;
  const phrases = phrasesIn(prompt, rows).filter(isOpen);
  const others = plain.filter((name) => !phrases.some((one) => isWithin(name, one)));
  for (const name of [...phrases, ...others]) {
    if (THAN.test(prompt.text.slice(0, name.start))) continue;
    const key = "key" in name ? String(name.key) : keyOf(name);
    if (key === undefined) continue;
    const { text, start, of } = name;
    out.understood.push(PLACED.exec(prompt.text.slice(0, start))?.[0] ?? "");
    const value = of.length > 1 ? of.join(" or ") : text;
    keepRows(out, { key, value, at: start, prompt }, (row) => has(row, key, name));
  }
  for (const [, text = ""] of prompt.text.matchAll(LABELLED)) {
    const isMet = out.conditions.some((one) => one.endsWith(` ${text}`)) || sent.has(text.toLowerCase());
    if (!isMet) out.unmet.push(text);
  }
}

/** What a field holds of another record: its key. */
function keyIn(value: JsonValue | undefined): string | undefined {
  const key = isObject(value) ? value["id"] : value;
  return typeof key === "string" || typeof key === "number" || typeof key === "bigint" ? String(key) : undefined;
}

/** The field that a number stands with the name of: `driver_id` for "driver 11", `floor` for "floor 3", `id` for the records' own noun. */
function fieldOf(keys: readonly string[], term: string, noun: string): string | undefined {
  const termsOf = (key: string): string[] =>
    words(key)
      .filter((word) => !/^(?:id|number|no)$/.test(word))
      .map(stem);
  const named = keys.filter((key) => termsOf(key).join(" ") === term);
  if (named.length > 0) return named.find((key) => key.toLowerCase().includes("id")) ?? named[0];
  return term === stem(noun) && keys.includes("id") ? "id" : undefined;
}

/** The field of a number behind "of": "with a deposit of 60". */
function fieldBefore({ start }: Entity, { text }: PromptText, rows: readonly JsonObject[]): string | undefined {
  const said = /(\p{L}+(?:[ _]\p{L}+)?)\s+(?:of|at|is|equals?)\s+(?:exactly\s+)?(?:[$€£]\s*)?$/iu.exec(
    text.slice(0, start),
  )?.[1];
  const all = words(said ?? "").map(stem);
  const called = (one: readonly string[]): string[] =>
    numericFields(rows).filter((key) => withoutUnit(words(key)).map(stem).join(" ") === one.join(" "));
  const last = numericFields(rows).filter((key) => stem(withoutUnit(words(key)).at(-1) ?? "") === all.at(-1));
  const [key, ...others] = [called(all), called(all.slice(-1)), last].find((keys) => keys.length > 0) ?? [];
  return others.length === 0 ? key : undefined;
}

/** Whether a field of a name of several words is written as it is right before a value: "performedById = 3". */
const isWrittenBefore = (field: string, { start }: Entity, prompt: PromptText): boolean =>
  words(field).length > 1 &&
  textBefore(prompt, start)
    .replace(/[\s=:]+$/, "")
    .endsWith(` ${field}`);

/** "trips by driver 11 or 12", "rooms on floors 1 and 3", "visits not with doctor 1": by the numbers that stand with a field. */
export function narrowByNumber(out: Narrowed, { rows, prompt, args, noun }: NarrowedBy): void {
  const keys = fieldNamesOf(rows);
  const sent = new Set(Object.values(args).map(String));
  for (const entity of prompt.entities) {
    if (entity.kind !== "number" || isTime(entity) || comparisonOf(entity, prompt)) continue;
    // The number of "10a" is a part of a text.
    if (/^\p{L}/u.test(prompt.text.slice(entity.end))) continue;
    const all = joinedWith(prompt, entity);
    if (all[0] !== entity || all.some(({ value }) => sent.has(String(value)))) continue;
    const term = ownerOf(prompt, entity).word?.term;
    const key =
      keys.find((one) => isWrittenBefore(one, entity, prompt)) ??
      (term === undefined ? undefined : fieldOf(keys, term, noun)) ??
      fieldBefore(entity, prompt, rows);
    if (key === undefined) continue;
    const wanted = new Set(all.map(({ value }) => String(value)));
    const value = [...wanted].join(" or ");
    keepRows(out, { key, value, at: entity.start, prompt }, (row) => wanted.has(keyIn(row[key]) ?? ""));
  }
}
