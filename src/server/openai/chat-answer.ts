// The events of a turn as a chat completion, whole or in chunks. What the model says is content, what it thinks is
// `reasoning_content`, and what its tools do is neither: clients send content back, and models copy what they read there.
// Source: docs/reference.md, "OpenAI-compatible routes".
import type { Response } from "express";
import { CONTENT_FILTER_NOTICE, OUTPUT_LIMIT_NOTICE, type TurnEvent } from "../../domain/event.js";
import type { TokenCounts } from "../../domain/usage.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { EventStream, type StreamTimes } from "../response/event-stream.js";
import { sendJson } from "../response/respond.js";
import { MAX_UNREAD_BYTES } from "../run/event-sink.js";
import type { RunAnswer } from "../run/run-answer.js";
import { failureOf, NO_RETRY, toOpenAiError } from "./errors.js";
import { chatUsage, countTokens } from "./usage.js";

/** Between two messages of one turn. */
const GAP = "\n\n";

/** What names an answer. */
interface ChatNames {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

/** A piece of an answer; either may be empty. */
interface Piece {
  content: string;
  reasoning: string;
}

/** Reads the events of one turn, in order. */
class ChatReader {
  /** What was said, without the message under way. */
  private said = "";
  /** The message under way, as far as deltas brought it. */
  private current = "";
  private thought = "";
  /** Of the model call under way, as far as deltas brought it. */
  private thinking = "";
  usage: TokenCounts | undefined;
  /** Why the turn did not succeed. */
  error: string | undefined;
  finish: "stop" | "length" | "content_filter" = "stop";

  /** What the event adds to the answer. */
  read(event: TurnEvent): Piece {
    this.usage = countTokens(this.usage, event);
    switch (event.kind) {
      case "assistant_delta":
        return { content: this.grow(event.text), reasoning: "" };
      case "assistant_message": {
        const content = this.grow(event.text.slice(this.current.length));
        if (this.current !== "") this.said = this.text;
        this.current = "";
        return { content, reasoning: "" };
      }
      case "reasoning_delta":
        this.thinking += event.text;
        this.thought += event.text;
        return { content: "", reasoning: event.text };
      case "reasoning": {
        // A replay has no deltas.
        const reasoning = this.thinking === "" ? event.text : "";
        this.thought += reasoning;
        this.thinking = "";
        return { content: "", reasoning };
      }
      case "notice":
        if (event.message === OUTPUT_LIMIT_NOTICE) this.finish = "length";
        if (event.message === CONTENT_FILTER_NOTICE) this.finish = "content_filter";
        break;
      case "error":
        this.error = event.message;
        break;
      default:
    }
    return { content: "", reasoning: "" };
  }

  get text(): string {
    return this.said !== "" && this.current !== "" ? this.said + GAP + this.current : this.said + this.current;
  }

  get reasoning(): string {
    return this.thought;
  }

  private grow(text: string): string {
    if (text === "") return "";
    const isNext = this.current === "" && this.said !== "";
    this.current += text;
    return isNext ? GAP + text : text;
  }
}

/** The whole answer when the turn is over; what ended the turn otherwise is thrown as ApiError. */
export function createWholeChat(res: Response, { id, created, model }: ChatNames): RunAnswer {
  const reader = new ChatReader();
  return {
    wantsEvents: true,
    push: (event) => {
      reader.read(event);
    },
    onQueued: () => {},
    drained: async () => {},
    end() {
      if (reader.error !== undefined) {
        res.setHeader(...NO_RETRY);
        throw failureOf(reader.error);
      }
      const { text, reasoning, finish, usage } = reader;
      const thought: JsonObject = reasoning === "" ? {} : { reasoning_content: reasoning };
      const message: JsonObject = { role: "assistant", content: text, refusal: null, ...thought };
      const choice: JsonObject = { index: 0, message, logprobs: null, finish_reason: finish };
      const counted: JsonObject = usage ? { usage: chatUsage(usage) } : {};
      sendJson(res, toJson({ id, object: "chat.completion", created, model, choices: [choice], ...counted }));
    },
  };
}

/** Chunks as things happen. A client that lets too much pile up loses the connection. */
export function createChatStream(
  res: Response,
  { id, created, model }: ChatNames,
  { includesUsage, times }: { includesUsage: boolean; times: StreamTimes },
): RunAnswer {
  const reader = new ChatReader();
  const stream = new EventStream(res, { ...times, type: "text/event-stream" });
  const data = (value: JsonValue): void => {
    stream.write(`data: ${toJson(value)}\n\n`);
    if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
  };
  const chunk = (choices: JsonValue[], usage: JsonValue = null): void =>
    data({ id, object: "chat.completion.chunk", created, model, choices, ...(includesUsage && { usage }) });
  let isOpen = false;
  const delta = (fields: JsonObject, finish: string | null = null): void =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }]);
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    delta({ role: "assistant", content: "" });
  };
  return {
    wantsEvents: true,
    push(event) {
      const { content, reasoning } = reader.read(event);
      if (event.kind === "user_prompt") open();
      if (reasoning !== "") delta({ reasoning_content: reasoning });
      if (content !== "") delta({ content });
    },
    onQueued: () => {},
    drained: () => stream.drained(),
    end() {
      if (reader.error === undefined) {
        open();
        delta({}, reader.finish);
        if (includesUsage) chunk([], chatUsage(reader.usage));
      } else data({ error: { ...toOpenAiError(failureOf(reader.error)) } });
      stream.write("data: [DONE]\n\n");
      stream.end();
    },
  };
}
