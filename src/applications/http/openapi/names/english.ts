// English, as far as names need it: words in any spelling, and the words that say nothing by themselves.

/** The words of a name in lower case: "getAPIKeys", "get_api-keys" and "GetApiKeys" are get, api, keys. */
export function wordsIn(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/(?<=[A-Z]{2})(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The letters and digits of a name, in lower case: however it is spelled, it is the same. */
export function squash(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
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
  "and by filter filtered first id ids key latest many or page paged paginated pagination paging partial slug sorted uuid with",
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
