// What a plain command makes of the scores of tools, for people and models, who choose among the best: the object it names, the value
// that fits keys, the states a tool can set, and what a tool is called besides.
import { ownName, type Tool } from "../../domain/tool.js";
import type { Signal } from "../../lib/score.js";
import { commandsOf } from "./command.js";
import { keyedSegments, segmentsOf } from "./path-subject.js";
import {
  actionsAskedAbout,
  compoundsWithKey,
  hasPair,
  ownersIn,
  type PlainCommand,
  readPlainCommand,
} from "./plain-command.js";
import { membersSetBy, OUTDATED, type PlainTool, plainTool } from "./plain-tool.js";
import type { Vocabulary } from "./postings.js";
import { type Intent, intentsOf } from "./synonyms.js";
import { createSplitter, isAkin, isStopWord, stem, terms } from "./terms.js";

interface PlainQuery {
  command: PlainCommand | undefined;
  /** The last word of the object is the subject of no tool: "pull request" may be called "pulls". */
  headless: boolean;
  /** Of the object what paths have: its last word, or its other words where they have not that one. */
  objectNouns: readonly string[];
  intents: ReadonlySet<Intent>;
  keys: ReadonlySet<string>;
  terms: readonly string[];
  actions: readonly string[];
  hasPair: boolean;
  /** Its terms that are no words of its object. */
  besides: ReadonlySet<string>;
  /** It says by a name to whom what it asks for belongs. */
  hasOwner: boolean;
  wantsOwn: boolean;
  saysAll: boolean;
  saysOutdated: boolean;
}

interface Facts {
  tool: PlainTool;
  query: PlainQuery;
}

/** Whether a tool's path ends in what the command names, or what that may be called. */
function isObjectOf({ tool: { subject }, query: { command, headless } }: Facts): boolean {
  if (!command || subject.length === 0) return false;
  for (const term of subject) if (!command.object.has(term)) return false;
  return headless || subject.some((term) => command.head.has(term));
}

/** Whether a tool needs the key of something that the query does not say besides its object. */
function needsOther({ tool: { parents }, query }: Facts): boolean {
  if (parents.length === 0 || query.hasPair || query.hasOwner || query.wantsOwn) return false;
  return !parents.some((noun) => query.besides.has(noun) || query.keys.has(noun));
}

/** Whether a tool works on what the path of its object leads to: all of them, a new one, or the one that is there. */
function isDone({ tool, query: { command, intents, keys } }: Facts): boolean {
  const isKeyed = tool.subject.some((term) => keys.has(term));
  if (!command) return false;
  if (tool.reads)
    return (command.verb === undefined || intents.has("read")) && tool.isRecord === (isKeyed && !command.isPlural);
  if (!tool.intents.some((intent) => intents.has(intent))) return false;
  return intents.has("create") ? !tool.isRecord : true;
}

/** Whether what the command is done to is among the nouns of a tool's path, or nothing that any path has. */
function fitsObject({ tool, query: { objectNouns } }: Facts): boolean {
  return objectNouns.length === 0 || objectNouns.some((term) => tool.nouns.includes(term));
}

/** Whether a tool's path ends in the verb itself: /orders/{id}/cancel, /orders.cancel. */
function endsInVerb(facts: Facts): boolean {
  const { tool, query } = facts;
  const verb = query.command?.isNoun === false ? query.command.verb : undefined;
  if (tool.reads || verb === undefined || !tool.subject.includes(verb)) return false;
  // "Payment link" is a noun of two words, "add tag" a verb and what it is done to.
  if (tool.subject.length > 1 && query.intents.size === 0) return false;
  return tool.subject.every((term) => term === verb || query.command?.object.has(term)) && fitsObject(facts);
}

/** A noun is so much longer than the verb that makes it: "react" makes a reaction. */
const NOUN_ENDING = 3;

/** Whether a noun is what a verb makes: "react" makes a reaction, "assign" an assignee. */
const isMade = (verb: string, noun: string): boolean => isAkin(verb, noun) && noun.length <= verb.length + NOUN_ENDING;

/** Whether a tool's path ends in what the verb makes or takes back: "ban Ada" makes one of the bans. */
function isMadeBy({ part }: PlainTool, verb: string | undefined): boolean {
  return verb !== undefined && part.length === 1 && isMade(verb, part[0] ?? "");
}

/** Whether a tool makes what the verb is called by ("pin it" is PUT /pins), or removes it ("unpin it" is DELETE /pins). */
function doesWhatVerbNames(facts: Facts): boolean {
  const { tool, query } = facts;
  if (tool.reads || !query.command || query.command.isNoun || query.intents.has("read")) return false;
  if (!fitsObject(facts)) return false;
  return isMadeBy(tool, tool.intents.includes("delete") ? query.command.undoes : query.command.verb);
}

// Where the numbers come from: see tool-index.ts.
/** What a tool gains, as a share of the best score. */
const GAINS: readonly Signal<Facts>[] = [
  {
    signal: (facts) => isObjectOf(facts) && isDone(facts),
    weight: 0.3,
    why: 'its path is that of the object: "list my rooms" is GET /user/rooms',
  },
  {
    signal: (facts) => endsInVerb(facts) || doesWhatVerbNames(facts),
    weight: 0.4,
    why: 'its path ends in what the verb says: "cancel the order" is POST /orders/{id}/cancel, and "unpin it" is DELETE /pins',
  },
  {
    signal: (facts) =>
      facts.query.hasOwner && facts.tool.reads && PEOPLE.has(facts.tool.keyedNoun ?? "") && isObjectOf(facts),
    weight: 0.5,
    why: '"the orders of Ada" are those of a user: GET /users/{name}/orders',
  },
  {
    signal: ({ tool, query: { actions } }) =>
      actions.length > 0 &&
      tool.reads &&
      tool.actors.some((actor) => actions.some((action) => actor.startsWith(action))),
    weight: 0.6,
    why: '"who follows Ada" asks for followers',
  },
  {
    signal: ({ tool, query: { command, terms: said, intents } }) =>
      !tool.reads &&
      command?.verb !== undefined &&
      (tool.states.has(command.verb) || (intents.has("update") && said.some((term) => tool.states.has(term)))),
    weight: 0.2,
    why: '"approve the request" and "make it public" are values that it sets',
  },
  {
    signal: ({ tool, query: { command, keys } }) =>
      !tool.reads && command?.verb !== undefined && tool.states.has(command.verb) && keys.has(tool.keyedNoun ?? ""),
    weight: 0.4,
    why: "and the key of the record is given",
  },
];
/** What a tool's score is multiplied by. */
const FACTORS: readonly Signal<Facts>[] = [
  {
    signal: ({ tool, query }) => query.hasPair && !tool.hasPairKey,
    weight: 0.8,
    why: '"octo/hello" fits two keys behind each other',
  },
  {
    signal: ({ tool, query }) => tool.isCallers && query.wantsOwn,
    weight: 1.4,
    why: '"which teams am I in" asks for those of the caller',
  },
  {
    signal: ({ tool, query: { command, intents } }) =>
      tool.intents.includes("delete") && !intents.has("delete") && isMadeBy(tool, command?.verb),
    weight: 0.7,
    why: 'it takes away what the verb makes: "pin it" is no DELETE /pins',
  },
  {
    signal: (facts) => isObjectOf(facts) && needsOther(facts),
    weight: 0.85,
    why: "it needs the key of something that is not said: the codes of a coupon, where coupon codes are asked for",
  },
  {
    signal: ({ tool, query }) => tool.isBulk && !query.saysAll,
    weight: 0.7,
    why: "it changes all or many, where one is meant",
  },
  {
    signal: ({ tool, query }) => tool.isOutdated && !query.saysOutdated,
    weight: 0.7,
    why: "another has taken its place",
  },
];

/** What paths call those to whom something belongs. */
const PEOPLE = new Set(["account", "author", "member", "people", "person", "user"].map(stem));
const OWN =
  /\b(?:do|did|have|am|can|could|should)\s+I\b|\bI(?:'m|’m|'ve|’ve)?\s+(?!want|need|would|like)\p{L}+|\bwho\s+\p{L}+\s+me\b/iu;
/** What belongs to the caller and is to be shown: of what is to be changed the key is looked for. */
const MY = /\b(?:my|mine)\b/i;
const SAYS_ALL = /\b(?:all|every|everything|each|bulk|batch|both)\b/i;
/** The noun before two keys behind each other, where most such paths of a catalogue have the same. */
function pairNoun(tools: readonly Tool[]): string | undefined {
  const counts = new Map<string, number>();
  let all = 0;
  for (const { transport } of tools) {
    const segments = segmentsOf(transport.path ?? "");
    const at = segments.findIndex((one, i) => i > 0 && one === undefined && segments[i - 1] === undefined);
    const noun = at < 2 ? undefined : terms(segments[at - 2] ?? "").at(-1);
    if (at < 0) continue;
    all++;
    if (noun !== undefined) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best && best[1] > all / 2 ? best[0] : undefined;
}

/** The weighing of plain commands for a catalogue. */
export interface PlainWeights {
  /** The noun of what a value of two parts is a key of. */
  pairIn(query: string): string | undefined;
  /** The nouns of which a value of the query is a key by its form alone. */
  keysIn(query: string): readonly string[];
  /** Whether a tool is called by this stemmed word: in its name, its path or as the verb of its description. */
  isCalled(term: string): boolean;
  /** Whether what a query takes back is a state that tools set, not a part that they remove; `term` is it, stemmed: "archiv". */
  takesBackState(query: string, term: string): boolean;
  weigh(query: string, keys: ReadonlySet<string>, scores: Float64Array): void;
}

/** For these tools. */
export function createPlainWeights(tools: readonly Tool[], vocabulary: Vocabulary): PlainWeights {
  const split = createSplitter();
  const judged = tools.map((tool) => plainTool(tool, split));
  const paired = pairNoun(tools);
  const keyed = new Set(tools.flatMap(({ transport }) => keyedSegments(transport.path ?? "")));
  // Few queries take something back: what tools are called and what they set is collected when one first does.
  const members: string[][] = [];
  const membersOfTool = (doc: number): string[] => {
    const tool = tools[doc];
    return (members[doc] ??= tool === undefined ? [] : membersSetBy(tool, split));
  };
  let called: ReadonlySet<string> | undefined;
  const isCalled = (term: string): boolean => {
    called ??= new Set(
      tools.flatMap((tool) => [...terms(`${ownName(tool)} ${tool.transport.path ?? ""}`), ...commandsOf(tool)]),
    );
    return called.has(term);
  };
  const nouns = new Set(judged.flatMap((tool) => tool.nouns));
  const objectNounsOf = ({ head, object }: PlainCommand): string[] => {
    const last = [...head].filter((term) => nouns.has(term));
    return last.length > 0 ? last : [...object].filter((term) => nouns.has(term));
  };
  const subjects = new Set(judged.flatMap(({ subject }) => (subject.length === 1 ? subject : [])));
  const pairIn = (query: string): string | undefined => (hasPair(query) ? paired : undefined);
  return {
    pairIn,
    isCalled,
    takesBackState(query, term) {
      const command = readPlainCommand(query);
      const object = [...(command ? objectNounsOf(command) : []), ...[pairIn(query) ?? []].flat()];
      const fits = ({ nouns: own }: PlainTool): boolean =>
        object.length === 0 || object.some((noun) => own.includes(noun));
      if (judged.some((tool) => tool.intents.includes("delete") && isMadeBy(tool, term) && fits(tool))) return false;
      return judged.some((tool, doc) => {
        if (tool.reads || !fits(tool)) return false;
        return (
          tool.states.has(term) ||
          (tool.intents.includes("update") && membersOfTool(doc).some((name) => isMade(term, name)))
        );
      });
    },
    keysIn: (query) => [
      ...[pairIn(query) ?? []].flat(),
      ...compoundsWithKey(query)
        .filter(([first, last]) => keyed.has(first) && !keyed.has(last))
        .map(([first]) => first),
    ],
    weigh(query, keys, scores) {
      const command = readPlainCommand(query);
      const intents = intentsOf(command?.verb ?? "");
      const plainQuery: PlainQuery = {
        command,
        headless: command !== undefined && ![...command.head].some((term) => subjects.has(term)),
        objectNouns: command === undefined ? [] : objectNounsOf(command),
        intents,
        keys,
        terms: terms(query),
        actions: actionsAskedAbout(query),
        hasPair: pairIn(query) !== undefined,
        besides: new Set(terms(query).filter((term) => !command?.object.has(term))),
        hasOwner: ownersIn(query).some((name) => !isStopWord(name) && !vocabulary.has(stem(name))),
        wantsOwn: OWN.test(query) || (intents.has("read") && MY.test(query)),
        saysAll: SAYS_ALL.test(query),
        saysOutdated: OUTDATED.test(query),
      };
      const best = scores.reduce((a, b) => Math.max(a, b), 0);
      judged.forEach((tool, doc) => {
        let score = scores[doc] ?? 0;
        if (score === 0) return;
        const facts: Facts = { tool, query: plainQuery };
        for (const { signal, weight } of GAINS) if (signal(facts)) score += weight * best;
        for (const { signal, weight } of FACTORS) if (signal(facts)) score *= weight;
        scores[doc] = score;
      });
    },
  };
}
