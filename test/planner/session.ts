// A conversation with the offline planner in a test: tools are made from a route, calls are answered by a function.

import type { Message } from "../../src/domain/message.js";
import type { Verb } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { createOfflineProvider } from "../../src/providers/planner.js";
import type { Provider, Reply } from "../../src/providers/provider.js";

/** A tool as an import would make it from this route. */
export function tool(
  name: string,
  verb: Verb,
  route: string,
  properties: JsonObject = {},
  required: string[] = [],
): Tool {
  const [method = "", path = ""] = route.split(" ");
  return {
    name,
    application: "",
    description: "",
    input_schema: { type: "object", properties, required, additionalProperties: false },
    resource: path.split("/")[1] ?? "",
    verb,
    safety: method === "GET" ? "read_only" : method === "DELETE" ? "destructive" : "mutating",
    provenance: "declared",
    transport: { kind: "http", method, path },
  };
}

/** The calls and the text for a prompt. */
export interface Turn {
  calls: [string, JsonObject][];
  text: string;
}

/** The offline provider with its usual options. */
export function offlineProvider(): Provider {
  return createOfflineProvider({
    name: "offline",
    model: "planner",
    historyLimit: 40,
    maxTools: 64,
    resultBudget: 24_000,
    timeoutMs: 1000,
    maxRetries: 0,
  });
}

/** A conversation with the planner, its calls answered by `reply`. */
export function createSession(
  tools: readonly Tool[],
  reply: (called: Tool, args: JsonObject) => JsonValue,
  {
    translate,
    timeZone = "UTC",
    maxIterations = 8,
  }: { translate?: (prompt: string) => string; timeZone?: string; maxIterations?: number } = {},
) {
  const provider = offlineProvider();
  const messages: Message[] = [];
  const step = async (repliesLeft: number): Promise<Reply> => {
    const now = { date: "2026-11-21", text: "", timeZone };
    const request = { system: "", messages, tools, now, repliesLeft, translate };
    const next = await provider.reply(request, new AbortController().signal).next();
    if (!next.done) throw new Error("the planner streams nothing");
    return next.value;
  };
  return async (prompt: string): Promise<Turn> => {
    messages.push({ role: "user", text: prompt });
    const calls: [string, JsonObject][] = [];
    for (let i = 0; i < maxIterations; i++) {
      const { text, calls: made, meta } = await step(maxIterations - i);
      messages.push({ role: "assistant", text, calls: made, meta });
      if (made.length === 0) return { calls, text };
      for (const call of made) {
        const called = tools.find(({ name }) => name === call.name);
        if (!called) throw new Error(`there is no tool ${call.name}`);
        calls.push([call.name, call.arguments]);
        const value = reply(called, call.arguments);
        const is_error = isObject(value) && "error" in value;
        messages.push({ role: "tool", call_id: call.id, name: call.name, text: JSON.stringify(value), is_error });
      }
    }
    throw new Error("the planner does not come to an end");
  };
}

/** The ids of the rows in the table of an answer, or of its only record. */
export function idsIn(text: string): number[] {
  const [, only] = /^- \*\*id\*\*: (\d+)$/m.exec(text) ?? [];
  if (only !== undefined) return [Number(only)];
  const [head = "", , ...lines] = text.split("\n").filter((line) => line.startsWith("|"));
  const at = head.split("|").findIndex((cell) => cell.trim() === "id");
  return lines.map((line) => Number(line.split("|")[at]));
}
