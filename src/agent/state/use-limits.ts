// What sessions and days may take: asked before each call to an application and each model call. Without limits nothing is
// written and nothing waits. Source: docs/reference.md, "Limits of use".
import type { LimitRefusals, LimitState } from "../../domain/agent.js";
import {
  dayAt,
  endOfDay,
  isLimited,
  LIMIT_KINDS,
  LIMIT_SCOPES,
  type Limits,
  limitSentence,
} from "../../domain/limits.js";
import type { Store, Use } from "../../store/store.js";

/** Counts what is taken, and refuses what is too much. */
export interface UseLimits {
  /** Counts one more, on record when it resolves. Resolves with a sentence when a limit forbids it: nothing may be sent then. */
  refusalOf(kind: "calls" | "model_calls", session_id: string): Promise<string | undefined>;
  addTokens(session_id: string, tokens: { input_tokens: number; output_tokens: number }): Promise<void>;
  /** The limits of the day, and what of them is taken. */
  today(): Promise<LimitState[]>;
  /** How often each limit refused something since the start. */
  refusals(): LimitRefusals;
}

/** The limits in force at each moment, over a store. */
export function createUseLimits(store: Store, inForce: () => Limits): UseLimits {
  const refused = new Map<string, LimitRefusals[number]>();
  /** Undefined without limits. */
  const useOf = (session_id: string): Use | undefined => {
    const limits = inForce();
    if (!LIMIT_SCOPES.some((scope) => isLimited(limits, scope))) return undefined;
    return { session_id, day: dayAt(Date.now()), limits };
  };
  return {
    async refusalOf(kind, session_id) {
      const use = useOf(session_id);
      const reached = use && (await store.takeUse(use, kind));
      if (!reached) return undefined;
      const { scope, kind: what } = reached;
      const key = `${scope} ${what}`;
      refused.set(key, { scope, kind: what, count: (refused.get(key)?.count ?? 0) + 1 });
      return limitSentence(reached, Date.now());
    },
    async addTokens(session_id, { input_tokens, output_tokens }) {
      const use = useOf(session_id);
      if (use) await store.addTokens(use, input_tokens + output_tokens);
    },
    async today() {
      const { day } = inForce();
      const name = dayAt(Date.now());
      const counts = await store.useOf("day", name);
      return LIMIT_KINDS.flatMap((kind) => {
        const limit = day[kind];
        return limit === undefined
          ? []
          : [{ scope: "day" as const, kind, limit, used: counts[kind], resets_at: endOfDay(name) }];
      });
    },
    refusals: () => [...refused.values()],
  };
}
