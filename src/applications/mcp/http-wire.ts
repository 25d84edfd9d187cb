// The transport over Streamable HTTP: each message is a request of its own, answered by JSON or by a stream of events. Every digit
// is kept, every answer bounded, no redirect followed, nothing sent twice. Source: Model Context Protocol, "Streamable HTTP".
import { setTimeout as sleep } from "node:timers/promises";
import {
  type JSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  type TransportSendOptions,
  type Transport as Wire,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../domain/error.js";
import { type Connections, openConnections } from "../../lib/connections.js";
import { type Answer, dispatch } from "../../lib/http-exchange.js";
import { toJson } from "../../lib/json.js";
import { ServerFailure } from "./failures.js";
import { AnswerGate, FloodError, FloodGate } from "./flood.js";
import { endsSoon, exchangeFailure, mediaType, readAnswerText, redirected } from "./http-answer.js";
import { impliedHeaders, mirroredHeaders } from "./http-headers.js";
import { isAnswer, lostAnswer, MAX_MESSAGE_BYTES, membersOf, parseMessage } from "./message.js";
import { serverEvents } from "./server-events.js";

const CONNECT_MS = 10_000;
/** Bytes of an answer that says what went wrong. */
const MAX_FAULT_BYTES = 64 * 1024;
/** How often a stream that breaks is taken up again, and milliseconds before that where the server names none. */
const MAX_RESUMED = 5;
const RESUME_MS = 1_000;
const MAX_RESUME_MS = 30_000;
/** The end of a session is said, not waited for longer. */
const GOODBYE_MS = 1_000;

/** In options of the SDK: which call a request belongs to. Never sent. */
export const CALL_HEADER = "agentd-call";

interface HttpWireOptions {
  url: URL;
  /** What the operator wants sent with every request, credentials included; secrets. Throws ServerFailure. */
  headers(): Promise<Record<string, string>>;
}

/** A stream of events that belongs to a request, or to none. */
interface Stream {
  id?: string | number | undefined;
  call?: string | undefined;
  signal: AbortSignal;
}

type Send = Parameters<Wire["send"]>[1];

/** An address of Streamable HTTP. */
export class HttpWire implements Wire {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Wire["onmessage"];
  sessionId?: string | undefined;
  fault: string | undefined;
  readonly #options: HttpWireOptions;
  readonly #closing = new AbortController();
  readonly #open = new Map<string | number, AbortController>();
  /** Which call a request of the server belongs to, by the request's id. */
  readonly #callOf = new Map<string | number, string>();
  readonly #gate = new FloodGate();
  readonly #answers = new AnswerGate();
  #connections: Connections | undefined;
  #version: string | undefined;

  constructor(options: HttpWireOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#connections = await openConnections({
      connect: { timeout: CONNECT_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** The call in whose stream a request of the server came. */
  callOf(request: string | number): string | undefined {
    return this.#callOf.get(request);
  }

  async #exchange(
    method: string,
    { body, headers, signal }: { body?: string; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Answer> {
    const { url } = this.#options;
    const own = await this.#options.headers();
    const common: Record<string, string> = { "user-agent": "agentd", ...own };
    if (this.sessionId !== undefined) common["mcp-session-id"] = this.sessionId;
    if (this.#version !== undefined) common["mcp-protocol-version"] = this.#version;
    if (!this.#connections || signal.aborted) throw new ServerFailure("connection_closed", "the connection was closed");
    const { origin, pathname, search } = url;
    const request = { origin, path: pathname + search, method, headers: { ...common, ...headers }, body: body ?? null };
    const exchange = dispatch(await this.#connections.wayTo(origin), request as Parameters<typeof dispatch>[1]);
    const abort = (): void => exchange.abort(new ServerFailure("connection_closed", "the request was ended"));
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await exchange.answer;
    } catch (error) {
      throw exchangeFailure(this.#options.url.host, error);
    }
  }

  async send(message: JSONRPCMessage, options?: Send): Promise<void> {
    if (!isAnswer(message)) return this.#post(message, options);
    await this.#answers
      .send(() => this.#post(message, options))
      .catch((error) => {
        if (error instanceof FloodError) this.#end(error);
        throw error;
      });
  }

  async #post(message: JSONRPCMessage, options: Send = {}): Promise<void> {
    const members = membersOf(message);
    const { id, method } = members as { id?: string | number; method?: string };
    const isRequest = id !== undefined && method !== undefined;
    const own = new AbortController();
    const signals = [this.#closing.signal, own.signal, ...(options.requestSignal ? [options.requestSignal] : [])];
    const signal = AbortSignal.any(signals);
    if (isRequest) this.#open.set(id, own);
    if (!isRequest && id !== undefined) this.#callOf.delete(id);
    if (method === "initialize") this.sessionId = undefined;
    try {
      const headers = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...impliedHeaders(members),
        ...mirroredHeaders(options.headers),
      };
      const answer = await this.#exchange("POST", { body: toJson(message), headers, signal });
      const session = answer.headers["mcp-session-id"];
      if (method === "initialize" && answer.status < 300 && typeof session === "string") this.sessionId = session;
      await this.#answered(
        answer,
        { id: isRequest ? id : undefined, call: options.headers?.[CALL_HEADER], signal },
        options,
      );
      if (method === "notifications/initialized") void this.#listen();
      if (method === "notifications/cancelled") this.#cancel(members["params"]);
    } catch (error) {
      if (isRequest) this.#open.delete(id);
      throw error instanceof RangeError || error instanceof SyntaxError
        ? new ServerFailure("invalid_response", messageOf(error), { cause: error, mayBeDone: true })
        : error;
    }
  }

  #cancel(params: unknown): void {
    const { requestId } = params as { requestId?: string | number };
    if (requestId !== undefined) this.#open.get(requestId)?.abort();
  }

  async #answered(answer: Answer, stream: Stream, { onRequestStreamEnd }: TransportSendOptions): Promise<void> {
    const { status } = answer;
    const { id } = stream;
    if (status >= 300) return this.#refused(answer, id);
    const type = mediaType(answer);
    if (status === 202 || id === undefined) {
      answer.body.destroy();
      return;
    }
    if (type === "text/event-stream") {
      void this.#follow(answer, stream).finally(onRequestStreamEnd);
      return;
    }
    if (type !== "application/json") {
      answer.body.destroy();
      const message = `it answered with ${type === "" ? "no media type" : type}, not with JSON or events; is this the address of an MCP server?`;
      throw new ServerFailure("invalid_response", message, { mayBeDone: true });
    }
    this.#give(parseMessage(await readAnswerText(answer, MAX_MESSAGE_BYTES)), stream);
  }

  /** An answer that is none: what the SDK tells the eras by, in its own form. */
  async #refused(answer: Answer, id: string | number | undefined): Promise<void> {
    const { status } = answer;
    const { host } = this.#options.url;
    const text = await readAnswerText(answer, MAX_FAULT_BYTES).catch(() => "");
    if (status < 400) throw redirected(host, answer);
    if (status === 401 || status === 403)
      throw new ServerFailure(
        "auth_failed",
        `${host} refuses the credentials (${status}); give it others in config.json, as auth: {"bearer": "env:NAME"} or headers`,
      );
    if (status === 404 && this.sessionId !== undefined)
      throw new ServerFailure("session_expired", `${host} has ended the session; nothing was done`);
    try {
      const message = parseMessage(text);
      // Says it better than the status.
      if (id !== undefined && isAnswer(message) && membersOf(message)["id"] === id) {
        this.#give(message, { id, signal: this.#closing.signal });
        return;
      }
    } catch {
      // A page for people.
    }
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `${host} answered with ${status}`, {
      status,
      statusText: "",
      text,
    });
  }

  #give(message: JSONRPCMessage, { call }: Stream): void {
    const { id, method } = membersOf(message) as { id?: string | number; method?: string };
    if (id !== undefined && method !== undefined && call !== undefined) this.#callOf.set(id, call);
    if (id !== undefined && method === undefined && this.#open.delete(id)) this.#gate.answered();
    else if (this.#gate.message()) throw new FloodError();
    // An answer comes behind what was said before it, which the SDK takes a moment later.
    if (method === undefined) setImmediate(() => this.onmessage?.(message));
    else this.onmessage?.(message);
  }

  /** Gives out what a stream has, and takes it up again where it breaks and says how. */
  async #follow(first: Answer, stream: Stream): Promise<void> {
    const { id, signal } = stream;
    const isWaiting = (): boolean => id === undefined || this.#open.has(id);
    let answer: Answer | undefined = first;
    let last: string | undefined;
    let wait = RESUME_MS;
    let isLate = false;
    for (let resumed = 0; answer && resumed <= MAX_RESUMED; resumed++) {
      try {
        const { body } = answer;
        for await (const event of serverEvents(body, this.#gate)) {
          last = event.id ?? last;
          wait = Math.min(event.retry ?? wait, MAX_RESUME_MS);
          if (event.type === "message" && event.data.trim() !== "") this.#give(parseMessage(event.data), stream);
          // What comes behind the answer is not waited for.
          if (!isWaiting() && !isLate) isLate = endsSoon(body);
        }
      } catch (error) {
        if (error instanceof FloodError) return this.#end(error);
        if (!signal.aborted) this.onerror?.(error as Error);
        if (error instanceof RangeError || error instanceof SyntaxError) return this.#lost(id, messageOf(error));
      }
      if (!isWaiting() || signal.aborted || (id !== undefined && last === undefined)) break;
      await sleep(wait, undefined, { signal }).catch(() => {});
      answer = signal.aborted ? undefined : await this.#resume(last, signal).catch(() => undefined);
    }
    if (id !== undefined && isWaiting() && !signal.aborted)
      this.#lost(id, "the answer broke off before it was complete");
  }

  async #resume(last: string | undefined, signal: AbortSignal): Promise<Answer | undefined> {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (last !== undefined) headers["last-event-id"] = last;
    const answer = await this.#exchange("GET", { headers, signal });
    if (answer.status === 200 && mediaType(answer) === "text/event-stream") return answer;
    // Many servers have no stream of their own, and say so with 405.
    answer.body.destroy();
    return undefined;
  }

  /** What the server has to say beside answers. */
  async #listen(): Promise<void> {
    const signal = this.#closing.signal;
    const answer = await this.#resume(undefined, signal).catch(() => undefined);
    if (answer) await this.#follow(answer, { signal });
  }

  /** Ends the wait for an answer that does not come. */
  #lost(id: string | number | undefined, reason: string): void {
    if (id === undefined || !this.#open.delete(id)) return;
    this.onmessage?.(lostAnswer(id, reason));
  }

  #end({ message }: FloodError): void {
    this.fault ??= message;
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.fault ??= "the connection was closed";
    if (this.sessionId !== undefined) {
      const goodbye = this.#exchange("DELETE", { headers: {}, signal: AbortSignal.timeout(GOODBYE_MS) });
      await goodbye.then(({ body }) => body.destroy()).catch(() => {});
    }
    this.#closing.abort();
    await this.#connections?.destroy();
    this.onclose?.();
  }
}
