// Which applications a text names: by their names as words, where dashes may be spaces. "the shop" and "Web shop" name `shop`, and
// `web-shop` where there is one; "shops", "shop-floor", values and what stands in quotes name none. The one without a name is
// named by that: "the application without a name".
import { isValuePlace, withoutQuoted } from "./value-place.js";

/** A place where a text names an application. */
interface ApplicationMention {
  /** "" is the one without a name. */
  application: string;
  start: number;
  end: number;
}

/** So much of the text before and behind a mention is read. */
const LOOK_BACK = 40;

const APPLICATION = "(?:application|app|api)";
/** "The one" without a name may be a record; behind such a word it is where something is. */
const UNNAMED = String.raw`(?:${APPLICATION}|(?<=\b(?:in|inside|within|from|on|of|at)\s+the\s+)one)\s+(?:without|with\s+no)\s+(?:an?\s+)?name|(?:unnamed|nameless)\s+${APPLICATION}`;

/** Words with which a sentence begins that are no part of a name: "Show Museum loans". */
const FIRST_WORD = /(?:^|[.!?:;]\s+|\n\s*)\p{Lu}[\p{L}'’]*\s$/u;
const NAME_BEFORE = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’&.-]*\s(?:(?:of|and|&)\s(?:the\s)?)?$/u;
const NAME_BEHIND = new RegExp(`^\\s(?!(?:${APPLICATION}|I|API)\\b)(?:(?:of|for|&)\\s(?:the\\s)?)?\\p{Lu}\\p{Ll}`, "u");

/** Whether a capitalised word is only part of what something is called: "the Maritime Museum", "Museum of Trade". */
function isPartOfName(text: string, { start, end }: { start: number; end: number }): boolean {
  if (!/^\p{Lu}/u.test(text.slice(start))) return false;
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  return (NAME_BEFORE.test(before) && !FIRST_WORD.test(before)) || NAME_BEHIND.test(text.slice(end, end + LOOK_BACK));
}

/** How the application without a name is named in a prompt. */
export const UNNAMED_APPLICATION = "the application without a name";

/** Finds the mentions in a text, in order. */
type FindMentions = (text: string) => ApplicationMention[];

/** For these applications; the one without a name is told from others only. */
export function createMentions(applications: Iterable<string>): FindMentions {
  const all = new Set(applications);
  const names = [...all].filter((name) => name !== "");
  if (names.length === 0) return () => [];
  // The longest first: "web shop" is not the shop.
  const spelled = names.sort((a, b) => b.length - a.length).map((name) => name.replaceAll("-", "[-\\s_]"));
  const unnamed = all.has("") ? `(?<unnamed>${UNNAMED})|` : "";
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}]-)(?:${unnamed}${spelled.join("|")})(?![\\p{L}\\p{N}_]|-[\\p{L}\\p{N}])`,
    "giu",
  );
  return (text) => {
    const plain = withoutQuoted(text);
    return [...plain.matchAll(pattern)].flatMap(({ 0: found, index, groups }) => {
      const place = { start: index, end: index + found.length };
      if (groups?.["unnamed"] !== undefined) return { application: "", ...place };
      if (isValuePlace(plain, place) || isPartOfName(plain, place)) return [];
      return { application: found.toLowerCase().replaceAll(/[\s_]/g, "-"), ...place };
    });
  };
}
