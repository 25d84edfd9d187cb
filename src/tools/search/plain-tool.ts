// What a tool is to a plain command: the object and the part its path ends in, the states it can set, whose it is.
import { ownName, type Tool } from "../../domain/tool.js";
import { isObject, type JsonValue } from "../../lib/json.js";
import { intentsOfTool, readsRecords } from "./command.js";
import { pathSubject, segmentsOf } from "./path-subject.js";
import { type Intent, intentsOf } from "./synonyms.js";
import { terms, words } from "./terms.js";

/** A tool, as far as plain commands are about it. */
export interface PlainTool {
  reads: boolean;
  intents: readonly Intent[];
  /** The terms of the last fixed segment of its path. */
  subject: readonly string[];
  /** Those of them that are no verbs; all where there are no others. */
  part: readonly string[];
  /** The terms of all fixed segments. */
  nouns: ReadonlySet<string>;
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

const CALLER = /^(?:me|my|self|whoami|authenticated)$/;
/** "/user" is the one who asks, "/user/{name}" is anybody. */
const OF_CALLER = /^\/(?:(?:api|v\d+)\/)*user(?:\/(?![{:])|$)/;
const BULK = /^(?:all|bulk|every|batch)$/;
/** What is said of operations that others have taken the place of. */
export const OUTDATED = /\b(?:deprecated|deprecation|legacy|obsolete|closing down|superseded)\b/i;
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

/** Reads a tool. */
export function plainTool(tool: Tool): PlainTool {
  const path = tool.transport.path ?? "";
  const segments = segmentsOf(path);
  const called = words(`${ownName(tool)} ${path}`);
  const reads = readsRecords(tool);
  const subject = terms(segments.findLast((segment) => segment !== undefined) ?? "");
  const part = subject.filter((term) => intentsOf(term).size === 0);
  return {
    reads,
    intents: intentsOfTool(tool),
    subject,
    part: part.length > 0 ? part : subject,
    nouns: new Set(segments.flatMap((segment) => terms(segment ?? ""))),
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
