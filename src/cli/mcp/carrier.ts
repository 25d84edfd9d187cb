// How a message of an MCP client on standard input reaches the endpoint: over HTTP, in the daemon that runs on the data directory, or
// in this process. Both look the same from here. Types only.

/** One HTTP request of the protocol. */
interface CarriedRequest {
  method: "POST" | "GET" | "DELETE";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** The answer, its body as it comes. */
export interface CarriedAnswer {
  status: number;
  /** Such as `application/json`; "" without one. */
  type: string;
  /** `Mcp-Session-Id`. */
  session: string | undefined;
  chunks: AsyncIterable<string>;
}

/** Takes requests to an endpoint. */
export interface Carrier {
  send(request: CarriedRequest): Promise<CarriedAnswer>;
  /** Looks where the endpoint is now, after nothing could be sent. Throws StartError when it is nowhere. */
  again(): Promise<void>;
  close(): Promise<void>;
}
