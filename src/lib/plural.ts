// Singular and plural of English nouns, near enough for names and sentences: rules, and the words that keep to none.
// One word in lower case goes in, and words come out; knows nothing of what it names.

/** Words that end in -us and get -es, where others in -uses lose an s: "statuses", but "houses". */
const IN_US = "bonus bus campus census corpus focus nexus radius status surplus syllabus virus";
/** Words in -o that get -es; most get -s. */
const IN_O = "cargo echo embargo hero potato tomato torpedo veto";
/** Words in -is, whose plural is in -es. */
const IN_IS = "analysis axis crisis diagnosis emphasis hypothesis parenthesis synthesis thesis";
/** Words that get -s or -es where the rules would take another part of the plural for the ending. */
const REGULAR =
  "alias atlas avalanche bias brownie cache calorie canoe canvas cookie gas headache hoodie lens movie niche selfie shoe toe zombie";

const PLURALS: ReadonlyMap<string, string> = new Map([
  ...[...IN_US.split(" "), ...IN_O.split(" ")].map((one): [string, string] => [one, `${one}es`]),
  ...IN_IS.split(" ").map((one): [string, string] => [one, one.replace(/is$/, "es")]),
  ...REGULAR.split(" ").map((one): [string, string] => [one, one.endsWith("s") ? `${one}es` : `${one}s`]),
  ["child", "children"],
  ["criterion", "criteria"],
  ["foot", "feet"],
  ["goose", "geese"],
  ["half", "halves"],
  ["id", "ids"],
  ["index", "indices"],
  ["man", "men"],
  ["matrix", "matrices"],
  ["mouse", "mice"],
  ["person", "people"],
  ["phenomenon", "phenomena"],
  ["quiz", "quizzes"],
  ["shelf", "shelves"],
  ["tooth", "teeth"],
  ["vertex", "vertices"],
  ["wolf", "wolves"],
  ["woman", "women"],
]);
const SINGULARS: ReadonlyMap<string, string> = new Map([...PLURALS].map(([one, many]) => [many, one]));

/** Words in s that are the same for one and for many, and mean several. */
const SAME_OF_MANY = /(?:ews|series|pecies|analytics|settings)$/;
/** Words that are the same for one and for many. */
const SAME = /(?:ata|edia|sms|dns|https|aws|gps|cms)$/;
/** Endings of words that are one, though they end in s. */
const OF_ONE = /(?:ss|us|is)$/;

const isSame = (word: string): boolean => SAME.test(word) || SAME_OF_MANY.test(word);

/** The singular of an English noun; the word itself where it is one. */
export function singularOf(word: string): string {
  const irregular = SINGULARS.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || PLURALS.has(word) || OF_ONE.test(word) || isSame(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|sses|zzes|oes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The plural of an English noun; the word itself where it is one. */
export function pluralOf(word: string): string {
  const irregular = PLURALS.get(word);
  if (irregular !== undefined) return irregular;
  if (singularOf(word) !== word || isSame(word) || word.endsWith("is")) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ch|sh|x|s|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Whether a noun means several: "orders", "people", "settings". */
export function isPlural(word: string): boolean {
  return singularOf(word) !== word || SAME_OF_MANY.test(word);
}

/** A number of things in words: "1 tool", "3 entries". */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}
