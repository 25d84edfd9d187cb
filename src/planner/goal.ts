// The goal of a plan, kept with the assistant's message between model calls and between prompts: the tool to be called in the
// end, the arguments known so far, and what the step under way is for.
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";

/** The step a call or a question is. */
type StepKind =
  /** The call itself. */
  | "do"
  /** Looks for the record that `phrase` names, to fill `slot`. */
  | "find"
  /** Reads the record that is to be replaced as a whole. */
  | "read"
  /** Reads a list for the names in the prompt. */
  | "name"
  /** Reads a list for a value that the prompt calls records by. */
  | "value"
  /** Reads what a record refers to, for its name beside the answer. */
  | "refer"
  /** Asked the person for `missing`. */
  | "ask"
  /** Showed the records with `keys` out of the list of `tool`, which was read for their name. */
  | "shown"
  /** Reads one of two lists, of which `slot` names the application of the second and `phrase` what is asked of it. */
  | "join"
  /** Reads what joins records to the one whose key `args` has, by the field `slot`, and then the list of these. */
  | "through"
  /** Reads a list for the records of another that have none in it: their keys stand in its field `slot`. */
  | "lacking"
  /** Reads a list for what the records of another refer to. */
  | "beside"
  /** Reads a list for the records that a change is told of. */
  | "told";

/** The goal a message carries. The names of its fields are stored. */
export interface Goal {
  step: StepKind;
  /** The tool to be called in the end. */
  tool: string;
  args: JsonObject;
  /** Name of the argument the found record fills. */
  slot?: string;
  phrase?: string;
  missing?: string[];
  /** The keys of the records that a text shows. */
  keys?: JsonValue[];
  /** Any one of what is missing is enough. */
  any?: boolean;
  /** The prompt it all began with, before any question. */
  prompt?: string;
  /** What stands above the answer of a read: the whole name of a record that the prompt has a part of. */
  note?: string;
  /** The call reads on behind the page that the call before it got. */
  page?: boolean;
}

/** The goal in the form the message keeps. */
export function toMeta(goal: Goal): JsonObject {
  return { offline: { ...goal } as JsonObject };
}

const STEPS: readonly StepKind[] = [
  "do",
  "find",
  "read",
  "name",
  "value",
  "refer",
  "ask",
  "shown",
  "join",
  "through",
  "lacking",
  "beside",
  "told",
];
const isStep = (step: string): step is StepKind => (STEPS as readonly string[]).includes(step);

/** The goal a message carries; undefined when it carries none that can be read. */
export function fromMeta(meta: JsonObject | undefined): Goal | undefined {
  const kept = meta?.["offline"];
  if (!isObject(kept)) return undefined;
  const { step, tool, args, slot, phrase, missing, keys, any, prompt, page, note } = kept;
  if (typeof step !== "string" || !isStep(step)) return undefined;
  if (typeof tool !== "string" || !isObject(args)) return undefined;
  return {
    step,
    tool,
    args,
    slot: typeof slot === "string" ? slot : undefined,
    phrase: typeof phrase === "string" ? phrase : undefined,
    prompt: typeof prompt === "string" ? prompt : undefined,
    note: typeof note === "string" ? note : undefined,
    any: any === true ? true : undefined,
    page: page === true ? true : undefined,
    keys: Array.isArray(keys) ? keys : undefined,
    missing: Array.isArray(missing) ? missing.filter((name) => typeof name === "string") : undefined,
  };
}
