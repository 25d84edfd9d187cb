// What the command and the keys of a query make of the scores of tools: reading or changing as asked, and the records whose key the
// query gives.
import type { Tool } from "../../domain/tool.js";
import { isPlural } from "../../lib/plural.js";
import type { Signal } from "../../lib/score.js";
import { type Asked, askedOf, commandsOf, intentsOfTool, readsRecords } from "./command.js";
import { type PathSubject, pathSubject } from "./path-subject.js";
import { type Intent, synonymsOf } from "./synonyms.js";
import { stem, terms, words } from "./terms.js";

/** What a tool is judged by. */
interface JudgedTool {
  reads: boolean;
  /** Its verb families. */
  intents: readonly Intent[];
  subject: PathSubject;
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
/** What is left of a tool's score where one applies. */
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
];

/** Weighs the scores of a query, by position; `keys` are the nouns that the query gives a key of. */
type WeighCommand = (query: string, keys: ReadonlySet<string>, scores: Float64Array) => void;

/** The weighing for a catalogue. */
export function createCommandWeights(tools: readonly Tool[]): WeighCommand {
  const judged = tools.map(
    (tool): JudgedTool => ({
      reads: readsRecords(tool),
      intents: intentsOfTool(tool),
      subject: pathSubject(tool.transport.path ?? ""),
    }),
  );
  const verbs = new Set(tools.flatMap(commandsOf));

  return (query, keys, scores) => {
    const asked = askedOf(query, verbs);
    const plurals = new Set(words(query).flatMap((word) => (isPlural(word) ? [stem(word)] : [])));
    if (!asked && keys.size === 0 && plurals.size === 0) return;
    const mentioned = new Set(keys.size > 0 ? terms(query).flatMap((term) => [term, ...synonymsOf(term)]) : []);
    const judgedQuery: JudgedQuery = { asked, keys, plurals, isMentioned: (term) => mentioned.has(term) };
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
