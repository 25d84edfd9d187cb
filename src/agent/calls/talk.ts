// What an application says and asks while a call of it is under way: progress becomes notices, a question becomes a confirmation with
// a form, which is on record before anyone sees it. An answer belongs to the call that asked: when that ends, its questions end.
// Source: docs/reference.md, "Questions of an application".
import type { CallArguments, ExecuteOptions } from "../../applications/transport.js";
import { Stopped } from "../../domain/error.js";
import type { ExtendedEvent } from "../../domain/event.js";
import type { InputAnswer, InputRequest } from "../../domain/input.js";
import type { CallIntent, Confirmation } from "../../domain/record.js";
import { isObject, type JsonObject, objectOf, toJson } from "../../lib/json.js";
import { QUESTION_ENDED } from "../../store/rules.js";
import type { CallContext } from "../context.js";
import { resultRedactor } from "./redact-arguments.js";

/** A call that talks, and what hides its secrets. */
export type TalkingCall = CallIntent & { hidden?: CallArguments };

/** What asking needs; without `confirmations` nobody can be asked. */
export type TalkContext = Pick<CallContext, "redactor" | "signal"> &
  Partial<Pick<CallContext, "confirmations" | "store" | "interactive" | "stop">>;

/** Questions of one call; a person who has answered so many is being held up. */
const MAX_QUESTIONS = 20;
/** Fields of one form, and characters of it as JSON: more than a person would fill in. */
const MAX_FIELDS = 64;
const MAX_FORM_CHARS = 64 * 1024;
/** Characters of what an application says; a question is read whole before it is answered. */
const MAX_MESSAGE_CHARS = 4_000;
const MAX_NOTICE_CHARS = 300;
/** Notices of progress that are told as they come: a call that says so little is not slowed down. */
const NOTICES_AT_ONCE = 5;
/** Between two later ones, in milliseconds: a person reads no faster. It doubles with every `NOTICES_OF_ONE_PACE`. */
const NOTICE_MS = 250;
const NOTICES_OF_ONE_PACE = 20;
/** Notices of one call: at the pace above they reach over an hour. */
const MAX_NOTICES = 200;

/** Why a turn's client can answer where this one cannot. */
const HOW_TO_ANSWER =
  "a detached prompt, the web UI, a terminal or a /chat client with extended events can be asked while the call waits";

function shortened(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
}

/** Why a question cannot be put to a person; undefined when it can. */
function faultOf({ fields, url }: InputRequest): string | undefined {
  if (url !== undefined) {
    const protocol = URL.canParse(url) ? new URL(url).protocol : "";
    return protocol === "https:" || protocol === "http:" ? undefined : "its address is none of the web";
  }
  const properties = objectOf(fields)["properties"];
  if (!isObject(properties)) return "it has neither fields nor an address";
  if (Object.keys(properties).length > MAX_FIELDS) return `it has more than ${MAX_FIELDS} fields`;
  return toJson(fields ?? {}).length > MAX_FORM_CHARS ? "its form is too large" : undefined;
}

/** Progress at a pace that can be read: the first messages, then the newest of each interval. */
class Progress {
  private readonly say: (message: string) => void;
  private newest: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private count = 0;
  private last = Number.NEGATIVE_INFINITY;

  constructor(say: (message: string) => void) {
    this.say = say;
  }

  add(message: string): void {
    if (this.count >= MAX_NOTICES) return;
    this.newest = message;
    if (this.timer) return;
    const pace = this.count < NOTICES_AT_ONCE ? 0 : NOTICE_MS * 2 ** Math.floor(this.count / NOTICES_OF_ONE_PACE);
    const left = this.last + pace - performance.now();
    if (left <= 0) this.tell();
    else this.timer = setTimeout(() => this.tell(), left).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    this.count = MAX_NOTICES;
  }

  private tell(): void {
    this.timer = undefined;
    if (this.newest === undefined || this.count >= MAX_NOTICES) return;
    this.count++;
    this.last = performance.now();
    this.say(this.newest);
    this.newest = undefined;
  }
}

/** One call's side of the conversation with its application. */
export class Talk implements Required<Pick<ExecuteOptions, "ask" | "onProgress">> {
  private readonly vain: string[] = [];
  private vainCount = 0;
  /** What was answered: what is hidden of it, no result brings back. */
  readonly answers: CallArguments[] = [];
  private readonly call: TalkingCall;
  private readonly context: TalkContext;
  private readonly emit: (event: ExtendedEvent) => void;
  /** Aborted when the call is over, or stopped. */
  private readonly signal: AbortSignal;
  private readonly over = new AbortController();
  private readonly progress: Progress;
  private readonly asking = new Set<Promise<InputAnswer>>();
  private questions = 0;

  constructor(call: TalkingCall, context: TalkContext, emit: (event: ExtendedEvent) => void = () => {}) {
    this.call = call;
    this.context = context;
    this.emit = emit;
    const stop = context.stop ? [context.stop] : [];
    this.signal = AbortSignal.any([context.signal, this.over.signal, ...stop]);
    this.progress = new Progress((message) => this.tell(message));
  }

  // Arrows, because a transport may hand them on as functions.
  ask = (request: InputRequest): Promise<InputAnswer> => {
    const asked = this.askPerson(request).catch((): InputAnswer => {
      this.leave(request, "it could not be put on record");
      return { action: "cancel" };
    });
    this.asking.add(asked);
    void asked.finally(() => this.asking.delete(asked));
    return asked;
  };

  onProgress = (message: string): void => {
    if (!this.signal.aborted && message !== "") this.progress.add(message);
  };

  /** What nobody could answer, a sentence each. */
  get unanswered(): readonly string[] {
    const more = this.vainCount - this.vain.length;
    return more > 0 ? [...this.vain, `the application asked ${more} more times and got no answer`] : this.vain;
  }

  /** Ends it with the call: questions without an answer are closed. */
  async end(): Promise<void> {
    this.progress.end();
    this.over.abort();
    await Promise.all(this.asking);
  }

  private text(text: string): string {
    const { sent, shown } = this.call.hidden ?? { sent: {}, shown: {} };
    return resultRedactor({ sent, shown }, this.context.redactor, this.answers).text(text);
  }

  private tell(message: string): void {
    const { tool } = this.call;
    this.emit({ kind: "notice", message: `${tool}: ${shortened(this.text(message), MAX_NOTICE_CHARS)}` });
  }

  /** Keeps what was asked in vain, for the model and the person. */
  private leave({ message }: InputRequest, why: string): void {
    if (++this.vainCount > MAX_QUESTIONS) return;
    const asked = JSON.stringify(shortened(this.text(message), MAX_NOTICE_CHARS));
    this.vain.push(`the application asked ${asked} and got no answer: ${why}`);
  }

  private async askPerson(request: InputRequest): Promise<InputAnswer> {
    const { confirmations, interactive } = this.context;
    const fault = faultOf(request);
    const isTooMuch = ++this.questions > MAX_QUESTIONS;
    if (this.signal.aborted) return { action: "cancel" };
    if (fault !== undefined || isTooMuch) this.leave(request, fault ?? `it asked more than ${MAX_QUESTIONS} times`);
    else if (!confirmations || !interactive) this.leave(request, `nobody can be asked here; ${HOW_TO_ANSWER}`);
    else return this.hold(request, confirmations);
    return { action: "cancel" };
  }

  private async hold(
    request: InputRequest,
    confirmations: NonNullable<TalkContext["confirmations"]>,
  ): Promise<InputAnswer> {
    const { redactor } = this.context;
    const message = shortened(this.text(request.message), MAX_MESSAGE_CHARS);
    // The address stays as it is: only so it leads anywhere.
    const form = request.url === undefined ? { fields: redactor.known(request.fields ?? {}) } : { url: request.url };
    const input: InputRequest = { message, ...form };
    const preview: JsonObject = { asks: message };
    // A row of its own: it is no call of the turn, and does nothing.
    const { hidden: _, ...intent } = this.call;
    const question = { ...intent, arguments: {}, request: preview, event: undefined, effect: undefined };
    const held = await confirmations.hold(question, {}, { preview, foreseen: undefined, input });
    const waiting = confirmations.wait(held.id, this.signal);
    this.emit({ kind: "confirmation_required", ...confirmations.publicView(held) });
    const answered = await waiting;
    const decided = answered?.confirmation ?? (await this.close(held));
    const { id, reason, status } = decided;
    if (status === "pending") return { action: "cancel" };
    const { arguments: shown } = decided;
    this.emit({
      kind: "confirmation_resolved",
      id,
      decision: status,
      reason: reason === "" ? undefined : reason,
      arguments: status === "approved" ? shown : undefined,
    });
    if (!answered || status === "expired") return { action: "cancel" };
    if (status === "denied") return { action: "decline" };
    const { values } = answered;
    this.answers.push({ sent: values, shown });
    return { action: "accept", values };
  }

  /** Denies a question whose call ends without an answer. */
  private async close(held: Confirmation): Promise<Confirmation> {
    const { confirmations, store, signal } = this.context;
    const { reason: stopped } = signal;
    const why = stopped instanceof Stopped ? `${QUESTION_ENDED}: ${stopped.message}` : QUESTION_ENDED;
    const denial = { decision: "deny" as const, reason: why };
    // Another client may have answered at the same moment, or the disk may be full; the next start closes it then.
    const denied = await confirmations?.decide(held.id, denial).catch(() => undefined);
    return denied?.confirmation ?? (await store?.confirmation(held.id)) ?? held;
  }
}
