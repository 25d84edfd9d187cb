// A program: makes the checks that its parent sends, one at a time, and answers each. Its memory is limited by the parent; the time
// of a check is limited here, so that none goes on when the parent has been killed. Knows no tools, only schemas by number.
import { deserialize } from "node:v8";
import { createContext, Script } from "node:vm";
import type { JsonObject } from "../../lib/json.js";
import { CHECK_MS, type CheckAnswer, type CheckRequest, READY } from "./check-process.js";
import { validateArguments } from "./validate.js";

const schemas = new Map<number, JsonObject>();
/** The way to stop code that does not end: a script has a timeout, and what it calls is stopped with it. */
const context = createContext({ check: (): CheckAnswer => "late" });
const script = new Script("check()");

/** The schema of a request: a process is sent each one once. */
function schemaOf({ id, schema: bytes }: CheckRequest): JsonObject {
  const schema = bytes ? (deserialize(bytes) as JsonObject) : schemas.get(id);
  if (!schema) throw new Error(`schema ${id} was never sent`);
  schemas.set(id, schema);
  return schema;
}

function answer(request: CheckRequest): CheckAnswer {
  const { arguments: args, strict } = request;
  const schema = schemaOf(request);
  context["check"] = (): CheckAnswer => {
    const checked = validateArguments(schema, args, strict);
    return checked.kind === "valid" && checked.arguments === args && !checked.warnings ? "fits" : checked;
  };
  try {
    return script.runInContext(context, { timeout: CHECK_MS }) as CheckAnswer;
  } catch {
    return "late";
  }
}

process.on("message", (request: CheckRequest) => process.send?.(answer(request)));
// A terminal sends these to the whole group; the parent decides when this ends.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.send?.(READY);
