// English, as far as names need it: words in any spelling, singular and plural, and the words that say nothing by themselves.

/** The words of a name in lower case: "getAPIKeys", "get_api-keys" and "GetApiKeys" are get, api, keys. */
export function wordsIn(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

const IRREGULAR: Readonly<Record<string, string>> = {
  people: "person",
  children: "child",
  men: "man",
  women: "woman",
  indices: "index",
  matrices: "matrix",
  vertices: "vertex",
  criteria: "criterion",
  aliases: "alias",
  statuses: "status",
  movies: "movie",
  cookies: "cookie",
};
const PLURALS = new Map(Object.entries(IRREGULAR).map(([many, one]) => [one, many]));
/** Words that are the same for one and for many, or end in s and are one. */
const UNCHANGED =
  /(?:ss|us|is|ews|eries|pecies|ata|edia|analytics|settings|sms|dns|https|aws|gps|cms|canvas|alias|atlas)$/;

/** The singular of an English noun, near enough for a name. */
export function singularOf(word: string): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || UNCHANGED.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|sses|zzes|oes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The plural of an English noun. */
export function pluralOf(word: string): string {
  if (isOfSeveral(word) || UNCHANGED.test(word)) return word;
  const irregular = PLURALS.get(word);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ch|sh|x|s|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Whether a word is the plural of another one. */
export function isOfSeveral(word: string): boolean {
  return singularOf(word) !== word;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** What every program does with its records, and nothing that is a thing as well. */
const CRUD = setOf(
  `add all create delete destroy edit fetch find get index insert list modify one patch post put read remove replace retrieve save
   show store update upsert`,
);
/** What else programs call what they do with any record. */
const COMMON_VERBS = new Set([
  ...CRUD,
  ...setOf("bulk check copy count download exists export import lookup new query search set upload"),
]);
/** What says which of the records. */
const FILLERS = setOf(
  "and by filter filtered first id ids key latest many page paged paginated pagination paging partial slug sorted uuid with",
);
/** What one does to a record that is named beside it. */
const ACTS = setOf(
  `accept activate approve archive assign block cancel clone close complete confirm deactivate disable duplicate enable execute
   finish invite lock move pause process publish refresh refund reject rename reopen reset resolve restart restore resume revoke run
   send ship start stop submit subscribe suspend test trigger unarchive unassign unblock unlock unpublish unsubscribe validate
   verify`,
);

/** Whether a word is what programs do with any record. */
export function isCommonVerb(word: string): boolean {
  return COMMON_VERBS.has(word);
}

/** Whether a word says what is done. */
export function isActionWord(word: string): boolean {
  return COMMON_VERBS.has(word) || ACTS.has(word);
}

/** Whether words say what is done and not with what: "list", "find all", "get by id", "batch create". */
export function isBare([first = "", ...rest]: readonly string[]): boolean {
  const others = rest.every((word) => CRUD.has(word) || FILLERS.has(word));
  return others && (isActionWord(first) || ((first === "batch" || FILLERS.has(first)) && rest.some(isActionWord)));
}

/** Whether words say no more than what every program does with its records: nobody calls an operation so to tell what it is. */
export function isCrudAlone(words: readonly string[]): boolean {
  return isBare(words) && words.every((word) => CRUD.has(word) || FILLERS.has(word));
}
