// Keep-alive connections to any origin: directly, or through the proxy that the environment names for it. What breaks on the way to
// a proxy is told apart from what breaks behind it. Of undici one part is loaded unless there is a proxy: its fetch and caches take
// memory and time. Source: docs/reference.md, "Proxies and certificates".
import type { Agent, Dispatcher } from "undici";
import { trustOptions } from "./authorities.js";
import { networkFailureOf } from "./network-failure.js";
import { ProxyError, type ProxyServer, proxyFor } from "./proxy.js";

/** A proxy that takes a connection and then does not say whether it lets a request through. */
const PROXY_ANSWER_MS = 30_000;

/** How a request gets to its origin. */
export interface Way {
  dispatcher: Dispatcher;
  /** Says what a failure on this way is a failure of. */
  explain(error: unknown): unknown;
}

/** Connections to any origin. */
export interface Connections {
  /** Rejects with ProxyError when the variable that names the origin's proxy cannot be used. */
  wayTo(origin: string): Promise<Way>;
  destroy(): Promise<void>;
}

/** Options of the connections to an origin. */
type PoolOptions = Omit<Agent.Options, "connect"> & { connect?: { timeout?: number } };

/** What undici says when a proxy answers with anything but a connection. */
const REFUSED_BY_PROXY = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** An error of a request that went through a proxy: the proxy's own, where it is one. */
function throughProxy({ origin, variable }: ProxyServer, error: unknown): unknown {
  const cause = { cause: error };
  const status = error instanceof Error ? REFUSED_BY_PROXY.exec(error.message)?.[1] : undefined;
  if (status === "407")
    return new ProxyError(
      `the proxy ${origin} wants a user and password (407); put the right ones into ${variable}`,
      cause,
    );
  if (status !== undefined)
    return new ProxyError(
      `the proxy ${origin} refused the connection with status ${status}; ask who runs it, or name the host in NO_PROXY`,
      cause,
    );
  const { kind, code, mayBeSent } = networkFailureOf(error);
  // The one connection that was opened is the proxy's; a certificate is that of the host behind it.
  const isProxys = !mayBeSent && kind !== "tls" && kind !== "invalid_request" && kind !== "proxy";
  if (!isProxys) return error;
  return new ProxyError(
    `the proxy ${origin} cannot be reached (${code}); correct or unset ${variable}, or name the host in NO_PROXY`,
    cause,
  );
}

async function openProxied(proxy: ProxyServer, { connect, ...options }: PoolOptions): Promise<Dispatcher> {
  // All of it: a tunnel is asked for with a method that the parts do not have.
  const { Pool, ProxyAgent } = await import("undici");
  const tls = { ...connect, ...trustOptions() };
  return new ProxyAgent({
    ...options,
    uri: proxy.origin,
    token: proxy.authorization,
    // Plain HTTP in absolute form, as proxies expect it; a tunnel is for TLS.
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, own) => new Pool(origin, { ...own, headersTimeout: PROXY_ANSWER_MS }),
    factory: (origin, own) => new Pool(origin, { ...options, ...own }),
  });
}

/** Opens connections as they are needed. */
export async function openConnections(options: PoolOptions): Promise<Connections> {
  const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
  const { connect, ...rest } = options;
  const agent = new Agent({ ...rest, connect: { ...connect, ...trustOptions() } });
  const direct: Way = { dispatcher: agent, explain: (error) => error };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  const ways = new Map<string, Promise<Way>>();
  const findWay = async (origin: string): Promise<Way> => {
    const proxy = proxyFor(origin);
    if (!proxy) return direct;
    const opened = dispatchers.get(proxy.variable) ?? openProxied(proxy, options);
    dispatchers.set(proxy.variable, opened);
    return { dispatcher: await opened, explain: (error) => throughProxy(proxy, error) };
  };
  return {
    wayTo(origin) {
      const way = ways.get(origin) ?? findWay(origin);
      ways.set(origin, way);
      return way;
    },
    async destroy() {
      const opened = await Promise.all(dispatchers.values());
      await Promise.all([agent, ...opened].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
