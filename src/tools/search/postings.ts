// The searchable form of a catalogue: for every term the tools that have it, weighted by its field. Built once per catalogue.

import { ownName, type Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { schemaMembers } from "./schema-members.js";
import { createSplitter, onlySaysWhich, type Split, terms } from "./terms.js";

/** The tools that have a term, by position, and the weight it has in each. */
export interface Posting {
  docs: number[];
  weights: number[];
}

/** The fields of a tool with the weight of a term in each, and how much a long field dilutes it (`b` of BM25F). */
const FIELDS = {
  name: { weight: 4, b: 0.6, why: "the name is chosen to be recognised" },
  path: { weight: 2, b: 0.4, why: "a path names the records, in the plural and without a verb" },
  summary: { weight: 2, b: 0.5, why: "the first sentence describes what the operation does" },
  description: { weight: 1, b: 0.7, why: "later sentences are about details" },
  parameters: { weight: 1, b: 0.6, why: "parameters repeat all over a catalogue" },
  hints: { weight: 0.3, b: 0.7, why: "descriptions of parameters use many words" },
} as const;
type Field = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** Fields whose neighbouring words are searched as pairs too: "top tracks" is more than "top" and "tracks". */
const PAIRED = ["name", "summary", "description"] as const;
const PAIR_WEIGHT = 2;
/** Pairs of a field: an operation's purpose is at its beginning, and pairs are most of an index. */
const MAX_PAIRS = 15;

/** Texts are read this far: documentation pages hidden in descriptions drown what an operation is. */
const MAX_TEXT = 600;
const MAX_HINT = 200;
const MAX_ENUM = 20;
const MAX_DEPTH = 2;

/** The terms of a catalogue. */
export interface Vocabulary {
  has(term: string): boolean;
  /** The single terms that begin like this, the first few of them. */
  startingWith(text: string): readonly string[];
}

const MAX_BEGUN = 20;

/** The vocabulary of these postings; it is sorted when a beginning is first asked for. */
export function vocabularyOf(postings: ReadonlyMap<string, Posting>): Vocabulary {
  let sorted: string[] | undefined;
  return {
    has: (term) => postings.has(term),
    startingWith(text) {
      sorted ??= [...postings.keys()].filter((term) => !term.includes(" ")).sort();
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] ?? "") < text) low = middle + 1;
        else high = middle;
      }
      const found: string[] = [];
      for (let at = low; sorted[at]?.startsWith(text) && found.length < MAX_BEGUN; at++) found.push(sorted[at] ?? "");
      return found;
    },
  };
}

/** The pairs of neighbouring terms, each written as one term; `most` of them, from the beginning. */
export function neighbourPairs(terms: readonly string[], most = Number.POSITIVE_INFINITY): string[] {
  const pairs: string[] = [];
  let before: string | undefined;
  for (const term of terms) {
    if (pairs.length >= most) break;
    if (onlySaysWhich(term)) continue;
    if (before !== undefined) pairs.push(`${before} ${term}`);
    before = term;
  }
  return pairs;
}

function fieldsOf(tool: Tool, split: Split): Record<Field, string[]> {
  const text = tool.description.slice(0, MAX_TEXT);
  const cut = /^[\s\S]*?(?:[.!?](?=\s)|\n|$)/.exec(text)?.[0].length ?? text.length;
  const parameters: string[] = [];
  const hints: string[] = [];
  collect(tool.input_schema, MAX_DEPTH, { parameters, hints, split, root: tool.input_schema });
  return {
    name: terms(ownName(tool)),
    path: terms(tool.transport.path ?? ""),
    summary: terms(text.slice(0, cut)),
    description: terms(text.slice(cut)),
    parameters,
    hints,
  };
}

interface Collected {
  parameters: string[];
  hints: string[];
  split: Split;
  /** The schema whose definitions are referred to. */
  root: JsonObject;
}

function collect(schema: JsonObject, depth: number, into: Collected): void {
  const { parameters, hints, split, root } = into;
  for (const [name, member] of schemaMembers(schema, root)) {
    parameters.push(...split(name));
    if (typeof member["description"] === "string") hints.push(...split(member["description"].slice(0, MAX_HINT)));
    if (Array.isArray(member["enum"]))
      for (const value of member["enum"].slice(0, MAX_ENUM)) if (typeof value === "string") hints.push(...split(value));
    if (depth > 1) collect(member, depth - 1, into);
  }
}

function weigh(document: Record<Field, string[]>, average: Record<Field, number>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const field of PAIRED)
    for (const term of neighbourPairs(document[field], MAX_PAIRS)) weights.set(term, PAIR_WEIGHT);
  for (const field of FIELD_NAMES) {
    const { weight, b } = FIELDS[field];
    const share = weight / (1 - b + (b * document[field].length) / average[field]);
    for (const term of document[field]) weights.set(term, (weights.get(term) ?? 0) + share);
  }
  return weights;
}

/** Indexes the tools. */
export function buildPostings(tools: readonly Tool[]): Map<string, Posting> {
  const split = createSplitter();
  const documents = tools.map((tool) => fieldsOf(tool, split));
  const average = {} as Record<Field, number>;
  for (const field of FIELD_NAMES) {
    const total = documents.reduce((sum, document) => sum + document[field].length, 0);
    average[field] = total / Math.max(1, documents.length) || 1;
  }
  const postings = new Map<string, Posting>();
  documents.forEach((document, doc) => {
    for (const [term, weight] of weigh(document, average)) {
      let posting = postings.get(term);
      if (!posting) postings.set(term, (posting = { docs: [], weights: [] }));
      posting.docs.push(doc);
      posting.weights.push(weight);
    }
  });
  return postings;
}
