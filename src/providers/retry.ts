// Patience with a model: tries again after failures that may pass, as long as nobody has seen a word of the answer, and
// gives every attempt a deadline. Wraps any provider; the provider itself makes one attempt.
import { setTimeout as sleep } from "node:timers/promises";
import { type Provider, ProviderError, type ReplyRequest } from "./provider.js";

/** The first pause; it doubles with each further attempt. Vendors recover from hiccups within about a second. */
const FIRST_PAUSE_MS = 500;
/** A person interactive: nobody is kept longer than this between two attempts, whatever the vendor asks for. */
const LONGEST_PAUSE_MS = 20_000;

/** How patient to be. */
export interface Patience {
  /** Extra attempts after the first. */
  maxRetries: number;
  /** One attempt, from the request to the last byte, in milliseconds. */
  timeoutMs: number;
  firstPauseMs?: number;
  longestPauseMs?: number;
}

/** The pause before attempt `attempt` (1 is the first retry): what the vendor asks for, else growing and jittered. */
export function pauseBefore(attempt: number, asked: number | undefined, patience: Patience): number {
  const longest = patience.longestPauseMs ?? LONGEST_PAUSE_MS;
  if (asked !== undefined) return Math.min(asked, longest);
  const full = Math.min((patience.firstPauseMs ?? FIRST_PAUSE_MS) * 2 ** (attempt - 1), longest);
  // Half fixed, half random: sessions that failed together must not come back together.
  return full / 2 + (Math.random() * full) / 2;
}

/** A signal that follows another and has a deadline of its own. `end` must be called; it frees both. */
function deadline(outer: AbortSignal, ms: number, late: () => Error): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(late()), ms);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer.removeEventListener("abort", follow);
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    // The sleep throws an AbortError of its own; callers are promised the signal's reason.
    throw signal.aborted ? signal.reason : error;
  }
}

/** The same provider, patient. Aborting ends a pause at once. */
export function withRetry(provider: Provider, patience: Patience): Provider {
  const late = (): Error =>
    new ProviderError(
      `Provider "${provider.name}" did not finish its answer within ${patience.timeoutMs / 1000} s. Try again, or raise its timeout_ms.`,
    );

  async function* reply(request: ReplyRequest, signal: AbortSignal): ReturnType<Provider["reply"]> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const limit = deadline(signal, patience.timeoutMs, late);
      const deltas = provider.reply(request, limit.signal);
      let streamed = false;
      let ended = false;
      try {
        for (;;) {
          const step = await deltas.next();
          if (step.done) {
            ended = true;
            return step.value;
          }
          streamed = true;
          yield step.value;
        }
      } catch (error) {
        ended = true;
        signal.throwIfAborted();
        if (streamed || attempt > patience.maxRetries || !(error instanceof ProviderError && error.retryable))
          throw error;
        limit.end();
        await pause(pauseBefore(attempt, error.retryAfterMs, patience), signal);
      } finally {
        limit.end();
        // Whoever listens has left in the middle: the provider must let go of its socket.
        if (!ended) await deltas.return(undefined as never);
      }
    }
  }

  const { name, model, historyLimit, maxTools, toolTokens, resultBudget } = provider;
  return { name, model, historyLimit, maxTools, ...(toolTokens !== undefined && { toolTokens }), resultBudget, reply };
}
