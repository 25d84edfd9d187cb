// One HTTP request and its answer over undici's dispatch interface, the one all its others are made of. The body is read
// chunk by chunk without a Node stream: creating and ending a stream costs more CPU than the rest of a small exchange.
// What the request is for, what ends it and what the answer means is the caller's business.
import type { Dispatcher } from "undici";
import type { Way } from "./connections.js";

/** The body of an answer. */
export interface AnswerBody {
  /** The next bytes, the caller's own; undefined at the end. Throws what broke the connection or the abort's reason. */
  read(): Promise<Buffer | undefined>;
  /** Closes the connection unless the body has been read to its end. Nothing may be read afterwards. */
  destroy(): void;
}

/** An answer whose head has come. */
export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  body: AnswerBody;
}

/** An exchange under way. */
interface Exchange {
  /** Rejects with what kept the request from being answered. */
  answer: Promise<Answer>;
  /** Ends the exchange: what has not been sent yet never is. Does nothing once the answer has come to its end. */
  abort(reason: unknown): void;
}

/** Bytes held for a slow reader before the connection is no longer read; a few packets, so that a quick reader never waits. */
const MAX_UNREAD_BYTES = 256 * 1024;
/**
 * It is read again once no more than this is held. Undici copies all it has received at each resume, and receives as much again:
 * resumed for every small chunk, an answer of a few megabytes takes gigabytes.
 */
const FEW_UNREAD_BYTES = 64 * 1024;

/** Interim answers (1xx) before the answer itself: no server has use for more, and each costs what an answer's head costs. */
const MAX_INTERIM_ANSWERS = 100;

interface Reader {
  resolve(chunk: Buffer | undefined): void;
  reject(error: unknown): void;
}

const tooManyInterimAnswers = (): Error =>
  Object.assign(new Error(`more than ${MAX_INTERIM_ANSWERS} interim answers`), { code: "UND_ERR_RES_INTERIM" });

class DispatchedExchange implements Exchange, AnswerBody, Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  #settleAnswer!: { resolve(answer: Answer): void; reject(error: unknown): void };
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  #reason: unknown;
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isEnded = false;
  #isFailed = false;
  #failure: unknown;
  #reader: Reader | undefined;
  #interimAnswers = 0;

  readonly #explain: Way["explain"];

  constructor(explain: Way["explain"]) {
    this.#explain = explain;
    this.answer = new Promise((resolve, reject) => {
      this.#settleAnswer = { resolve, reject };
    });
  }

  abort(reason: unknown): void {
    if (this.#isEnded || this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    // Before there is a connection undici knows of no way to stop; `onRequestStart` does it then.
    this.#controller?.abort(reason as Error);
    this.#fail(reason);
  }

  read(): Promise<Buffer | undefined> {
    const chunk = this.#unread.shift();
    if (chunk) {
      this.#unreadBytes -= chunk.length;
      if (this.#unreadBytes <= FEW_UNREAD_BYTES) this.#controller?.resume();
      return Promise.resolve(chunk);
    }
    if (this.#isFailed) return Promise.reject(this.#failure);
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  destroy(): void {
    // An error takes its stack when it is made, which is dear: most answers have been read by now.
    if (!this.#isEnded) this.abort(new Error("the answer was not read to its end"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isAborted) controller.abort(this.#reason as Error);
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Answer["headers"]): void {
    if (status >= 200) this.#settleAnswer.resolve({ status, headers, body: this });
    else if (++this.#interimAnswers > MAX_INTERIM_ANSWERS) controller.abort(tooManyInterimAnswers());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) {
      reader.resolve(chunk);
      return;
    }
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes >= MAX_UNREAD_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.#isEnded = true;
    this.#reader?.resolve(undefined);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#explain(error));
  }

  #fail(error: unknown): void {
    if (this.#isFailed) return;
    this.#isFailed = true;
    this.#failure = error;
    this.#settleAnswer.reject(error);
    this.#reader?.reject(error);
  }
}

/** Sends a request. Never throws; what goes wrong rejects `answer`, or later a read of its body. */
export function dispatch({ dispatcher, explain }: Way, request: Dispatcher.DispatchOptions): Exchange {
  const exchange = new DispatchedExchange(explain);
  dispatcher.dispatch(request, exchange);
  return exchange;
}

/** The chunks of a body, for code that iterates. Leaving the loop closes the connection. */
export async function* chunksOf(body: AnswerBody): AsyncGenerator<Buffer, void, void> {
  try {
    for (let chunk = await body.read(); chunk; chunk = await body.read()) yield chunk;
  } finally {
    body.destroy();
  }
}
