// What people call things and what an application calls them: "till" is its "POS terminal". The operator's words; they count in
// every prompt, but for one that names other applications only. Values of a prompt are left as they are. Pure.
import { isPlural, pluralOf } from "../../lib/plural.js";
import { createMentions } from "./application-mentions.js";
import { isValuePlace, withoutQuoted } from "./value-place.js";

/** One word of the glossary. */
export interface GlossaryEntry {
  /** "" is the one without a name. */
  application: string;
  /** What people say. */
  word: string;
  /** What the application says. */
  meaning: string;
}

/** The glossaries of all applications. */
export interface Glossary {
  readonly entries: readonly GlossaryEntry[];
  /** The text in the words of the applications. */
  translate(text: string): string;
  /** The text with what each word means behind it. */
  explain(text: string): string;
}

interface Found {
  start: number;
  end: number;
  meaning: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
const key = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** A phrase with its last word in the plural. */
const plural = (phrase: string): string =>
  phrase.replace(/\p{L}+$/u, (last) => (isPlural(last.toLowerCase()) ? last : pluralOf(last)));

/** What every spelling means, by application: each word as it is and in the plural. */
function meaningsOf(entries: readonly GlossaryEntry[]): Map<string, GlossaryEntry[]> {
  const meanings = new Map<string, GlossaryEntry[]>();
  const add = (spelling: string, entry: GlossaryEntry): void => {
    const all = meanings.get(key(spelling)) ?? [];
    if (!all.some(({ application }) => application === entry.application)) all.push(entry);
    meanings.set(key(spelling), all);
  };
  for (const entry of entries) add(entry.word, entry);
  for (const entry of entries) add(plural(entry.word), { ...entry, meaning: plural(entry.meaning) });
  return meanings;
}

/** Of a longer text the beginning is read: what follows is data as a rule. */
const MAX_TEXT = 20_000;
/** Words that are found in one text. */
const MAX_FOUND = 100;

/** The beginning of a word that is no part of an address or a path. */
const WORD = /(?<![\p{L}\p{N}_@./-])[\p{L}\p{N}]+/gu;

/** A spelling, to be matched where it may begin, and what it means. */
interface Spelling {
  pattern: RegExp;
  meanings: readonly GlossaryEntry[];
}

/** Spellings by their first word, the longest first: a text is looked through once, however many there are. */
function byFirstWord(entries: readonly GlossaryEntry[]): Map<string, Spelling[]> {
  const out = new Map<string, Spelling[]>();
  const all = [...meaningsOf(entries)].sort(([a], [b]) => b.length - a.length);
  for (const [spelling, meanings] of all) {
    const first = /^[\p{L}\p{N}]+/u.exec(spelling)?.[0] ?? "";
    const pattern = new RegExp(`${escaped(spelling)}(?![\\p{L}\\p{N}_@/-])`, "iuy");
    out.set(first, [...(out.get(first) ?? []), { pattern, meanings }]);
  }
  return out;
}

/** Finds the words of the glossaries in a text, in order, the longest first where two begin together. */
function createFinder(entries: readonly GlossaryEntry[], applications: readonly string[]): (text: string) => Found[] {
  const spellings = byFirstWord(entries);
  const mentionsIn = createMentions(applications);
  return (text) => {
    const plain = withoutQuoted(text.slice(0, MAX_TEXT));
    let named: ReadonlySet<string> | undefined;
    const isMeant = ({ application }: GlossaryEntry): boolean => {
      named ??= new Set(mentionsIn(plain).map((mention) => mention.application));
      return named.size === 0 || named.has(application);
    };
    const found: Found[] = [];
    for (const { 0: word, index: start } of plain.matchAll(WORD)) {
      if (start < (found.at(-1)?.end ?? 0)) continue;
      for (const { pattern, meanings } of spellings.get(word.toLowerCase()) ?? []) {
        pattern.lastIndex = start;
        const end = start + (pattern.exec(plain)?.[0].length ?? 0);
        const meant = end > start ? meanings.find(isMeant) : undefined;
        if (!meant || isValuePlace(plain, { start, end })) continue;
        found.push({ start, end, meaning: meant.meaning });
        break;
      }
      if (found.length === MAX_FOUND) break;
    }
    return found;
  };
}

/** The glossary of these applications; `applications` are all there are. */
export function createGlossary(entries: readonly GlossaryEntry[], applications: readonly string[]): Glossary {
  if (entries.length === 0) return { entries, translate: (text) => text, explain: (text) => text };
  const find = createFinder(entries, applications);
  const replaced = (text: string, by: (word: string, meaning: string) => string): string => {
    let out = "";
    let from = 0;
    for (const { start, end, meaning } of find(text)) {
      out += text.slice(from, start) + by(text.slice(start, end), meaning);
      from = end;
    }
    return out + text.slice(from);
  };
  return {
    entries,
    translate: (text) => replaced(text, (_, meaning) => meaning),
    explain: (text) => replaced(text, (word, meaning) => `${word} ${meaning}`),
  };
}
