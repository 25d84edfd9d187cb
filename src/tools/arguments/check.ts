// Are these the arguments the tool takes? What is cheap to find out is found out in place. For the rest, which descriptions and
// models of bad faith can make as long as they like, there are processes with a deadline and a limit of memory.
import { isLargerThan, selfContained } from "../../domain/definitions.js";
import type { Action } from "../../domain/schema-document.js";
import { isObject, type JsonObject, objectOf, textsOf } from "../../lib/json.js";
import { CheckQueue, type CheckRequest, serialized } from "./check-process.js";
import { reachedBy, reducedTo } from "./reached.js";
import type { CheckedArguments } from "./validate.js";

/** Checks of arguments, for as long as an agent lives. */
export interface ArgumentChecks {
  /**
   * Checks a call's arguments against the action's schema. What fits stays as it is. Of the rest, outside strict, "5" may stand
   * for 5 and 5 for "5"; null and booleans never stand for anything else, and a text in another format than the schema names fits
   * with a warning. In strict nothing is converted, and formats hold.
   * Unknown names are refused in both, so that a misspelt field is never silently left out. What cannot be checked within
   * `CHECK_MS` and some memory is refused. Never throws. Source: docs/reference.md, "Arguments".
   */
  check(action: Action, args: JsonObject, strict: boolean): Promise<CheckedArguments>;
  /** Ends what runs beside the daemon; checks that wait are refused. */
  close(): void;
}

/** What is known of an action's schema. */
interface KnownSchema {
  id: number;
  schema: JsonObject;
  /** The schema as other processes are sent it; made when first needed. */
  bytes?: Uint8Array;
  /** Whether a check of these arguments is cheap; undefined when none is. */
  isCheap: ((args: JsonObject) => boolean) | undefined;
}

/** Characters of a schema that is compiled whole, whatever the arguments reach of it. */
const MAX_WHOLE = 32 * 1024;
/** Parts of one action's schema that are kept compiled. */
const MAX_KEPT = 16;

/** Names that a refusal lists. */
const MAX_NAMES = 30;

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`
    : names.join(", ");

/** Argument names the tool does not know; empty for a tool that takes any. */
function unknownNames(action: Action, args: JsonObject): string[] {
  const { properties, required, additionalProperties } = action.parameters;
  if (!isObject(properties) || additionalProperties === true || isObject(additionalProperties)) return [];
  const needed = new Set(textsOf(required));
  return Object.keys(args).filter((name) => !Object.hasOwn(properties, name) && !needed.has(name));
}

/** Loaded at the first call: a daemon that only starts should not pay for it. */
const load = async () => {
  const [validate, cost, faults] = await Promise.all([
    import("./validate.js"),
    import("./cost.js"),
    import("./faults.js"),
  ]);
  return { ...validate, ...cost, ...faults };
};
let loaded: ReturnType<typeof load> | undefined;

class Checks implements ArgumentChecks {
  /** By the definitions that arguments reached; "" for the whole. */
  private readonly schemas = new WeakMap<Action, Map<string, KnownSchema>>();
  private lastId = 0;
  /** Actions whose check has once not come to an end: they have a process of their own, and wait for one another. */
  private readonly slow = new WeakSet<Action>();
  private readonly queue = new CheckQueue();
  private readonly slowQueue = new CheckQueue();

  async check(action: Action, args: JsonObject, strict: boolean): Promise<CheckedArguments> {
    const { invalid, validateArguments, cheapChecks, unknownFaults } = await (loaded ??= load());
    const unknown = unknownNames(action, args);
    if (unknown.length > 0) {
      const known = Object.keys(objectOf(action.parameters["properties"]));
      const reason = `unknown argument ${listed(unknown)}; ${action.name} takes ${listed(known) || "none"}`;
      return invalid(reason, unknownFaults(unknown));
    }
    const known = this.schemaFor(action, args, cheapChecks);
    const { id, schema, isCheap } = known;
    if (isCheap?.(args)) return validateArguments(schema, args, strict);
    known.bytes ??= serialized(schema);
    const checked = await this.checkElsewhere(action, { id, schema: known.bytes, arguments: args, strict });
    if (checked) return checked;
    return invalid(
      `the arguments could not be checked in time: the schema of ${action.name} asks too much of arguments like these; send fewer or shorter values`,
    );
  }

  /** The action's schema, or the part of a large one that the arguments reach. */
  private schemaFor(
    action: Action,
    args: JsonObject,
    cheapChecks: (schema: JsonObject) => KnownSchema["isCheap"],
  ): KnownSchema {
    const parts = this.schemas.get(action) ?? new Map<string, KnownSchema>();
    this.schemas.set(action, parts);
    const whole = parts.get("");
    if (whole) return whole;
    const names = isLargerThan(action, MAX_WHOLE) ? reachedBy(action, args) : undefined;
    const key = names ? `/${[...names].sort().join("/")}` : "";
    let known = parts.get(key);
    if (!known) {
      const schema = names ? reducedTo(action, names) : selfContained(action);
      known = { id: ++this.lastId, schema, isCheap: cheapChecks(schema) };
      const [oldest] = parts.keys();
      if (parts.size >= MAX_KEPT && oldest !== undefined) parts.delete(oldest);
      parts.set(key, known);
    }
    return known;
  }

  private async checkElsewhere(action: Action, request: CheckRequest): Promise<CheckedArguments | undefined> {
    // May become true while the check waits for another one of the same action.
    const isSlow = (): boolean => this.slow.has(action);
    const checked = isSlow() ? "skipped" : await this.queue.check(request, isSlow);
    if (!checked) this.slow.add(action);
    if (checked !== "skipped") return checked;
    const checkedApart = await this.slowQueue.check(request);
    return checkedApart === "skipped" ? undefined : checkedApart;
  }

  close(): void {
    this.queue.close();
    this.slowQueue.close();
  }
}

/** Checks that start no process before they need one. */
export function createArgumentChecks(): ArgumentChecks {
  return new Checks();
}
