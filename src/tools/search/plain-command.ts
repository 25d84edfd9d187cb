// What a plain command or question is about: its verb, its object and who does it. "List the open tickets of the queue" lists
// tickets, and "who follows Ada" asks for followers.
import { isPlural } from "../../lib/plural.js";
import { intentsOf, wordForms } from "./synonyms.js";
import { isStopWord, stem } from "./terms.js";

/** What a plain command or question names. */
export interface PlainCommand {
  /** The verb that it begins with, stemmed; undefined for a question. */
  verb: string | undefined;
  /** That verb is a noun by its form or by what follows: "orders of Ada", "order 5". */
  isNoun: boolean;
  /** What that verb takes back: "pin" for "unpin"; undefined when it takes nothing back. */
  undoes: string | undefined;
  /** The words of the object, and of them the last one, stemmed, in all their forms. */
  object: ReadonlySet<string>;
  head: ReadonlySet<string>;
  /** All or several of them are meant. */
  isPlural: boolean;
}

const TOKEN = /[\p{L}\p{N}_#@./:'’-]+|["“”«»`,;!?()]/gu;
/** What a value may look like, and no noun: "#12", "octo/hello", "NPM_TOKEN", "https://…". */
const VALUE = /[\d#@/_:]|\.\p{L}|^\p{Lu}{2,}/u;
/** Where an object ends. */
const END = new Set(
  (
    "in on of for to from with without by at into onto under over about as that which whose who where when than called named titled entitled " +
    "saying due so and or then is are was were do does did has have had can could will would should may must there again via using by per " +
    "between after before since until"
  ).split(" "),
);
const PART = /^(?:list|lists|number|set|copy|name|names|details|information)$/;
const ASKS = /^(?:which|what|many|much)$/;

/** A word, stemmed, in all its forms. */
const inAllForms = (word: string): string[] => [stem(word), ...wordForms(stem(word))];

/** Reads the first command or question of a query; undefined where it begins with neither. */
export function readPlainCommand(query: string): PlainCommand | undefined {
  const tokens = query.match(TOKEN) ?? [];
  let at = 0;
  let verb: string | undefined;
  let undoes: string | undefined;
  for (; at < tokens.length && at < 8; at++) {
    const word = (tokens[at] ?? "").toLowerCase();
    if (ASKS.test(word)) break;
    if (isStopWord(word)) continue;
    verb = stem(word);
    undoes = undoneBy(word);
    break;
  }
  if (at >= tokens.length) return undefined;
  const nouns: string[] = [];
  for (const token of tokens.slice(at + 1)) {
    const word = token.toLowerCase();
    if (VALUE.test(token) || !/\p{L}/u.test(token)) break;
    // "The list of all orders" are the orders.
    if (word === "of" && PART.test(nouns.at(-1) ?? "")) nouns.pop();
    else if (END.has(word)) break;
    else if (!isStopWord(word)) nouns.push(word);
  }
  const last = nouns.at(-1);
  if (verb === undefined && last === undefined) return undefined;
  return {
    verb,
    undoes,
    isNoun: verb !== undefined && isNounBetween(tokens, at),
    object: new Set(nouns.flatMap(inAllForms)),
    head: new Set(last === undefined ? [] : inAllForms(last)),
    isPlural: last !== undefined && isPlural(last),
  };
}

/** A key, which may follow a noun; an address and a value of two parts may follow a verb, too: "star octo/hello2". */
const KEY = /^(?=[^\d#]*[\d#])[^/@]+$/;

const DETERMINER = /^(?:an?|the|this|that|these|those|my|our|your|all|any|every|some)$/i;

/** Whether the word at a place is a noun by its form or by what stands around it; a word that stands alone is one. */
function isNounBetween(tokens: readonly string[], at: number): boolean {
  const [before = "", word = "", next = ""] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return DETERMINER.test(before) || isPlural(word.toLowerCase()) || next === "" || /^of$/i.test(next) || KEY.test(next);
}

const UNDOES = /^un(?=\p{L}{3})/u;

/** What a verb takes back, stemmed; undefined for other verbs. */
function undoneBy(verb: string): string | undefined {
  return UNDOES.test(verb) ? stem(verb.replace(UNDOES, "")) : undefined;
}

/** Whose something is, by a single word: "the tasks of bob", "bob's tasks", "which tasks does bob have". */
const OWNER =
  /(?<![\p{L}\p{N}])(?:(?:of|by|from|for|does|is|has)\s+@?(\p{L}[\p{L}\p{N}_-]*)(?=\s*(?:$|[?.!,;])|\s+(?:in|on|at|have|has|got|belong|follow)\b)|@?(\p{L}[\p{L}\p{N}_-]*)['’]s(?=\s))/giu;

/** The words of a query that stand where somebody is named to whom what is asked for belongs, in lower case. */
export function ownersIn(query: string): string[] {
  return [...query.matchAll(OWNER)].map(([, behind, before]) => (behind ?? before ?? "").toLowerCase());
}

/** "Who has starred it" asks for those who do something. */
const ACTOR = /\bwho(?:\s+(?:has|have|had|is|are|was|were|all|else|just))*\s+(\p{L}{3,})/giu;

/** The verbs of which a query asks who does it. */
export function actionsAskedAbout(query: string): string[] {
  return [...query.matchAll(ACTOR)].flatMap(([, verb = ""]) => {
    const word = verb.toLowerCase();
    return isStopWord(word) || intentsOf(stem(word)).has("read") ? [] : [stem(word)];
  });
}

/** A value of two parts: "octo/hello", which is no file, no date and no choice of two words. */
const PAIR = /(?<![\w./:@#-])(?!and\/or\b)[\p{L}][\w-]*\/[\p{L}][\w.-]*(?![\w/])/giu;
const FILE = /\.\p{L}\w{0,3}$/u;

/** Whether a query has a value that fits two keys behind each other. */
export function hasPair(query: string): boolean {
  return [...query.matchAll(PAIR)].some(([pair]) => !FILE.test(pair));
}

const COMPOUND = /(?<!\p{L})(\p{L}+)\s+(\p{L}+)\s+(?:(?:with\s+)?(?:the\s+)?(?:id|number|no|nr)\b[.:]?\s*)?#?\d/giu;

/** The two last words before each key of a query: "pull request 12". */
export function compoundsWithKey(query: string): [first: string, last: string][] {
  return [...query.matchAll(COMPOUND)].map(([, first = "", last = ""]) => [
    stem(first.toLowerCase()),
    stem(last.toLowerCase()),
  ]);
}

/** What something new is called: the words are its own, none of the catalogue's. */
const NAME_OF_NEW =
  /(\b(?:called|named|titled|entitled)\s+)(?:(?!(?:in|on|for|of|to|with|at|from|by|as|due|and)\b)[\p{L}\p{N}_'’-]+\s*){1,4}/iu;

/** A query for something new without what that is called. */
export function withoutNewName(query: string): string {
  return intentsOf(readPlainCommand(query)?.verb ?? "").has("create") ? query.replace(NAME_OF_NEW, "$1 ") : query;
}

/** A longer text is no plain command. */
const MAX_WORDS = 30;

/** Whether a query is short enough to be one command or question. */
export function isShort(query: string): boolean {
  return (query.match(/\S+/g)?.length ?? 0) <= MAX_WORDS;
}
