// The connections to the servers of applications: one each, kept between calls, made anew when it is over or its place is another.
// A server that does not come up is left alone for a while, longer each time.
import { messageOf, StartError } from "../../domain/error.js";
import { canonicalJson, type JsonValue } from "../../lib/json.js";
import type { TransportContext } from "../kind.js";
import { CallError, type Target } from "../transport.js";
import type { RunningCall } from "./call.js";
import type { ServerConnection } from "./connection.js";
import { createServerCredentials } from "./credentials.js";
import type { Era } from "./description.js";
import { ServerFailure } from "./failures.js";
import { connectTo, type ServerPlace, serverUrl } from "./server.js";

/** Milliseconds before a server is tried again after a failure, doubled with each that follows. */
const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 60_000;
/** Programs may take longer to start than to answer. */
const MIN_CONNECT_MS = 20_000;

/** An open server, and the calls that run on it. */
export interface OpenServer {
  connection: ServerConnection;
  running: Map<string, RunningCall>;
}

interface Entry {
  /** Of everything that a connection depends on. */
  key: string;
  open: Promise<OpenServer>;
}

/** The servers of all applications. */
export interface Servers {
  /** Throws CallError when it is not known where the server is, ServerFailure when it cannot be reached. */
  get(target: Target, era: Era): Promise<OpenServer>;
  /** Ends the connection of an application, so that the next call makes another. */
  drop(application: string): void;
  close(): Promise<void>;
}

/** Where the server of an application is. Throws CallError. */
function placeOf({
  program,
  location,
  locationFault,
}: Target): { program: NonNullable<Target["program"]> } | { url: URL } {
  if (program) return { program };
  if (location === undefined)
    throw new CallError(
      locationFault ?? "where this MCP server is was not kept; run agentd sync mcp again with its command or address",
    );
  try {
    return { url: serverUrl(location) };
  } catch (error) {
    if (error instanceof StartError) throw new CallError(messageOf(error));
    throw error;
  }
}

/** What opening needs beside the target. */
interface OpenContext {
  log: TransportContext["log"];
  /** What to send with each request to an address. */
  headers(): Promise<Record<string, string>>;
}

async function openServer(target: Target, era: Era, { log, headers }: OpenContext): Promise<OpenServer> {
  const { application, timeoutMs } = target;
  const found = placeOf(target);
  const place: ServerPlace = "url" in found ? { ...found, headers } : found;
  const running = new Map<string, RunningCall>();
  const connection = await connectTo(place, {
    application,
    era,
    log,
    timeoutMs: Math.max(timeoutMs, MIN_CONNECT_MS),
    async elicit(params, call) {
      // Over standard streams nothing says whose question it is.
      const only = running.size === 1 ? [...running.values()][0] : undefined;
      const asking = call === undefined ? only : running.get(call);
      if (asking) return asking.elicit(params as JsonValue);
      log.warn({ application }, "an MCP server asks a person, and it cannot be told for which call; it gets no answer");
      return { action: "cancel" };
    },
  });
  return { connection, running };
}

/** How long a server that fails is left alone. */
interface BackOff {
  /** Why an application's server is not tried now; undefined when it may be. */
  fault(application: string): ServerFailure | undefined;
  failed(application: string): void;
  forget(application: string): void;
}

function createBackOff(): BackOff {
  const failures = new Map<string, { count: number; until: number }>();
  return {
    fault(application) {
      const { count, until } = failures.get(application) ?? { count: 0, until: 0 };
      const wait = Math.ceil((until - performance.now()) / 1_000);
      const message = `the server failed ${count} times in a row; it is tried again in ${wait} s`;
      return wait > 0 ? new ServerFailure("connection_failed", message) : undefined;
    },
    failed(application) {
      const count = (failures.get(application)?.count ?? 0) + 1;
      const pause = count < 2 ? 0 : Math.min(BACK_OFF_MS * 2 ** count, MAX_BACK_OFF_MS);
      failures.set(application, { count, until: performance.now() + pause });
    },
    forget: (application) => void failures.delete(application),
  };
}

/** Opens servers as they are needed. */
export function createServers(context: Omit<TransportContext, "spoolFolder">): Servers {
  const entries = new Map<string, Entry>();
  /** As they were at the last call: a credential may be another by then. */
  const targets = new Map<string, Target>();
  const backOff = createBackOff();
  const credentials = createServerCredentials(context);
  const { log } = context;
  let isClosed = false;

  const end = (entry: Entry | undefined): Promise<void> =>
    entry ? entry.open.then(({ connection }) => connection.close()).catch(() => {}) : Promise.resolve();

  const open = (target: Target, era: Era): Promise<OpenServer> =>
    openServer(target, era, {
      log,
      headers: () => credentials.headers(targets.get(target.application) ?? target),
    });

  const attempt = (target: Target, era: Era, key: string): Promise<OpenServer> => {
    const { application } = target;
    const fault = backOff.fault(application);
    if (fault) return Promise.reject(fault);
    const opening = open(target, era);
    entries.set(application, { key, open: opening });
    opening.then(
      () => backOff.forget(application),
      (error: unknown) => {
        if (error instanceof ServerFailure) backOff.failed(application);
        if (entries.get(application)?.open === opening) entries.delete(application);
      },
    );
    return opening;
  };

  return {
    async get(target, era) {
      if (isClosed) throw new ServerFailure("connection_closed", "agentd is shutting down");
      const { application, program, location, headers } = target;
      targets.set(application, target);
      const key = canonicalJson({
        program: program ?? null,
        location: location ?? null,
        headers,
        era,
      } as unknown as JsonValue);
      const known = entries.get(application);
      if (known?.key === key) {
        const server = await known.open;
        if (!server.connection.isOver) return server;
        // Another call may have made a new one meanwhile.
        const now = entries.get(application);
        if (now && now !== known) return now.open;
        entries.delete(application);
      } else if (known) {
        entries.delete(application);
        backOff.forget(application);
        void end(known);
      }
      return attempt(target, era, key);
    },
    drop(application) {
      const entry = entries.get(application);
      entries.delete(application);
      void end(entry);
    },
    async close() {
      isClosed = true;
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(end));
      await credentials.close();
    },
  };
}
