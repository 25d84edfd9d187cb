// One ranking for everything: the tools offered to a model, `search_tools`, `agentd tools QUERY`, the UI and the offline planner.
// Field-weighted BM25 over split and stemmed terms, with synonyms and verb families; tools that yield what a good match
// needs are pulled up with it. Pure; an index is built once per catalogue.
// Our own code: fields are weighted, verbs have families, producers of ids count, and 4,000 tools are indexed in under 300 ms.

import type { Tool } from "../../domain/tool.js";
import { addSignals, type Signal } from "../../lib/score.js";
import { keyedNouns } from "./command.js";
import { match } from "./match.js";
import { buildPostings, vocabularyOf } from "./postings.js";
import { type Flow, flowOf } from "./producers.js";
import { namesSomething, withoutValues } from "./query.js";
import { createVerbBonus } from "./verbs.js";

/** A tool and its score; scores of one search are comparable, those of different searches are not. */
interface Ranked {
  tool: Tool;
  score: number;
}

/** A catalogue, ready to be searched. */
export interface ToolIndex {
  /** The tools that match the query, best first, at most `limit`; none when nothing does. */
  search(query: string, limit: number): Ranked[];
}

/** More words about single tools that the tool itself does not carry (tags, aliases), by tool name. */
type IndexExtras = ReadonlyMap<string, string>;

// The weights were chosen on public tool-retrieval sets; neighbouring values do nearly as well.
/** What the tools of a resource gain from it. */
const RESOURCE_BONUSES: readonly Signal<{ best: number; covered: number }>[] = [
  { signal: ({ best }) => best, weight: 0.3, why: "queries stay within a few resources: the best match of it counts" },
  { signal: ({ covered }) => covered, weight: 0.2, why: "so does what it covers of the query as a whole" },
];
/** Best matches whose needs are considered. */
const CONSUMERS = 10;
/** What a tool gains from a match it serves, as a share of the match's score. */
const BONUSES = {
  producer: { weight: 0.55, why: "it yields a record that the match needs the key of" },
  detail: { weight: 0.3, why: "it describes a record that the match needs or yields" },
} as const;
/** What is left of a producer's gain. */
const PRODUCER_FACTORS: readonly Signal<{ producer: Flow; named: boolean }>[] = [
  { signal: ({ producer }) => !producer.entry, weight: 0.4, why: "it needs a key itself" },
  {
    signal: ({ producer, named }) => producer.searches !== named,
    weight: 0.6,
    why: "a search is for a query that names something, a list for one that names nothing",
  },
];

/** Of a longer query its beginning and its end are ranked, where people write what they want of a text in between. */
const MAX_QUERY = 4000;

function bounded(query: string): string {
  if (query.length <= MAX_QUERY) return query;
  return `${query.slice(0, MAX_QUERY / 2)} ${query.slice(-MAX_QUERY / 2)}`.toWellFormed();
}

/** Builds the index of a catalogue. */
export function createIndex(tools: readonly Tool[], extras: IndexExtras = new Map()): ToolIndex {
  const postings = buildPostings(tools, extras);
  const flows = tools.map(flowOf);
  const favourVerbs = createVerbBonus(tools);
  const producers = groupBy(flows, (flow) => flow.yields);
  const details = groupBy(flows, (flow) => (flow.detail === undefined ? [] : [flow.detail]));
  const families = [...groupBy(tools, ({ resource }) => (resource === "" ? [] : [resource])).values()];
  const familyOf = new Int32Array(tools.length).fill(-1);
  families.forEach((docs, family) => {
    for (const doc of docs) familyOf[doc] = family;
  });
  const searched = { postings, vocabulary: vocabularyOf(postings), familyOf, familyCount: families.length };

  function favourResources(scores: Float64Array, covered: Float64Array): void {
    if (families.length < 2) return;
    families.forEach((docs, family) => {
      const best = docs.reduce((most, doc) => Math.max(most, scores[doc] ?? 0), 0);
      const by = addSignals(0, RESOURCE_BONUSES, { best, covered: covered[family] ?? 0 });
      if (by > 0) for (const doc of docs) gain(scores, doc, by);
    });
  }

  /** Raises the tools that yield what the best matches need, then those that describe what these need or yield. */
  function favourProducers(query: string, scores: Float64Array): Float64Array {
    const out = Float64Array.from(scores);
    const named = namesSomething(query);
    const raise = (doc: number, by: number): void => {
      out[doc] = Math.max(out[doc] ?? 0, (scores[doc] ?? 0) + by);
    };
    for (const consumer of top(scores, CONSUMERS)) {
      const score = scores[consumer] ?? 0;
      const { needs = [], yields = [] } = flows[consumer] ?? {};
      for (const noun of needs)
        for (const doc of producers.get(noun) ?? []) {
          const producer = flows[doc];
          if (doc === consumer || !producer) continue;
          let bonus = BONUSES.producer.weight * score;
          for (const { signal, weight } of PRODUCER_FACTORS) if (signal({ producer, named })) bonus *= weight;
          raise(doc, bonus);
        }
      for (const noun of [...yields, ...needs])
        for (const detail of details.get(noun) ?? []) raise(detail, BONUSES.detail.weight * score);
    }
    return out;
  }

  return {
    search(query, limit) {
      const asked = bounded(query);
      const text = withoutValues(asked, searched.vocabulary);
      const { scores, covered } = match(text, searched);
      favourVerbs(text, keyedNouns(asked), scores);
      favourResources(scores, covered);
      const final = favourProducers(asked, scores);
      return top(final, limit).flatMap((doc) => {
        const tool = tools[doc];
        return tool ? [{ tool, score: final[doc] ?? 0 }] : [];
      });
    },
  };
}

function gain(scores: Float64Array, doc: number, by: number): void {
  scores[doc] = (scores[doc] ?? 0) + by;
}

/** The positions of the items that have a key, by key. */
function groupBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, number[]> {
  const out = new Map<string, number[]>();
  items.forEach((item, doc) => {
    for (const key of new Set(keysOf(item))) {
      const list = out.get(key);
      if (list) list.push(doc);
      else out.set(key, [doc]);
    }
  });
  return out;
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
