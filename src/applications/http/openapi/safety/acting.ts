// Whether the words of an operation say something else than its method: a GET that acts, a POST that only reads. Judged by
// grammar: the last words of the path, how its id, summary and description begin, what it answers and what it takes.
import { listOf, objectOf } from "../../../../lib/json.js";
import { isPlural } from "../../../../lib/plural.js";
import { addSignals, type Signal } from "../../../../lib/score.js";
import {
  isActingOn,
  isAlone,
  isAlsoNoun,
  isBeforeNoun,
  isBeforeOne,
  isCommanding,
  isCompound,
  isLeading,
  isPlainlyReading,
  isReading,
  isVerb,
  joinParts,
} from "../../../../tools/acting-words.js";
import { words } from "../../../../tools/search/terms.js";
import { type PathOperation, spelled, textOf } from "../read.js";
import type { SuccessResponse } from "../responses.js";
import { phrase, type Said, type Strength, sentence } from "./acting-phrase.js";
import { hasChange, sharesText } from "./siblings.js";

const SUFFIX = /\.(?:json|xml|php|html?|aspx?|do|action|cgi|jsp)$/i;

/** The words of the last segment that is no key, and what stands before and behind it. */
interface LastSegment {
  found: string[];
  /** The segment before: a key in braces, or a name. */
  before: string;
  /** A key stands behind it. */
  isKeyed: boolean;
}

function lastSegment(path: string): LastSegment {
  const segments = path
    .split(/[?#]/, 1)
    .join("")
    .split("/")
    .filter((one) => one !== "");
  const at = segments.findLastIndex((one) => !one.startsWith("{"));
  const name = (segments[at] ?? "").replace(SUFFIX, "").replace(/\{[^{}]*\}/g, "");
  const part = name.split(/[.:]/).findLast((one) => one !== "") ?? "";
  return { found: words(part), before: segments[at - 1] ?? "", isKeyed: at < segments.length - 1 };
}

/** What a segment of one word says. */
function wordSays(word: string, { before, isKeyed }: LastSegment): Said {
  if (isActingOn(word, words(before))) return 1;
  // Plurals are things: "/runs".
  if (isPlural(word)) return 0;
  const isBehindKey = before.startsWith("{");
  // "POST /messages/{id}/read" marks one as read.
  if (isReading(word)) return isBehindKey && /^(?:read|return|view)$/.test(word) ? 0 : "reads";
  if (isVerb(word)) return 3;
  if (!isAlsoNoun(word) || isKeyed) return 0;
  // "/door/open" commands; "/orders/open" and "/archive" may as well be states and things.
  const isClear = before === "" ? isAlone(word) : !isPlural(before);
  return isBehindKey || isLeading(word) || isClear ? 2 : 1;
}

/** What a path says by its last words: "/users/{id}/deactivate", "/db-reset", "/email/send-test". */
function pathSays(path: string): Said {
  const segment = lastSegment(path);
  const all = joinParts(segment.found);
  const [first = "", ...rest] = all;
  const last = all.at(-1) ?? "";
  if (rest.length === 0) return first === "" ? 0 : wordSays(first, segment);
  if (!isPlural(first) && isCommanding(first, rest)) return 3;
  if (isActingOn(first, rest)) return 1;
  if (isReading(first)) return "reads";
  if (!isPlural(first) && (isVerb(first) || isLeading(first) || (isBeforeOne(first) && !isPlural(last)))) {
    if (isCompound(first, last)) return 0;
    if (isVerb(first)) return 3;
    return segment.isKeyed ? 1 : 2;
  }
  if (isReading(last) && !isPlural(last)) return "reads";
  return !segment.isKeyed && isVerb(last) && !isPlural(last) && !all.some(isBeforeNoun) ? 3 : 0;
}

/** Query parameters that name what is done. */
const NAMES_ACT = /^(?:act|action|cmd|command|do|func|function|method|op|operation|task)$/i;

/** What a query or fragment says that is part of a path: "/svc?action=delete", "/#Action=DeleteQueue". */
function querySays(path: string): Said {
  const [, ...parts] = path.split(/[?#&]/);
  for (const part of parts) {
    const [name = "", value = ""] = part.split("=");
    if (NAMES_ACT.test(name)) return phrase(words(value));
  }
  return undefined;
}

/** The name of a function that FastAPI made an id of, which ends with the path and the method; else the id. */
function functionOf(id: string, { path, method }: Pick<PathOperation, "path" | "method">): string {
  const end = `${path.replace(/\W/g, "_")}_${method}`;
  return id.endsWith(end) && id.length > end.length ? id.slice(0, -end.length) : id;
}

/** What an operationId says: "resetDb", "auth_revoke", "UsersController_deactivate". */
function idSays({ path, method, operation }: PathOperation): Said {
  const whole = textOf(operation["operationId"]);
  if (whole === undefined) return undefined;
  const own = functionOf(whole, { path, method });
  // Some put the method in front of the name.
  const id = own.replace(/^(?:GET|HEAD)_(?=[A-Z])/, "");
  const all = words(id);
  const inPath = new Set(words(path));
  const known = new Set(all);
  const literal = words(path.replace(/\{[^{}]*\}/g, ""));
  // Made of the method and the path, it says nothing of its own.
  const isMade =
    literal.every((word) => known.has(word)) &&
    all.every((word) => inPath.has(word) || /^(get|by|and|using|api|v\d+)$/.test(word));
  if (own === whole && isMade && all.includes("get")) return undefined;
  const tail = words(id.split(/[/.:]|_(?<=[a-z]Controller_|^[A-Z][A-Za-z]*_)/).at(-1) ?? "");
  const said = [all, tail].map((one) => phrase(one));
  if (said.includes("reads")) return "reads";
  // "users_deactivate": the last part of an id is what is done, where it is a verb.
  if (id.includes("_") && isVerb(all.at(-1) ?? "") && !all.some(isBeforeNoun)) return 3;
  // "database-generate-credentials": behind what it belongs to.
  const isInside = all.some((word, i) => isCommanding(word, all.slice(i + 1, i + 3)));
  return Math.max(isInside ? 2 : 0, ...said.map(Number)) as Strength;
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

const PAGE = /^text\/html|^application\/xhtml/i;

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
  {
    signal: ({ answersList, path, text, id }) => answersList && [path, text, id].filter((one) => one === 3).length < 2,
    weight: -2,
    why: "lists are read: a run of many is a noun, unless two say that it is a verb",
  },
  {
    signal: ({ answersThing, path, text, id }) => answersThing && Math.max(path, text, id) < 3 && path + text < 4,
    weight: -1,
    why: "it answers with a thing, of which its path may be the name",
  },
  {
    signal: ({ hasSibling, path, text, id }) => hasSibling && Math.max(path, text, id) < 3,
    weight: -2,
    why: "a change of the same path is there: where the words may be nouns, that one acts and this one shows",
  },
];

function parameterNames({ path, item, operation }: PathOperation): string[] {
  const keys = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, key = ""]) => key);
  const declared = [...listOf(item["parameters"]), ...listOf(operation["parameters"])];
  return [...keys, ...declared.map((one) => spelled(objectOf(one)["name"]))];
}

/** A sentence that says what a call does besides: "Note: this operation invalidates the key before." */
const BESIDES =
  /(?:^|[.:!?]\s|\n *)this (?:action|api call|call|endpoint|method|operation)(?: (?:also|automatically|permanently|will))* (\w+)/gi;

function saysBesides(text: string): boolean {
  return [...text.matchAll(BESIDES)].some(([, verb = ""]) => {
    const word = verb.toLowerCase();
    return isVerb(word) && !/^(?:accept|appl|begin)/.test(word);
  });
}

/** What summary and description say together: the summary, where it says anything. */
function textSays({ path, operation, item }: PathOperation): Said {
  if (saysBesides(textOf(operation["description"]) ?? "")) return 3;
  const summary = sentence(textOf(operation["summary"]) ?? textOf(item["summary"]), path);
  const description = sentence(textOf(operation["description"]) ?? textOf(item["description"]), path);
  if (summary === "reads" || summary === 3) return summary;
  if (description === undefined) return summary;
  // "Returns a message" is about the answer, whatever was done before.
  if (description === "reads") return summary === undefined || summary === 0 ? description : summary;
  return Math.max(summary ?? 0, description) as Strength;
}

/** Whether a GET does something, by its words. */
export function actsByWords(described: PathOperation, response: SuccessResponse): boolean {
  const { path } = described;
  const text = sharesText(described) ? "reads" : textSays(described);
  const id = idSays(described);
  const inQuery = querySays(path);
  const inPath = inQuery ?? pathSays(path);
  if (text === "reads") return false;
  if (id === "reads" && text !== 3 && inQuery !== 3) return false;
  if (inPath === "reads" && text !== 3 && id !== 3) return false;
  const { shape, returns } = response;
  const taken = parameterNames(described);
  const isOutcome = returns.length > 0 && returns.every((name) => OUTCOME.test(name));
  const command = (said: Said): number => (typeof said === "number" ? said : 0);
  const facts: Facts = {
    path: command(inPath),
    text: command(text),
    id: command(id),
    isSilent: isOutcome || (returns.length === 0 && shape === "unknown" && !PAGE.test(response.accept ?? "")),
    answersList: shape === "list" && !isOutcome,
    answersThing: shape === "object" && !isOutcome,
    answersFile: FILE.test(response.accept ?? ""),
    hasSibling: hasChange(described),
    takesAct: taken.some((name) => OF_AN_ACT.test(name)),
    takesProof: taken.some((name) => OF_A_PROOF.test(name)),
  };
  if (facts.path + facts.text + facts.id === 0) return false;
  return addSignals(0, SIGNALS, facts) >= ACTS;
}

/** Whether a POST only reads, by its words: one of them says so, and none says that something changes. */
export function readsByWords(described: PathOperation): boolean {
  const { path, item, operation } = described;
  const summary = textOf(operation["summary"]) ?? textOf(item["summary"]);
  const id = textOf(operation["operationId"]);
  const said = [
    pathSays(path),
    idSays(described),
    sentence(summary, path) ?? sentence(textOf(operation["description"]), path),
  ];
  // "Provides" and the like may stand for anything where the method is that of a change.
  const begins = [lastSegment(path).found, words(id ?? ""), words(summary ?? "")].some((all) =>
    all.some(isPlainlyReading),
  );
  const commands = [...words(id ?? ""), ...words(summary ?? ""), ...lastSegment(path).found];
  const isChanging = (word: string, i: number): boolean =>
    isVerb(word) || /^writes?$/.test(word) || (isAlsoNoun(word) && /^(?:and|or)$/.test(commands[i - 1] ?? ""));
  const codes = Object.keys(objectOf(operation["responses"]));
  const answers = codes.length === 0 || codes.some((code) => /^(?:200|203|206|2xx|default)$/i.test(code));
  return (
    said.includes("reads") &&
    begins &&
    answers &&
    !saysBesides(textOf(operation["description"]) ?? "") &&
    !said.some((one) => one === 2 || one === 3) &&
    !commands.some(isChanging)
  );
}
