// Sessions of clients of MCP 2025-11-25 and earlier: what `initialize` begins and later requests name in `Mcp-Session-Id`, so that the
// client can be asked something while a call waits, and hears of other tools. A session belongs to the token it was begun with.
// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Caller } from "../../domain/caller.js";
import type { JsonValue } from "../../lib/json.js";

/** Clients that stay connected; of the token that has most of them the one that has been silent for longest makes room. */
const MAX_SESSIONS = 256;
/** Milliseconds of silence after which a session is over; a client that finds it gone begins another. */
const IDLE_MS = 30 * 60_000;
const LOOK_MS = 60_000;

interface Session {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  caller: Caller;
  /** Answers that are being given. */
  open: number;
  seenAt: number;
}

/** The sessions of one daemon. */
export class McpSessions {
  private readonly createServer: () => Server;
  private readonly sessions = new Map<string, Session>();
  private timer: NodeJS.Timeout | undefined;

  constructor(createServer: () => Server) {
    this.createServer = createServer;
  }

  /** Answers a request that begins a session. */
  async begin(request: Request, parsedBody: JsonValue, caller: Caller): Promise<Response> {
    if (this.sessions.size >= MAX_SESSIONS) await this.makeRoom();
    const server = this.createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      keepAliveMs: 0,
      onsessioninitialized: (id) => {
        this.sessions.set(id, { server, transport, caller, open: 0, seenAt: performance.now() });
        this.timer ??= setInterval(() => void this.endIdle(), LOOK_MS).unref();
      },
      onsessionclosed: (id) => void this.sessions.delete(id),
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  /** Answers a request of a session; undefined when there is none of this name and token. */
  async continue(
    id: string,
    request: Request,
    { parsedBody, caller }: { parsedBody: JsonValue | undefined; caller: Caller },
  ): Promise<Response | undefined> {
    const session = this.sessions.get(id);
    if (session?.caller !== caller) return undefined;
    session.open++;
    session.seenAt = performance.now();
    request.signal.addEventListener("abort", () => {
      session.open--;
      session.seenAt = performance.now();
    });
    return session.transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
  }

  /** Tells every client that the tools have become others. */
  tellToolsChanged(): void {
    for (const { server } of this.sessions.values()) server.sendToolListChanged().catch(() => undefined);
  }

  /** Ends the sessions of callers that are not admitted any more. */
  async revoke(isRevoked: (caller: Caller) => boolean): Promise<void> {
    await this.end(([, { caller }]) => isRevoked(caller));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.end(() => true);
  }

  private async makeRoom(): Promise<void> {
    const counts = new Map<Caller, number>();
    for (const { caller } of this.sessions.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const [oldest] = [...this.sessions]
      .filter(([, { caller }]) => counts.get(caller) === most)
      .sort(([, a], [, b]) => a.open - b.open || a.seenAt - b.seenAt);
    await this.end(([id]) => id === oldest?.[0]);
  }

  private async endIdle(): Promise<void> {
    const limit = performance.now() - IDLE_MS;
    await this.end(([, { open, seenAt }]) => open === 0 && seenAt < limit);
  }

  private async end(isEnded: (entry: [string, Session]) => boolean): Promise<void> {
    const ended = [...this.sessions].filter(isEnded);
    for (const [id] of ended) this.sessions.delete(id);
    await Promise.all(ended.map(([, { server }]) => server.close()));
  }
}
