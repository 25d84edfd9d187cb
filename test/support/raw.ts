// HTTP and WebSocket as bytes: what a well-behaved client library would never send, and what was really answered.
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";

/** What arrived on a connection. */
export interface Received {
  /** Everything received, one character a byte. */
  text: string;
  /** Status of the first response, 0 when there was none. */
  status: number;
  /** Whether the peer closed the connection. */
  closed: boolean;
}

/** A connection to a daemon. */
export interface Wire {
  socket: Socket;
  write(bytes: string | Buffer): void;
  received(): Received;
  /** Resolves when the peer has closed, when `enough` is true of what was received, or after `ms`. */
  wait(ms?: number, enough?: (received: Received) => boolean): Promise<Received>;
  end(): void;
}

/** Opens a connection to 127.0.0.1. Texts are written one byte a character. */
export async function openWire(port: number): Promise<Wire> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  let closed = false;
  let onChange = (): void => {};
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    onChange();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    onChange();
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  const received = (): Received => {
    const text = Buffer.concat(chunks).toString("latin1");
    return { text, closed, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) };
  };
  return {
    socket,
    write: (bytes) => void socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes),
    received,
    wait: (ms = 5000, enough = () => false) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(received()), ms);
        onChange = () => {
          if (!closed && !enough(received())) return;
          clearTimeout(timer);
          resolve(received());
        };
        onChange();
      }),
    end: () => socket.destroy(),
  };
}

/** Whether a whole response with a Content-Length, or the head of one without, has arrived. */
export function hasResponse({ text }: Received): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

/** Sends bytes and returns the response to them. */
export async function send(port: number, bytes: string | Buffer, ms = 5000): Promise<Received> {
  const wire = await openWire(port);
  wire.write(bytes);
  const headOnly = bytes.toString().startsWith("HEAD ");
  const received = await wire.wait(ms, headOnly ? ({ text }) => text.includes("\r\n\r\n") : hasResponse);
  wire.end();
  return received;
}

/** The bytes of a request without a body; `Host` is the daemon's own unless given. */
export function request(port: number, line: string, headers: readonly string[] = []): string {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: 127.0.0.1:${port}`];
  return `${[`${line} HTTP/1.1`, ...host, ...headers].join("\r\n")}\r\n\r\n`;
}

/** The headers of a WebSocket handshake. */
export const HANDSHAKE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
] as const;

/** Opens /chat by hand and returns the wire with the response's head already received. */
export async function openChatWire(port: number, headers: readonly string[] = []): Promise<Wire> {
  const wire = await openWire(port);
  wire.write(request(port, "GET /chat", [...HANDSHAKE, ...headers]));
  await wire.wait(5000, ({ text }) => text.includes("\r\n\r\n"));
  return wire;
}

/** The close code in a connection's bytes after the handshake, if its first frame is a close frame. */
export function closeCode({ text }: Received): number | undefined {
  const frame = Buffer.from(text.slice(text.indexOf("\r\n\r\n") + 4), "latin1");
  return frame[0] === 0x88 && frame.length >= 4 ? frame.readUInt16BE(2) : undefined;
}

/** A /chat client that keeps the frames it receives. */
export interface ChatClient {
  ws: WebSocket;
  /** The X-Session-Id of the handshake. */
  session_id: string;
  frames: { kind: string; [field: string]: unknown }[];
  send(frame: object | string): void;
  /** The frames of the next `turns` turns that no earlier call returned: up to and with their `done`. */
  turns(turns?: number): Promise<ChatClient["frames"]>;
  /** Resolves when `enough` is true of the frames so far. */
  until(enough: (frames: ChatClient["frames"]) => boolean): Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Connects to /chat; `address` is the daemon's `http://` one with path and query. */
export async function openChat(address: string, headers: Record<string, string> = {}): Promise<ChatClient> {
  const ws = new WebSocket(address.replace(/^http/, "ws"), { headers });
  const frames: ChatClient["frames"] = [];
  let taken = 0;
  let onFrame = (): void => {};
  let session_id = "";
  ws.on("upgrade", (response) => {
    session_id = String(response.headers["x-session-id"]);
  });
  ws.on("message", (data) => {
    frames.push(JSON.parse(data.toString()));
    onFrame();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on("close", (code, reason) => {
      resolve({ code, reason: reason.toString() });
      onFrame();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    ws.once("open", resolve);
    ws.once("error", reject);
  });
  ws.on("error", () => {});
  const until: ChatClient["until"] = (enough) =>
    new Promise((resolve, reject) => {
      onFrame = () => {
        if (enough(frames)) resolve();
        else if (ws.readyState === ws.CLOSED) reject(new Error(`closed after ${JSON.stringify(frames)}`));
      };
      onFrame();
    });
  return {
    ws,
    session_id,
    frames,
    closed,
    until,
    send: (frame) => ws.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    async turns(turns = 1) {
      const dones = (): number[] =>
        frames.flatMap((frame, at) => (at >= taken && frame.kind === "done" ? [at] : [])).slice(0, turns);
      await until(() => dones().length === turns);
      const end = (dones().at(-1) ?? 0) + 1;
      const part = frames.slice(taken, end);
      taken = end;
      return part;
    },
    close: () => ws.terminate(),
  };
}

/** The kinds of a list of events, in order. */
export const kinds = (events: readonly { kind: string }[]): string[] => events.map(({ kind }) => kind);
