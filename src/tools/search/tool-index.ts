// One ranking for everything: the tools offered to a model, `search_tools`, `agentd tools QUERY`, the UI and the offline planner.
// Field-weighted BM25 over split and stemmed terms, with synonyms, weighed by how much of a tool's name a query mentions and by
// whether it reads or changes as asked; tools that yield what a good match needs are pulled up behind it. A query that is a path is
// compared with the paths. Pure; an index is built once per catalogue.
//
// Where the numbers of this folder come from: prompts over imported descriptions, some of which were read while the rules were
// designed. The main ones were chosen on four fifths of the applications and measured on the last, for every fifth and three ways to
// part them; they gain there on large catalogues of many applications and on plain commands, and lose at most one prompt in fifty on
// small ones. Most numbers lose a little when taken away; a few (synonyms in titles, a path's length) change almost nothing. Not
// here, because they cost or bought nothing: a bonus for all tools of the resource of the best match; one for tools that describe a
// record a match yields; the resource as a field of its own; a weight for repeated words; words of the best matches as further words
// of the query; less weight for quoted words, for sentences that ask nothing and for words of any request; each sentence ranked by
// itself, which the variety of the best matches does better; a rarity that counts applications; names that are split into known
// words; groups of letters; a weighing of all of these that is learnt from prompts; what word vectors or a dictionary know (near words
// and derived ones as further words of the query, a second similarity, how common a word is in English, how well it fits the others),
// which gains where a tool is one sentence and costs where it has a name; the form of a word besides its stem; the verb of a prompt
// as that of a tool; synonyms in the object of a command; a limit on copies of the same tool; titles without the words that all tools
// of a resource have; producers of the keys among the parameters of a query; of several sentences the one that commands, as the plain
// command; fewer changes for a query that is a noun only.
// A producer never comes before the match it serves.

import type { Tool } from "../../domain/tool.js";
import type { Signal } from "../../lib/score.js";
import { createMentions } from "./application-mentions.js";
import { CLOSE_VERBS, NO_CLOSE_VERBS, withoutFiling } from "./close-verbs.js";
import { keyedNouns, withPlainVerbs } from "./command.js";
import { inPlainWords } from "./everyday.js";
import { IMPLIED, NEARLY_IMPLIED, namesSomething } from "./implied.js";
import { match } from "./match.js";
import { favourPaths, readPathQuery } from "./path-query.js";
import { isShort, withoutNewName } from "./plain-command.js";
import { createPlainWeights, type PlainWeights } from "./plain-weights.js";
import { buildPostings, type Vocabulary, vocabularyOf } from "./postings.js";
import { type Flow, flowOf } from "./producers.js";
import { withoutValues } from "./query.js";
import { createSpelling } from "./spelling.js";
import { createTitles } from "./titles.js";
import { type Contribution, withVariety } from "./variety.js";
import { createCommandWeights } from "./verbs.js";

/** A tool and its score; scores of one search are comparable, those of different searches are not. */
export interface Ranked {
  tool: Tool;
  score: number;
}

/** A catalogue, ready to be searched. */
export interface ToolIndex {
  /** The tools that match the query, best first, at most `limit`; none when nothing does. */
  search(query: string, limit: number): Ranked[];
}

/**
 * What the tools of a resource gain of what its tools cover of a query together: queries stay within a few resources. The more of
 * a catalogue a resource is, the less it says what its other tools cover.
 */
const RESOURCE = 0.25;
/** Best matches whose needs are considered. */
const CONSUMERS = 5;
/** Producers of one noun that are pulled up: a large catalogue has dozens of them, and they crowd out what was asked for. */
const PRODUCERS = 3;
/** What a tool gains from a match that needs the key of a record it yields, as a share of the match's score. */
const PRODUCER = 0.55;
/** What is left of a producer's gain. */
const PRODUCER_FACTORS: readonly Signal<{ producer: Flow; named: boolean }>[] = [
  { signal: ({ producer }) => !producer.entry, weight: 0.5, why: "it needs a key itself" },
  {
    signal: ({ producer, named }) => producer.searches !== named,
    weight: 0.6,
    why: "a search is for a query that names something, a list for one that names nothing",
  },
];
/** What a tool's score is multiplied by where the query names its application: its best tools come before equal ones of others. */
const NAMED_APPLICATION = 2;
/** The score of a tool of which only its application is asked for: below everything that matches. */
const LEAST = 1e-6;
/** How near a producer comes to the match it serves: what was asked for stays first. */
const NEAREST = 0.99;

/** Best matches that are put in order by what the ones before leave open; the rest stays behind them. */
const VARIED = 60;

/** Of a longer query its beginning and its end are ranked, where people write what they want of a text in between. */
const MAX_QUERY = 4000;

function bounded(query: string): string {
  if (query.length <= MAX_QUERY) return query;
  return `${query.slice(0, MAX_QUERY / 2)} ${query.slice(-MAX_QUERY / 2)}`.toWellFormed();
}

interface IndexOptions {
  /**
   * Finds what is nearly said, too: by misspelt words, by verbs that mean nearly the same, and by paths. For people and models, who
   * choose among the tools; where the best one is called only what is said counts.
   */
  lenient?: boolean;
}

/** Builds the index of a catalogue. */
export function createIndex(tools: readonly Tool[], { lenient = false }: IndexOptions = {}): ToolIndex {
  const close = lenient ? CLOSE_VERBS : NO_CLOSE_VERBS;
  const postings = buildPostings(tools);
  const flows = tools.map(flowOf);
  const weighCommand = createCommandWeights(tools, close);
  // Resources and records of the same name in two applications are different ones.
  const within = (doc: number, noun: string): string => `${tools[doc]?.application ?? ""} ${noun}`;
  const producers = groupBy(flows, (flow, doc) => flow.yields.map((noun) => within(doc, noun)));
  const families = [
    ...groupBy(tools, ({ resource }, doc) => (resource === "" ? [] : [within(doc, resource)])).values(),
  ];
  const mentionsIn = createMentions(tools.map(({ application }) => application));
  const familyOf = new Int32Array(tools.length).fill(-1);
  families.forEach((docs, family) => {
    for (const doc of docs) familyOf[doc] = family;
  });
  const searched = {
    postings,
    vocabulary: vocabularyOf(postings),
    close,
    implied: IMPLIED,
    titles: createTitles(tools, postings),
    familyOf,
    familyCount: families.length,
  };

  const plainWeights = lenient ? createPlainWeights(tools, searched.vocabulary) : undefined;
  const read = createReader(tools, searched.vocabulary, plainWeights);
  const nearly = { ...searched, implied: NEARLY_IMPLIED };

  /** Raises the tools that yield what the best matches need. */
  function favourProducers(query: string, scores: Float64Array): Float64Array {
    const out = Float64Array.from(scores);
    const named = namesSomething(query);
    const served = new Set<string>();
    for (const consumer of top(scores, CONSUMERS)) {
      const score = scores[consumer] ?? 0;
      for (const need of flows[consumer]?.needs ?? []) {
        const noun = within(consumer, need);
        // The best match that needs it raises its producers most.
        if (served.has(noun)) continue;
        served.add(noun);
        const raised = new Float64Array(tools.length);
        for (const doc of producers.get(noun) ?? []) {
          const producer = flows[doc];
          if (doc === consumer || !producer) continue;
          let by = PRODUCER * score;
          for (const { signal, weight } of PRODUCER_FACTORS) if (signal({ producer, named })) by *= weight;
          raised[doc] = (scores[doc] ?? 0) + by;
        }
        for (const doc of top(raised, PRODUCERS))
          out[doc] = Math.max(out[doc] ?? 0, Math.min(raised[doc] ?? 0, NEAREST * score));
      }
    }
    return out;
  }

  return {
    search(query, limit) {
      const said = bounded(query);
      const { asked, text } = read(said);
      const plain = isShort(said) ? plainWeights : undefined;
      const pair = plain?.pairIn(asked) ?? "";
      const { scores, covered, contributions } = match(`${text} ${pair}`, plain ? nearly : searched);
      const keys = new Set([...keyedNouns(asked), ...(plain?.keysIn(asked) ?? [])]);
      weighCommand(text, keys, scores);
      plain?.weigh(asked, keys, scores);
      favourResources(families, scores, covered);
      favourApplications(tools, mentionsIn(said), scores);
      const path = lenient ? readPathQuery(said) : undefined;
      if (path) {
        favourPaths(tools, path, scores);
        return ranked(tools, top(scores, limit), scores);
      }
      const final = favourProducers(asked, scores);
      return ranked(tools, topVaried(final, contributions, limit), final);
    },
  };
}

/** What a query asks for, and the words of it that are ranked by. */
type ReadQuery = (said: string) => { asked: string; text: string };

function createReader(tools: readonly Tool[], vocabulary: Vocabulary, plain: PlainWeights | undefined): ReadQuery {
  if (!plain)
    return (said) => {
      const asked = withPlainVerbs(said);
      return { asked, text: withoutValues(asked, vocabulary) };
    };
  const correctSpelling = createSpelling(tools, vocabulary);
  return (said) => {
    const text = withoutFiling(correctSpelling(said));
    const asked = withPlainVerbs(isShort(said) ? inPlainWords(text, vocabulary, plain) : text);
    return { asked, text: withoutValues(isShort(said) ? withoutNewName(asked) : asked, vocabulary) };
  };
}

function ranked(tools: readonly Tool[], docs: readonly number[], scores: Float64Array): Ranked[] {
  return docs.flatMap((doc) => {
    const tool = tools[doc];
    return tool ? [{ tool, score: scores[doc] ?? 0 }] : [];
  });
}

/** Raises the tools of the families that cover more of a query than each of them does. */
function favourResources(families: readonly number[][], scores: Float64Array, covered: Float64Array): void {
  if (families.length < 2) return;
  families.forEach((docs, family) => {
    const all = covered[family] ?? 0;
    const rarity = Math.sqrt(1 - docs.length / scores.length);
    for (const doc of docs) {
      const own = Math.min(scores[doc] ?? 0, all);
      gain(scores, doc, RESOURCE * (own + rarity * (all - own)));
    }
  });
}

/** Raises the tools of the applications that a query names; where it names nothing else, all of them are meant. */
function favourApplications(
  tools: readonly Tool[],
  mentions: ReturnType<ReturnType<typeof createMentions>>,
  scores: Float64Array,
): void {
  if (mentions.length === 0) return;
  const named = new Set(mentions.map(({ application }) => application));
  tools.forEach(({ application }, doc) => {
    if (named.has(application)) scores[doc] = NAMED_APPLICATION * (scores[doc] ?? 0) + LEAST;
  });
}

function gain(scores: Float64Array, doc: number, by: number): void {
  scores[doc] = (scores[doc] ?? 0) + by;
}

/** The positions of the items that have a key, by key. */
function groupBy<T>(
  items: readonly T[],
  keysOf: (item: T, position: number) => readonly string[],
): Map<string, number[]> {
  const out = new Map<string, number[]>();
  items.forEach((item, doc) => {
    for (const key of new Set(keysOf(item, doc))) {
      const list = out.get(key);
      if (list) list.push(doc);
      else out.set(key, [doc]);
    }
  });
  return out;
}

/** The positions of the highest scores, the first of them in the order of what the ones before leave open. */
function topVaried(scores: Float64Array, contributions: readonly Contribution[], limit: number): number[] {
  const best = top(scores, Math.max(limit, VARIED));
  return [...withVariety(best.slice(0, VARIED), scores, contributions), ...best.slice(VARIED)].slice(0, limit);
}

/** The positions of the highest scores above zero, best first; ties stay in document order. */
function top(scores: Float64Array, limit: number): number[] {
  const better = (a: number, b: number): number => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b;
  const best: number[] = [];
  // Kept short while it is filled: a catalogue has thousands of tools, and few are wanted.
  const most = Math.max(4 * limit, 64);
  let least = 0;
  scores.forEach((score, doc) => {
    if (score <= 0 || score < least) return;
    best.push(doc);
    if (best.length < most) return;
    best.sort(better).length = limit;
    least = scores[best[limit - 1] ?? 0] ?? 0;
  });
  return best.sort(better).slice(0, limit);
}
