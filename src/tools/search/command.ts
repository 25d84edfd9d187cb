// Whether a query asks to see something or commands a change, the words that command a tool, and the nouns a query gives a key of
// ("issue 12"). Judged by words alone, listed ones and those of the catalogue itself; whether a call is made is decided elsewhere.
import type { Tool } from "../../domain/tool.js";
import type { CloseVerbs } from "./close-verbs.js";
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

/** Whether a tool reads, by its verb where its method says nothing: many applications have POST /search. */
export function readsRecords({ safety, verb, transport }: Tool): boolean {
  return safety === "read_only" || (transport.method !== "GET" && (verb === "list" || verb === "get"));
}

/** The words that command a tool's change without being listed as verbs: "refund" where a path ends in it. */
export function commandsOf(tool: Tool): string[] {
  return readsRecords(tool) ? [] : [firstTerm(tool), ...actionTerms(tool)].filter((term) => term !== "");
}

/** The verb families a tool belongs to: by its verb, by what its description begins with, by what its path ends in. */
export function intentsOfTool(tool: Tool): Intent[] {
  const found = new Set(intentsOfVerb(tool.verb));
  for (const term of commandsOf(tool)) for (const intent of intentsOf(term)) if (intent !== "read") found.add(intent);
  return [...found];
}

/** What a query as a whole asks for. */
export interface Asked {
  reads: boolean;
  /** The verb families of the change it commands; empty where only the catalogue knows the verb. */
  changes: ReadonlySet<Intent>;
}

const QUESTION = /^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|has|have)$/;
/** Verbs that ask to be shown something and are too common to be searched for. */
const SHOW_ME = /^(?:give|tell)$/;
/** Quoted words command nothing. */
const QUOTED = /"[^"\n]*"|“[^”\n]*”/g;

/** "open a ticket" makes one; "open the ticket" and "open tickets" show what is there. */
const OPEN_NEW = /\bopen(?=\s+(?:an?|new|another)\b)/gi;

/** The query with a plain verb where an ambiguous one commands a change. */
export function withPlainVerbs(query: string): string {
  return query.replace(OPEN_NEW, "create");
}

/** Where a further command may begin: "pause it and set the volume". */
const CLAUSE_END = /[.!?;\n]+\s|\b(?:and|then)\b/i;

/** Words that command a change: further ones of the catalogue, and those that are close to listed ones. */
interface KnownVerbs {
  verbs: ReadonlySet<string>;
  close: CloseVerbs;
}

/** The families of the verb that a clause begins with; undefined when it begins with none. */
function familiesOf(clause: string, { verbs, close }: KnownVerbs): ReadonlySet<Intent> | undefined {
  const all = words(clause);
  if (QUESTION.test(all[0] ?? "")) return new Set(["read"]);
  const at = all.findIndex((word) => !isStopWord(word) || SHOW_ME.test(word));
  const [first = "", next = ""] = at < 0 ? [] : all.slice(at, at + 2);
  const term = stem(first);
  const families = intentsOf(term).size > 0 ? intentsOf(term) : close.intents(term);
  if (families.has("read")) return families;
  // "orders of Ada" and "order 5" are nouns, though "order" is also a verb.
  const isNoun = next === "of" || /\d/.test(next) || /[^s]s$|ed$|ing$/.test(first);
  return !isNoun && (families.size > 0 || verbs.has(term)) ? families : undefined;
}

/**
 * What a query asks for by the beginnings of its clauses; undefined when these say nothing, or ask to read and to change.
 */
export function askedOf(query: string, known: KnownVerbs): Asked | undefined {
  const clauses = query.replace(QUOTED, " ").split(CLAUSE_END);
  const commands = clauses.flatMap((clause) => familiesOf(clause, known) ?? []);
  const reading = commands.filter((families) => families.has("read")).length;
  if (commands.length === 0 || (reading > 0 && reading < commands.length)) return undefined;
  if (reading > 0) return { reads: true, changes: new Set() };
  return { reads: false, changes: new Set(commands.flatMap((families) => [...families])) };
}

/** A noun with a key behind it: "issue 12", "order no. 5", "charge ch_1", "repository octo/hello". */
const KEYED =
  /(?<!\p{L})(\p{L}+)\s+(?:(?:with\s+)?(?:the\s+)?(?:id|number|no|nr)\b[.:]?\s*)?#?(?=[\w./@-]*[\d/@])[\w.@-][\w./@-]*/giu;

/** The nouns a query gives a key of, with their synonyms. */
export function keyedNouns(query: string): Set<string> {
  const nouns = [...query.matchAll(KEYED)].flatMap(([found, noun = ""]) =>
    // "Invite ada@example.org" is a verb and an address, "order 5" a noun and its key.
    found.includes("@") && intentsOf(stem(noun.toLowerCase())).size > 0 ? [] : terms(noun),
  );
  return new Set(nouns.flatMap((noun) => [noun, ...synonymsOf(noun)]));
}
