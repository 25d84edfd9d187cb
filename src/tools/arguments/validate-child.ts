// A program: makes the checks that its parent sends, one at a time, and answers each. Its memory is limited by the parent; the time
// of a check is limited here, so that none goes on when the parent has been killed: it is the check's own, a machine that is busy
// with others does not use it up. Knows no tools, only schemas by number.
import { deserialize } from "node:v8";
import { createContext, Script } from "node:vm";
import type { JsonObject } from "../../lib/json.js";
import { AGAIN, CHECK_MS, type CheckAnswer, type CheckRequest, MAX_CHECK_MS, READY } from "./check-process.js";
import { validateArguments } from "./validate.js";

const schemas = new Map<number, JsonObject>();
/** The way to stop code that does not end: a script has a timeout, and what it calls is stopped with it. */
const context = createContext({ check: (): CheckAnswer => "late" });
const script = new Script("check()");
/** The part of its time in which a check had the processor, on a machine that is not busy. */
const OWN_SHARE = 0.8;

/** The schema of a request: a process is sent each one once. */
function schemaOf({ id, schema: bytes }: CheckRequest): JsonObject {
  const schema = bytes ? (deserialize(bytes) as JsonObject) : schemas.get(id);
  if (!schema) throw new Error(`schema ${id} was never sent`);
  schemas.set(id, schema);
  return schema;
}

/** Makes the check within this time by the clock; when it takes longer, gives the milliseconds of the processor's that it had. */
function attempt(timeout: number): CheckAnswer | number {
  const before = process.cpuUsage();
  try {
    return script.runInContext(context, { timeout }) as CheckAnswer;
  } catch {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }
}

function answer(request: CheckRequest): CheckAnswer {
  const { arguments: args, strict } = request;
  const schema = schemaOf(request);
  context["check"] = (): CheckAnswer => {
    const checked = validateArguments(schema, args, strict);
    return checked.kind === "valid" && checked.arguments === args && !checked.warnings ? "fits" : checked;
  };
  const used = attempt(CHECK_MS);
  if (typeof used !== "number") return used;
  if (used > CHECK_MS * OWN_SHARE) return "late";
  process.send?.(AGAIN);
  // As much longer by the clock as the processor was busy with others.
  const longer = attempt(Math.min(MAX_CHECK_MS, (CHECK_MS * CHECK_MS) / Math.max(used, 1)));
  return typeof longer === "number" ? "late" : longer;
}

process.on("message", (request: CheckRequest) => process.send?.(answer(request)));
// A terminal sends these to the whole group; the parent decides when this ends.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.send?.(READY);
