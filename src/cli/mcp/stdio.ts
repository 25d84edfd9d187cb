// MCP over standard input and output: every line is a message, carried as the Streamable HTTP transport has it, and what comes back is
// written line by line. Knows of the protocol only what the carrying needs: which era a message is of, which session it belongs to,
// and what is cancelled. Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
import { messageOf } from "../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, objectOf, parseJson, toJson } from "../../lib/json.js";
import type { CarriedAnswer, Carrier } from "./carrier.js";
import { eventData, linesOf } from "./lines.js";

/** Answers that are being given when the input ends get this long. */
const LAST_ANSWERS_MS = 2_000;
/** In `_meta` of every message of the 2026 era. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const [PARSE_ERROR, INVALID_REQUEST, SERVER_ERROR] = [-32700, -32600, -32000];
/** Requests under way at once. More are refused and not put off: the answer that one of them waits for may be the next line. */
const MAX_OPEN = 256;

/** A message as it came, and what it was read as. */
interface Message {
  text: string;
  method: string | undefined;
  /** Undefined for a notification. */
  id: JsonValue | undefined;
  params: JsonObject;
}

/** Where the messages come from and go to. */
interface Ends {
  input: AsyncIterable<Buffer>;
  /** Writes one line; rejects when nobody reads any more. */
  write(line: string): Promise<void>;
  carrier: Carrier;
  signal: AbortSignal;
}

/** What a header can hold; the rest goes encoded, as the revision says. */
function headerValue(value: string): string {
  return /^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith("=?base64?")
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

function headersOf({ method = "", params }: Message, version: string): Record<string, string> {
  const name = method === "resources/read" ? params["uri"] : params["name"];
  const named = typeof name === "string" && /^(tools\/call|prompts\/get|resources\/read)$/.test(method);
  const own = { "MCP-Protocol-Version": headerValue(version), "Mcp-Method": headerValue(method) };
  return named ? { ...own, "Mcp-Name": headerValue(name) } : own;
}

const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ECONNREFUSED", "ENOENT"].includes(String(error.code));

/** Serves one client until its input ends or the signal aborts. */
export async function serveStdio({ input, write, carrier, signal }: Ends): Promise<void> {
  const bridge = new Bridge(write, carrier);
  const stop = (): void => bridge.stop();
  signal.addEventListener("abort", stop, { once: true });
  for await (const line of linesOf(input)) {
    if (signal.aborted) break;
    await bridge.take(line);
  }
  await bridge.end(signal.aborted ? 0 : LAST_ANSWERS_MS);
}

class Bridge {
  private readonly write: Ends["write"];
  private readonly carrier: Carrier;
  /** Requests under way, by their id as JSON. */
  private readonly open = new Map<string, AbortController>();
  private readonly answers = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** Of a client of the 2025 era: what it began with, and the session that began. */
  private initialize: Message | undefined;
  private session: string | undefined;
  private version: string | undefined;
  private renewal: Promise<void> | undefined;

  constructor(write: Ends["write"], carrier: Carrier) {
    this.write = write;
    this.carrier = carrier;
  }

  async take(line: { text: string } | { tooLong: true }): Promise<void> {
    if ("tooLong" in line) return this.fail(null, "The message is over 1 MiB.", PARSE_ERROR);
    const { text } = line;
    let value: JsonValue;
    try {
      value = parseJson(text);
    } catch (error) {
      return this.fail(null, `Parse error: ${messageOf(error)}`, PARSE_ERROR);
    }
    if (!isObject(value)) return this.fail(null, "A message is one JSON object.", INVALID_REQUEST);
    const { method, id, params } = value;
    const name = typeof method === "string" ? method : undefined;
    const message: Message = { text, method: name, id, params: objectOf(params) };
    if (name === "notifications/cancelled" && this.cancel(message)) return;
    if (id !== undefined && name !== undefined && this.open.size >= MAX_OPEN)
      return this.fail(id, `${MAX_OPEN} requests are under way; wait for answers, and send this one again.`);
    const answered = this.carry(message).finally(() => this.answers.delete(answered));
    this.answers.add(answered);
    // What follows belongs to the session that this begins, and what is said in order stays in order.
    if (name === "initialize" || id === undefined) await answered;
  }

  stop(): void {
    this.stopping.abort();
  }

  /** The input is over: what is nearly answered is answered, the rest is given up. */
  async end(graceMs: number): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    const calls = [...this.answers];
    for (const [key, request] of this.open) if (key.startsWith("stream ")) request.abort();
    await Promise.race([Promise.all(calls), late]);
    this.stop();
    const { session } = this;
    if (session !== undefined)
      await this.carrier
        .send({ method: "DELETE", headers: { "Mcp-Session-Id": session }, signal: new AbortController().signal })
        .catch(() => undefined);
    await this.carrier.close();
  }

  /** Ends a request of the 2026 era by hanging up; an older one is told to the session. */
  private cancel({ params }: Message): boolean {
    if (this.session !== undefined) return false;
    const id = toJson(params["requestId"]);
    for (const key of [id, `stream ${id}`]) this.open.get(key)?.abort();
    return true;
  }

  private async carry(message: Message): Promise<void> {
    const { id, method } = message;
    const key = id === undefined ? undefined : `${method === "subscriptions/listen" ? "stream " : ""}${toJson(id)}`;
    const gone = new AbortController();
    if (key !== undefined && method !== undefined) this.open.set(key, gone);
    try {
      const answer = await this.send(message, AbortSignal.any([gone.signal, this.stopping.signal]));
      if (method === "initialize") this.begun(message, answer);
      await this.forward(message, answer);
      if (method === "notifications/initialized") void this.listen();
    } catch (error) {
      if (gone.signal.aborted || this.stopping.signal.aborted) return;
      if (id !== undefined && method !== undefined) await this.fail(id, messageOf(error));
    } finally {
      if (key !== undefined) this.open.delete(key);
    }
  }

  /** Sends a message, once more where nothing has been sent: to a daemon that has moved, in a session that is new. */
  private async send(message: Message, signal: AbortSignal): Promise<CarriedAnswer> {
    const post = (): Promise<CarriedAnswer> =>
      this.carrier.send({ method: "POST", headers: this.headersFor(message), body: message.text, signal });
    let answer: CarriedAnswer;
    try {
      answer = await post();
    } catch (error) {
      if (!isRefusedConnection(error)) throw error;
      await this.carrier.again();
      answer = await post();
    }
    if (answer.status !== 404 || this.session === undefined || message.method === "initialize") return answer;
    await (this.renewal ??= this.renew(this.initialize).finally(() => {
      this.renewal = undefined;
    }));
    return post();
  }

  private headersFor(message: Message): Record<string, string> {
    const common = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const version = objectOf(message.params["_meta"])[VERSION_KEY];
    if (typeof version === "string") return { ...common, ...headersOf(message, version) };
    if (message.method === "initialize" || this.session === undefined) return common;
    return { ...common, ...this.sessionHeaders(this.session) };
  }

  private sessionHeaders(session: string): Record<string, string> {
    return { "Mcp-Session-Id": session, ...(this.version !== undefined && { "MCP-Protocol-Version": this.version }) };
  }

  private begun(message: Message, { session }: CarriedAnswer): void {
    this.initialize = message;
    this.session = session;
  }

  /** Begins the session anew, for a client that did so long ago: the daemon has been started again. */
  private async renew(initialize: Message | undefined): Promise<void> {
    if (!initialize) return;
    const { signal } = this.stopping;
    const send = (text: string): Promise<CarriedAnswer> => {
      const headers = this.headersFor({ ...initialize, method: "initialize" });
      const session = text === initialize.text ? {} : this.sessionHeaders(this.session ?? "");
      return this.carrier.send({ method: "POST", headers: { ...headers, ...session }, body: text, signal });
    };
    const answer = await send(initialize.text);
    for await (const _ of answer.chunks);
    this.session = answer.session;
    const done = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    for await (const _ of done.chunks);
    void this.listen();
  }

  /** Follows what the server says by itself in a session. */
  private async listen(): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    const gone = new AbortController();
    const key = `stream ${session}`;
    this.open.set(key, gone);
    try {
      const headers = { Accept: "text/event-stream", ...this.sessionHeaders(session) };
      const signal = AbortSignal.any([gone.signal, this.stopping.signal]);
      const answer = await this.carrier.send({ method: "GET", headers, signal });
      if (answer.status === 200) for await (const data of eventData(answer.chunks)) await this.line(data);
    } catch {
      // It says nothing any more; the next message finds out what has become of the daemon.
    } finally {
      this.open.delete(key);
    }
  }

  private async forward({ id, method }: Message, answer: CarriedAnswer): Promise<void> {
    if (answer.type.startsWith("text/event-stream")) {
      let isAnswered = false;
      for await (const data of eventData(answer.chunks)) {
        isAnswered ||= this.note(data, id);
        await this.line(data);
      }
      if (!isAnswered && id !== undefined && method !== undefined)
        await this.fail(id, "The connection ended before the answer; agentd history shows what was done.");
      return;
    }
    let text = "";
    for await (const chunk of answer.chunks) text += chunk;
    if (text === "" || method === undefined) return;
    const value = this.parsed(text);
    if (value !== undefined && Object.hasOwn(value, "jsonrpc")) {
      this.note(text, id);
      // A refusal belongs to the message it refuses, also where that could not be told.
      await this.line(value["id"] === null && id !== undefined ? toJson({ ...value, id }) : text);
    } else if (id !== undefined) {
      const message = objectOf(objectOf(value ?? null)["error"])["message"];
      await this.fail(id, typeof message === "string" ? message : `The daemon answered with status ${answer.status}.`);
    }
  }

  /** Whether a text is the answer to a request; what was agreed on is kept. */
  private note(text: string, id: JsonValue | undefined): boolean {
    const value = this.parsed(text);
    if (!value || Object.hasOwn(value, "method") || toJson(value["id"]) !== toJson(id)) return false;
    const version = objectOf(value["result"])["protocolVersion"];
    if (typeof version === "string") this.version = version;
    return true;
  }

  private parsed(text: string): JsonObject | undefined {
    try {
      const value = parseJson(text);
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  private fail(id: JsonValue, message: string, code = SERVER_ERROR): Promise<void> {
    return this.line(toJson({ jsonrpc: "2.0", id, error: { code, message } }));
  }

  private line(text: string): Promise<void> {
    return this.write(`${text.replaceAll(/[\r\n]+/g, " ")}\n`);
  }
}
