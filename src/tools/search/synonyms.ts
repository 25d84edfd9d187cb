// Words people use for the same concept: verbs in four families (read, create, update, delete) and everyday nouns.
// General vocabulary of applications, not of any one of them.
import type { Verb } from "../../domain/schema-document.js";
import { stem } from "./terms.js";

/** What a word asks to be done, as far as a single word can say. */
export type Intent = "read" | "create" | "update" | "delete";

const VERBS: Record<Intent, string> = {
  read:
    "show list get find fetch search read view display retrieve see lookup look check browse describe open count print return give tell " +
    "obtain query explore discover",
  create:
    "create add make new insert register post submit place book put append save upload start open schedule generate send subscribe follow " +
    "publish write invite order sign import",
  update:
    "update change modify edit set rename complete finish mark close reopen ship cancel move assign patch replace adjust correct fix turn " +
    "enable disable archive approve reject activate deactivate toggle increase decrease raise lower resume pause merge lock unlock pay " +
    "switch",
  delete: "delete remove drop destroy erase clear discard unsubscribe unfollow purge revoke uninstall trash detach",
};

const NOUNS = [
  "movie film",
  "song track music",
  "image picture photo poster logo cover thumbnail icon avatar artwork",
  "credit cast crew actor actress director star",
  "artist singer band musician",
  "person people actor actress director singer author human",
  "user member account",
  "customer client buyer",
  "product item article goods",
  "order purchase",
  "price cost amount rate",
  "email mail",
  "phone telephone mobile",
  "todo task",
  "issue ticket bug",
  "pull merge pr",
  "repository repo project",
  "organization organisation org company",
  "message note comment",
  "folder directory",
  "file document attachment",
  "event appointment meeting",
  "address location place",
  "weather forecast temperature climate",
  "stock share equity ticker",
  "currency exchange conversion",
  "news headline article story",
  "recipe meal dish",
  "hotel accommodation lodging",
  "flight plane airline",
  "car vehicle auto",
  "translate translation language",
  "review rating opinion feedback",
  "recommendation recommend suggest suggestion similar",
  "recent latest newest new current",
  "popular trending top best",
  "player playback",
  "library saved collection",
  "video clip movie",
  "category genre type kind",
  "biography profile bio detail",
  "country nation",
  "quote quotation",
  "job vacancy position career",
  "invoice bill",
  "payment charge transaction",
  "password secret credential",
  "tag label keyword",
  "statistic stat metric analytic",
  "cat dog pet animal",
  "book novel author",
  "convert conversion transform",
  "validate verify check",
  "match game fixture",
  "team club squad",
  "summary summarize overview",
  "delete remove",
  "create add new make",
  "update change edit modify set",
  "list show get find search fetch retrieve",
];

/** Names that programs abbreviate, and the words people use. */
const SHORT: Readonly<Record<string, string>> = {
  desc: "description",
  descr: "description",
  qty: "quantity",
  amt: "amount",
  addr: "address",
  msg: "message",
  repo: "repository",
  org: "organization",
  img: "image",
  tel: "telephone",
  lang: "language",
  pwd: "password",
  lat: "latitude",
  lng: "longitude",
  lon: "longitude",
};

/** The stem of the word that an abbreviation means; undefined for other words. */
export function spelledOut(term: string): string | undefined {
  const long = Object.hasOwn(SHORT, term) ? SHORT[term] : undefined;
  return long === undefined ? undefined : stem(long);
}

const shortened = new Map<string, string[]>();
for (const [short, long] of Object.entries(SHORT))
  shortened.set(stem(long), [...(shortened.get(stem(long)) ?? []), stem(short)]);

/** The other forms of a stemmed word that is an abbreviation or has one. */
export function wordForms(term: string): readonly string[] {
  const long = spelledOut(term);
  return long === undefined ? (shortened.get(term) ?? []) : [long];
}

const intents = new Map<string, Set<Intent>>();
for (const intent of ["read", "create", "update", "delete"] as const)
  for (const word of VERBS[intent].split(" ")) {
    const key = stem(word);
    const known = intents.get(key);
    if (known) known.add(intent);
    else intents.set(key, new Set([intent]));
  }

const groups = new Map<string, Set<string>>();
for (const line of NOUNS) {
  const group = line.split(" ").map(stem);
  for (const term of group) {
    const known = groups.get(term) ?? new Set<string>();
    for (const other of group) if (other !== term) known.add(other);
    groups.set(term, known);
  }
}

/** The families a stemmed word belongs to as a verb; empty for other words. */
export function intentsOf(term: string): ReadonlySet<Intent> {
  return intents.get(term) ?? EMPTY_INTENTS;
}
const EMPTY_INTENTS: ReadonlySet<Intent> = new Set();

/** All verbs of the families. */
export function verbs(): string[] {
  return Object.values(VERBS).flatMap((list) => list.split(" "));
}

/** Terms that mean nearly the same as this one. */
export function synonymsOf(term: string): ReadonlySet<string> {
  return groups.get(term) ?? EMPTY_TERMS;
}
const EMPTY_TERMS: ReadonlySet<string> = new Set();

/** The family a tool's verb belongs to; an action may be any change. */
export function intentsOfVerb(verb: Verb): readonly Intent[] {
  switch (verb) {
    case "list":
    case "get":
      return ["read"];
    case "create":
      return ["create"];
    case "update":
      return ["update"];
    case "delete":
      return ["delete"];
    case "action":
      return [];
  }
}
