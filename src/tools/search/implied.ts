// What queries mean without a word for it, in words that catalogues use for it.
import type { Vocabulary } from "./postings.js";
import { isStopWord, stem } from "./terms.js";

/** A meaning that no word has. */
export interface ImpliedMeaning {
  signal: RegExp;
  /** What the signal catches has to be no word of the catalogue: a name. */
  catchesName?: boolean;
  weight: number;
  /** The words, each with how far it stands for what is meant. */
  means: Readonly<Record<string, number>>;
  why: string;
}

/** A quoted value, or a capital inside a sentence. */
const NAMED = /["“'‘][^"“”'‘’]+["”'’]|[\p{L}\p{N},] \p{Lu}\p{Ll}/u;

/** Whether the query names a single record, which then has to be searched for. */
export function namesSomething(query: string): boolean {
  return NAMED.test(query);
}

/** In any query. */
export const IMPLIED: readonly ImpliedMeaning[] = [
  {
    signal: /\bwho(?:se|m)?\b|\bby \p{Lu}|\b(?:born|birthday)\b/u,
    weight: 0.6,
    means: { person: 1, people: 1 },
    why: '"a book by Ursula Le Guin", "who wrote it" and "when was she born" are about a person',
  },
  { signal: NAMED, weight: 0.3, means: { search: 1, lookup: 1 }, why: "a named record has to be searched for" },
  {
    signal: /\b(?:what|when|how|who|where|why|find out|tell me|calculate|compute|solve)\b/i,
    weight: 0.5,
    means: { answer: 1, question: 1, ask: 1 },
    why: "a question may be for a tool that answers any",
  },
];

/** In queries of people and models, who choose among the best: near meanings. */
export const NEARLY_IMPLIED: readonly ImpliedMeaning[] = [
  ...IMPLIED,
  {
    signal:
      /\bwho(?:ever)?(?:\s+(?:all|else|is|are|was|were|sits?|works?|belongs?|plays?|'s))+\s+(?:in|on|at|to|part)\b|\b(?:people|everybody|everyone|folks|persons)\s+(?:in|on|of|at|from)\b/i,
    weight: 1,
    means: { member: 1, user: 0.5, membership: 0.3, participant: 0.3, person: 0.3, people: 0.3 },
    why: '"who is in the team" and "the people in it" are its members',
  },
  {
    signal: /\bwho\s+am\s+i\b|\b(?:am|do)\s+i\s+(?:logged|signed|log|sign)\b|\bmy\s+own\s+(?:account|profile|user)\b/i,
    weight: 1,
    means: { authenticated: 1, whoami: 1, current: 0.5, me: 1, self: 0.5, user: 0.5, profile: 0.3, account: 0.3 },
    why: '"who am I" asks for the caller',
  },
  {
    signal: /^\s*(?:is|are|was|were|has|have|does|do|did)\b/i,
    weight: 0.4,
    means: { check: 1 },
    why: '"is Ada a member" is to be checked',
  },
  {
    signal: /\bhow\s+(?:many|often)\b/i,
    weight: 0.5,
    means: { count: 1, number: 0.3, total: 0.3 },
    why: '"how many" asks for a count',
  },
  {
    signal:
      /\b(?:add|assign|ban|block|delete|invite|kick|let|make|put|remove|unassign)\s+([\p{L}][\p{L}\d_.-]+)\s+(?:to|from|in|into|as|on|out|an?)\b/iu,
    catchesName: true,
    weight: 0.6,
    means: { member: 1, user: 0.5, membership: 0.5, collaborator: 0.5, participant: 0.3, assignee: 0.3 },
    why: '"add Ada to the team" makes her a member',
  },
  {
    signal: /(?<![\p{L}\p{N}&/])#\p{L}[\w-]+/u,
    weight: 0.5,
    means: { channel: 1, hashtag: 1, room: 0.3 },
    why: '"#general" is a channel',
  },
  {
    signal: /\b(?:online|offline|away)\b/i,
    weight: 1,
    means: { presence: 1, status: 0.3 },
    why: "whether somebody is there",
  },
  {
    signal: /\bthumbs?[ -]?(?:up|down)\b|\bemojis?\b|\bsmiley\b|\breact\b|:[a-z_]{3,}:/i,
    weight: 1,
    means: { reaction: 1 },
    why: '"react with a thumbs up" adds a reaction',
  },
  {
    signal: /\b(?:what|everything|all)\b.*\bhappen(?:ed|s|ing)\b|\bhistory\b/i,
    weight: 0.6,
    means: { history: 1, event: 1, timeline: 0.5, activity: 0.5, audit: 0.3 },
    why: '"what has happened" are events',
  },
  {
    signal: /\b(?:next|coming)\b/i,
    weight: 0.5,
    means: { upcoming: 1, next: 0.5 },
    why: "what comes is upcoming",
  },
  {
    signal: /\b(?:subscribe|unsubscribe|watch|mute)\b/i,
    weight: 0.6,
    means: { subscription: 1 },
    why: "who subscribes has a subscription",
  },
  {
    signal: /\b(?:access|allowed?|get\s+(?:at|into)|let)\b/i,
    weight: 0.5,
    means: { permission: 1, access: 1, grant: 0.3 },
    why: '"let them in" is about permissions',
  },
];

/** Whether a query has this meaning. */
export function isImplied({ signal, catchesName = false }: ImpliedMeaning, query: string, known: Vocabulary): boolean {
  const found = signal.exec(query);
  if (!found || !catchesName) return found !== null;
  const word = (found[1] ?? "").toLowerCase();
  return !isStopWord(word) && !known.has(stem(word));
}

/** The terms of a meaning that a catalogue knows; empty where it knows none. */
export function termsImplied({ means }: ImpliedMeaning, known: Vocabulary): Map<string, number> {
  return new Map(
    Object.entries(means).flatMap(([word, share]) => {
      const term = stem(word);
      return known.has(term) ? [[term, share] as const] : [];
    }),
  );
}
