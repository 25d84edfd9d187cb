// One reply of the model: its text as it streams, its calls made fit for the conversation.
import type { ResultStatus, TurnEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import { type JsonObject, toJson } from "../lib/json.js";
import { createSlices } from "../lib/slices.js";
import { keptOfMalformed } from "../providers/calls.js";
import { MAX_CALLS, MAX_REPLY_CHARS, ProviderError, type Reply } from "../providers/provider.js";
import type { TurnContext } from "./context.js";

/** The calls of a reply that was cut: any of them may be half of what the model meant, so none is made. */
function malformedIfCut({ calls, finish }: Reply): readonly ToolCall[] {
  if (finish !== "length" && finish !== "content_filter") return calls;
  return calls.map((call) => ({ ...call, malformed: call.malformed ?? keptOfMalformed(toJson(call.arguments)) }));
}

const ENDLESS_THOUGHT = "the model did not stop thinking; its reply was dropped";

/** Throws Error when what the model thought, or what its vendor wants back with this reply, is too long to be kept. */
function checkMeta({ reasoning = "", meta, calls }: Reply): void {
  const kept = [meta, ...calls.map((call) => call.meta)].filter((one): one is JsonObject => one !== undefined);
  if (reasoning.length > MAX_REPLY_CHARS || (kept.length > 0 && toJson(kept).length > MAX_REPLY_CHARS))
    throw new Error(ENDLESS_THOUGHT);
}

/**
 * The reply as the conversation takes it: at most one call more than MAX_CALLS, whose answer says that it was too many.
 * Throws Error for one that is too long.
 */
function bounded(reply: Reply, seenIds: Set<string>): Reply {
  checkMeta(reply);
  return { ...reply, calls: withDistinctIds(malformedIfCut(reply).slice(0, MAX_CALLS + 1), seenIds) };
}

/** Call ids are the vendor's; one that repeats within a conversation, or is missing, is replaced. `seen` is added to. */
function withDistinctIds(calls: readonly ToolCall[], seen: Set<string>): ToolCall[] {
  return calls.map((call) => {
    let id = call.id || `call_${seen.size + 1}`;
    for (let n = 2; seen.has(id); n++) id = `${call.id || "call"}_${n}`;
    seen.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

/**
 * The reply with the text that was streamed, if any was, and no secret of the configuration in what a person reads of it. A tool is
 * called by its name, whatever that has in it.
 */
function withoutSecrets(reply: Reply, streamed: string, { redactor, catalogue }: TurnContext): Reply {
  const { text, reasoning, calls, stopReason } = reply;
  return {
    ...reply,
    text: streamed || redactor.text(text),
    ...(reasoning !== undefined && { reasoning: redactor.text(reasoning) }),
    ...(stopReason !== undefined && { stopReason: redactor.text(stopReason) }),
    calls: calls.map((call) => ({
      ...call,
      id: redactor.text(call.id),
      name: catalogue.action(call.name) ? call.name : redactor.text(call.name),
    })),
  };
}

/** Thoughts are passed on by the sentence, or in this many characters: vendors send them word by word, and they are read folded. */
const THOUGHT_CHARS = 120;
const SENTENCE_END = /[.!?\n]\s*$/;

/** Joins the pieces of a thought. Throws Error for one without end. */
function createThoughts(): { push(piece: string): string; rest(): string } {
  let held = "";
  let total = 0;
  const rest = (): string => {
    const text = held;
    held = "";
    return text;
  };
  return {
    push(piece) {
      if ((total += piece.length) > MAX_REPLY_CHARS) throw new Error(ENDLESS_THOUGHT);
      held += piece;
      return held.length >= THOUGHT_CHARS || SENTENCE_END.test(piece) ? rest() : "";
    },
    rest,
  };
}

/**
 * Asks the model once: yields its deltas, returns the reply with distinct call ids. What has been streamed stays in the
 * conversation when it fails. Throws ProviderError, the signal's reason, and Error for a reply without end.
 */
export async function* modelReply(
  turn: TurnContext,
  tools: readonly Tool[],
  { seenIds, repliesLeft }: { seenIds: Set<string>; repliesLeft: number },
): AsyncGenerator<TurnEvent, Reply, void> {
  const { modelProvider, newMessages, systemPrompt: system, now } = turn;
  const { translate } = turn.catalogue.glossary;
  // Refused: no model call was made, and none is measured.
  const forbidden = modelProvider.asksNoModel
    ? undefined
    : await turn.useLimits.refusalOf("model_calls", turn.session_id);
  if (forbidden !== undefined) throw new Error(forbidden);
  const start = performance.now();
  let status: ResultStatus = "error";
  let partial = "";
  const thoughts = createThoughts();
  const shownText = turn.redactor.pieces();
  const shownThoughts = turn.redactor.pieces();
  try {
    const messages = [...turn.earlierMessages, ...newMessages];
    const stream = modelProvider.reply({ system, messages, tools, now, repliesLeft, translate }, turn.signal);
    // A burst of deltas comes from memory, without an end for the event loop to run in.
    const slices = createSlices();
    for (;;) {
      if (slices.isOver()) await slices.pause();
      const step = await stream.next();
      if (step.done) {
        status = "ok";
        if (step.value.usage) await turn.useLimits.addTokens(turn.session_id, step.value.usage);
        const last = shownText.rest();
        if (last) yield { kind: "assistant_delta", text: last };
        return bounded(withoutSecrets(step.value, partial + last, turn), seenIds);
      }
      if (step.value.kind === "notice") {
        yield { kind: "notice", message: step.value.text };
        continue;
      }
      if (step.value.kind === "reasoning") {
        const thought = thoughts.push(shownThoughts.push(step.value.text));
        if (thought) yield { kind: "reasoning_delta", text: thought };
        continue;
      }
      const thought = thoughts.rest();
      if (thought) yield { kind: "reasoning_delta", text: thought };
      if (partial.length + step.value.text.length > MAX_REPLY_CHARS) {
        await stream.return(undefined as never);
        throw new Error(`the model did not stop talking; its reply was ended after ${partial.length} characters`);
      }
      const text = shownText.push(step.value.text);
      partial += text;
      if (text) yield { kind: "assistant_delta", text };
    }
  } catch (error) {
    const last = shownText.rest();
    if (last) yield { kind: "assistant_delta", text: last };
    partial += last;
    // What a person has already read stays in the conversation, as far as the model can be sent it again.
    const text = partial.slice(0, modelProvider.resultBudget).toWellFormed();
    const usage = error instanceof ProviderError && error.usage ? turn.count(error.usage) : undefined;
    // The failure that is told is the model's.
    if (usage) await turn.useLimits.addTokens(turn.session_id, usage).catch(() => {});
    if (text) newMessages.push({ role: "assistant", text, calls: [], ...(usage && { usage }) });
    if (usage) yield { kind: "usage", ...usage };
    throw error;
  } finally {
    const { provider, model } = turn;
    turn.onModelCall?.({ provider, model, status, durationMs: performance.now() - start });
  }
}
