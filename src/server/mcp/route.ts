// /-/mcp: the express side of the MCP endpoint. Turns a request into the Fetch API's, and a response back; everything between is in
// endpoint.ts, which is loaded by the first request. Source: docs/mcp.md, "agentd as an MCP server"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import type { Agent } from "../../domain/agent.js";
import type { Caller } from "../../domain/caller.js";
import { AppError } from "../../domain/error.js";
import { withDigits } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { callerOf } from "../access/caller.js";
import { readText } from "../request/body.js";
import { modesOf } from "../request/mode-headers.js";
import { SessionId } from "../request/request.js";
import { HEARTBEAT_MS, type StreamTimes } from "../response/event-stream.js";
import { drained, onResponseEnd } from "../response/respond.js";
import type { Route } from "../route.js";
import type { Readers } from "../run/readers.js";
import type { McpEndpoint } from "./endpoint.js";
import type { McpExchange } from "./exchange.js";

/** Where the endpoint is. */
export const MCP_PATH = "/-/mcp";

/** What the routes need. */
interface McpContext extends StreamTimes {
  agent: Agent;
  readers: Readers;
  /** What stands before every path; "" for nothing. */
  basePath: string;
  log: Log;
  redact(text: string): string;
}

/** The routes, and the end of what they keep. */
interface McpRoutes {
  routes: Route[];
  revoke(isRevoked: (caller: Caller) => boolean): void;
  close(): void;
}

/** Where held calls are decided, for the browser of whoever reached the daemon like this. */
function pageOf({ headers, socket }: ExpressRequest, basePath: string): string | undefined {
  // A unix socket has no port; browsers go to none.
  if (socket.remoteAddress === undefined) return undefined;
  const host = String(headers["x-forwarded-host"] ?? headers.host);
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${host}${basePath}/browse/approvals`;
}

function sessionOf(header: string | string[] | undefined): string {
  if (header === undefined || header === "") return "";
  const parsed = SessionId.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new AppError("bad_request", "X-Session-Id must be the name of a session: 1 to 200 printable ASCII characters.");
}

function exchangeOf(req: ExpressRequest, basePath: string): McpExchange {
  const label = req.headers["x-agentd-client"];
  return {
    caller: callerOf(req),
    session_id: sessionOf(req.headers["x-session-id"]),
    policy: modesOf(req.headers),
    client: typeof label === "string" ? label : undefined,
    page: pageOf(req, basePath),
  };
}

/** The request for the endpoint; its body is handed over apart. */
function toFetchRequest({ method, url, rawHeaders }: ExpressRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  return new Request(`http://localhost${url}`, { method, headers, signal });
}

const decoder = new TextDecoder();

/** Sends a response as it comes, in its client's own time, with the digits that the SDK cannot write; a stream is kept alive. */
async function sendResponse(
  response: Response,
  res: ExpressResponse,
  { heartbeatMs = HEARTBEAT_MS, stalledMs }: StreamTimes,
): Promise<void> {
  const { body, headers, status } = response;
  for (const [name, value] of headers)
    if (name !== "connection" && name !== "content-length") res.setHeader(name, value);
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true || body === null) {
    const text = withDigits(body === null ? "" : await response.text());
    res.writeHead(status, text === "" ? {} : { "Content-Length": Buffer.byteLength(text) }).end(text);
    return;
  }
  res.writeHead(status).flushHeaders();
  const reader = body.getReader();
  const heartbeat = setInterval(
    () => !res.destroyed && !res.writableNeedDrain && res.write(": alive\n\n"),
    heartbeatMs,
  );
  heartbeat.unref();
  onResponseEnd(res.req, res, () => {
    clearInterval(heartbeat);
    reader.cancel().catch(() => undefined);
  });
  for (;;) {
    // Each chunk is one whole message.
    const { done, value } = await reader.read();
    if (done || res.destroyed) break;
    heartbeat.refresh();
    res.write(withDigits(decoder.decode(value as Uint8Array)));
    await drained(res, stalledMs);
  }
  clearInterval(heartbeat);
  res.end();
}

/** The routes over an agent. */
export function createMcpRoutes({ agent, readers, basePath, ...options }: McpContext): McpRoutes {
  let opened: Promise<McpEndpoint> | undefined;
  const open = (): Promise<McpEndpoint> =>
    (opened ??= import("./endpoint.js").then(({ createMcpEndpoint }) => createMcpEndpoint(agent, options)));
  const handle: Route["handle"] = async (req, res) => {
    const exchange = exchangeOf(req, basePath);
    const signal = readers.admit(req, res);
    const body = req.method === "POST" ? await readText(req, res) : undefined;
    const response = await (await open()).answer(toFetchRequest(req, signal), body, exchange);
    await sendResponse(response, res, options);
  };
  const withOpened = (use: (endpoint: McpEndpoint) => void): void => void opened?.then(use, () => undefined);
  return {
    routes: [
      // Its calls run in read_only.
      { method: "post", path: MCP_PATH, forReadOnly: true, handle },
      { method: "get", path: MCP_PATH, handle },
      { method: "delete", path: MCP_PATH, forReadOnly: true, handle },
    ],
    revoke: (isRevoked) => withOpened((endpoint) => endpoint.revoke(isRevoked)),
    close: () => withOpened((endpoint) => void endpoint.close()),
  };
}
