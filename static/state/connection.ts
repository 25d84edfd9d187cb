// One WebSocket to /chat for one session, kept open: a lost connection is retried with growing delays, and its state is a
// signal. A browser cannot see why an upgrade was refused, so every loss is followed by one plain request: a 401 there
// leads to the sign-in form instead of a loop.
import { type ReadonlySignal, signal } from "@preact/signals";
import type { TurnEvent } from "../../src/domain/event.js";
import { parseJson } from "../../src/lib/json.js";
import { ApiError, requestJson } from "./api.js";
import { signedOut, storedToken } from "./token.js";

/** `lost`: waiting for the next attempt. `closed`: no further attempts. */
type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** The callbacks of a connection. */
interface ConnectionListener {
  onOpen(): void;
  onEvent(event: TurnEvent): void;
  /** The socket is gone; the daemon has stopped the turn it carried. */
  onLoss(): void;
}

/** A connection that reopens by itself. */
export interface Connection {
  readonly state: ReadonlySignal<ConnectionState>;
  /** False, and nothing sent, when the socket is not open. */
  send(frame: string): boolean;
  /** Makes the next attempt now. */
  retry(): void;
  close(): void;
}

const FIRST_RETRY_MS = 400;
const MAX_RETRY_MS = 15_000;

function addressOf(session: string): string {
  const url = new URL("/chat", location.origin);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("events", "extended");
  url.searchParams.set("session_id", session);
  if (storedToken() !== "") url.searchParams.set("token", storedToken());
  return url.href;
}

/** Opens the connection of a session and keeps it open until closed or signed out. */
export function connect(session: string, listener: ConnectionListener): Connection {
  const state = signal<ConnectionState>("connecting");
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;

  const open = () => {
    clearTimeout(timer);
    state.value = "connecting";
    const opened = new WebSocket(addressOf(session));
    socket = opened;
    opened.onopen = () => {
      if (socket !== opened) return;
      retryMs = FIRST_RETRY_MS;
      state.value = "open";
      listener.onOpen();
    };
    opened.onmessage = (message) => {
      if (socket === opened) listener.onEvent(parseJson(String(message.data)) as unknown as TurnEvent);
    };
    opened.onclose = () => {
      if (socket === opened) void handleLoss();
    };
  };

  const handleLoss = async () => {
    socket = undefined;
    state.value = "lost";
    listener.onLoss();
    try {
      await requestJson("/config/public");
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) state.value = "closed";
    }
    if (state.peek() !== "lost" || socket !== undefined) return;
    // A later loss may have set the timer during the request.
    clearTimeout(timer);
    // The delays differ between tabs, so that they do not all reconnect in the same instant.
    timer = setTimeout(open, retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  };

  const retry = () => {
    if (state.peek() === "lost" && !signedOut.peek()) open();
  };
  addEventListener("online", retry);
  open();

  return {
    state,
    send(frame) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(frame);
      return true;
    },
    retry,
    close() {
      removeEventListener("online", retry);
      clearTimeout(timer);
      state.value = "closed";
      const old = socket;
      socket = undefined;
      old?.close(1000);
    },
  };
}
