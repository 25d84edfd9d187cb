// One WebSocket to /chat for one session, kept open: a lost connection is tried again with growing pauses, and its state is
// visible. A browser cannot see why an upgrade was refused, so every loss is followed by one plain request: a 401 there
// leads to the sign-in form instead of a loop.
import { type ReadonlySignal, signal } from "@preact/signals";
import type { TurnEvent } from "../../src/domain/event.js";
import { parseJson } from "../../src/lib/json.js";
import { ApiError, ask } from "./api.js";
import { keptToken, signedOut } from "./token.js";

/** State of a connection. `lost`: waiting to try again. `closed`: not trying. */
export type Link = "connecting" | "open" | "lost" | "closed";

/** What a connection tells its conversation. */
export interface Listener {
  opened(): void;
  event(event: TurnEvent): void;
  /** The socket is gone; whatever it was running has been stopped by the daemon. */
  lost(): void;
}

/** A kept connection. */
export interface Connection {
  readonly link: ReadonlySignal<Link>;
  /** False when the socket is not open; nothing was sent then. */
  send(frame: string): boolean;
  /** Tries now instead of waiting. */
  retry(): void;
  close(): void;
}

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;

function address(session: string): string {
  const url = new URL("/chat", location.origin);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("events", "extended");
  url.searchParams.set("session_id", session);
  if (keptToken() !== "") url.searchParams.set("token", keptToken());
  return url.href;
}

/** Opens the connection of a session and keeps it open until closed or signed out. */
export function connect(session: string, listener: Listener): Connection {
  const link = signal<Link>("connecting");
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;

  const open = () => {
    clearTimeout(timer);
    link.value = "connecting";
    const mine = new WebSocket(address(session));
    socket = mine;
    mine.onopen = () => {
      if (socket !== mine) return;
      pause = FIRST_PAUSE_MS;
      link.value = "open";
      listener.opened();
    };
    mine.onmessage = (message) => {
      if (socket === mine) listener.event(parseJson(String(message.data)) as unknown as TurnEvent);
    };
    mine.onclose = () => {
      if (socket === mine) void lose();
    };
  };

  const lose = async () => {
    socket = undefined;
    link.value = "lost";
    listener.lost();
    try {
      await ask("/config/public");
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) link.value = "closed";
    }
    if (link.peek() !== "lost" || socket !== undefined) return;
    // Another loss may have come and gone while this one was being looked into.
    clearTimeout(timer);
    // The pauses differ between tabs, so that they do not all come back in the same instant.
    timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  const retry = () => {
    if (link.peek() === "lost" && !signedOut.peek()) open();
  };
  addEventListener("online", retry);
  open();

  return {
    link,
    send(frame) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(frame);
      return true;
    },
    retry,
    close() {
      removeEventListener("online", retry);
      clearTimeout(timer);
      link.value = "closed";
      const old = socket;
      socket = undefined;
      old?.close(1000);
    },
  };
}
