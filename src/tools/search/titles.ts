// What each tool is called: the words of its name and of the fixed part of its path, and how much of it a query mentions.
// Rare words are more of a title than common ones; knows nothing of descriptions.
import { ownName, type Tool } from "../../domain/tool.js";
import { segmentsOf } from "./path-subject.js";
import type { Posting } from "./postings.js";
import type { Concept } from "./query.js";
import { intentsOf } from "./synonyms.js";
import { terms } from "./terms.js";

/** A verb counts this much as a word of a title: it is often written differently from what is asked. */
const VERB = 0.6;
/** A synonym mentions a word this far. */
const SYNONYM = 0.5;

/** The titles of a catalogue. */
export interface Titles {
  /** The share of each tool's title that these concepts mention, by position: 0 to 1. */
  mentionedBy(concepts: readonly Concept[]): Float64Array;
}

/** Reads the titles; `postings` say how rare words are. */
export function createTitles(tools: readonly Tool[], postings: ReadonlyMap<string, Posting>): Titles {
  const rarity = (term: string): number => {
    const df = postings.get(term)?.docs.length ?? 0;
    return Math.log(1 + (tools.length - df + 0.5) / (df + 0.5)) * (intentsOf(term).size > 0 ? VERB : 1);
  };
  /** The tools with a word in their titles, and its share of each. */
  const shares = new Map<string, { docs: number[]; shares: number[] }>();
  tools.forEach((tool, doc) => {
    const fixed = segmentsOf(tool.transport.path ?? "").map((segment) => segment ?? "");
    const title = new Set([...terms(ownName(tool)), ...fixed.flatMap(terms)]);
    const total = [...title].reduce((sum, term) => sum + rarity(term), 0);
    for (const term of title) {
      let known = shares.get(term);
      if (!known) shares.set(term, (known = { docs: [], shares: [] }));
      known.docs.push(doc);
      known.shares.push(rarity(term) / total);
    }
  });
  return {
    mentionedBy(concepts) {
      const mentioned = new Float64Array(tools.length);
      const asked = new Map<string, number>();
      for (const concept of concepts)
        for (const [term, share] of concept.terms)
          asked.set(term, Math.max(asked.get(term) ?? 0, share === 1 ? 1 : SYNONYM));
      for (const [term, by] of asked) {
        const known = shares.get(term);
        known?.docs.forEach((doc, i) => {
          mentioned[doc] = (mentioned[doc] ?? 0) + by * (known.shares[i] ?? 0);
        });
      }
      return mentioned;
    },
  };
}
