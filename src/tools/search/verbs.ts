// What the command and the keys of a query make of the scores of tools: reading or changing as asked, and the records whose key the
// query gives.
import { ownName, type Tool } from "../../domain/tool.js";
import { isPlural } from "../../lib/plural.js";
import type { Signal } from "../../lib/score.js";
import type { CloseVerbs } from "./close-verbs.js";
import { type Asked, askedOf, commandsOf, intentsOfTool, readsRecords } from "./command.js";
import { namesSomething } from "./implied.js";
import { type PathSubject, pathSubject } from "./path-subject.js";
import { type Intent, intentsOf, synonymsOf } from "./synonyms.js";
import { stem, terms, words } from "./terms.js";

/** What a tool is judged by. */
interface JudgedTool {
  reads: boolean;
  /** Its verb families. */
  intents: readonly Intent[];
  subject: PathSubject;
  /** The noun of the records it lists. */
  lists: string | undefined;
  /** It reads what belongs to the caller. */
  isOwn: boolean;
  searches: boolean;
}

/** What a query says of commands and keys. */
interface JudgedQuery {
  /** What it asks for as a whole; undefined when its words do not say. */
  asked: Asked | undefined;
  /** The nouns that it gives a key of. */
  keys: ReadonlySet<string>;
  /** The nouns that it has in the plural. */
  plurals: ReadonlySet<string>;
  isMentioned: (term: string) => boolean;
  /** It asks for what belongs to the caller. */
  wantsOwn: boolean;
  /** It has something to search for, or says that it searches. */
  searches: boolean;
}

interface Facts {
  tool: JudgedTool;
  query: JudgedQuery;
}

// Where the numbers come from: see tool-index.ts.
/** What a tool gains, as a share of the best score. */
const KEYED: Signal<Facts> = {
  signal: ({ tool: { reads, subject }, query: { asked, keys, isMentioned } }) =>
    keys.has(subject.keyedNoun ?? "") &&
    reads === (asked?.reads ?? true) &&
    subject.afterKey.every((term) => isMentioned(term)),
  weight: 0.4,
  why: 'it works on the record whose key is given ("close issue 12"), or on a part of it that is mentioned',
};
/** What a tool's score is multiplied by where one applies. */
const FACTORS: readonly Signal<Facts>[] = [
  {
    signal: ({ tool, query: { asked } }) => !tool.reads && asked?.reads === true,
    weight: 0.5,
    why: "it changes something where only reading is asked for",
  },
  {
    signal: ({ tool, query: { asked } }) => tool.reads && asked?.reads === false,
    weight: 0.6,
    why: "it only reads where a change is commanded",
  },
  {
    signal: ({ tool, query: { asked, keys } }) => tool.reads && asked?.reads === false && keys.size > 0,
    weight: 0.5,
    why: "and the key of the record is given: there is nothing to look up",
  },
  {
    signal: ({ tool, query: { asked } }) =>
      !tool.reads &&
      asked !== undefined &&
      asked.changes.size > 0 &&
      !tool.intents.some((intent) => asked.changes.has(intent)),
    weight: 0.7,
    why: "its change is another than the one that is commanded",
  },
  {
    signal: ({ tool: { subject }, query: { asked, keys, plurals } }) =>
      subject.isRecord &&
      !keys.has(subject.keyedNoun ?? "") &&
      (plurals.has(subject.keyedNoun ?? "") || asked?.changes.has("create") === true),
    weight: 0.8,
    why: "it is for one record that exists, where a new one or all of them are asked for: its list comes first",
  },
  {
    signal: ({ tool: { lists, subject }, query: { keys } }) =>
      lists !== undefined && lists !== subject.keyedNoun && keys.has(lists),
    weight: 0.7,
    why: "it lists the records of which one is given by its key, also where no path says so",
  },
  {
    signal: ({ tool: { isOwn }, query: { wantsOwn } }) => isOwn && wantsOwn,
    weight: 1.2,
    why: '"my reminders" are those of the caller',
  },
  {
    signal: ({ tool, query }) => tool.searches && !query.searches,
    weight: 0.9,
    why: "it searches, and there is nothing to search for",
  },
];

const SEARCH = /search|lookup/;
const SEARCHING = /\b(?:search|find|look|quer)/i;
const OWN_TOOL = /\b(?:me|my|self|own|whoami|authenticated|current user)\b/;
const OWN_QUERY = /\b(?:my|mine|myself)\b/i;

function judgedTool(tool: Tool): JudgedTool {
  const path = tool.transport.path ?? "";
  const subject = pathSubject(path);
  const reads = readsRecords(tool);
  const listed = terms(path).filter((term) => intentsOf(term).size === 0);
  const text = words(`${ownName(tool)} ${path}`).join(" ");
  return {
    reads,
    intents: intentsOfTool(tool),
    subject,
    lists: tool.verb === "list" && !subject.isRecord ? listed.at(-1) : undefined,
    isOwn: reads && OWN_TOOL.test(text),
    searches: reads && SEARCH.test(text),
  };
}

/** Weighs the scores of a query, by position; `keys` are the nouns that the query gives a key of. */
type WeighCommand = (query: string, keys: ReadonlySet<string>, scores: Float64Array) => void;

/** The weighing for a catalogue. */
export function createCommandWeights(tools: readonly Tool[], close: CloseVerbs): WeighCommand {
  const judged = tools.map(judgedTool);
  const verbs = new Set(tools.flatMap(commandsOf));

  return (query, keys, scores) => {
    const asked = askedOf(query, { verbs, close });
    const plurals = new Set(words(query).flatMap((word) => (isPlural(word) ? [stem(word)] : [])));
    const mentioned = new Set(keys.size > 0 ? terms(query).flatMap((term) => [term, ...synonymsOf(term)]) : []);
    const judgedQuery: JudgedQuery = {
      asked,
      keys,
      plurals,
      isMentioned: (term) => mentioned.has(term),
      wantsOwn: OWN_QUERY.test(query),
      searches: SEARCHING.test(query) || namesSomething(query),
    };
    const best = scores.reduce((a, b) => Math.max(a, b), 0);
    judged.forEach((tool, doc) => {
      let score = scores[doc] ?? 0;
      if (score === 0) return;
      const facts: Facts = { tool, query: judgedQuery };
      if (keys.size > 0 && KEYED.signal(facts)) score += KEYED.weight * best;
      for (const { signal, weight } of FACTORS) if (signal(facts)) score *= weight;
      scores[doc] = score;
    });
  };
}
