// What a tool is to a plain command: the object and the part its path ends in, the states it can set, whose it is.
import { ownName, type Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { intentsOfTool, readsRecords } from "./command.js";
import { pathSubject, segmentsOf } from "./path-subject.js";
import { schemaMembers } from "./schema-members.js";
import { type Intent, intentsOf } from "./synonyms.js";
import { type Split, words } from "./terms.js";

/** A tool, as far as plain commands are about it. */
export interface PlainTool {
  reads: boolean;
  intents: readonly Intent[];
  /** The terms of the last fixed segment of its path. */
  subject: readonly string[];
  /** Those of them without a verb at either end: of "addTag" and "tags.add" the tag. */
  part: readonly string[];
  /** The terms of all fixed segments. */
  nouns: readonly string[];
  isRecord: boolean;
  keyedNoun: string | undefined;
  /** The nouns of the keys it needs before its subject. */
  parents: readonly string[];
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
const BULK = /^(?:all|bulk|every|batch|many)$/;
/** What is said of operations that others have taken the place of. */
export const OUTDATED = /\b(?:deprecated|deprecation|legacy|obsolete|closing down|superseded)\b/i;
/** What is said of a tool as a whole is at the beginning. */
const BEGINNING = 160;
const MAX_STATES = 40;
const NO_STATES: ReadonlySet<string> = new Set();

/** The values of choices and the names of flags among the members of a tool's body, and among those one level below. */
function statesSetBy({ input_schema: root }: Tool, split: Split): Set<string> {
  const states = new Set<string>();
  const add = (schema: JsonObject, depth: number): void => {
    for (const [name, member] of schemaMembers(schema, root)) {
      if (member["type"] === "boolean") states.add(split(name).at(-1) ?? "");
      if (Array.isArray(member["enum"]))
        for (const choice of member["enum"].slice(0, MAX_STATES))
          if (typeof choice === "string") states.add(split(choice)[0] ?? "");
      if (depth > 1) add(member, depth - 1);
    }
  };
  add(root, 2);
  return states;
}

/** The last term of the name of each member of a tool's body, and of the members one level below. */
export function membersSetBy({ input_schema: root }: Tool, split: Split): string[] {
  const names = (schema: JsonObject, depth: number): string[] =>
    schemaMembers(schema, root).flatMap(([name, member]) => [
      split(name).at(-1) ?? "",
      ...(depth > 1 ? names(member, depth - 1) : []),
    ]);
  return names(root, 2);
}

function withoutVerb(subject: readonly string[]): readonly string[] {
  const isVerb = (term: string | undefined): boolean => intentsOf(term ?? "").size > 0;
  if (subject.length < 2) return subject;
  if (isVerb(subject[0])) return subject.slice(1);
  return isVerb(subject.at(-1)) ? subject.slice(0, -1) : subject;
}

function parentsIn(segments: readonly (string | undefined)[], split: Split): string[] {
  const last = segments.findLastIndex((segment) => segment !== undefined);
  return segments.slice(0, Math.max(0, last)).flatMap((segment, i) => {
    const noun = segment === undefined ? split(segments[i - 1] ?? "").at(-1) : undefined;
    return noun === undefined ? [] : [noun];
  });
}

/** Reads a tool. */
export function plainTool(tool: Tool, split: Split): PlainTool {
  const path = tool.transport.path ?? "";
  const segments = segmentsOf(path);
  const called = words(`${ownName(tool)} ${path}`);
  const reads = readsRecords(tool);
  const subject = split(segments.findLast((segment) => segment !== undefined) ?? "");
  return {
    reads,
    intents: intentsOfTool(tool),
    subject,
    part: withoutVerb(subject),
    nouns: segments.flatMap((segment) => (segment === undefined ? [] : split(segment))),
    isRecord: segments.length > 0 && segments.at(-1) === undefined,
    keyedNoun: pathSubject(path).keyedNoun,
    parents: parentsIn(segments, split),
    hasPairKey: segments.some((segment, i) => i > 0 && segment === undefined && segments[i - 1] === undefined),
    actors: called.filter((word) => /(?:er|or)s$/.test(word)),
    states: reads ? NO_STATES : statesSetBy(tool, split),
    isCallers: OF_CALLER.test(path) || called.some((word) => CALLER.test(word)),
    isBulk: !reads && called.some((word) => BULK.test(word)),
    isOutdated: OUTDATED.test(`${words(ownName(tool)).join(" ")} ${tool.description.slice(0, BEGINNING)}`),
  };
}
