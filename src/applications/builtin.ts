// The daemon's own tools as a transport, so that their calls take the same way as any other: judged, validated, recorded.
// Made for each turn, whose tool selection and kept results it works on; nothing leaves the daemon.
import { BUILTIN_KIND } from "../domain/builtin-kind.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../lib/json.js";
import { readResult, toReadQuery } from "../results/page.js";
import type { Result } from "../results/result.js";
import { MAX_OWN_ARGUMENTS, SEARCH_TOOLS } from "../tools/builtin-tools.js";
import { CallError, type Outcome, type Transport } from "./transport.js";

/** What the daemon's own tools work on. */
interface BuiltinContext {
  /** Answers `search_tools`. */
  search(query: string): JsonValue;
  /** The result that an earlier call was cut from; undefined when it is not kept, or not any more. */
  keptResult(callId: string): Result | undefined;
  /** Characters of one answer of `read_result`. */
  resultBudget: number;
  signal: AbortSignal;
}

async function readKept(args: JsonObject, context: Omit<BuiltinContext, "search">): Promise<Outcome> {
  const { keptResult, resultBudget, signal } = context;
  const id = String(args["call_id"]);
  const gone: Outcome = {
    status: "error",
    value: { error: "no_such_result", message: `no result of call ${id} is kept any more; make the call again` },
  };
  const kept = keptResult(id);
  if (!kept) return gone;
  try {
    const text = await readResult(kept, toReadQuery(args), { budget: resultBudget, signal });
    return { status: "ok", value: parseJson(text) };
  } catch (error) {
    if (signal.aborted)
      return {
        status: "error",
        value: { error: "cancelled", message: "the turn was stopped while the result was read" },
      };
    // Another session's results may have pushed this one out while it was read.
    if (keptResult(id)) throw error;
    return gone;
  }
}

interface BuiltinPlan {
  tool: string;
  arguments: JsonObject;
}

/** The transport of `search_tools` and `read_result`. */
export function createBuiltinTransport(context: BuiltinContext): Transport {
  return {
    kind: BUILTIN_KIND,
    isLocal: true,
    prepare({ name: tool }, { sent, shown }) {
      const { length } = toJson(sent);
      if (length > MAX_OWN_ARGUMENTS)
        throw new CallError(
          `${tool} takes arguments of up to ${MAX_OWN_ARGUMENTS} characters, and these have ${length}; ask for less at once`,
        );
      const plan: BuiltinPlan = { tool, arguments: sent };
      return { request: null, preview: { tool, arguments: shown }, plan };
    },
    async execute({ plan }, _target, { signal = context.signal } = {}) {
      const { tool, arguments: args } = plan as BuiltinPlan;
      return tool === SEARCH_TOOLS.name
        ? { status: "ok", value: context.search(String(args["query"])) }
        : readKept(args, { ...context, signal });
    },
  };
}
