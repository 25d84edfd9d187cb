// A connection to an MCP server: the era is settled, the server says who it is, its tools are listed, and listed again when it says
// that they have changed. Knows nothing of actions, credentials or the record.

import { Client, SdkHttpError, type Transport as Wire } from "@modelcontextprotocol/client";
import { messageOf } from "../../domain/error.js";
import type { Log } from "../../lib/log.js";
import { version } from "../../lib/package.js";
import type { Era } from "./description.js";
import { ServerFailure } from "./failures.js";
import { type LiveTool, listTools } from "./listing.js";

/** A request without a time of its own; a call has its own clock. The most a timer takes. */
export const NO_TIMEOUT = 2_147_483_647;
/** Silence of a server of the older era that does not answer what it does not know. */
const PROBE_MS = 10_000;
/** A server that changes several tools says so several times. */
const SETTLE_MS = 100;
/** One that says so all the time is asked less and less often, unless a call wants to know; after a calm while as at first. */
const MAX_SETTLE_MS = 30_000;
const CALM_MS = 60_000;
/** What a server that tells nobody of changes may have changed since. */
const STALE_MS = 30_000;
/** The revision that agentd wants of servers of the newer era. */
const MODERN = "2026-07-28";

/** The own name, by which a server shows that it is agentd. */
const OWN_NAME = "agentd";

/** A way to a server. */
export interface ServerWire extends Wire {
  /** Why it is over; undefined while it is not. */
  fault: string | undefined;
  /** The call in whose answer a request of the server came; undefined where that cannot be told. */
  callOf?(request: string | number): string | undefined;
}

/** What a server wants of a person: its parameters, and which call it belongs to, where that is known. */
type ElicitationHandler = (params: unknown, call: string | undefined) => Promise<{ action: string; content?: object }>;

export interface ConnectOptions {
  application: string;
  /** Undefined: it is found out. */
  era: Era | undefined;
  log: Pick<Log, "info" | "warn">;
  timeoutMs: number;
  elicit: ElicitationHandler;
}

/** A server that answers. */
export interface ServerConnection {
  readonly client: Client;
  readonly era: Era;
  /** What it calls itself; "" when it says nothing. */
  readonly serverName: string;
  readonly wire: ServerWire;
  readonly isOver: boolean;
  /** Its tools as they are now. Throws ServerFailure. */
  tools(): Promise<ReadonlyMap<string, LiveTool>>;
  close(): Promise<void>;
}

const differenceOf = (before: ReadonlyMap<string, LiveTool>, now: ReadonlyMap<string, LiveTool>): string[] => [
  ...[...now].flatMap(([name, { hash }]) =>
    before.has(name) ? (before.get(name)?.hash === hash ? [] : [`~${name}`]) : [`+${name}`],
  ),
  ...[...before.keys()].flatMap((name) => (now.has(name) ? [] : [`-${name}`])),
];

/** What the SDK throws, and the wire, as a failure. */
function toServerFailure(error: unknown, wire: ServerWire): ServerFailure {
  // The SDK wraps what the wire throws.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ServerFailure) return cause;
    // Why it was closed says more than that it was.
    if (cause instanceof SdkHttpError)
      return new ServerFailure("connection_failed", `${cause.message}; is this the address of an MCP server?`, {
        cause: error,
      });
  }
  const message = wire.fault === undefined ? messageOf(error) : wire.fault;
  return new ServerFailure("connection_failed", message, { cause: error });
}

class OpenConnection implements ServerConnection {
  readonly client: Client;
  readonly era: Era;
  readonly serverName: string;
  readonly wire: ServerWire;
  isOver = false;
  readonly #options: ConnectOptions;
  #listed: Promise<Map<string, LiveTool>>;
  #listedAt = 0;
  #known = new Map<string, LiveTool>();
  #isTold = false;
  /** Whether it has said that its tools have changed, since they were asked for. */
  #isChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #settleMs = SETTLE_MS;
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(client: Client, wire: ServerWire, options: ConnectOptions) {
    this.client = client;
    this.wire = wire;
    this.#options = options;
    this.era = client.getProtocolEra() ?? "legacy";
    this.serverName = client.getServerVersion()?.name ?? "";
    client.onclose = () => {
      this.isOver = true;
      clearTimeout(this.#timer);
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#isTold = true;
      this.#noteChange();
    });
    this.#listed = this.#list();
    // Waited for once the server is known to be another one.
    this.#listed.catch(() => {});
  }

  async #list(): Promise<Map<string, LiveTool>> {
    const { timeoutMs: timeout, application, log } = this.#options;
    const tools = await listTools(this.client, { timeout });
    const changes = this.#listedAt === 0 ? [] : differenceOf(this.#known, tools);
    if (changes.length > 0)
      log.warn(
        { application, tools: changes.slice(0, 20) },
        "an MCP server has changed its tools; those that are not what they were at the last sync are refused until the next one",
      );
    this.#known = tools;
    this.#listedAt = performance.now();
    return tools;
  }

  /** However often it is said, the tools are asked for once. */
  #noteChange(): void {
    if (this.#isChanged || this.isOver) return;
    this.#isChanged = true;
    const isCalm = performance.now() - this.#refreshedAt > CALM_MS;
    this.#settleMs = isCalm ? SETTLE_MS : Math.min(2 * this.#settleMs, MAX_SETTLE_MS);
    this.#timer = setTimeout(() => this.#refresh(), this.#settleMs).unref();
  }

  /** One list after the other: a slow server is not asked twice at once. */
  #refresh(): void {
    clearTimeout(this.#timer);
    this.#isChanged = false;
    this.#refreshedAt = performance.now();
    const last = this.#listed.catch(() => {});
    this.#listed = last.then(() => this.#list());
    // Waited for by the next call.
    this.#listed.catch(() => {});
  }

  async tools(): Promise<ReadonlyMap<string, LiveTool>> {
    const isOld = this.#listedAt > 0 && performance.now() - this.#listedAt > STALE_MS;
    if (this.#isChanged || (isOld && !this.#isTold)) this.#refresh();
    try {
      return await this.#listed;
    } catch (error) {
      // Asked anew the next time.
      this.#listedAt = 1;
      this.#isTold = false;
      throw toServerFailure(error, this.wire);
    }
  }

  /** Asks a server of the newer era to tell of changes. */
  async listen(): Promise<void> {
    if (this.era !== "modern" || this.client.getServerCapabilities()?.tools?.listChanged !== true) return;
    await this.client.listen({ toolsListChanged: true }, { timeout: this.#options.timeoutMs }).catch(() => {});
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.client.close();
  }
}

/** Connects, and lists the tools. Throws ServerFailure; the wire is closed then. */
export async function connect(wire: ServerWire, options: ConnectOptions): Promise<ServerConnection> {
  const { era, timeoutMs: timeout, log, application, elicit } = options;
  const mode = era === undefined ? "auto" : era === "modern" ? { pin: MODERN } : "legacy";
  const client = new Client(
    { name: OWN_NAME, version },
    {
      // No sampling, no roots: a server gets neither the model nor a list of folders.
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode, probe: { timeoutMs: Math.min(PROBE_MS, timeout) } },
      // What a tool gives is judged by who reads it; its schema may be anything.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  let noise = 0;
  client.onerror = (error) => {
    if (noise++ < 10)
      log.info({ application, reason: messageOf(error).slice(0, 300) }, "an MCP server sent what cannot be used");
  };
  client.setRequestHandler("elicitation/create", async ({ params }, ctx) => {
    return (await elicit(params, wire.callOf?.(ctx.mcpReq.id))) as never;
  });
  try {
    await client.connect(wire, { timeout });
    const connection = new OpenConnection(client, wire, options);
    if (connection.serverName.toLowerCase() === OWN_NAME)
      throw new ServerFailure("own_server", "this server is agentd itself, which cannot be an application of agentd");
    await connection.tools();
    await connection.listen();
    return connection;
  } catch (error) {
    await client.close().catch(() => {});
    await wire.close();
    throw toServerFailure(error, wire);
  }
}
