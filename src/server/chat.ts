// A chat over one WebSocket: text frames in, events out, one turn at a time in the order of the frames.
// Knows nothing of how the socket was admitted. Source: docs/reference.md, "WebSocket".

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Agent } from "../domain/agent.js";
import { messageOf, Stopped } from "../domain/error.js";
import type { TurnEvent } from "../domain/event.js";
import { toJson } from "../lib/json.js";
import type { Log } from "../lib/log.js";
import { MAX_UNREAD_BYTES, runTurnInto } from "./event-sink.js";
import type { Metrics } from "./metrics.js";
import { type Frame, type Prompt, parseFrame } from "./request.js";

/** Prompts waiting on one socket; beyond that they are refused as busy. */
const MAX_PROMPTS = 32;
/** Characters of the prompts waiting on all sockets together; 32 of a megabyte each on a thousand sockets would be too many. */
const MAX_BACKLOG_CHARS = 32 * 1024 * 1024;
/** Different errors waiting to be sent; more than a flood of prompts alone can make. Beyond that the socket is closed. */
const MAX_ERRORS = 2 * MAX_PROMPTS;

/** What the handshake that opened the socket settled. */
export interface Handshake {
  session_id: string;
  /** Whether every turn of this socket shows the extended events. */
  extended: boolean;
  /** Label for the history. */
  client: string;
  /** The connection under the WebSocket. */
  socket: Duplex;
}

/** What every chat of a daemon shares. */
export interface ChatContext {
  agent: Agent;
  metrics: Metrics;
  log: Log;
  /** Text of an unexpected error, without secrets. */
  redact(text: string): string;
  /** Characters of the prompts that wait on any socket. */
  backlog: { chars: number };
}

/** What waits in the order of the frames: a prompt, or frames to be answered with an error. */
type QueueEntry =
  | { kind: "prompt"; prompt: Prompt; session_id: string }
  | { kind: "error"; message: string; times: number };

interface Chat {
  context: ChatContext;
  handshake: Handshake;
  ws: WebSocket;
  /** The session of the next prompt that names none. */
  session_id: string;
  queue: QueueEntry[];
  /** Entries of `queue` that are prompts. */
  prompts: number;
  /** Entries of `queue` that are errors. */
  errors: number;
  isProcessing: boolean;
  /** The prompt that runs; `isOpen` between its user_prompt and its done, as it may first have to wait for its session. */
  running: { stop: AbortController; extended: boolean; isOpen: boolean } | undefined;
}

const DONE = toJson({ kind: "done" } satisfies TurnEvent);

function send({ ws, handshake: { socket } }: Chat, text: string): void {
  if (ws.readyState !== ws.OPEN) return;
  // Frames of one tick leave together: a system call each is most of what a delta costs.
  if (socket.writableCorked === 0) {
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
  ws.send(text);
  // The client does not read: what piles up for it would take the memory of every other turn.
  if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
}

const sendEvent = (chat: Chat, event: TurnEvent): void => send(chat, toJson(event));

function sendErrors(chat: Chat, message: string, times: number): void {
  const text = toJson({ kind: "error", message } satisfies TurnEvent);
  for (let i = 0; i < times && chat.ws.readyState === chat.ws.OPEN; i++) {
    send(chat, text);
    send(chat, DONE);
  }
}

async function runPrompt(chat: Chat, { prompt, session_id }: QueueEntry & { kind: "prompt" }): Promise<void> {
  const { context, handshake } = chat;
  const { agent, metrics } = context;
  const extended = prompt.extended || handshake.extended;
  const stop = new AbortController();
  const request = { message: prompt.message, session_id, policy: prompt.policy, client: handshake.client };
  const running = { stop, extended, isOpen: false };
  chat.running = running;
  const push = (event: TurnEvent): void => {
    running.isOpen = event.kind !== "done";
    sendEvent(chat, event);
  };
  try {
    const turn = { agent, metrics, request, signal: stop.signal, interactive: extended };
    await runTurnInto({ extended, push }, turn);
  } catch (error) {
    sendErrors(chat, context.redact(messageOf(error)), 1);
  } finally {
    chat.running = undefined;
  }
}

async function processQueue(chat: Chat): Promise<void> {
  if (chat.isProcessing) return;
  chat.isProcessing = true;
  for (let next = chat.queue.shift(); next; next = chat.queue.shift()) {
    if (next.kind === "error") {
      chat.errors--;
      sendErrors(chat, next.message, next.times);
    } else {
      chat.prompts--;
      chat.context.backlog.chars -= next.prompt.message.length;
      await runPrompt(chat, next);
    }
  }
  chat.isProcessing = false;
}

/** Answers a frame with an error when its turn comes. A flood of equal refusals is one entry, however long it gets. */
function queueError(chat: Chat, message: string): void {
  const last = chat.queue.at(-1);
  if (last?.kind === "error" && last.message === message) {
    last.times++;
    return;
  }
  if (++chat.errors > MAX_ERRORS) chat.ws.close(1008, "too many frames that cannot be taken");
  else chat.queue.push({ kind: "error", message, times: 1 });
}

function queuePrompt(chat: Chat, prompt: Prompt): void {
  if (chat.prompts >= MAX_PROMPTS) {
    queueError(chat, `busy: ${MAX_PROMPTS} prompts are already waiting on this connection; send this one again later.`);
    return;
  }
  const { backlog } = chat.context;
  if (backlog.chars + prompt.message.length > MAX_BACKLOG_CHARS) {
    queueError(chat, "busy: too much text is already waiting on all connections; send this prompt again later.");
    return;
  }
  backlog.chars += prompt.message.length;
  chat.session_id = prompt.session_id ?? chat.session_id;
  chat.prompts++;
  chat.queue.push({ kind: "prompt", prompt, session_id: chat.session_id });
}

/** A decision is carried out beside the running turn, which may be the one that waits for it. */
async function decideConfirmation(chat: Chat, frame: Frame & { kind: "confirm" }): Promise<void> {
  const { context } = chat;
  try {
    await context.agent.decide(frame.id, frame.decision);
  } catch (error) {
    const message = context.redact(messageOf(error));
    if (chat.running?.extended && chat.running.isOpen) sendEvent(chat, { kind: "notice", message });
    else {
      queueError(chat, message);
      await processQueue(chat);
    }
  }
}

function handleFrame(chat: Chat, text: string): Promise<void> {
  try {
    const frame = parseFrame(text);
    if (frame.kind === "confirm") return decideConfirmation(chat, frame);
    if (frame.kind === "cancel") chat.running?.stop.abort(new Stopped("cancelled"));
    else queuePrompt(chat, frame.prompt);
  } catch (error) {
    queueError(chat, messageOf(error));
  }
  return processQueue(chat);
}

/** Serves one admitted socket until it closes. Never throws; the caller has put an error listener on the socket. */
export function serveChat(ws: WebSocket, handshake: Handshake, context: ChatContext): void {
  const chat: Chat = {
    context,
    handshake,
    ws,
    session_id: handshake.session_id,
    queue: [],
    prompts: 0,
    errors: 0,
    isProcessing: false,
    running: undefined,
  };
  ws.on("message", (data, isBinary) => {
    if (isBinary) {
      ws.close(1003, "text frames only");
      return;
    }
    if (ws.readyState !== ws.OPEN) return;
    handleFrame(chat, data.toString()).catch((error: unknown) => {
      context.log.error({ cause: messageOf(error) }, "a conversation failed");
      ws.terminate();
    });
  });
  ws.on("close", () => {
    for (const entry of chat.queue.splice(0))
      if (entry.kind === "prompt") context.backlog.chars -= entry.prompt.message.length;
    chat.running?.stop.abort(new Stopped("client_gone"));
  });
}
