// A chat over one WebSocket: text frames in, events out, one turn at a time in the order of the frames.
// Knows nothing of how the socket was admitted. Source: docs/reference.md, "WebSocket".

import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import { AppError, messageOf } from "../../domain/error.js";
import { type Frame, type Prompt, parseFrame } from "../request/request.js";
import { HEARTBEAT_MS } from "../response/event-stream.js";
import { ChatSocket } from "./chat-socket.js";
import {
  arrivePrompt,
  type ChatContext,
  type ChatPrompt,
  followSession,
  type Handshake,
  resumeTurn,
  type ServedChat,
} from "./chat-turns.js";

/** Prompts waiting on one socket; beyond that they are refused as busy. */
const MAX_PROMPTS = 32;
/** Characters of the prompts waiting on all sockets together; 32 of a megabyte each on a thousand sockets would be too many. */
const MAX_BACKLOG_CHARS = 32 * 1024 * 1024;
/** Different errors waiting to be sent; more than a flood of prompts alone can make. Beyond that the socket is closed. */
const MAX_ERRORS = 2 * MAX_PROMPTS;

/** What is said to a client whose frame would wait for the end of what has none. */
const FOLLOWING =
  "this connection follows a session and takes no further turns; send prompts with POST /run, or on another.";

/** A prompt, or turns to be read. */
type TurnEntry = { kind: "prompt"; arrived: ChatPrompt } | (Frame & { kind: "resume" | "follow" });
/** What waits in the order of the frames; an error answers frames that cannot be taken. */
type QueueEntry = TurnEntry | { kind: "error"; message: string; times: number };

interface Chat extends ServedChat {
  ws: WebSocket;
  /** The session of the next prompt that names none. */
  session_id: string;
  queue: QueueEntry[];
  /** Entries of `queue` that are no errors. */
  turns: number;
  /** Entries of `queue` that are errors. */
  errors: number;
  isProcessing: boolean;
  /** The session whose prompt is being answered. */
  answering: string | undefined;
  /** Errors are answered at once then: nothing comes after it. */
  isFollowing: boolean;
}

async function processEntry(chat: Chat, entry: QueueEntry): Promise<void> {
  switch (entry.kind) {
    case "prompt":
      chat.context.backlog.chars -= entry.arrived.message.length;
      chat.answering = entry.arrived.session_id;
      return entry.arrived.answer();
    case "resume":
      return resumeTurn(chat, entry);
    case "follow":
      await followSession(chat, chat.session_id, entry);
      chat.isFollowing = false;
      return;
    case "error":
      return chat.socket.sendErrors(entry.message, entry.times);
    default:
      entry satisfies never;
  }
}

async function processQueue(chat: Chat): Promise<void> {
  if (chat.isProcessing) return;
  chat.isProcessing = true;
  for (let next = chat.queue.shift(); next; next = chat.queue.shift()) {
    if (next.kind === "error") chat.errors--;
    else chat.turns--;
    await processEntry(chat, next);
    chat.answering = undefined;
  }
  chat.isProcessing = false;
}

/** Answers a frame with an error when its turn comes. A flood of equal refusals is one entry, however long it gets. */
function queueError(chat: Chat, message: string): void {
  if (chat.isFollowing) {
    chat.socket.sendErrors(message, 1);
    return;
  }
  const last = chat.queue.at(-1);
  if (last?.kind === "error" && last.message === message) {
    last.times++;
    return;
  }
  if (++chat.errors > MAX_ERRORS) chat.ws.close(1008, "too many frames that cannot be taken");
  else chat.queue.push({ kind: "error", message, times: 1 });
}

/** Why one more turn is not taken; undefined when it is. */
function refusalOf(chat: Chat, entry: TurnEntry): string | undefined {
  if (chat.isFollowing) return FOLLOWING;
  if (entry.kind === "follow")
    return chat.isProcessing ? "follow is taken while no turn is under way here." : undefined;
  if (chat.turns >= MAX_PROMPTS)
    return `busy: ${MAX_PROMPTS} prompts are already waiting on this connection; send this one again later.`;
  if (entry.kind === "prompt" && chat.context.backlog.chars + entry.arrived.message.length > MAX_BACKLOG_CHARS)
    return "busy: too much text is already waiting on all connections; send this prompt again later.";
  return undefined;
}

/** Whether all that comes before a prompt here are turns of its session: it would hold up another while it waits for them. */
function isBehindOwn({ answering, queue }: Chat, session_id: string): boolean {
  if (answering !== session_id) return false;
  return queue.every(
    (entry) => entry.kind === "error" || (entry.kind === "prompt" && entry.arrived.session_id === session_id),
  );
}

/** Queues a turn, or the error that it is not taken. */
function queueTurn(chat: Chat, entry: TurnEntry): void {
  const refusal = refusalOf(chat, entry);
  if (refusal !== undefined) {
    queueError(chat, refusal);
    return;
  }
  if (entry.kind === "prompt") {
    const { message, session_id } = entry.arrived;
    chat.context.backlog.chars += message.length;
    chat.session_id = session_id;
    if (isBehindOwn(chat, session_id)) entry.arrived.takePlace();
  }
  chat.isFollowing = entry.kind === "follow";
  chat.turns++;
  chat.queue.push(entry);
}

/** Whether the events of the turn that is being sent say themselves that a call has changed, and ask anew. */
async function isSaid({ context, running }: Chat, error: unknown, id: string): Promise<boolean> {
  if (!running?.extended || !(error instanceof AppError) || error.code !== "changed") return false;
  return (await context.agent.confirmation(id))?.turn_id === running.turn_id;
}

/** A decision is carried out beside the running turn, which may be the one that waits for it. */
async function decideConfirmation(chat: Chat, frame: Frame & { kind: "confirm" }): Promise<void> {
  const { context, handshake } = chat;
  try {
    await context.agent.decide(frame.id, frame.decision, handshake.caller);
  } catch (error) {
    if (await isSaid(chat, error, frame.id)) return;
    const message = context.redact(messageOf(error));
    if (chat.running?.extended && chat.running.isOpen) chat.socket.send({ kind: "notice", message });
    else {
      queueError(chat, message);
      await processQueue(chat);
    }
  }
}

/** The session of a prompt that names none: that of the connection, or a new one for what begins one. */
function ownSession({ session_id }: Chat, { continue_from }: Prompt): string {
  return continue_from === undefined ? session_id : randomUUID();
}

function handleFrame(chat: Chat, text: string): Promise<void> {
  try {
    const frame = parseFrame(text);
    if (frame.kind === "confirm") return decideConfirmation(chat, frame);
    if (frame.kind === "cancel") chat.running?.cancel();
    else if (frame.kind !== "prompt") queueTurn(chat, frame);
    else {
      const session_id = frame.prompt.session_id ?? ownSession(chat, frame.prompt);
      queueTurn(chat, { kind: "prompt", arrived: arrivePrompt(chat, frame.prompt, session_id) });
    }
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
    socket: new ChatSocket(ws, handshake.socket),
    session_id: handshake.session_id,
    queue: [],
    turns: 0,
    errors: 0,
    isProcessing: false,
    answering: undefined,
    isFollowing: false,
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
  const heartbeat = setInterval(() => {
    if (handshake.extended || chat.running?.extended) chat.socket.ping();
  }, context.heartbeatMs ?? HEARTBEAT_MS).unref();
  ws.on("close", () => {
    clearInterval(heartbeat);
    // Detached prompts run all the same, in their order.
    chat.queue = chat.queue.filter((entry) => {
      if (entry.kind !== "prompt" || entry.arrived.detach) return entry.kind === "prompt";
      context.backlog.chars -= entry.arrived.message.length;
      entry.arrived.leave();
      return false;
    });
    chat.running?.leave();
  });
}
