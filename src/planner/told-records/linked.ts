// Where the records of some lists stand in a prompt: by all of what they are called, by their noun and key ("job 18"), or by a part of
// their name that no other record has. Text and lists with their records in, places out; what may be two records is none.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import { keyIn, namesOfRows, type ReadList } from "../names/called-records.js";
import { isPartOf } from "../names/name-parts.js";
import { nounPhrase, resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";

/** A record with its place in a prompt. */
export interface Linked {
  list: Tool;
  row: JsonObject;
  id: JsonValue;
  start: number;
  end: number;
  /** What it is called, where the prompt has only a part of that. */
  whole?: string;
}

/** Of so few letters nothing is a name. */
const MIN_NAME = 2;
const MIN_PART = 3;
/** Words of a part of a name. */
const MOST_WORDS = 3;

const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end;

/** Where a name stands as words of its own; a plural or a genitive of it is it, too. */
function* placesOf(name: string, text: string): Generator<{ start: number; end: number }> {
  const wanted = name.toLowerCase();
  const lower = text.toLowerCase();
  if (wanted.length < MIN_NAME || lower.length !== text.length) return;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const tail = /^(?:['’]s|s)?(?![\p{L}\p{N}_-])/u.exec(text.slice(end));
    if (tail && !/[\p{L}\p{N}_-]$/u.test(text.slice(0, at))) yield { start: at, end: end + tail[0].length };
  }
}

/** The records that stand in a text by their whole names, or by their keys behind their noun. */
function wholeRecords(text: string, lists: readonly ReadList[], tools: readonly Tool[]): Linked[] {
  return lists.flatMap(({ list, rows }) => {
    const names = namesOfRows(list, rows, tools);
    const noun = `(?:${resourceNoun(list)}|${nounPhrase(list)})`;
    return rows.flatMap((row, at): Linked[] => {
      const id = keyIn(row, list, tools);
      if (id === undefined || id === null) return [];
      const called = (names[at] ?? []).flatMap((name) => [...placesOf(name, text)]);
      const key = String(id).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const keyed = [
        ...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_-])${noun}\\s+#?${key}(?![\\p{L}\\p{N}_-]|\\.\\d)`, "giu")),
      ];
      const places = [...called, ...keyed.map(({ 0: said, index }) => ({ start: index, end: index + said.length }))];
      return places.map((place) => ({ list, row, id, ...place }));
    });
  });
}

/** The longest of some records that share a place; undefined at a place that several have. */
function settled(found: readonly Linked[]): Linked[] {
  const out: Linked[] = [];
  const taken: { start: number; end: number }[] = [];
  const isSame = (a: Linked, b: Linked): boolean => a.list === b.list && a.id === b.id;
  for (const one of found.toSorted((a, b) => b.end - b.start - (a.end - a.start))) {
    if (taken.some((other) => overlap(one, other))) continue;
    taken.push({ start: one.start, end: one.end });
    const rivals = found.filter((other) => other.start === one.start && other.end === one.end);
    if (rivals.every((other) => isSame(other, one))) out.push(one);
  }
  return out.toSorted((a, b) => a.start - b.start);
}

/** A record with the article and the noun before it: "the tour TR-13", "camp red dune". */
function withNoun(one: Linked, text: string): Linked {
  const nouns = [resourceNoun(one.list), pluralOf(resourceNoun(one.list)), nounPhrase(one.list)].join("|");
  const before = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:(?:the|our|my|this)\\s+)?(?:(?:${nouns})\\s+)?["“'‘]?$`, "iu");
  const behind = new RegExp(`^["”'’]?(?:\\s+${resourceNoun(one.list)}(?![\\p{L}\\p{N}_-]))?`, "iu");
  const start = before.exec(text.slice(0, one.start))?.index ?? one.start;
  return { ...one, start, end: one.end + (behind.exec(text.slice(one.end))?.[0].length ?? 0) };
}

/** The records whose names have a word of a text that no other record has. */
function partRecords(
  text: string,
  { lists, tools, known }: { lists: readonly ReadList[]; tools: readonly Tool[]; known: readonly Linked[] },
): Linked[] {
  const rows = lists.flatMap(({ list, rows: own }) =>
    namesOfRows(list, own, tools).flatMap((names, at) => {
      const row = own[at];
      const id = row && keyIn(row, list, tools);
      return row && id !== undefined ? names.map((whole) => ({ list, row, id, whole })) : [];
    }),
  );
  const tokens = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)].map(({ 0: said, index }) => {
    const word = said.replace(/(?:['’]s|[.'’-]+)$/u, "");
    return { start: index, end: index + word.length };
  });
  // "the flute" may be any of that kind.
  const options = new Set(
    tools.flatMap(slotsOf).flatMap((slot) => slot.options.map((one) => words(String(one)).join(" "))),
  );
  const out: Linked[] = [];
  for (let count = MOST_WORDS; count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const place = { start: tokens[at]?.start ?? 0, end: tokens[at + count - 1]?.end ?? 0 };
      const said = text.slice(place.start, place.end);
      const isWord = !isStopWord(said.toLowerCase()) && !options.has(said.toLowerCase()) && said.length >= MIN_PART;
      if (!isWord || [...known, ...out].some((one) => overlap(one, place))) continue;
      const having = rows.filter(({ whole }) => isPartOf(whole, said));
      const [first, ...others] = having;
      if (first && others.every(({ list, id }) => list === first.list && id === first.id))
        out.push({ ...first, ...place });
    }
  }
  return out;
}

/** The records that stand in a text, in its order; with `parts` those by a part of their names, too. */
export function linkedRecords(
  text: string,
  { lists, tools, parts }: { lists: readonly ReadList[]; tools: readonly Tool[]; parts: boolean },
): Linked[] {
  const whole = settled(wholeRecords(text, lists, tools));
  const more = parts ? partRecords(text, { lists, tools, known: whole }) : [];
  const all = [...whole, ...more].toSorted((a, b) => a.start - b.start).map((one) => withNoun(one, text));
  return all.filter((one, at) => !all.some((other, i) => i < at && overlap(one, other)));
}

/** What stands for a record in what is said to a person. */
export const calledAs = ({ list, id }: Linked): string => `${singularOf(resourceNoun(list))} ${String(id)}`;
