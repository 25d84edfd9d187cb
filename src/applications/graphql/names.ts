// What root fields become as tools: the name a person would say, the verb, and the noun they are about. Decides nothing about
// safety. Pure. Source: docs/graphql.md, "Tools".
import type { Verb } from "../../domain/schema-document.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { isReading, isVerb } from "../../tools/acting-words.js";
import { BUILTIN_NAMES } from "../../tools/builtin-tools.js";
import { wordsIn } from "../http/openapi/names/english.js";
import { fitting, freeName, giveNames, legal } from "../names.js";

/** A root field on its way to a tool. */
export interface RootField {
  operation: "query" | "mutation";
  field: string;
  /** Whether it gives many records. */
  givesMany: boolean;
  /** The name of the type of the records it gives; "" where these have no members. */
  item: string;
}

/** Words for what is done, first or last in the name of a mutation. */
const WORDS: [RegExp, Verb][] = [
  [/^(?:create|add|insert|new|register|open|make|post|upload|invite|schedule)$/, "create"],
  [/^(?:update|set|edit|rename|change|modify|patch|replace|upsert|save)$/, "update"],
  [/^(?:delete|remove|destroy|revoke)$/, "delete"],
];
/** Words in a query's name that say it gives a list. */
const LISTING = /^(?:list|search|find|query|browse|all|filter)$/;
/** What says how a list is wrapped, and nothing of what is in it. */
const WRAPPERS = /^(?:connection|list|collection)$/;

/** The verb that a word stands for. */
function verbFor(word: string | undefined): Verb | undefined {
  return WORDS.find(([pattern]) => word !== undefined && pattern.test(word))?.[1];
}

/** The verb of a mutation's name, first or last: "createProduct", "product_create". */
function mutationVerb(words: readonly string[]): { verb: Verb; at: number } | undefined {
  for (const at of [0, words.length - 1]) {
    const verb = verbFor(words[at]);
    if (verb) return { verb, at };
  }
  return undefined;
}

/** What an operation does to its resource; a query whose words act does no more than those say. */
export function rootFieldVerb({ operation, field, givesMany }: RootField, isReadOnly: boolean): Verb {
  const words = wordsIn(field);
  if (operation === "query" && isReadOnly) return givesMany ? "list" : "get";
  return mutationVerb(words)?.verb ?? "action";
}

function queryNames({ field, givesMany }: RootField): string[] {
  const words = wordsIn(field);
  const [first = "", ...rest] = words;
  if (words.length === 0) return [];
  const whole = words.join("_");
  const prefix = givesMany ? "list" : "get";
  if (first === "all" && rest.length > 0) return [["list", ...rest].join("_"), whole];
  if (isReading(first) || isVerb(first) || LISTING.test(first)) return [whole];
  const subject = givesMany && rest.length > 0 && WRAPPERS.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
  return [[prefix, ...subject].join("_"), [prefix, ...words].join("_"), whole];
}

function mutationNames({ field }: RootField): string[] {
  const words = wordsIn(field);
  const whole = words.join("_");
  const last = words.at(-1) ?? "";
  // "productCreate" and "product_create" say the verb last.
  const isTurned = words.length > 1 && verbFor(last) !== undefined && !isVerb(words[0] ?? "") && !verbFor(words[0]);
  return isTurned ? [[last, ...words.slice(0, -1)].join("_"), whole] : [whole];
}

/** Names of tools, in the order of the root fields: legal, unique, none of the daemon's own, the same in every run. */
export function nameRootFields(fields: readonly RootField[]): string[] {
  const taken = new Set<string>(BUILTIN_NAMES);
  const given = new Map<number, string>();
  const unnamed = fields.map((one, at) => ({
    at,
    names: one.operation === "query" ? queryNames(one) : mutationNames(one),
  }));
  for (const { at } of giveNames(unnamed, given, taken)) {
    const { operation, field } = fields[at] ?? { operation: "query", field: "" };
    const name = freeName(fitting(legal(wordsIn(field).join("_")) || operation), `${operation} ${field}`, taken);
    taken.add(name);
    given.set(at, name);
  }
  return fields.map((_, at) => given.get(at) ?? "");
}

/** Words at the end of a name that say how things are wrapped or found, and at its beginning how many. */
const BEHIND_NOUN = /^(?:bulk|by|many|one|pk|payload|result|response|connection|list|collection|output|type)$/;
const BEFORE_NOUN = /^(?:all|bulk|many|one)$/;

function nounIn(words: readonly string[]): string {
  const end = words.findLastIndex((word) => !BEHIND_NOUN.test(word));
  const nouns = words.slice(BEFORE_NOUN.test(words[0] ?? "") ? 1 : 0, end + 1);
  const last = nouns.at(-1);
  return last === undefined ? "" : [...nouns.slice(0, -1), pluralOf(singularOf(last))].join("_");
}

/** The resource of each root field: the plural of the records it is about. */
export function resourcesOf(fields: readonly RootField[]): string[] {
  const known = new Set(
    fields.flatMap(({ operation, item }) => (operation === "query" && item ? [nounIn(wordsIn(item))] : [])),
  );
  return fields.map(({ operation, field, item }) => {
    const words = wordsIn(field);
    if (operation === "query") return nounIn(wordsIn(item)) || nounIn(words) || "queries";
    const found = mutationVerb(words);
    const subject = words.filter((_, at) => at !== (found?.at ?? 0));
    const singulars = new Set(subject.map(singularOf));
    const isAbout = (noun: string): boolean => noun.split("_").every((word) => singulars.has(singularOf(word)));
    const about = [...known].filter((noun) => noun !== "" && isAbout(noun)).sort((a, b) => b.length - a.length);
    return about[0] ?? (nounIn(subject) || nounIn(wordsIn(item)) || "mutations");
  });
}
