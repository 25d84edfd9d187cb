// The loop of one prompt: model, tools, model, until an answer or the cap. Yields events as they happen and collects the
// messages that were said. Knows no door, no session and no vendor.

import type { PromptOptions } from "../domain/agent.js";
import type { ResultStatus, TurnEvent } from "../domain/event.js";
import type { Message, ToolCall } from "../domain/message.js";
import type { Confirmation } from "../domain/record.js";
import type { Tool } from "../domain/tool.js";
import { visibleJson } from "../lib/invisible-characters.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../lib/json.js";
import type { Provider, Reply } from "../providers/provider.js";
import type { KeptResults } from "../results/cache.js";
import { readResult, toResultQuery } from "../results/page.js";
import { forModel, forRecord, RECORD_LIMIT, toResult } from "../results/result.js";
import { checkArguments } from "../tools/arguments/check.js";
import { ownAction, SEARCH_TOOLS } from "../tools/catalogue.js";
import { createShown, type Shown } from "../tools/selection.js";
import { type CallResult, type CallRoom, callTool, MALFORMED, NOT_CALLED } from "./call.js";

/** What a turn needs around it. */
export interface TurnRoom extends CallRoom {
  readonly model_provider: Provider;
  readonly system: string;
  readonly prompt: string;
  /** What the model saw before this turn, the prompt itself included. */
  readonly before: readonly Message[];
  /** Filled as the turn goes on: what this turn adds to the session, so that nothing is lost when it throws. */
  readonly said: Message[];
  /** Results cut for the model. */
  readonly results: KeptResults;
  readonly maxIterations: number;
  readonly onModelCall: PromptOptions["onModelCall"];
}

interface BuiltinAnswer {
  value: JsonValue;
  failed: boolean;
}

async function answerReading(args: JsonObject, room: TurnRoom): Promise<BuiltinAnswer> {
  const id = String(args["call_id"]);
  const gone = { error: "no_such_result", message: `no result of call ${id} is kept any more; make the call again` };
  const kept = room.results.get(id);
  if (!kept) return { value: gone, failed: true };
  const query = toResultQuery(args);
  try {
    const text = await readResult(kept, query, room.model_provider.resultBudget, room.signal);
    return { value: parseJson(text), failed: false };
  } catch (error) {
    room.signal.throwIfAborted();
    // Another session's results may have pushed this one out while it was read.
    if (room.results.get(id)) throw error;
    return { value: gone, failed: true };
  }
}

/** Answers the daemon's own tools, whose arguments have to fit like any other's; undefined for a tool of the application. */
async function answerBuiltin(call: ToolCall, room: TurnRoom, shown: Shown): Promise<BuiltinAnswer | undefined> {
  const action = room.catalogue.action(call.name) ? undefined : ownAction(call.name);
  if (!action) return undefined;
  const invalid = (message: string): BuiltinAnswer => ({
    value: { error: "invalid_arguments", message },
    failed: true,
  });
  if (call.malformed !== undefined) return invalid(MALFORMED);
  const checked = await checkArguments(action, call.arguments, room.policy.strict);
  if (checked.kind === "unfit") return invalid(checked.reason);
  if (action.name !== SEARCH_TOOLS.name) return answerReading(checked.arguments, room);
  return { value: shown.search(String(checked.arguments["query"])), failed: false };
}

async function recordBuiltin(
  call: ToolCall,
  answer: BuiltinAnswer,
  room: TurnRoom,
  durationMs: number,
): Promise<CallResult> {
  const { session_id, turn_id, policy, provider, model, client } = room;
  const args = room.redactor.value(call.malformed === undefined ? call.arguments : { malformed: call.malformed });
  const intent = {
    session_id,
    turn_id,
    call_id: call.id,
    tool: call.name,
    arguments: args,
    safety: "read_only" as const,
    policy,
    request: null,
    provider,
    model,
    client,
  };
  const status = answer.failed ? "error" : "ok";
  const result = toResult(answer.value);
  const recorded = forRecord(result);
  await room.store.recordCall(intent, { status, result: recorded, duration_ms: durationMs });
  return { status, result, recorded, durationMs };
}

/** Characters of one reply: several times what any model writes, and still something a session can carry on with. */
const LONGEST_REPLY = 1024 * 1024;

async function* reply(room: TurnRoom, tools: readonly Tool[]): AsyncGenerator<TurnEvent, Reply, void> {
  const start = performance.now();
  let status: ResultStatus = "error";
  let partial = "";
  try {
    const messages = [...room.before, ...room.said];
    const stream = room.model_provider.reply({ system: room.system, messages, tools }, room.signal);
    for (;;) {
      const step = await stream.next();
      if (step.done) {
        status = "ok";
        return step.value;
      }
      if (partial.length + step.value.text.length > LONGEST_REPLY) {
        await stream.return(undefined as never);
        throw new Error(`the model did not stop talking; its reply was ended after ${partial.length} characters`);
      }
      partial += step.value.text;
      yield { kind: "assistant_delta", text: step.value.text };
    }
  } catch (error) {
    // What a person has already read stays in the conversation, as far as the model can be told again.
    const text = partial.slice(0, room.model_provider.resultBudget).toWellFormed();
    if (text) room.said.push({ role: "assistant", text, calls: [] });
    throw error;
  } finally {
    const { provider, model } = room;
    room.onModelCall?.({ provider, model, status, durationMs: performance.now() - start });
  }
}

/** Characters of results that a turn's events carry as long as the record has them; a client may read them all in one answer. */
const LONG_RESULTS = 16 * RECORD_LIMIT;
/** Characters of each result after that. */
const LATER_RESULT = 16 * 1024;

/** A result as its event carries it. */
function forEvent({ result, recorded }: CallResult, told: { chars: number }): JsonValue {
  const event = told.chars < LONG_RESULTS ? recorded : forRecord(result, LATER_RESULT);
  told.chars += Math.min(result.json.length, RECORD_LIMIT);
  return event;
}

async function* answer(
  call: ToolCall,
  room: TurnRoom,
  shown: Shown,
  told: { chars: number },
): AsyncGenerator<TurnEvent, CallResult, void> {
  yield { kind: "tool_call", id: call.id, name: call.name, arguments: room.redactor.value(call.arguments) };
  const start = performance.now();
  const own = await answerBuiltin(call, room, shown);
  const tookMs = Math.round((performance.now() - start) * 100) / 100;
  if (!own) shown.use(call.name);
  const came = own ? await recordBuiltin(call, own, room, tookMs) : yield* callTool(call, room);
  const view = forModel(came.result, room.model_provider.resultBudget, call.id);
  if (view.cut) {
    room.results.keep(call.id, came.result);
    shown.offerReading();
  }
  const is_error = came.status === "error";
  room.said.push({ role: "tool", call_id: call.id, name: call.name, text: view.text, is_error });
  yield {
    kind: "tool_result",
    id: call.id,
    result: forEvent(came, told),
    status: came.status,
    duration_ms: came.durationMs,
  };
  if (came.unsaved)
    yield {
      kind: "notice",
      message: `The result of ${call.name} is not on record yet; it is tried again until it is.`,
    };
  return came;
}

/** Ends a stopped turn whose model asked for more: the next prompt knows that these calls were never made. */
function leave(calls: readonly ToolCall[], room: TurnRoom): never {
  const text = toJson({ error: NOT_CALLED.code, message: NOT_CALLED.message });
  for (const { id, name } of calls) room.said.push({ role: "tool", call_id: id, name, text, is_error: true });
  throw room.signal.reason;
}

/** What a turn ends with while calls wait. A message stays in the conversation, so it tells no more than `tool_call` does. */
function waitingText(held: readonly Confirmation[], { redactor }: TurnRoom): string {
  const lines = held.map(({ id, tool, arguments: args, expires_at }) => {
    return `- ${tool} ${visibleJson(toJson(redactor.value(args)))} (confirmation ${id}, until ${expires_at})`;
  });
  return `${held.length === 1 ? "This call needs" : "These calls need"} a person's yes before anything is sent:\n${lines.join("\n")}`;
}

const idsOf = (calls: readonly ToolCall[]): string[] => calls.map((call) => call.id);

/** The calls of a reply that was cut: any of them may be half of what the model meant, so none is made. */
function unlessCut(calls: readonly ToolCall[], finish: Reply["finish"]): readonly ToolCall[] {
  if (finish !== "length" && finish !== "content_filter") return calls;
  return calls.map((call) => ({ ...call, malformed: call.malformed ?? toJson(call.arguments) }));
}

/** Call ids are the vendor's; one that repeats within a conversation, or is missing, gets a name of its own. */
function distinct(calls: readonly ToolCall[], seen: Set<string>): ToolCall[] {
  return calls.map((call) => {
    let id = call.id || `call_${seen.size + 1}`;
    for (let n = 2; seen.has(id); n++) id = `${call.id || "call"}_${n}`;
    seen.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function usageEvent(reply: Reply, model: string): TurnEvent[] {
  return reply.usage ? [{ kind: "usage", ...reply.usage, model }] : [];
}

/**
 * Runs the loop. Yields everything between `user_prompt` and `done` except the `error` that a throw becomes.
 * Throws what ends the turn: ProviderError, the signal's reason, or Error at the iteration cap.
 */
export async function* runTurn(room: TurnRoom): AsyncGenerator<TurnEvent, void, void> {
  const { catalogue, prompt, before, model_provider: provider } = room;
  const { maxTools, toolTokens: maxTokens } = provider;
  const shown = createShown({ catalogue, prompt, before, maxTools, maxTokens, reads: room.results.size > 0 });
  const told = { chars: 0 };
  const seen = new Set(before.flatMap((message) => (message.role === "assistant" ? idsOf(message.calls) : [])));
  for (let iteration = 0; iteration < room.maxIterations; iteration++) {
    const got = yield* reply(room, shown.tools());
    const calls = distinct(unlessCut(got.calls, got.finish), seen);
    const { text, meta } = got;
    room.said.push({ role: "assistant", text, calls, ...(meta && { meta }) });
    yield* usageEvent(got, room.model);
    if (text || calls.length === 0) yield { kind: "assistant_message", text };
    if (got.finish === "length")
      yield { kind: "notice", message: "The model stopped at its output limit; the answer may be cut." };
    if (got.finish === "content_filter")
      yield { kind: "notice", message: "The model's vendor cut the answer with its content filter." };
    if (calls.length === 0) return;

    const held: Confirmation[] = [];
    for (const [at, call] of calls.entries()) {
      if (room.signal.aborted) leave(calls.slice(at), room);
      const result: CallResult = yield* answer(call, room, shown, told);
      if (result.held) held.push(result.held);
    }
    room.signal.throwIfAborted();
    if (held.length > 0) {
      const waiting = waitingText(held, room);
      room.said.push({ role: "assistant", text: waiting, calls: [] });
      yield { kind: "assistant_message", text: waiting };
      return;
    }
  }
  throw new Error(
    `stopped after ${room.maxIterations} model calls without a final answer; raise max_iterations or ask for less at once`,
  );
}
