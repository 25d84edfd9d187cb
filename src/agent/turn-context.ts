// What one turn works with, put together from what the agent has, the request, the session and the model.
import { createBuiltinTransport } from "../applications/builtin.js";
import type { PromptOptions, PromptRequest } from "../domain/agent.js";
import type { Message } from "../domain/message.js";
import { tighten } from "../domain/policy.js";
import { localTime, ownTimeZone } from "../domain/time-zone.js";
import { addUsage, type ModelUsage, type Price, usageOfCall } from "../domain/usage.js";
import type { Provider, Usage } from "../providers/provider.js";
import type { ApplicationSet } from "../tools/applications.js";
import { createToolSelection, type ToolSelection } from "../tools/selection.js";
import { requestPolicy } from "./calls/prepare-call.js";
import { withContext } from "./client-context.js";
import type { AgentContext, TurnContext } from "./context.js";
import { instructions } from "./instructions.js";
import type { LiveTurn } from "./state/live-turn.js";
import type { Session } from "./state/sessions.js";
import { repair, trim } from "./state/transcript.js";

/** A turn under way. */
export interface OpenTurn {
  turn_id: string;
  request: PromptRequest;
  session: Session;
  provider: Provider;
  price: Price | undefined;
  options: PromptOptions;
  newMessages: Message[];
  signal: AbortSignal;
  live: LiveTurn;
  /** What its model calls took so far. */
  usage?: ModelUsage;
}

/** Adds what a model call took to what the turn took. */
function countUsage(turn: OpenTurn, tokens: Usage): ModelUsage {
  const { name, model } = turn.provider;
  const usage = usageOfCall(tokens, { provider: name, model }, turn.price);
  turn.usage = addUsage(turn.usage, usage);
  return usage;
}

/** What the turn works with, and the tools that its model is offered. */
export async function createTurnContext(
  context: AgentContext,
  turn: OpenTurn,
  set: ApplicationSet,
): Promise<{ turnContext: TurnContext; selection: ToolSelection }> {
  const { request, session, provider, turn_id, options, newMessages, signal, live } = turn;
  const isTextOnly = request.tools === "none";
  const earlierMessages = withContext(repair(trim(session.messages, provider.historyLimit)), provider.historyLimit);
  const policy = tighten(requestPolicy(context.policy, request), { confirm: provider.confirmsChanges ?? false });
  const selection = createToolSelection({
    catalogue: set.offered,
    prompt: request.message,
    earlierMessages,
    maxTools: provider.maxTools,
    maxTokens: provider.toolTokens,
    offersReading: !isTextOnly && session.results.size > 0,
    offersUndo: !isTextOnly && (await context.store.newestUndoable(session.id)) !== undefined,
  });
  const builtinTransport = createBuiltinTransport({
    search: selection.search,
    keptResult: session.results.get,
    resultBudget: provider.resultBudget,
    signal,
  });
  const turnContext: TurnContext = {
    catalogue: set.catalogue,
    policy,
    isConfirmFirm: context.isConfirmFirm || request.policy.confirm === true || provider.confirmsChanges === true,
    modes: context.modes,
    target: (name: string) => context.target(set.find(name)),
    transport: context.transport,
    argumentChecks: context.argumentChecks,
    builtinTransport: isTextOnly ? undefined : builtinTransport,
    store: context.store,
    redactor: context.redactor,
    confirmations: context.confirmations,
    runningCalls: context.runningCalls,
    useLimits: context.useLimits,
    contextNow: context.contextNow,
    signal,
    // For the contexts of its calls: a copy with other values costs a tenth of one with other fields.
    stop: undefined,
    event: undefined,
    session_id: session.id,
    undoSession: session.id,
    turn_id,
    eventCount: () => live.last,
    provider: provider.name,
    model: provider.model,
    client: request.client,
    asked_by: request.caller.name,
    interactive: options.interactive,
    onModelCall: options.onModelCall,
    modelProvider: provider,
    systemPrompt: instructions(context, set, { policy, request }),
    now: localTime(new Date(), request.time_zone ?? ownTimeZone()),
    prompt: request.message,
    earlierMessages,
    newMessages,
    results: session.results,
    maxIterations: context.maxIterations,
    count: (tokens: Usage) => countUsage(turn, tokens),
  };
  return { turnContext, selection };
}
