// A call, or a whole turn, under way for an MCP client: it goes on until it waits for a person or is over. Nothing here knows how the
// client is asked.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Agent, CallAnswer, CallRequest, PromptOptions, PromptRequest } from "../../domain/agent.js";
import { AppError, messageOf, Stopped } from "../../domain/error.js";
import type { ExtendedEvent, HeldCall, TurnEvent } from "../../domain/event.js";
import { isObject, type JsonObject } from "../../lib/json.js";
import { failure, toolResult } from "./results.js";

/** Where it stands: it waits for a person, or it is over. */
export type RunStep = { held: HeldCall; isOver: boolean } | { result: CallToolResult };

/** Something under way. */
export interface Running {
  /** Whether a call stays held when nobody waits for it, to be run when it is decided. A turn does not go on by itself. */
  readonly isCall: boolean;
  /** Goes on to the next time it waits, or to its end. Rejects with nothing but a fault of the daemon. */
  step(): Promise<RunStep>;
  /** Its client is gone: a turn ends, a call that has been sent is awaited and recorded. */
  stop(): void;
  /** What waits is left to wait without this: a call stays held, a turn ends. */
  leave(): void;
  /** Called with what it is at, while somebody listens. */
  onProgress: ((message: string) => void) | undefined;
}

/** How it is begun. */
type RunOptions = Pick<PromptOptions, "interactive">;

/** What a fault of its own is for the model. */
export function faultResult(error: unknown): CallToolResult {
  if (error instanceof AppError) return failure(error.code, error.message);
  if (error instanceof Stopped) return failure("not_called", messageOf(error));
  throw error;
}

/** A result that the client cannot go on from by itself. */
export function heldResult(
  held: Pick<HeldCall, "id" | "expires_at" | "tool">,
  page: string | undefined,
): CallToolResult {
  const where =
    page === undefined
      ? `with "agentd approvals approve ${held.id}" (where no daemon runs, once "agentd mcp" has ended)`
      : `at ${page} or with "agentd approvals approve ${held.id}"`;
  const value: JsonObject = { confirmation_id: held.id, expires_at: held.expires_at };
  if (page !== undefined) value["page"] = page;
  return failure(
    "confirmation_required",
    `${held.tool} waits for a person's yes and has not been called. Decide it ${where}; it then runs without being asked for again.`,
    value,
  );
}

function answerResult(answer: CallAnswer, { kind, page }: { kind: string; page: string | undefined }): CallToolResult {
  const { confirmation, result, status } = answer;
  const isHeld = confirmation && isObject(result) && result["error"] === "confirmation_required";
  if (isHeld) return heldResult(confirmation, page);
  return toolResult(result, { isError: status === "error", kind });
}

const waitsForPerson = (event: ExtendedEvent | TurnEvent): boolean =>
  event.kind === "tool_result" && isObject(event.result) && event.result["error"] === "confirmation_required";

/** What a client reads of an event; nothing of most. */
function progressOf(event: ExtendedEvent | TurnEvent): string | undefined {
  switch (event.kind) {
    case "notice":
      return event.message;
    case "tool_call":
      return `calling ${event.name}`;
    case "tool_result":
      if (waitsForPerson(event)) return "waits for a yes";
      return event.status === "ok" ? "answered" : "failed";
    case "confirmation_resolved":
      return event.decision;
    default:
      return undefined;
  }
}

/** Begins a call. */
export function runCall(
  agent: Agent,
  request: CallRequest,
  { interactive, kind, page }: RunOptions & { kind: string; page: string | undefined },
): Running {
  const gone = new AbortController();
  const events = agent.call(request, { signal: gone.signal, interactive });
  const running: Running = {
    isCall: true,
    onProgress: undefined,
    stop: () => gone.abort(new Stopped("client_gone")),
    async step() {
      try {
        for (;;) {
          const { done, value } = await events.next();
          if (done) {
            const { confirmation } = value;
            if (confirmation && interactive) return { held: confirmation, isOver: true };
            return { result: answerResult(value, { kind, page }) };
          }
          if (value.kind === "confirmation_required") return { held: value, isOver: false };
          const progress = progressOf(value);
          if (progress !== undefined) running.onProgress?.(progress);
        }
      } catch (error) {
        return { result: faultResult(error) };
      }
    },
    leave() {
      // Its end runs what an entry point that goes away runs: the call stays held.
      events.return(undefined as never).catch(() => undefined);
    },
  };
  return running;
}

/** What is kept of a turn while it runs. */
interface Spoken {
  text: string;
  error: string | undefined;
  /** Whether a call of it waits for a person. */
  isHeld: boolean;
}

function turnResult(
  { session_id, turn_id }: PromptRequest,
  { text, error, isHeld }: Spoken,
  page: string | undefined,
): CallToolResult {
  if (error !== undefined) return failure("failed", error, { session_id, turn_id, text });
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (isHeld && page !== undefined) content.push({ type: "text", text: `A person decides at ${page}` });
  return { content, structuredContent: { session_id, turn_id, text } };
}

/** The questions of a turn, one at a time: a client is asked the next when the one before is decided. */
class OneByOne {
  private asked: string | undefined;
  private readonly waiting: HeldCall[] = [];

  note(event: TurnEvent): void {
    if (event.kind === "confirmation_required") this.waiting.push(event);
    if (event.kind !== "confirmation_resolved") return;
    if (event.id === this.asked) this.asked = undefined;
    const at = this.waiting.findIndex(({ id }) => id === event.id);
    if (at >= 0) this.waiting.splice(at, 1);
  }

  /** The question to ask now; undefined while one is open or none waits. */
  next(): HeldCall | undefined {
    if (this.asked !== undefined) return undefined;
    const held = this.waiting.shift();
    this.asked = held?.id;
    return held;
  }
}

/** Begins a turn. */
export function runPrompt(
  agent: Agent,
  request: PromptRequest,
  { interactive, page }: RunOptions & { page: string | undefined },
): Running {
  const gone = new AbortController();
  const stop = (): void => gone.abort(new Stopped("client_gone"));
  const events = agent.prompt(request, { signal: gone.signal, interactive });
  const spoken: Spoken = { text: "", error: undefined, isHeld: false };
  const questions = new OneByOne();
  const running: Running = {
    isCall: false,
    onProgress: undefined,
    stop,
    leave: stop,
    async step() {
      try {
        for (;;) {
          const held = questions.next();
          if (held) return { held, isOver: false };
          const { done, value } = await events.next();
          if (done) return { result: turnResult(request, spoken, page) };
          if (value.kind === "assistant_message") spoken.text = value.text;
          if (value.kind === "error") spoken.error = value.message;
          spoken.isHeld ||= waitsForPerson(value);
          if (interactive) questions.note(value);
          const progress = progressOf(value);
          if (progress !== undefined) running.onProgress?.(progress);
        }
      } catch (error) {
        return { result: faultResult(error) };
      }
    },
  };
  return running;
}
