// What a person would call an operation: by its function, with what it works on where the function alone does not say, or by method
// and path. Gives several names, the shortest first, of which the caller takes the first that is nobody else's.
import { isPlural, pluralOf, singularOf } from "../../../../lib/plural.js";
import { isCompound, isVerb } from "../../../../tools/acting-words.js";
import { isActionWord, isBare, isCommonVerb, wordsIn } from "./english.js";
import { type GeneratedId, GROUPED } from "./generated-ids.js";
import { type PathStep, type PathWords, wordsOfPath } from "./path-words.js";

/** Classes that are named for the application and not for a thing. */
const NO_SUBJECT = new Set([
  "api",
  "app",
  "application",
  "base",
  "default",
  "home",
  "index",
  "main",
  "root",
  "server",
  "web",
]);
/** What frameworks call common actions, where a person says something else. */
const SPOKEN: Readonly<Record<string, string>> = {
  index: "list",
  all: "list",
  one: "get",
  patch: "update",
  post: "create",
  put: "replace",
  show: "get",
  store: "create",
  destroy: "delete",
};
/** Of a bare name, words that stand before what it works on though they are no verbs. */
const BEFORE = new Set([
  "and",
  "batch",
  "filtered",
  "first",
  "latest",
  "many",
  "or",
  "paged",
  "paginated",
  "partial",
  "sorted",
]);
const OF_MANY = new Set([
  "all",
  "batch",
  "bulk",
  "count",
  "filter",
  "index",
  "list",
  "many",
  "page",
  "paged",
  "paginated",
  "query",
  "search",
]);
/** What one does without a thing to do it with. */
const STANDALONE = new Set(["login", "logout", "ping", "register", "signin", "signout", "signup"]);
/** Verbs that are as well what a GET may read. */
const NOUNS = new Set(
  `add all archive block clone copy download edit exists export find get import index insert invite key list lock lookup move new one
   patch pause post process put query read refund replace reset resume run save search set show start stop store subscribe test
   update upload upsert`.split(/\s+/),
);
/** Of those, what a GET does. */
const READS = new Set(["check", "count", "download", "exists", "export", "find", "list", "lookup", "query", "search"]);
/** Of those, what a path ends with where it is named for a function. */
const GETS = new Set(["fetch", "find", "get", "list"]);
/** The second half of a verb of two words, which takes its object: "give back". */
const PARTICLES = new Set(["away", "back", "down", "in", "off", "on", "out", "over", "up"]);

/** Verbs that command what follows them at the beginning of a path: "/getDetails", but not "/list-items". */
const BEFORE_THINGS = new Set(["fetch", "find", "get", "set", "update"]);

/** The words with their noun, which is the last, in another number. */
const inflected = (words: readonly string[], inflect: (word: string) => string): string[] =>
  words.map((word, at) => (at === words.length - 1 ? inflect(word) : word));

const nounOf = ({ words, isItem }: PathStep): string[] => (isItem ? inflected(words, singularOf) : words);

const mentions = (words: readonly string[], noun: readonly string[]): boolean =>
  words.some((word) => singularOf(word) === singularOf(noun.at(-1) ?? ""));

/** Words with a qualifier: behind the verb they begin with, or in front. What they have already is not said again. */
function qualified(words: readonly string[], qualifier: readonly string[]): string[] {
  const others = qualifier.filter((word) => !mentions(words, [word]));
  const [verb = "", ...rest] = words;
  return isActionWord(verb) ? [verb, ...others, ...rest] : [...others, ...words];
}

/** What is done to things behind a dot: "channels.delete" is "delete_channel", "users.list" is "list_users". */
function dottedName(method: string, [verb = "", ...rest]: readonly string[], things: readonly string[]): string[] {
  const isMany = OF_MANY.has(verb) || (method === "get" && GETS.has(verb) && rest.length === 0);
  const said = rest.length === 0 ? (SPOKEN[verb] ?? verb) : verb;
  const known = mentions(rest, things) ? [] : things;
  return [said, ...(isMany ? known : inflected(known, singularOf)), ...rest];
}

/** What is done to what a path leads to, by the method alone. */
function byMethod(method: string, steps: readonly PathStep[], endsWithItem: boolean): string[] {
  const nouns = steps.flatMap(nounOf);
  const last = steps.at(-1)?.words ?? [];
  const many = !endsWithItem && isPlural(last.at(-1) ?? "");
  const before = steps.slice(0, -1);
  const [verb = "", ...rest] = last;
  if (steps.at(-1)?.isDone && !endsWithItem) return dottedName(method, last, before.flatMap(nounOf));
  const isPhrase = isVerb(verb) || BEFORE_THINGS.has(verb);
  const isCommand = isPhrase && rest[0] !== undefined && !isCompound(verb, rest[0]);
  const isVerbHere = isCommand || (isActionWord(verb) && (method !== "get" || READS.has(verb) || !NOUNS.has(verb)));
  const acts = isVerbHere && ["get", "post", "put", "patch"].includes(method);
  if (STANDALONE.has(verb)) return nouns;
  if (method === "get" && GETS.has(verb) && (rest[0] === "by" || (rest.length > 0 && !endsWithItem))) {
    const things = before.flatMap(nounOf);
    return rest[0] === "by" ? [verb, ...things, ...rest] : [verb, ...rest, ...(mentions(rest, things) ? [] : things)];
  }
  if (method === "get" && steps.length === 1 && !endsWithItem && rest.length === 0 && READS.has(verb)) return [verb];
  if (!endsWithItem && acts && before.length > 0) return [verb, ...before.flatMap(nounOf), ...rest];
  switch (method) {
    case "get":
      return [many ? "list" : "get", ...nouns];
    case "post":
      if (isCommand && steps.length === 1 && !endsWithItem) return nouns;
      if (many) return ["create", ...inflected(nouns, singularOf)];
      return [steps.length === 1 && !endsWithItem ? (isActionWord(verb) ? "" : "create") : "post", ...nouns].filter(
        Boolean,
      );
    case "put":
      return ["replace", ...nouns];
    case "patch":
      return ["update", ...nouns];
    default:
      return [method, ...nouns];
  }
}

/** Steps without those in the middle that are verbs: "/users/search/findByName" is about users. */
const withoutVerbs = (steps: readonly PathStep[]): PathStep[] =>
  steps.filter(({ words, isItem }, at) => isItem || at === 0 || at === steps.length - 1 || !words.every(isActionWord));

/** Names by method and path: "list_pet_photos", "get_pet", "replace_user_avatar". */
function pathNames(method: string, { steps: all, endsWithItem, parameters, version }: PathWords): string[][] {
  const steps = withoutVerbs(all);
  if (steps.length === 0) return [[method, ...(parameters.length > 0 ? ["by", ...parameters] : ["root"])]];
  const near = byMethod(method, steps.slice(-2), endsWithItem);
  const full = byMethod(method, steps, endsWithItem);
  const exact = parameters.length > 0 ? [...full, "by", ...parameters] : full;
  return [
    near,
    full,
    ...(version
      ? [
          [...near, version],
          [...full, version],
        ]
      : []),
    exact,
  ];
}

/** Whether a bare action works on many records. */
function isOfMany(action: readonly string[], { steps, endsWithItem }: PathWords): boolean {
  if (action.some((word) => OF_MANY.has(word))) return true;
  const isPicking = action.every((word) => /^(?:get|find|fetch|read|retrieve|delete|remove)$/.test(word));
  return isPicking && !endsWithItem && isPlural(steps.at(-1)?.words.at(-1) ?? "");
}

/** What of one record the path ends with: "files" of "/deals/{id}/files". */
function partOf(subject: readonly string[], action: readonly string[], steps: readonly PathStep[]): string[] {
  const at = steps.findIndex(({ words, isItem }) => isItem && mentions(words, subject));
  const last = steps.at(-1)?.words ?? [];
  const isThing = !last.some((word) => isActionWord(word) || isVerb(word) || action.includes(word) || word === "by");
  return at >= 0 && at < steps.length - 1 && isThing ? last : [];
}

/** A function's name with what it works on, where its own words leave that open. */
function spoken(
  action: readonly string[],
  subject: readonly string[],
  { method, path, isOfGroup }: { method: string; path: PathWords; isOfGroup: boolean },
): string[] {
  const { steps } = path;
  const other = steps.findLast(({ words }) => !words.every((word) => action.includes(word)));
  const part = isBare(action) && subject.length > 0 ? partOf(subject, action, steps) : [];
  const whole = part.length > 0 ? [...inflected(subject, singularOf), ...part] : subject;
  const noun = whole.length > 0 ? whole : (other?.words ?? []);
  // "Upload_Binary": the group says what is done.
  if (isOfGroup && subject.length === 1 && subject.every(isActionWord) && !isActionWord(action[0] ?? ""))
    return [...subject, ...action];
  if (noun.length === 0 || mentions(action, noun)) return [...action];
  if (isBare(action)) {
    const at = action.findIndex((word) => !isActionWord(word) && !BEFORE.has(word));
    const end = at < 0 ? action.length : at;
    const inflect = isOfMany(action, path) ? pluralOf : singularOf;
    return [...action.slice(0, end), ...inflected(noun, inflect), ...action.slice(end)];
  }
  const [first = "", ...rest] = action;
  const by = action.indexOf("by");
  if (subject.length > 0 && by > 0 && isBare(action.slice(0, by))) {
    const many = action.slice(0, by).some((word) => OF_MANY.has(word));
    return [...action.slice(0, by), ...inflected(noun, many ? pluralOf : singularOf), ...action.slice(by)];
  }
  // Of a group such as "VirtualMachines" an operation is not always named by a verb: "InstanceView".
  const isCommand = isActionWord(first) || isVerb(first) || PARTICLES.has(action.at(-1) ?? "");
  if (isOfGroup && subject.length > 0 && rest.length > 0 && !isCommand)
    return [...inflected(subject, singularOf), ...action];
  if (subject.length > 0 && isCommonVerb(first) && rest.length > 0)
    return qualified(action, inflected(noun, singularOf));
  const item = steps.findLast(({ isItem }) => isItem);
  if (!item || mentions(action, item.words)) return [...action];
  const one = inflected(item.words, singularOf);
  if (rest.length === 0) return method === "get" || isPlural(first) ? [...one, first] : [first, ...one];
  return PARTICLES.has(action.at(-1) ?? "") ? [...action, ...one] : [...action];
}

/** What is done, behind a colon at the end of a path: "/items:batchGet". Source: Google's API Improvement Proposals, AIP-136. */
const CUSTOM_METHOD = /[^/]:([A-Za-z]\w*)$/;

/** An operation to be named; `id` is undefined when the description gives it none. */
interface UnnamedOperation {
  id: GeneratedId | undefined;
  /** In lower case. */
  method: string;
  path: string;
}

/** Names for an operation, the shortest first: words between underscores. */
export function spokenNames({ id, method, path: template }: UnnamedOperation): string[] {
  const custom = CUSTOM_METHOD.exec(template)?.[1];
  if (custom !== undefined && (id?.action.length ?? 0) === 0)
    return spokenNames({
      id: { pattern: "custom method", action: wordsIn(custom) },
      method,
      path: template.slice(0, -custom.length - 1),
    });
  const path = wordsOfPath(template);
  const { action = [], subject = [], version = path.version } = id ?? {};
  if (action.length === 0) return pathNames(method, path).map((words) => words.join("_"));
  const said = action.length === 1 ? action.map((word) => SPOKEN[word] ?? word) : action;
  const isThing = subject.some((word) => !NO_SUBJECT.has(word));
  const isOfGroup = id?.pattern === GROUPED;
  const name = spoken(said, isThing ? subject : [], { method, path, isOfGroup });
  const nouns = path.steps.map((step) => inflected(step.words, singularOf));
  const near =
    isThing && !mentions(name, subject)
      ? inflected(subject, singularOf)
      : nouns.findLast((one) => !mentions(name, one));
  const full = qualified(name, nouns.flat());
  return [
    name,
    ...(near ? [qualified(name, near)] : []),
    full,
    ...(version
      ? [
          [...name, version],
          [...full, version],
        ]
      : []),
    ...(path.parameters.length > 0 ? [[...full, "by", ...path.parameters]] : []),
    // One function for several methods of a path.
    ...(full[0] === method ? [] : [[method, ...full]]),
  ].map((words) => words.join("_"));
}
