// What a plain command makes of the scores of tools, for people and models, who choose among the best: the object it names, the value
// that fits keys, the states a tool can set, and what a tool is called besides.
import { ownName, type Tool } from "../../domain/tool.js";
import { isObject, type JsonValue } from "../../lib/json.js";
import type { Signal } from "../../lib/score.js";
import { intentsOfTool, readsRecords } from "./command.js";
import { pathSubject, segmentsOf } from "./path-subject.js";
import { actionsAskedAbout, compoundsWithKey, hasPair, type PlainCommand, readPlainCommand } from "./plain-command.js";
import { type Intent, intentsOf } from "./synonyms.js";
import { terms, words } from "./terms.js";

interface PlainTool {
  reads: boolean;
  intents: readonly Intent[];
  /** The terms of the last fixed segment of its path. */
  subject: readonly string[];
  isRecord: boolean;
  keyedNoun: string | undefined;
  /** Two keys stand behind each other in its path. */
  hasPairKey: boolean;
  /** What it is called by those who do something: "followers". */
  actors: readonly string[];
  /** What its body may set: values of choices and names of flags. */
  states: ReadonlySet<string>;
  isCallers: boolean;
  isBulk: boolean;
  isOutdated: boolean;
}

interface PlainQuery {
  command: PlainCommand | undefined;
  /** The last word of the object is the subject of no tool: "pull request" may be called "pulls". */
  headless: boolean;
  intents: ReadonlySet<Intent>;
  keys: ReadonlySet<string>;
  terms: readonly string[];
  actions: readonly string[];
  hasPair: boolean;
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

/** Whether a tool works on what the path of its object leads to: all of them, a new one, or the one that is there. */
function isDone({ tool, query: { command, intents, keys } }: Facts): boolean {
  const isKeyed = tool.subject.some((term) => keys.has(term));
  if (!command) return false;
  if (tool.reads)
    return (command.verb === undefined || intents.has("read")) && tool.isRecord === (isKeyed && !command.isPlural);
  if (!tool.intents.some((intent) => intents.has(intent))) return false;
  return intents.has("create") ? !tool.isRecord : true;
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

const CALLER = /^(?:me|my|self|whoami|authenticated)$/;
/** "/user" is the one who asks, "/user/{name}" is anybody. */
const OF_CALLER = /^\/(?:(?:api|v\d+)\/)*user(?:\/(?![{:])|$)/;
const OWN =
  /\b(?:do|did|have|am|can|could|should)\s+I\b|\bI(?:'m|’m|'ve|’ve)?\s+(?!want|need|would|like)\p{L}+|\bwho\s+\p{L}+\s+me\b/iu;
const BULK = /^(?:all|bulk|every|batch)$/;
const SAYS_ALL = /\b(?:all|every|everything|each|bulk|batch|both)\b/i;
const OUTDATED = /\b(?:deprecated|deprecation|legacy|obsolete|closing down|superseded)\b/i;
/** What is said of a tool as a whole is at the beginning. */
const BEGINNING = 160;
const MAX_STATES = 40;

/** The values of choices and the names of flags of a schema's properties, and of those one level below. */
function statesOf(properties: JsonValue | undefined, depth = 2): string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    if (schema["type"] === "boolean") return terms(name).slice(-1);
    const choices = Array.isArray(schema["enum"]) ? schema["enum"].slice(0, MAX_STATES) : [];
    const own = choices.flatMap((choice) => (typeof choice === "string" ? terms(choice).slice(0, 1) : []));
    return depth > 1 ? [...own, ...statesOf(schema["properties"], depth - 1)] : own;
  });
}

function plainTool(tool: Tool): PlainTool {
  const path = tool.transport.path ?? "";
  const segments = segmentsOf(path);
  const called = words(`${ownName(tool)} ${path}`);
  const reads = readsRecords(tool);
  return {
    reads,
    intents: intentsOfTool(tool),
    subject: terms(segments.findLast((segment) => segment !== undefined) ?? ""),
    isRecord: segments.length > 0 && segments.at(-1) === undefined,
    keyedNoun: pathSubject(path).keyedNoun,
    hasPairKey: segments.some((segment, i) => i > 0 && segment === undefined && segments[i - 1] === undefined),
    actors: called.filter((word) => /(?:er|or)s$/.test(word)),
    states: new Set(reads ? [] : statesOf(tool.input_schema["properties"])),
    isCallers: OF_CALLER.test(path) || called.some((word) => CALLER.test(word)),
    isBulk: !reads && called.some((word) => BULK.test(word)),
    isOutdated: OUTDATED.test(`${words(ownName(tool)).join(" ")} ${tool.description.slice(0, BEGINNING)}`),
  };
}

/** The segments of one word that stand before a key. */
function keyedSegments(path: string): string[] {
  const segments = segmentsOf(path);
  return segments.flatMap((segment, i) => {
    const found =
      segment !== undefined && i + 1 < segments.length && segments[i + 1] === undefined ? terms(segment) : [];
    return found.length === 1 ? found : [];
  });
}

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
interface PlainWeights {
  /** The noun of what a value of two parts is a key of. */
  pairIn(query: string): string | undefined;
  /** The nouns of which a value of the query is a key by its form alone. */
  keysIn(query: string): readonly string[];
  weigh(query: string, keys: ReadonlySet<string>, scores: Float64Array): void;
}

/** For these tools. */
export function createPlainWeights(tools: readonly Tool[]): PlainWeights {
  const judged = tools.map(plainTool);
  const paired = pairNoun(tools);
  const keyed = new Set(tools.flatMap(({ transport }) => keyedSegments(transport.path ?? "")));
  const subjects = new Set(judged.flatMap(({ subject }) => (subject.length === 1 ? subject : [])));
  const pairIn = (query: string): string | undefined => (hasPair(query) ? paired : undefined);
  return {
    pairIn,
    keysIn: (query) => [
      ...[pairIn(query) ?? []].flat(),
      ...compoundsWithKey(query)
        .filter(([first, last]) => keyed.has(first) && !keyed.has(last))
        .map(([first]) => first),
    ],
    weigh(query, keys, scores) {
      const command = readPlainCommand(query);
      const plainQuery: PlainQuery = {
        command,
        headless: command !== undefined && ![...command.head].some((term) => subjects.has(term)),
        intents: intentsOf(command?.verb ?? ""),
        keys,
        terms: terms(query),
        actions: actionsAskedAbout(query),
        hasPair: pairIn(query) !== undefined,
        wantsOwn: OWN.test(query),
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
