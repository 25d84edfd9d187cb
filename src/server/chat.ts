// A conversation over one WebSocket: text frames in, events out, one turn at a time in the order of the frames.
// Knows nothing of how the socket was admitted. Source: reference, section 4.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Agent } from "../domain/agent.js";
import { messageOf, Stopped } from "../domain/error.js";
import type { TurnEvent } from "../domain/event.js";
import { toJson } from "../lib/json.js";
import type { Log } from "../lib/log.js";
import { runTurnOut } from "./event-sink.js";
import type { Metrics } from "./metrics.js";
import { type Frame, type Prompt, parseFrame } from "./request.js";
import { MAX_UNREAD_BYTES } from "./run.js";

/** Prompts waiting on one socket; beyond that they are refused as busy. */
export const MAX_QUEUED = 32;
/** Characters of the prompts waiting on all sockets together; 32 of a megabyte each on a thousand sockets would be too many. */
const MAX_BACKLOG_CHARS = 32 * 1024 * 1024;
/** Different errors waiting to be told; more than a flood of prompts alone can make. Beyond that the socket is closed. */
const MAX_ERRORS = 2 * MAX_QUEUED;

/** What was said when the socket was opened. */
export interface Opening {
  session_id: string;
  /** Whether every turn of this socket shows the extended events. */
  extended: boolean;
  /** Label for the history. */
  client: string;
  /** The connection under the WebSocket. */
  socket: Duplex;
}

/** What a conversation needs of the daemon. */
export interface ChatRoom {
  agent: Agent;
  metrics: Metrics;
  log: Log;
  /** Text of an unexpected error, without secrets. */
  redact(text: string): string;
  /** Characters of the prompts that wait on any socket. */
  backlog: { chars: number };
}

/** What waits for its turn on the socket: a prompt, or frames to be answered with an error. */
type Waiting =
  | { kind: "prompt"; prompt: Prompt; session_id: string }
  | { kind: "error"; message: string; times: number };

interface Conversation {
  room: ChatRoom;
  opening: Opening;
  ws: WebSocket;
  /** The session of the next prompt that names none. */
  session_id: string;
  waiting: Waiting[];
  prompts: number;
  /** Entries of `waiting` that are errors. */
  errors: number;
  working: boolean;
  /** The prompt taken now; `open` between its user_prompt and its done, as it may first have to wait for its session. */
  running: { stop: AbortController; extended: boolean; open: boolean } | undefined;
}

const DONE = toJson({ kind: "done" } satisfies TurnEvent);

function send({ ws, opening: { socket } }: Conversation, text: string): void {
  if (ws.readyState !== ws.OPEN) return;
  // Frames of one tick leave together: a system call each is most of what a delta costs.
  if (socket.writableCorked === 0) {
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
  ws.send(text);
  // The client does not read: what piles up for it would take the memory of everybody else's turns.
  if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
}

const sendEvent = (chat: Conversation, event: TurnEvent): void => send(chat, toJson(event));

async function runPrompt(chat: Conversation, prompt: Prompt, session_id: string): Promise<void> {
  const { room, opening } = chat;
  const extended = prompt.extended || opening.extended;
  const stop = new AbortController();
  const request = { message: prompt.message, session_id, policy: prompt.policy, client: opening.client };
  const running = { stop, extended, open: false };
  chat.running = running;
  try {
    await runTurnOut(room.agent, room.metrics, {
      ...{ request, signal: stop.signal, interactive: extended, extended },
      take: (event) => {
        running.open = event.kind !== "done";
        sendEvent(chat, event);
      },
    });
  } catch (error) {
    refuse(chat, room.redact(messageOf(error)), 1);
  } finally {
    chat.running = undefined;
  }
}

function refuse(chat: Conversation, message: string, times: number): void {
  const text = toJson({ kind: "error", message } satisfies TurnEvent);
  for (let i = 0; i < times && chat.ws.readyState === chat.ws.OPEN; i++) {
    send(chat, text);
    send(chat, DONE);
  }
}

async function work(chat: Conversation): Promise<void> {
  if (chat.working) return;
  chat.working = true;
  for (let next = chat.waiting.shift(); next; next = chat.waiting.shift()) {
    if (next.kind === "error") {
      chat.errors--;
      refuse(chat, next.message, next.times);
    } else {
      chat.prompts--;
      chat.room.backlog.chars -= next.prompt.message.length;
      await runPrompt(chat, next.prompt, next.session_id);
    }
  }
  chat.working = false;
}

/** Answers a frame with an error when its turn comes. A flood of equal refusals is one entry, however long it gets. */
function queueError(chat: Conversation, message: string): void {
  const last = chat.waiting.at(-1);
  if (last?.kind === "error" && last.message === message) {
    last.times++;
    return;
  }
  if (++chat.errors > MAX_ERRORS) chat.ws.close(1008, "too many frames that cannot be taken");
  else chat.waiting.push({ kind: "error", message, times: 1 });
}

function queuePrompt(chat: Conversation, prompt: Prompt): void {
  if (chat.prompts >= MAX_QUEUED) {
    queueError(chat, `busy: ${MAX_QUEUED} prompts are already waiting on this connection; send this one again later.`);
    return;
  }
  const { backlog } = chat.room;
  if (backlog.chars + prompt.message.length > MAX_BACKLOG_CHARS) {
    queueError(chat, "busy: too much text is already waiting on all connections; send this prompt again later.");
    return;
  }
  backlog.chars += prompt.message.length;
  chat.session_id = prompt.session_id ?? chat.session_id;
  chat.prompts++;
  chat.waiting.push({ kind: "prompt", prompt, session_id: chat.session_id });
}

/** A decision is carried out beside the running turn, which may be the one that waits for it. */
async function decide(chat: Conversation, frame: Frame & { kind: "confirm" }): Promise<void> {
  const { room } = chat;
  try {
    await room.agent.decide(frame.id, frame.decision);
  } catch (error) {
    const message = room.redact(messageOf(error));
    if (chat.running?.extended && chat.running.open) sendEvent(chat, { kind: "notice", message });
    else {
      queueError(chat, message);
      await work(chat);
    }
  }
}

function takeFrame(chat: Conversation, text: string): Promise<void> {
  try {
    const frame = parseFrame(text);
    if (frame.kind === "confirm") return decide(chat, frame);
    if (frame.kind === "cancel") chat.running?.stop.abort(new Stopped("cancelled"));
    else queuePrompt(chat, frame.prompt);
  } catch (error) {
    queueError(chat, messageOf(error));
  }
  return work(chat);
}

/** Serves one admitted socket until it closes. Never throws; the caller has put an error listener on the socket. */
export function converse(ws: WebSocket, opening: Opening, room: ChatRoom): void {
  const chat: Conversation = {
    ...{ room, opening, ws, session_id: opening.session_id },
    ...{ waiting: [], prompts: 0, errors: 0, working: false, running: undefined },
  };
  ws.on("message", (data, isBinary) => {
    if (isBinary) {
      ws.close(1003, "text frames only");
      return;
    }
    if (ws.readyState !== ws.OPEN) return;
    takeFrame(chat, data.toString()).catch((error: unknown) => {
      room.log.error({ cause: messageOf(error) }, "a conversation failed");
      ws.terminate();
    });
  });
  ws.on("close", () => {
    for (const one of chat.waiting.splice(0))
      if (one.kind === "prompt") room.backlog.chars -= one.prompt.message.length;
    chat.running?.stop.abort(new Stopped("client_gone"));
  });
}
