// Whether the words of an operation say something else than its method: a GET that acts, a POST that only reads. Judged by
// grammar: the last words of the path, how its id, summary and description begin, what it answers and what it takes.
import type { JsonObject } from "../../../lib/json.js";
import { listOf, objectOf } from "../../../lib/json.js";
import { addSignals, type Signal } from "../../../lib/score.js";
import {
  ARTICLES,
  isActingOn,
  isAlsoNoun,
  isBeforeNoun,
  isLeading,
  isPlainlyReading,
  isReading,
  isRecord,
  isVerb,
  joinParts,
  needsArticle,
} from "../../../tools/acting-words.js";
import { words } from "../../../tools/search/terms.js";
import { type PathOperation, textOf } from "./read.js";
import type { SuccessResponse } from "./responses.js";

/** How clearly words command: not at all, as a noun would too, as a verb that may be a noun, as a verb. */
type Command = 0 | 1 | 2 | 3;
/** What a name or sentence says; undefined when nothing. */
type Said = Command | "reads" | undefined;

/** Words of a phrase that can be a title; a longer one is a sentence. */
const TITLE = 5;

/** How a sentence begins before it says what is done. */
const PREAMBLES = [
  /^please\s+/i,
  /^(?:the|this|an?)?\s*(?:(?:rest|api|http|get)\s+)*(?:endpoint|method|operation|call|route|api|request|action|function|service|resource)\b\s*/i,
  /^(?:this|it)\b\s*/i,
  /^(?:(?:is|are|can|will|be|you|which|that|for|to)\s+)*/i,
  /^(?:use|used|using|calling)\s+(?:(?:the|this)\s+)?(?:endpoint|method|operation|call|api|it)?\s*(?:to\s+)?/i,
  /^(?:(?:allow|enable|let|permit)s?)\s+(?:(?:an?\s+|the\s+)?\w+\s+)?to\s+/i,
  /^(?:accept|issue|make|perform|send)s?\s+(?:an?\s+)?(?:(?:http|get)\s+)*request\s+(?:(?:to|for|with)\s+)?/i,
];
/** Adverbs and the like before a verb. */
const ADVERBS =
  /^(?:admin|also|asynchronously|automatically|batch|bulk|dev|force|forcefully|globally|hard|immediately|manually|mass|permanently|quickly|safely|soft|synchronously|temporarily)$/;

/** What a phrase of words says: how its first word is used, else its last. */
function phrase(all: readonly string[]): Said {
  const start = all.findIndex((word) => !ADVERBS.test(word));
  const [first = "", ...rest] = joinParts(all.slice(start < 0 ? 0 : start));
  const [next = ""] = rest;
  const hasArticle = ARTICLES.has(next) || /^\d/.test(next);
  const isNoun = !hasArticle && rest.length < TITLE && isRecord(rest.at(-1) ?? "");
  if (isActingOn(first, rest.slice(0, 3))) return 1;
  if (isReading(first)) return "reads";
  // "Accepts a list of ids" is about what it takes; "Accept invitation" is not.
  if (/^accepts?$/.test(first) && rest.length >= TITLE) return 0;
  if (isVerb(first)) return isNoun ? 1 : 3;
  if (isAlsoNoun(first)) {
    if (hasArticle) return 3;
    if (rest.length === 0 || isNoun) return 1;
    return rest.length < TITLE && isLeading(first) ? 2 : 1;
  }
  if (needsArticle(first)) return hasArticle && rest.length > 1 ? 3 : 0;
  const last = rest.at(-1) ?? "";
  return rest.length > 0 && rest.length < TITLE && isVerb(last) && !last.endsWith("s") && !isBeforeNoun(first) ? 2 : 0;
}

/** What a text says with its first sentence; undefined for none, and for one that is only the method and the path. */
function sentence(text: string | undefined, path: string): Said {
  if (text === undefined || text.includes(path)) return undefined;
  const [first = ""] = text
    .trim()
    .split(/(?<=[.!?:;])\s|\r?\n|(?:<\/?\w+[^>]*>)+|\s[-–—]\s/)
    .filter((part) => part.trim() !== "");
  const plain = PREAMBLES.reduce((rest, preamble) => rest.replace(preamble, ""), first.replace(/^[\W_\d]+/, ""));
  const found = words(plain);
  return found.length > 0 ? phrase(found) : undefined;
}

const SUFFIX = /\.(?:json|xml|php|html?|aspx?|do|action|cgi|jsp)$/i;

/** The words of the last segment that is no key, and whether a key stands behind it. */
function lastSegment(path: string): { found: string[]; isKeyed: boolean } {
  const segments = path
    .split(/[?#]/, 1)
    .join("")
    .split("/")
    .filter((one) => one !== "");
  const at = segments.findLastIndex((one) => !one.startsWith("{"));
  const name = (segments[at] ?? "").replace(SUFFIX, "").replace(/\{[^{}]*\}/g, "");
  const part = name.split(/[.:]/).findLast((one) => one !== "") ?? "";
  return { found: words(part), isKeyed: at < segments.length - 1 };
}

/** What a path says by its last words: "/users/{id}/deactivate", "/db-reset", "/email/send-test". */
function pathSays(path: string): Said {
  const { found, isKeyed } = lastSegment(path);
  const all = joinParts(found);
  const [first = "", ...rest] = all;
  const last = all.at(-1) ?? "";
  if (isActingOn(first, rest)) return 1;
  if (isReading(first) || isReading(last)) return "reads";
  // Plurals are things: "/runs".
  const isPlural = (word: string): boolean => word.endsWith("s") && !/ss$/.test(word);
  if (all.length === 1) {
    if (isPlural(first)) return 0;
    return isVerb(first) ? 3 : isAlsoNoun(first) && !isKeyed ? 2 : 0;
  }
  if (!isPlural(first) && isRecord(last)) return 0;
  if (!isPlural(first) && isVerb(first)) return 3;
  if (!isPlural(first) && isLeading(first)) return isKeyed ? 1 : 2;
  return !isKeyed && isVerb(last) && !isPlural(last) && !all.some(isBeforeNoun) ? 3 : 0;
}

/** What an operationId says: "resetDb", "auth_revoke", "UsersController_deactivate". */
function idSays(id: string | undefined, path: string): Said {
  if (id === undefined) return undefined;
  const all = words(id);
  const inPath = new Set(words(path));
  const literal = words(path.replace(/\{[^{}]*\}/g, ""));
  // Made of the method and the path, it says nothing of its own.
  const isMade =
    literal.every((word) => all.includes(word)) &&
    all.every((word) => inPath.has(word) || /^(get|by|and|using|api|v\d+)$/.test(word));
  if (isMade && all.includes("get")) return undefined;
  const tail = words(id.split(/[/.:]|(?<=[a-z]Controller)_|(?<=^[A-Z][A-Za-z]*)_/).at(-1) ?? "");
  const said = [all, tail].map((one) => phrase(one));
  if (said.includes("reads")) return "reads";
  // "users_deactivate": the last part of an id is what is done, where it is a verb.
  if (id.includes("_") && isVerb(all.at(-1) ?? "") && !all.some(isBeforeNoun)) return 3;
  return Math.max(...said.map(Number)) as Command;
}

/** Names of an answer that only says how it went. */
const OUTCOME =
  /^(?:code|data|detail|details|error|errors|errormessage|message|messages|msg|ok|result|status|statuscode|success|successful|timestamp)$/i;
/** Parameters of what is done, not of what is looked for. */
const OF_AN_ACT = /^(?:cascade|confirm|confirmation|confirmed|dry_?run|force|notify|permanent)$/i;
/** Parameters that prove something. */
const OF_A_PROOF = /^(?:hash|otp|passw(?:or)?d|(?:\w+_?)?(?:token|code))$/i;

/** Media types of what is made to be looked at or kept. */
const FILE =
  /^(?:audio|font|image|model|video)\/|^application\/(?:octet-stream|pdf|zip|gzip|vnd\.)|^text\/(?:calendar|csv)/i;

interface Facts {
  path: number;
  text: number;
  id: number;
  isSilent: boolean;
  answersList: boolean;
  answersThing: boolean;
  answersFile: boolean;
  hasSibling: boolean;
  takesAct: boolean;
  takesProof: boolean;
}

/** From here on a GET acts. */
const ACTS = 3;

const SIGNALS: readonly Signal<Facts>[] = [
  {
    signal: ({ path, text, id }) => Math.max(path, text, id),
    weight: 1,
    why: "the clearest of its names and sentences",
  },
  {
    signal: ({ path, text, id }) => [path, text, id].filter((one) => one > 1).length > 1,
    weight: 1,
    why: "another one says so too",
  },
  {
    signal: ({ isSilent }) => isSilent,
    weight: 1,
    why: "it answers with nothing, or only how it went: there is nothing to read",
  },
  { signal: ({ takesAct }) => takesAct, weight: 2, why: "it can be forced, or asks for a yes" },
  { signal: ({ takesProof }) => takesProof, weight: 1, why: "it takes a password or a token, as links in e-mails do" },
  { signal: ({ answersFile }) => answersFile, weight: -2, why: "what it makes is the answer: a picture, a document" },
  { signal: ({ answersList }) => answersList, weight: -2, why: "lists are read: a run of many is a noun" },
  {
    signal: ({ answersThing, path, text, id }) => answersThing && path < 3 && text < 3 && id < 3,
    weight: -1,
    why: "it answers with a thing, of which its path may be the name",
  },
  {
    signal: ({ hasSibling, text, id }) => hasSibling && text < 3 && id < 3,
    weight: -2,
    why: "a change of the same path is there: that one acts, this one shows",
  },
];

/** Whether the path has an operation that changes something. */
function hasChange(item: JsonObject): boolean {
  return ["post", "put", "patch", "delete"].some((method) => item[method] !== undefined);
}

function parameterNames({ item, operation }: PathOperation): string[] {
  return [...listOf(item["parameters"]), ...listOf(operation["parameters"])].map((one) =>
    String(objectOf(one)["name"]),
  );
}

/** What summary and description say together: the summary, where it says anything. */
function textSays({ path, operation, item }: PathOperation): Said {
  const summary = sentence(textOf(operation["summary"]) ?? textOf(item["summary"]), path);
  const description = sentence(textOf(operation["description"]) ?? textOf(item["description"]), path);
  if (summary === "reads" || summary === 3) return summary;
  if (description === undefined) return summary;
  // "Returns a message" is about the answer, whatever was done before.
  if (description === "reads") return summary === undefined || summary === 0 ? description : summary;
  return Math.max(summary ?? 0, description) as Command;
}

/** Whether a GET does something, by its words. */
export function actsByWords(described: PathOperation, response: SuccessResponse): boolean {
  const { path, item, operation } = described;
  const text = textSays(described);
  const id = idSays(textOf(operation["operationId"]), path);
  const inPath = pathSays(path);
  if (text === "reads") return false;
  if (id === "reads" && text !== 3) return false;
  if (inPath === "reads" && text !== 3 && id !== 3) return false;
  const { shape, returns } = response;
  const taken = parameterNames(described);
  const isOutcome = returns.length > 0 && returns.every((name) => OUTCOME.test(name));
  const command = (said: Said): number => (typeof said === "number" ? said : 0);
  const facts: Facts = {
    path: command(inPath),
    text: command(text),
    id: command(id),
    isSilent: isOutcome || (returns.length === 0 && shape === "unknown"),
    answersList: shape === "list" && !isOutcome,
    answersThing: shape === "object" && !isOutcome,
    answersFile: FILE.test(response.accept ?? ""),
    hasSibling: hasChange(item),
    takesAct: taken.some((name) => OF_AN_ACT.test(name)),
    takesProof: taken.some((name) => OF_A_PROOF.test(name)),
  };
  if (facts.path + facts.text + facts.id === 0) return false;
  return addSignals(0, SIGNALS, facts) >= ACTS;
}

/** Whether a POST only reads, by its words: one of them says so, and none says that something changes. */
export function readsByWords({ path, item, operation }: PathOperation): boolean {
  const summary = textOf(operation["summary"]) ?? textOf(item["summary"]);
  const id = textOf(operation["operationId"]);
  const said = [
    pathSays(path),
    idSays(id, path),
    sentence(summary, path) ?? sentence(textOf(operation["description"]), path),
  ];
  // "Provides" and the like may stand for anything where the method is that of a change.
  const begins = [lastSegment(path).found, words(id ?? ""), words(summary ?? "")].some((all) =>
    all.some(isPlainlyReading),
  );
  const commands = [...words(id ?? ""), ...words(summary ?? ""), ...lastSegment(path).found];
  const codes = Object.keys(objectOf(operation["responses"]));
  const answers = codes.length === 0 || codes.some((code) => /^(?:200|203|206|2xx|default)$/i.test(code));
  return (
    said.includes("reads") && begins && answers && !said.some((one) => one === 2 || one === 3) && !commands.some(isVerb)
  );
}
