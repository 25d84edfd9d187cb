// Requests to the daemon this page came from, and to nothing else. JSON goes through the lossless reader, so integers beyond
// 2^53 keep their digits. A 401 from anywhere signs the page out.
import { type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import { hearDate } from "./clock.js";
import { keptToken, signedOut } from "./token.js";

/** A request that did not work. `status` is 0 when the daemon did not answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: string[];

  constructor(status: number, message: string, details: string[] = []) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.details = details;
  }
}

/** A request that is not a plain GET. */
export interface Ask {
  method?: "GET" | "POST" | "DELETE";
  body?: JsonValue;
  /** Use this token instead of the kept one. */
  token?: string;
  signal?: AbortSignal;
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { message: string; details?: string[] } };
    return new ApiError(response.status, error.message, error.details);
  } catch {
    return new ApiError(response.status, `The daemon answered ${response.status} ${response.statusText}.`);
  }
}

/** Asks the daemon and returns its JSON; `undefined` for an empty answer. Throws ApiError, or AbortError when aborted. */
export async function ask(path: string, options: Ask = {}): Promise<unknown> {
  const token = options.token ?? keptToken();
  const headers = new Headers({ accept: "application/json" });
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  if (options.body !== undefined) headers.set("content-type", "application/json");
  let response: Response;
  const sentAt = Date.now();
  try {
    response = await fetch(path, {
      method: options.method ?? "GET",
      headers,
      body: options.body === undefined ? null : toJson(options.body),
      signal: options.signal ?? null,
      cache: "no-store",
      redirect: "error",
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, "The daemon does not answer. Is it still running?");
  }
  hearDate(response.headers.get("date"), sentAt);
  if (response.status === 401 && options.token === undefined) signedOut.value = true;
  if (!response.ok) throw await errorOf(response);
  const text = await response.text();
  return text === "" ? undefined : parseJson(text);
}

/** A sentence for whatever a request threw. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) return [error.message, ...error.details].join("\n");
  return error instanceof Error ? error.message : String(error);
}
