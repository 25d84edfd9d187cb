// Retries of model calls: after failures that may pass, only until the first delta was yielded, with a deadline for every
// attempt. Wraps any provider; the provider itself makes one attempt.
// Our own, because libraries retry a function that returns a promise: this retries a generator, which cannot be undone.
import { setTimeout as sleep } from "node:timers/promises";
import { type Provider, ProviderError, type ReplyRequest } from "./provider.js";

/** The first pause; it doubles with each further attempt. Vendors recover from hiccups within about a second. */
const FIRST_PAUSE_MS = 500;
/** A person waits, so two attempts are never further apart, whatever the vendor asks for. */
const LONGEST_PAUSE_MS = 20_000;

interface RetryPolicy {
  /** Extra attempts after the first. */
  maxRetries: number;
  /** One attempt, from the request to the last byte, in milliseconds. */
  timeoutMs: number;
  firstPauseMs?: number;
  longestPauseMs?: number;
}

/** The pause before attempt `attempt` (1 is the first retry): what the vendor asks for, else growing and jittered. */
export function pauseBefore(attempt: number, asked: number | undefined, policy: RetryPolicy): number {
  const longest = policy.longestPauseMs ?? LONGEST_PAUSE_MS;
  if (asked !== undefined) return Math.min(asked, longest);
  const full = Math.min((policy.firstPauseMs ?? FIRST_PAUSE_MS) * 2 ** (attempt - 1), longest);
  // Half fixed, half random: sessions that failed together must not come back together.
  return full / 2 + (Math.random() * full) / 2;
}

/** A signal that follows another and has a deadline of its own. `end` must be called; it frees both. */
function deadline(
  outer: AbortSignal,
  timeoutMs: number,
  timeoutError: () => Error,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs);
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

/** The same provider with retries. Aborting ends a pause at once. */
export function withRetry(provider: Provider, policy: RetryPolicy): Provider {
  const timeoutError = (): Error =>
    new ProviderError(
      `Provider "${provider.name}" did not finish its answer within ${policy.timeoutMs / 1000} s. Try again, or raise its timeout_ms.`,
    );

  async function* reply(request: ReplyRequest, signal: AbortSignal): ReturnType<Provider["reply"]> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const limit = deadline(signal, policy.timeoutMs, timeoutError);
      const deltas = provider.reply(request, limit.signal);
      let isStreamed = false;
      let isEnded = false;
      try {
        for (;;) {
          const step = await deltas.next();
          if (step.done) {
            isEnded = true;
            return step.value;
          }
          isStreamed = true;
          yield step.value;
        }
      } catch (error) {
        isEnded = true;
        signal.throwIfAborted();
        if (isStreamed || attempt > policy.maxRetries || !(error instanceof ProviderError && error.retryable))
          throw error;
        limit.end();
        await pause(pauseBefore(attempt, error.retryAfterMs, policy), signal);
      } finally {
        limit.end();
        // The consumer returned early: the provider must close its socket.
        if (!isEnded) await deltas.return(undefined as never);
      }
    }
  }

  const { name, model, historyLimit, maxTools, toolTokens, resultBudget } = provider;
  return { name, model, historyLimit, maxTools, toolTokens, resultBudget, reply };
}
