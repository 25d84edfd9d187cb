// A scripted turn in each vendor's wire format: the server-sent events of its stream, its error body, its whole answer.
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import type { VendorCall, VendorTurn } from "./vendor.js";

export type Wire = "openai" | "responses" | "anthropic" | "google";

interface WireFormat {
  /** `opening` is everything up to the last delta; `closing` is calls, usage and the end. */
  stream(turn: VendorTurn, body: JsonObject): { opening: string[]; closing: string[] };
  failure(status: number, message: string): JsonValue;
  whole(turn: VendorTurn): JsonValue;
}

const deltasOf = (turn: VendorTurn): string[] => turn.deltas ?? (turn.text ? [turn.text] : []);
const argumentsText = (call: VendorCall): string =>
  typeof call.arguments === "string" ? call.arguments : toJson(call.arguments);
const usageOf = (turn: VendorTurn): { input: number; output: number } => turn.usage ?? { input: 10, output: 5 };
const data = (value: JsonValue): string => `data: ${toJson(value)}\n\n`;
const named = (value: JsonObject): string => `event: ${value["type"]}\ndata: ${toJson(value)}\n\n`;

const openaiFinish = (turn: VendorTurn): string => turn.finish ?? (turn.calls?.length ? "tool_calls" : "stop");
const openaiUsage = (turn: VendorTurn): JsonObject => {
  const { input, output } = usageOf(turn);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
};
const openaiCall = (call: VendorCall): JsonObject => ({
  ...(call.id !== null && { id: call.id ?? "call" }),
  type: "function",
  function: { name: call.name, arguments: argumentsText(call) },
});

const openai: WireFormat = {
  stream(turn, body) {
    const model = String(body["model"] ?? "fake");
    const chunk = (delta: JsonObject, finish: string | null = null): string =>
      data({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const opening = [chunk({ role: "assistant", content: "" })];
    for (const text of deltasOf(turn)) opening.push(chunk({ content: text }));
    const closing: string[] = [];
    turn.calls?.forEach((call, index) => {
      const whole = argumentsText(call);
      const half = Math.ceil(whole.length / 2);
      const head = openaiCall({ ...call, arguments: "" });
      closing.push(chunk({ tool_calls: [{ index, ...head }] }));
      for (const piece of [whole.slice(0, half), whole.slice(half)])
        closing.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    });
    closing.push(chunk({}, openaiFinish(turn)));
    closing.push(data({ id: "chatcmpl-1", created: 1, model, choices: [], usage: openaiUsage(turn) }));
    closing.push("data: [DONE]\n\n");
    return { opening, closing };
  },
  failure: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null, param: null },
  }),
  whole: (turn) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "fake",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: deltasOf(turn).join(""),
          ...(turn.calls && { tool_calls: turn.calls.map(openaiCall) }),
        },
        finish_reason: openaiFinish(turn),
      },
    ],
    usage: openaiUsage(turn),
  }),
};

const RESPONSES_CUT = { stop: undefined, length: "max_output_tokens", content_filter: "content_filter" } as const;

/** The items of a response, each as it is when it is done. */
function responseItems(turn: VendorTurn): JsonObject[] {
  const items: JsonObject[] = [];
  if (turn.thinking) {
    const { text, signature } = turn.thinking;
    items.push({
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text }],
      encrypted_content: signature,
    });
  }
  const text = deltasOf(turn).join("");
  if (text !== "") {
    const content = [{ type: "output_text", text, annotations: [] }];
    items.push({ type: "message", id: "msg_1", role: "assistant", status: "completed", content });
  }
  turn.calls?.forEach((call, at) => {
    const item: JsonObject = { type: "function_call", id: `fc_${at}`, status: "completed", name: call.name };
    if (call.id !== null) item["call_id"] = call.id ?? "call";
    items.push({ ...item, arguments: argumentsText(call) });
  });
  return items;
}

function responseOf(turn: VendorTurn): JsonObject {
  const reason = RESPONSES_CUT[turn.finish ?? "stop"];
  const { input, output } = usageOf(turn);
  return {
    id: "resp_1",
    object: "response",
    status: reason === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: responseItems(turn),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

const responses: WireFormat = {
  stream(turn) {
    let sequence_number = 0;
    const event = (type: string, fields: JsonObject): string =>
      named({ type, sequence_number: sequence_number++, ...fields });
    const started = { id: "resp_1", object: "response", status: "in_progress", error: null, output: [] };
    const opening = [
      event("response.created", { response: started }),
      event("response.in_progress", { response: started }),
    ];
    const closing: string[] = [];
    responseItems(turn).forEach((item, output_index) => {
      const at = { item_id: item["id"] ?? "", output_index };
      const isText = item["type"] === "message";
      const list = isText || item["type"] === "reasoning" ? opening : closing;
      const empty: JsonObject = isText
        ? { content: [] }
        : item["type"] === "function_call"
          ? { arguments: "" }
          : { summary: [] };
      list.push(
        event("response.output_item.added", { output_index, item: { ...item, status: "in_progress", ...empty } }),
      );
      if (isText) {
        for (const delta of deltasOf(turn))
          list.push(event("response.output_text.delta", { ...at, content_index: 0, delta }));
        closing.push(event("response.output_text.done", { ...at, content_index: 0, text: deltasOf(turn).join("") }));
      } else if (item["type"] === "function_call") {
        const whole = String(item["arguments"]);
        const half = Math.ceil(whole.length / 2);
        for (const delta of [whole.slice(0, half), whole.slice(half)])
          list.push(event("response.function_call_arguments.delta", { ...at, delta }));
        list.push(event("response.function_call_arguments.done", { ...at, arguments: whole }));
      }
      (isText ? closing : list).push(event("response.output_item.done", { output_index, item }));
    });
    const response = responseOf(turn);
    closing.push(event(`response.${response["status"]}`, { response }));
    return { opening, closing };
  },
  failure: openai.failure,
  whole: responseOf,
};

const ANTHROPIC_STOP = { stop: "end_turn", length: "max_tokens", content_filter: "refusal" } as const;

/** The events of one content block, the whole of it. */
function block(index: number, start: JsonObject, deltas: JsonObject[]): string[] {
  return [
    named({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => named({ type: "content_block_delta", index, delta })),
    named({ type: "content_block_stop", index }),
  ];
}

const anthropic: WireFormat = {
  stream(turn, body) {
    const { input, output } = usageOf(turn);
    const model = String(body["model"] ?? "fake");
    const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null };
    const opening = [
      named({ type: "message_start", message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } }),
    ];
    let index = 0;
    if (turn.thinking) {
      const { text, signature } = turn.thinking;
      const deltas: JsonObject[] = [
        { type: "thinking_delta", thinking: text },
        { type: "signature_delta", signature },
      ];
      opening.push(...block(index++, { type: "thinking", thinking: "", signature: "" }, deltas));
    }
    const closing: string[] = [];
    const texts = deltasOf(turn).map((text) => ({ type: "text_delta", text }));
    if (texts.length > 0) {
      const events = block(index++, { type: "text", text: "" }, texts);
      closing.push(...events.splice(-1));
      opening.push(...events);
    }
    for (const call of turn.calls ?? []) {
      const whole = argumentsText(call);
      const half = Math.ceil(whole.length / 2);
      const deltas = [whole.slice(0, half), whole.slice(half)].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }));
      closing.push(...block(index++, { type: "tool_use", id: call.id ?? "call", name: call.name, input: {} }, deltas));
    }
    const stop = turn.finish ? ANTHROPIC_STOP[turn.finish] : turn.calls?.length ? "tool_use" : "end_turn";
    const delta = { stop_reason: stop, stop_sequence: null };
    closing.push(named({ type: "message_delta", delta, usage: { output_tokens: output } }));
    closing.push(named({ type: "message_stop" }));
    return { opening, closing };
  },
  failure: (status, message) => ({
    type: "error",
    error: { type: status >= 500 ? "overloaded_error" : "invalid_request_error", message },
  }),
  whole: () => ({}),
};

const GOOGLE_STOP = { stop: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY" } as const;

const google: WireFormat = {
  stream(turn) {
    const { input, output } = usageOf(turn);
    const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
    const chunk = (parts: JsonObject[], finishReason?: string): string =>
      data({
        candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
        usageMetadata,
      });
    const opening: string[] = [];
    if (turn.thinking)
      opening.push(chunk([{ text: turn.thinking.text, thought: true, thoughtSignature: turn.thinking.signature }]));
    for (const text of deltasOf(turn)) opening.push(chunk([{ text }]));
    const calls = (turn.calls ?? []).map((call) => ({
      functionCall: {
        ...(call.id != null && { id: call.id }),
        name: call.name,
        args: typeof call.arguments === "string" ? parseJson(call.arguments) : call.arguments,
      },
      ...(call.signature && { thoughtSignature: call.signature }),
    }));
    return { opening, closing: [chunk(calls, GOOGLE_STOP[turn.finish ?? "stop"])] };
  },
  failure: (status, message) => ({
    error: { code: status, message, status: status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT" },
  }),
  whole: () => ({}),
};

/** The wire formats of the fake vendor. */
export const wires: Record<Wire, WireFormat> = { openai, responses, anthropic, google };
