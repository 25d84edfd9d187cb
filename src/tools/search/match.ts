// How well the words of each tool match those of a query: BM25 over concepts, for every tool and for every family of tools.
// A family is what belongs together (a resource); it is judged as if all its words stood in one tool.
// Both directions count: "list users" is about getUsers, and less about getUserTaskLists, whose name says more than was asked for.
import type { CloseVerbs } from "./close-verbs.js";
import type { ImpliedMeaning } from "./implied.js";
import type { Posting, Vocabulary } from "./postings.js";
import { conceptsOf } from "./query.js";
import type { Titles } from "./titles.js";
import type { Contribution } from "./variety.js";

// Where the numbers come from: see tool-index.ts.
/** Saturation of BM25: how soon more of the same word stops counting. */
const K1 = 1.2;
/** How far the tools that only have a synonym make a word common. */
const SYNONYM_SPREAD = 0.15;
/** What a tool loses when a query mentions nothing of what it is called: longer names are about something narrower. */
const UNMENTIONED = 0.5;

/** What is searched: the postings of the tools, and the family of each, by position; -1 for none. */
interface Searched {
  postings: ReadonlyMap<string, Posting>;
  vocabulary: Vocabulary;
  close: CloseVerbs;
  implied: readonly ImpliedMeaning[];
  titles: Titles;
  familyOf: Int32Array;
  familyCount: number;
}

/** Scores by position. */
interface Matched {
  scores: Float64Array;
  /** For each family the best its tools do for each concept, added up. */
  covered: Float64Array;
  /** What each concept adds to the scores. */
  contributions: Contribution[];
}

/** Scores every tool and every family for a query. */
export function match(
  query: string,
  { postings, vocabulary, close, implied, titles, familyOf, familyCount }: Searched,
): Matched {
  const size = familyOf.length;
  const scores = new Float64Array(size);
  const covered = new Float64Array(familyCount);
  const frequency = new Float64Array(size);
  const best = new Float64Array(familyCount);
  const contributions: Contribution[] = [];
  const concepts = conceptsOf(query, { vocabulary, close, implied });
  for (const concept of concepts) {
    const touched: number[] = [];
    const added: number[] = [];
    let spread = 0;
    for (const [term, share] of concept.terms) {
      const posting = postings.get(term);
      if (!posting) continue;
      spread += posting.docs.length * (share === 1 ? 1 : SYNONYM_SPREAD);
      posting.docs.forEach((doc, i) => {
        if (frequency[doc] === 0) touched.push(doc);
        frequency[doc] = (frequency[doc] ?? 0) + share * (posting.weights[i] ?? 0);
      });
    }
    const df = Math.min(spread, size);
    const idf = Math.log(1 + (size - df + 0.5) / (df + 0.5));
    for (const doc of touched) {
      const tf = frequency[doc] ?? 0;
      const by = (concept.weight * idf * tf * (K1 + 1)) / (K1 + tf);
      scores[doc] = (scores[doc] ?? 0) + by;
      added.push(by);
      frequency[doc] = 0;
      const family = familyOf[doc] ?? -1;
      if (family >= 0 && by > (best[family] ?? 0)) {
        covered[family] = (covered[family] ?? 0) + by - (best[family] ?? 0);
        best[family] = by;
      }
    }
    for (const doc of touched) {
      const family = familyOf[doc] ?? -1;
      if (family >= 0) best[family] = 0;
    }
    contributions.push({ docs: touched, by: added });
  }
  const mentioned = titles.mentionedBy(concepts);
  for (let doc = 0; doc < size; doc++)
    scores[doc] = (scores[doc] ?? 0) * (1 - UNMENTIONED * (1 - (mentioned[doc] ?? 0)));
  return { scores, covered, contributions };
}
