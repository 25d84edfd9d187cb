// What a phrase of an API's names and sentences says: that something is done, that something is read, or neither. Knows English
// grammar as far as titles and first sentences have it; knows nothing of operations.
import { isPlural } from "../../../../lib/plural.js";
import {
  ARTICLES,
  fromGerund,
  isActingOn,
  isAlone,
  isAlsoNoun,
  isBeforeNoun,
  isBeforeOne,
  isCommanding,
  isCompound,
  isLeading,
  isReading,
  isVerb,
  joinParts,
  needsArticle,
} from "../../../../tools/acting-words.js";
import { words } from "../../../../tools/search/terms.js";

/** How clearly words command: not at all, as a noun would too, as a verb that may be a noun, as a verb. */
export type Strength = 0 | 1 | 2 | 3;
/** What a name or sentence says; undefined when nothing. */
export type Said = Strength | "reads" | undefined;

/** Words of a phrase that can be a title; a longer one is a sentence. */
const TITLE = 5;

/** How a sentence begins before it says what is done. */
const PREAMBLES = [
  /^\s*(?:\([^()]*\)|\[[^[\]]*\]|[*_]*\w+:(?:[*_]*\s|[*_]+$))/,
  /^[\W_\d]+/,
  // What the caller is asked to do before, such as "Please replace all slashes", is none of what the call does.
  /^please\s.*$/is,
  /^(?:the|this|an?)?\s*(?:(?:rest|api|http|get)\s+)*(?:endpoint|method|operation|call|route|api|request|action|function|service|resource)\b\s*/i,
  /^(?:this|it)\b\s*/i,
  /^(?:(?:is|are|can|will|be|you|which|that|for|to)\s+)*/i,
  /^(?:attempt|trie|try)s?\s+to\s+/i,
  /^(?:use|used|using|calling)\s+(?:(?:the|this)\s+)?(?:endpoint|method|operation|call|api|it)?\s*(?:to\s+)?/i,
  /^(?:(?:allow|enable|let|permit)s?)\s+(?:(?:an?\s+|the\s+)?\w+\s+)?to\s+/i,
  /^(?:accept|issue|make|perform|send)s?\s+(?:an?\s+)?(?:(?:http|get)\s+)*request\s+(?:(?:to|for|with)\s+)?/i,
];
/** Requests by their method are objects of a verb, and make no noun with it: "connect GET requests to exec". */
const REQUESTS = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?=(?:call|request)s?\b)/g;
/** Adverbs and the like before a verb. */
const ADVERBS =
  /^(?:admin|also|asynchronously|automatically|batch|bulk|dev|force|forcefully|globally|hard|immediately|manually|mass|permanently|quickly|safely|soft|synchronously|temporarily)$/;

/** "Execute a search" is one, and "request a list of orders" gets it. */
const READS_BY_OBJECT = /^(?:(?:execute|run)s? (?:\w+ )?search(?:es)?\b|requests? (?:an? |the )?lists? of\b)/;

/** Where the object of a verb ends. */
const PREPOSITION =
  /^(?:after|and|as|at|before|between|by|for|from|in|into|of|on|onto|or|per|through|to|until|via|with|within|without)$/;

/** What a phrase of words says: how its first word is used, else its last. In a sentence a word in -s is a verb before its object. */
export function phrase(given: readonly string[], isSentence = false): Said {
  const adverbs = given.findIndex((word) => !ADVERBS.test(word));
  // "Force synchronization": what is done is a noun of it.
  if (/^forces?$/.test(given[0] ?? "") && given.length <= TITLE && /(?:sion|tion)$/.test(given[1] ?? "")) return 3;
  // "Force a reload": what an article follows is no adverb.
  const start = adverbs > 0 && ARTICLES.has(given[adverbs] ?? "") ? adverbs - 1 : Math.max(adverbs, 0);
  const [first = "", ...rest] = joinParts(given.slice(start));
  const [next = ""] = rest;
  const hasArticle = ARTICLES.has(next) || /^\d/.test(next);
  const end = rest.findIndex((word) => PREPOSITION.test(word));
  const object = end < 0 ? rest : rest.slice(0, end);
  const thing = object.at(-1) ?? "";
  // Of two nouns the first is in the singular: "deletes records" has a verb.
  const isThird = isPlural(first) && (object.length > 1 || isPlural(thing));
  const isNoun = !hasArticle && (next === "of" || (object.length < TITLE && !isThird && isCompound(first, thing)));
  const near = rest.slice(0, 3);
  if (isCommanding(first, [...near, thing])) return isPlural(first) && !hasArticle && !isSentence ? 1 : 3;
  if (isActingOn(first, near)) return 1;
  if (READS_BY_OBJECT.test([first, ...near].join(" "))) return "reads";
  // "Exports" alone is a thing.
  if (isReading(first)) return rest.length === 0 && isPlural(first) ? 0 : "reads";
  // "Accepts a list of ids" is about what it takes; "Accept invitation" is not.
  if (/^accepts?$/.test(first) && rest.length >= TITLE) return 0;
  if (isVerb(first)) return isNoun || (rest.length === 0 && isPlural(first)) ? 1 : 3;
  if (isAlsoNoun(first)) {
    if (hasArticle) return 3;
    if (rest.length === 0) return isAlone(first) ? 2 : 1;
    if (object.length === 0 || object.length >= TITLE || isNoun) return 1;
    if (isPlural(first)) return isSentence ? 2 : 1;
    return isLeading(first) || (isBeforeOne(first) && !isPlural(thing)) ? 2 : 1;
  }
  if (needsArticle(first)) return hasArticle && rest.length > 1 ? 3 : 0;
  if (hasArticle && fromGerund(first) !== "") return 3;
  const last = rest.at(-1) ?? "";
  return rest.length > 0 && rest.length < TITLE && isVerb(last) && !isPlural(last) && !isBeforeNoun(first) ? 2 : 0;
}

/** What a text says with its first sentence; undefined for none, and for one that is only the method and the path. */
export function sentence(text: string | undefined, path: string): Said {
  if (text === undefined || text.includes(path)) return undefined;
  const [first = ""] = text
    .trim()
    .split(/(?<=[.!?;]|\w\s\w+:)\s|\r?\n|(?:<\/?\w{1,20}[^<>]{0,200}>)+|\s[-–—]\s/)
    .filter((part) => part.trim() !== "");
  const plain = PREAMBLES.reduce((rest, preamble) => rest.replace(preamble, ""), first);
  const found = words(plain.replace(REQUESTS, "the "));
  return found.length > 0 ? phrase(found, /[.!]\s*$/.test(first)) : undefined;
}
