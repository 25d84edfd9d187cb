// Requests to the daemon this page came from, and to no other host. JSON goes through the lossless reader, so integers beyond
// 2^53 keep their digits. A 401 to any request signs the page out.
import { isObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import { BASE } from "./base.js";
import { syncClockToDate } from "./clock.js";
import { signedOut, storedToken } from "./token.js";

/** A request that failed. `status` is 0 when the daemon did not answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: string[];
  /** The daemon's own; "" where something else answered. */
  readonly code: string;

  constructor(
    status: number,
    message: string,
    { details = [], code = "" }: { details?: string[]; code?: string } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.details = details;
    this.code = code;
  }
}

/** What distinguishes a request from a plain GET. */
interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: JsonValue;
  /** Use this token instead of the stored one. */
  token?: string;
  signal?: AbortSignal;
  /** Gets the headers of an answer that is no error. */
  onHeaders?: (headers: Headers) => void;
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { message: string; details?: string[]; code?: string } };
    return new ApiError(response.status, error.message, error);
  } catch {
    return new ApiError(response.status, `The daemon answered ${response.status} ${response.statusText}.`);
  }
}

/** Sends a request. Throws ApiError, also for an answer that is an error, or AbortError when aborted. */
async function send(path: string, options: RequestOptions, accept: string): Promise<Response> {
  const token = options.token ?? storedToken();
  const headers = new Headers({ accept, "x-agentd-client": "web" });
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  if (options.body !== undefined) headers.set("content-type", "application/json");
  let response: Response;
  const sentAt = Date.now();
  try {
    response = await fetch(BASE + path, {
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
  syncClockToDate(response.headers.get("date"), sentAt);
  if (response.status === 401 && options.token === undefined) signedOut.value = true;
  if (!response.ok) throw await toApiError(response);
  options.onHeaders?.(response.headers);
  return response;
}

/** Sends a request and returns the JSON of its answer; `undefined` for an empty one. Throws ApiError, or AbortError when aborted. */
export async function requestJson(path: string, options: RequestOptions = {}): Promise<unknown> {
  const text = await (await send(path, options, "application/json")).text();
  return text === "" ? undefined : parseJson(text);
}

/** Gets an answer of a type as it is. Throws as requestJson. */
export async function requestBlob(path: string, accept: string): Promise<Blob> {
  return (await send(path, {}, accept)).blob();
}

/** Sends a request and returns the array in its answer: the answer itself, or its field of the given name. Throws as requestJson. */
export async function requestList<T>(path: string, field: string, options: RequestOptions = {}): Promise<T[]> {
  const answer = await requestJson(path, options);
  const list = isObject(answer) ? answer[field] : answer;
  return Array.isArray(list) ? (list as unknown as T[]) : [];
}

/** The sentence to display for what a request threw. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { message, details } = error;
    // A single thing that is wrong is the message, too.
    return [message, ...details.filter((detail) => !message.includes(detail))].join("\n");
  }
  return error instanceof Error ? error.message : String(error);
}
