// The turns of a chat: one that its client prompts, one that it resumes, or those of a session that it follows. Each sends its events
// to the end and throws nothing; the caller runs one at a time.
// Source: docs/reference.md, "WebSocket" and "Turns that outlive their client".
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Agent } from "../../domain/agent.js";
import type { Caller } from "../../domain/caller.js";
import { messageOf, Stopped } from "../../domain/error.js";
import type { TurnEvent } from "../../domain/event.js";
import type { Log } from "../../lib/log.js";
import type { Metrics } from "../metrics/metrics.js";
import type { Frame, Prompt } from "../request/request.js";
import { runTurnInto } from "../run/event-sink.js";
import type { ChatSocket } from "./chat-socket.js";

/** What the handshake that opened the socket settled. */
export interface Handshake {
  session_id: string;
  /** Whether every turn of this socket shows the extended events. */
  extended: boolean;
  /** Label for the history. */
  client: string;
  /** Whose word its frames are. */
  caller: Caller;
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
  /** Milliseconds between two signs of life for clients with extended events. */
  heartbeatMs?: number | undefined;
}

/** The turn whose events are being sent. */
interface Running {
  /** "" before the first turn of a session that is followed. */
  readonly turn_id: string;
  extended: boolean;
  /** Between its first event here and its done, as it may first have to wait for its session. */
  isOpen: boolean;
  cancel(): void;
  /** The client has gone away. */
  leave(): void;
}

/** A chat as far as its turns are concerned. */
export interface ServedChat {
  context: ChatContext;
  handshake: Handshake;
  socket: ChatSocket;
  running: Running | undefined;
}

/** Runs a turn, and answers the client when it cannot be run. */
async function runAs(chat: ServedChat, running: Running, run: () => Promise<void>): Promise<void> {
  chat.running = running;
  try {
    await run();
  } catch (error) {
    chat.socket.sendErrors(chat.context.redact(messageOf(error)), 1);
  } finally {
    chat.running = undefined;
  }
}

/** A prompt that arrived while the turns before it on its socket may still run. */
export interface ChatPrompt {
  session_id: string;
  message: string;
  /** Whether it runs without its client, too. */
  detach: boolean;
  /** Takes its place among the turns of its session; its events wait for `answer` or `leave`, one of which must be called. */
  takePlace(): void;
  /** Sends the events of its turn. */
  answer(): Promise<void>;
  /** The client has gone away. */
  leave(): void;
}

/** The turn of a prompt; its events have their numbers for a client that asked for extended ones. */
export function arrivePrompt(chat: ServedChat, prompt: Prompt, session_id: string): ChatPrompt {
  const { context, handshake, socket } = chat;
  const { agent, metrics } = context;
  const extended = prompt.extended || handshake.extended;
  const { message, policy, provider, model, time_zone, continue_from, application, detach } = prompt;
  const stop = new AbortController();
  const names = { session_id, turn_id: randomUUID(), client: handshake.client, caller: handshake.caller };
  const request = { ...names, message, policy, provider, model, time_zone, continue_from, application };
  const running: Running = {
    turn_id: names.turn_id,
    extended,
    isOpen: false,
    cancel: () => stop.abort(new Stopped("cancelled")),
    leave: () => (detach ? undefined : stop.abort(new Stopped("client_gone"))),
  };
  const push = (event: TurnEvent, seq: number): void => {
    running.isOpen = event.kind !== "done";
    socket.send(event, extended ? seq : undefined);
  };
  let start = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    start = resolve;
  });
  const turn = { agent, metrics, request, signal: stop.signal, interactive: extended || detach, ready };
  let ended: Promise<void> | undefined;
  const run = (): Promise<void> => (ended ??= runTurnInto({ extended, push }, turn));
  return {
    session_id,
    message,
    detach,
    takePlace: () => {
      run().catch(() => undefined);
    },
    answer: () => {
      start();
      return runAs(chat, running, run);
    },
    leave: () => {
      running.leave();
      start();
    },
  };
}

/** Cancels a turn that the client reads; one that it may not cancel goes on, and a notice says why. */
function cancelTurn({ context, handshake, socket }: ServedChat, turn_id: string): void {
  try {
    context.agent.cancelTurn(turn_id, handshake.caller);
  } catch (error) {
    socket.send({ kind: "notice", message: messageOf(error) });
  }
}

/** Sends a turn from where the client left it, and follows it to its end, in the time the client takes. */
export async function resumeTurn(chat: ServedChat, { turn_id, after }: Frame & { kind: "resume" }): Promise<void> {
  const { context, socket } = chat;
  const { agent } = context;
  const gone = new AbortController();
  const running: Running = {
    turn_id,
    extended: true,
    isOpen: false,
    cancel: () => cancelTurn(chat, turn_id),
    leave: () => gone.abort(),
  };
  await runAs(chat, running, async () => {
    for await (const { seq, event } of agent.turnEvents(turn_id, { after, signal: gone.signal })) {
      running.isOpen = event.kind !== "done";
      socket.send(event, seq);
      await socket.drained();
      if (!running.isOpen) return;
    }
    if (await agent.turn(turn_id)) socket.send({ kind: "done" });
    else socket.sendErrors(`There is no turn ${JSON.stringify(turn_id)}.`, 1);
  });
}

/**
 * Sends the events of a session's turns, whoever prompts them, in the time the client takes: until the client leaves, the session is
 * deleted, which is an error, or the daemon stops.
 */
export async function followSession(
  chat: ServedChat,
  session_id: string,
  { turn_id, after }: Frame & { kind: "follow" },
): Promise<void> {
  const { context, socket } = chat;
  const { agent } = context;
  const gone = new AbortController();
  let present = "";
  const running: Running = {
    get turn_id() {
      return present;
    },
    extended: true,
    isOpen: false,
    cancel: () => cancelTurn(chat, present),
    leave: () => gone.abort(),
  };
  await runAs(chat, running, async () => {
    const options = { turn_id, after, signal: gone.signal, mayBeNew: true };
    for await (const numbered of await agent.sessionEvents(session_id, options)) {
      present = numbered.turn_id;
      running.isOpen = numbered.event.kind !== "done";
      socket.sendOf(numbered);
      await socket.drained();
    }
  });
}
