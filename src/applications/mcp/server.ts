// From where a server is to a connection: the program or the address, and what the operator wants sent there.
import { StartError, usageError } from "../../domain/error.js";
import { withoutTrailing } from "../../lib/trailing.js";
import type { Target } from "../transport.js";
import { type ConnectOptions, connect, type ServerConnection, type ServerWire } from "./connection.js";
import { ServerFailure } from "./failures.js";
import { HttpWire } from "./http-wire.js";
import { StdioWire } from "./stdio.js";

/** Where a server is. */
export type ServerPlace =
  | { program: NonNullable<Target["program"]> }
  | { url: URL; headers(): Promise<Record<string, string>> };

function wireTo(place: ServerPlace, { log, application }: ConnectOptions): ServerWire {
  return "program" in place ? new StdioWire({ program: place.program, log, application }) : new HttpWire(place);
}

/** Connects to a server. Throws ServerFailure. */
export async function connectTo(place: ServerPlace, options: ConnectOptions): Promise<ServerConnection> {
  try {
    return await connect(wireTo(place, options), options);
  } catch (error) {
    const mayBeOlder = "program" in place && options.era === undefined;
    if (!mayBeOlder || !(error instanceof ServerFailure) || error.code === "own_server") throw error;
    // Some servers of the older era end when they are asked what they do not know.
    return connect(wireTo(place, options), { ...options, era: "legacy" });
  }
}

/** The address of a server. Throws StartError for what is none, and for one of agentd. */
export function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError("the address of an MCP server begins with http:// or https://");
  if (withoutTrailing(url.pathname, "/").endsWith("/-/mcp"))
    throw new StartError(
      `${url.origin}${url.pathname} is the address of an agentd, which cannot be an application of agentd.`,
    );
  url.hash = "";
  return url;
}
