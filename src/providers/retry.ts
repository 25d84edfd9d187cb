// Retries of model calls: after failures that may pass, and once with a shorter conversation after one that was too long; only
// until the first delta was yielded, with a deadline for every attempt. Wraps any provider; the provider itself makes one attempt.
// Our own, because libraries retry a function that returns a promise: this retries a generator, which cannot be undone.
import { setTimeout as sleep } from "node:timers/promises";
import { addTokens } from "../domain/usage.js";
import type { ContextFit, Fitted } from "./context/fit.js";
import { metaOwner, withOwner, withoutForeignMeta } from "./own-meta.js";
import { abortedWith, type Provider, ProviderError, type ReplyRequest, type Usage } from "./provider.js";

/** The first pause; it doubles with each further attempt. Vendors recover from hiccups within about a second. */
const FIRST_PAUSE_MS = 500;
/** A person waits, so two attempts are never further apart, whatever the vendor asks for. */
const LONGEST_PAUSE_MS = 20_000;
/** A person is told of a pause that is longer. */
const QUIET_PAUSE_MS = 3_000;

interface RetryPolicy {
  /** Extra attempts after the first. */
  maxRetries: number;
  /** One attempt, from the request to the last byte, in milliseconds. */
  timeoutMs: number;
  firstPauseMs?: number;
  longestPauseMs?: number;
  quietPauseMs?: number;
}

const inWords = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
};

/** The failure of a vendor that asks for a longer pause than is made: an earlier attempt would be refused, too. */
function tooLong(error: ProviderError, askedMs: number, longestMs: number): ProviderError {
  const text = `${error.message} It asks to wait ${inWords(askedMs)}, and agentd waits ${inWords(longestMs)} at most: send the prompt again then.`;
  return new ProviderError(text, { retryAfterMs: askedMs, usage: error.usage, cause: error });
}

const tooSlow = (name: string, timeoutMs: number): ProviderError =>
  new ProviderError(
    `Provider "${name}" did not finish its answer within ${timeoutMs / 1000} s. Try again, or raise its timeout_ms.`,
  );

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

/** Ends at once when aborted, without an error. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * The same provider with retries, its requests fitted into the model's context. What a vendor wants back goes to its own model
 * only. Aborting ends a pause at once.
 */
export function withRetry(provider: Provider, policy: RetryPolicy, context?: ContextFit): Provider {
  const timeoutError = (): Error => tooSlow(provider.name, policy.timeoutMs);

  const owner = metaOwner(provider);
  async function* reply(asked: ReplyRequest, signal: AbortSignal): ReturnType<Provider["reply"]> {
    // Here and not in a generator of its own: each one between a delta and its client costs CPU.
    let fitted: Fitted = { request: withoutForeignMeta(asked, owner) };
    if (context) fitted = context.fit(fitted.request);
    if (fitted.notice) yield { kind: "notice", text: fitted.notice };
    let isShortened = false;
    let spent: Usage | undefined;
    for (let attempt = 1; ; attempt++) {
      if (signal.aborted) throw abortedWith(signal, spent);
      const limit = deadline(signal, policy.timeoutMs, timeoutError);
      const deltas = provider.reply(fitted.request, limit.signal);
      let isStreamed = false;
      let isEnded = false;
      try {
        for (;;) {
          const step = await deltas.next();
          if (step.done) {
            isEnded = true;
            limit.end();
            const notice = await context?.check(fitted.request, step.value.usage, signal);
            if (notice) yield { kind: "notice", text: notice };
            return withOwner({ ...step.value, usage: addTokens(spent, step.value.usage) }, owner);
          }
          isStreamed ||= step.value.kind === "text";
          yield step.value;
        }
      } catch (error) {
        isEnded = true;
        if (error instanceof ProviderError) spent = error.usage = addTokens(spent, error.usage);
        if (signal.aborted) throw abortedWith(signal, spent);
        const overflows = !isStreamed && !isShortened && error instanceof ProviderError && error.overflows;
        const shorter = overflows ? context?.shorten(fitted.request) : undefined;
        if (shorter) {
          fitted = shorter;
          isShortened = true;
          attempt--;
          if (shorter.notice) yield { kind: "notice", text: shorter.notice };
          continue;
        }
        if (isStreamed || attempt > policy.maxRetries || !(error instanceof ProviderError && error.retryable))
          throw error;
        const longest = policy.longestPauseMs ?? LONGEST_PAUSE_MS;
        if ((error.retryAfterMs ?? 0) > longest) throw tooLong(error, error.retryAfterMs ?? 0, longest);
        limit.end();
        const ms = pauseBefore(attempt, error.retryAfterMs, policy);
        if (ms > (policy.quietPauseMs ?? QUIET_PAUSE_MS))
          yield { kind: "notice", text: `${error.message} Trying again in ${inWords(ms)}.` };
        await pause(ms, signal);
      } finally {
        limit.end();
        // The consumer returned early: the provider must close its socket.
        if (!isEnded) await deltas.return(undefined as never);
      }
    }
  }

  const { name, model, historyLimit, maxTools } = provider;
  return {
    name,
    model,
    historyLimit,
    maxTools,
    get cutAt() {
      return context?.cutAt;
    },
    get toolTokens() {
      return context ? context.toolTokens : provider.toolTokens;
    },
    get resultBudget() {
      return context ? context.resultBudget : provider.resultBudget;
    },
    prepare: context?.prepare,
    reply,
  };
}
