// Whether a query commands a change, the words that command a tool, and the nouns a query gives a key of ("issue 12").
// Judged by words alone, listed ones and those of the catalogue itself; whether a call is made is decided elsewhere.
import type { Tool } from "../../domain/tool.js";
import { type Intent, intentsOf, intentsOfVerb, synonymsOf } from "./synonyms.js";
import { isStopWord, stem, terms, words } from "./terms.js";

/** A path that ends in a word behind a key has its action in it: /orders/{id}/ship. */
const ACTION = /\}\/([^{}/]+)$/;
/** What an operation does is at the beginning of its description. */
const BEGINNING = 60;

function actionTerms(tool: Tool): string[] {
  return terms(ACTION.exec(tool.transport.path ?? "")?.[1] ?? "");
}

function firstTerm({ description, transport }: Tool): string {
  const [first = ""] = words(description.slice(0, BEGINNING));
  // "PUT /todos/{id}" is the method, no verb.
  return first === transport.method?.toLowerCase() ? "" : stem(first);
}

/** The words that command a tool's change without being listed as verbs: "refund" where a path ends in it. */
export function commandsOf(tool: Tool): string[] {
  return tool.safety === "read_only" ? [] : [firstTerm(tool), ...actionTerms(tool)].filter((term) => term !== "");
}

/** The verb families a tool belongs to: by its verb, by what its description begins with, by what its path ends in. */
export function intentsOfTool(tool: Tool): Intent[] {
  const found = new Set(intentsOfVerb(tool.verb));
  if (tool.safety === "read_only") return [...found];
  for (const term of commandsOf(tool)) for (const intent of intentsOf(term)) if (intent !== "read") found.add(intent);
  return [...found];
}

/** Quoted words command nothing. */
const QUOTED = /"[^"\n]*"|“[^”\n]*”/g;

/** Whether a query begins by commanding a change and asks to see nothing; `verbs` are further words that command. */
export function isCommand(query: string, verbs: ReadonlySet<string>): boolean {
  const all = words(query.replace(QUOTED, " "));
  if (all.some((word) => intentsOf(stem(word)).has("read"))) return false;
  const at = all.findIndex((word) => !isStopWord(word));
  const [first = "", next = ""] = all.slice(at);
  const term = stem(first);
  // "orders of Ada" and "order 5" are nouns, though "order" is also a verb.
  const isNoun = next === "of" || /\d/.test(next) || /[^s]s$|ed$|ing$/.test(first);
  return !isNoun && (intentsOf(term).size > 0 || verbs.has(term));
}

/** A noun with a key behind it: "issue 12", "order no. 5", "charge ch_1", "repository octo/hello". */
const KEYED =
  /(?<!\p{L})(\p{L}+)\s+(?:(?:with\s+)?(?:the\s+)?(?:id|number|no|nr)\b[.:]?\s*)?#?(?=[\w./@-]*[\d/@])[\w.@-][\w./@-]*/giu;

/** The nouns a query gives a key of, with their synonyms. */
export function keyedNouns(query: string): Set<string> {
  const nouns = [...query.matchAll(KEYED)].flatMap(([, noun = ""]) => terms(noun));
  return new Set(nouns.flatMap((noun) => [noun, ...synonymsOf(noun)]));
}
