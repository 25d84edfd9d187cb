// A call as one line that always fits beside a button: its method, and its address with the middle left out. Pure.
import { type JsonObject, toJson } from "../../src/lib/json.js";

/** Two lines of a phone. The start names the host, the end what is changed there. */
const MAX_ADDRESS_LENGTH = 110;

/** A request in short. */
export interface CallLine {
  /** "" where a call is no HTTP request. */
  method: string;
  /** The whole address, the statement and its database, the tool and its server, or the request as JSON. */
  address: string;
  /** The address, short. */
  short: string;
}

/** The line of a request. */
export function callLine(request: JsonObject): CallLine {
  const { method, url, statement, database, server, tool } = request;
  const ofDatabase = typeof statement === "string" ? `${statement} · ${String(database)}` : undefined;
  const ofServer = typeof server === "string" && typeof tool === "string" ? `${tool} · ${server}` : undefined;
  const address = typeof url === "string" ? url : (ofDatabase ?? ofServer ?? toJson(request));
  const half = MAX_ADDRESS_LENGTH / 2;
  const isLong = address.length > MAX_ADDRESS_LENGTH;
  const left = (address.length - MAX_ADDRESS_LENGTH).toLocaleString();
  return {
    method: typeof method === "string" ? method : "",
    address,
    short: isLong ? `${address.slice(0, half)} … ${left} more characters … ${address.slice(-half)}` : address,
  };
}
