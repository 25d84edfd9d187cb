// Calls of tools without a model, as entry points make them.
import type { Agent, CallAnswer } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { Policy } from "../../src/domain/policy.js";
import { type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";

/** Calls of the tools of one agent. */
export interface ToolCalls {
  /** Calls a tool and gives its answer. */
  callTool(tool: string, args?: JsonObject, policy?: Partial<Policy>): Promise<CallAnswer>;
  /** Calls a tool that has to succeed, and gives its result. */
  result(tool: string, args?: JsonObject): Promise<JsonValue>;
  /** Calls a tool that has to fail, and gives its result. */
  failure(tool: string, args?: JsonObject): Promise<JsonObject>;
}

/** What calls the tools of an agent, in a session; "" for none. */
export function toolCalls(agent: Agent, session_id = "test"): ToolCalls {
  const callTool = async (tool: string, args: JsonObject = {}, policy: Partial<Policy> = {}): Promise<CallAnswer> => {
    const run = agent.call(
      { tool, arguments: args, policy, session_id, client: "test", caller: LOCAL_CALLER },
      { signal: new AbortController().signal, interactive: false },
    );
    for (;;) {
      const step = await run.next();
      if (step.done) return step.value;
    }
  };
  return {
    callTool,
    async result(tool, args) {
      const { status, result } = await callTool(tool, args);
      if (status !== "ok") throw new Error(`${tool}: ${toJson(result)}`);
      return result;
    },
    async failure(tool, args) {
      const { status, result } = await callTool(tool, args);
      if (status !== "error") throw new Error(`${tool} did not fail`);
      return result as JsonObject;
    },
  };
}
