// One WebSocket of the daemon, kept open: a lost connection is retried with growing delays, and its state is a signal. One
// that is silent for too long is lost, too: the daemon says every 10 s that it is there. A browser cannot see why an upgrade was
// refused, so every loss is followed by one plain request: a 401 there leads to the sign-in form instead of a loop.
import { type ReadonlySignal, signal } from "@preact/signals";
import { isObject, type JsonObject, parseJson } from "../../src/lib/json.js";
import { ApiError } from "./api.js";
import { BASE } from "./base.js";
import { loadConfig } from "./daemon.js";
import { signedOut, storedToken } from "./token.js";

/** `lost`: waiting for the next attempt, or making it. `closed`: no further attempts. */
type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** The callbacks of a connection. */
interface ConnectionListener {
  onOpen(): void;
  onFrame(frame: JsonObject): void;
  /** The socket is gone; turns go on without it. */
  onLoss(): void;
}

const FIRST_RETRY_MS = 400;
const MAX_RETRY_MS = 15_000;
/** Without a sign of life for this long, a connection is lost: one may come late, but not two. */
const SILENCE_MS = 15_000;
/** How long the request after a loss may take; on a silent link it never ends. */
const PROBE_MS = 5_000;

function addressOf(path: string): string {
  const url = new URL(BASE + path, location.origin);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if (storedToken() !== "") url.searchParams.set("token", storedToken());
  return url.href;
}

/** Those of this page that are not closed. Where one finds the daemon again, the others need not wait for their next attempt. */
const kept = new Set<Connection>();

/** A connection. It reopens by itself until it is closed or signed out. */
export class Connection {
  private readonly present = signal<ConnectionState>("connecting");
  readonly state: ReadonlySignal<ConnectionState> = this.present;
  private readonly path: string;
  private readonly listener: ConnectionListener;
  private readonly onOnline = () => this.retry();
  private socket: WebSocket | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private retryMs = FIRST_RETRY_MS;

  /** `path` may have a query; the token is added to it. */
  constructor(path: string, listener: ConnectionListener) {
    this.path = path;
    this.listener = listener;
    addEventListener("online", this.onOnline);
    kept.add(this);
    this.open();
  }

  /** False, and nothing sent, when the socket is not open. */
  send(frame: string): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(frame);
    return true;
  }

  /** Makes the next attempt now. */
  retry(): void {
    if (this.present.peek() !== "lost" || signedOut.peek()) return;
    this.leave();
    this.open();
  }

  /** Gives the socket up as lost. */
  drop(): void {
    if (this.present.peek() === "closed") return;
    this.leave();
    this.present.value = "lost";
    this.listener.onLoss();
    void this.retryLater();
  }

  close(): void {
    removeEventListener("online", this.onOnline);
    kept.delete(this);
    clearTimeout(this.retryTimer);
    this.present.value = "closed";
    this.leave();
  }

  private open(): void {
    clearTimeout(this.retryTimer);
    const opened = new WebSocket(addressOf(this.path));
    this.socket = opened;
    this.awaitSign();
    opened.onopen = () => {
      if (this.socket !== opened) return;
      const isBack = this.present.peek() === "lost";
      // Another daemon may be there now, with other modes.
      if (isBack) loadConfig().catch(() => {});
      this.retryMs = FIRST_RETRY_MS;
      this.present.value = "open";
      this.awaitSign();
      this.listener.onOpen();
      if (isBack) for (const other of kept) other.retry();
    };
    opened.onmessage = (message) => {
      if (this.socket !== opened) return;
      this.awaitSign();
      const frame = parseJson(String(message.data));
      if (isObject(frame) && frame["kind"] !== "ping") this.listener.onFrame(frame);
    };
    opened.onclose = () => {
      if (this.socket === opened) this.drop();
    };
  }

  private awaitSign(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => this.drop(), SILENCE_MS);
  }

  private leave(): void {
    clearTimeout(this.silenceTimer);
    const old = this.socket;
    this.socket = undefined;
    old?.close(1000);
  }

  private async retryLater(): Promise<void> {
    try {
      await loadConfig({ signal: AbortSignal.timeout(PROBE_MS) });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.present.value = "closed";
    }
    if (this.present.peek() !== "lost" || this.socket !== undefined) return;
    // A later loss may have set the timer during the request.
    clearTimeout(this.retryTimer);
    // The delays differ between tabs, so that they do not all reconnect in the same instant.
    this.retryTimer = setTimeout(() => this.open(), this.retryMs * (0.75 + Math.random() / 2));
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }
}
