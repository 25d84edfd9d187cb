// What the verbs and the keys of a query add to the scores of tools: the verb families of both, a record before its parts, and
// records whose key the query gives.
import type { Tool } from "../../domain/tool.js";
import { addSignals, type Signal } from "../../lib/score.js";
import { commandsOf, intentsOfTool, isCommand } from "./command.js";
import { type PathSubject, pathSubject } from "./path-subject.js";
import { intentsIn } from "./query.js";
import { synonymsOf } from "./synonyms.js";
import { terms } from "./terms.js";

/** What a tool is judged by. */
interface Facts {
  /** The query commands a change in the verb family of the tool. */
  sharesChange: boolean;
  /** The tool reads. */
  reads: boolean;
  /** The query begins by commanding a change. */
  commanded: boolean;
  subject: PathSubject;
  /** The nouns that the query gives a key of. */
  keys: ReadonlySet<string>;
  isMentioned: (term: string) => boolean;
}

// The weights were chosen on public tool-retrieval sets and everyday prompts; neighbouring values do nearly as well.
/** What a tool gains, as a share of the best score. */
const BONUSES: readonly Signal<Facts>[] = [
  {
    signal: ({ sharesChange, subject: { lastSegment }, isMentioned }) =>
      sharesChange && lastSegment.length > 0 && lastSegment.every(isMentioned),
    weight: 0.3,
    why: 'its path leads to the record that is to be changed and to no part of it: "create a customer"',
  },
  {
    signal: ({ reads, commanded, keys, subject: { keyedNoun, afterKey }, isMentioned }) =>
      reads !== commanded && keys.has(keyedNoun ?? "") && afterKey.every(isMentioned),
    weight: 0.6,
    why: 'it works on the record whose key is given ("close issue 12"), or on a part of it that is mentioned',
  },
];
/** What is left of a tool's score. */
const UNASKED: Signal<Facts> = {
  signal: ({ reads, commanded, keys }) => reads && commanded && keys.size > 0,
  weight: 0.4,
  why: "it only reads when a change of a record with its key is commanded: there is nothing to look up",
};

/** Adds to the scores of a query, by position; `keys` are the nouns that the query gives a key of. */
type VerbBonus = (query: string, keys: ReadonlySet<string>, scores: Float64Array) => void;

/** The bonus for a catalogue. */
export function createVerbBonus(tools: readonly Tool[]): VerbBonus {
  const subjects = tools.map(({ transport }) => pathSubject(transport.path ?? ""));
  const intents = tools.map(intentsOfTool);
  const verbs = new Set(tools.flatMap(commandsOf));

  return (query, keys, scores) => {
    const asked = intentsIn(query);
    const changes = asked.size > 0 && !asked.has("read");
    if (!changes && keys.size === 0) return;
    const best = scores.reduce((a, b) => Math.max(a, b), 0);
    const mentioned = new Set(terms(query).flatMap((term) => [term, ...synonymsOf(term)]));
    const isMentioned = (term: string): boolean => mentioned.has(term);
    const commanded = isCommand(query, verbs);
    tools.forEach((tool, doc) => {
      const score = scores[doc] ?? 0;
      const subject = subjects[doc];
      if (score === 0 || !subject) return;
      const reads = tool.safety === "read_only";
      const sharesChange = changes && intents[doc]?.some((intent) => asked.has(intent)) === true;
      const facts: Facts = { sharesChange, reads, commanded, subject, keys, isMentioned };
      const bonus = addSignals(0, BONUSES, facts);
      scores[doc] = (score + best * bonus) * (UNASKED.signal(facts) ? UNASKED.weight : 1);
    });
  };
}
