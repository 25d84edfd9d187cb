// What a session and a day may take: calls to applications, model calls, tokens. A day is one of UTC.
// Source: docs/reference.md, "Limits of use".

/** What is counted. */
export const LIMIT_KINDS = ["calls", "model_calls", "tokens"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** What is counted in. */
export const LIMIT_SCOPES = ["session", "day"] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** What may be taken; no end to what is missing. */
export type Limits = Readonly<Record<LimitScope, { readonly [Kind in LimitKind]?: number }>>;

/** What was taken. */
export type Counts = Record<LimitKind, number>;

/** Nothing. */
export const NO_COUNTS: Readonly<Counts> = { calls: 0, model_calls: 0, tokens: 0 };

/** A limit that leaves no more. */
export interface ReachedLimit {
  scope: LimitScope;
  kind: LimitKind;
  limit: number;
}

/** The day of UTC at a time in milliseconds, as 2026-01-31. */
export function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** When the day after it begins. */
export function endOfDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString();
}

/** Whether a scope has any limit, so that it is counted. */
export function isLimited(limits: Limits, scope: LimitScope): boolean {
  return LIMIT_KINDS.some((kind) => limits[scope][kind] !== undefined);
}

/**
 * The limit of a scope that forbids one more call or model call, if one does. Tokens are known once they are taken: those that are
 * taken already may forbid a model call.
 */
export function reachedLimit(
  limits: Limits,
  { scope, counts, kind }: { scope: LimitScope; counts: Counts; kind: "calls" | "model_calls" },
): ReachedLimit | undefined {
  const kinds: LimitKind[] = kind === "calls" ? ["calls"] : ["model_calls", "tokens"];
  for (const one of kinds) {
    const limit = limits[scope][one];
    if (limit !== undefined && counts[one] >= limit) return { scope, kind: one, limit };
  }
  return undefined;
}

const NOUNS: Record<LimitKind, [one: string, many: string]> = {
  calls: ["call", "calls"],
  model_calls: ["model call", "model calls"],
  tokens: ["token", "tokens"],
};

/** Says which limit is reached, and when there is more again. */
export function limitSentence({ scope, kind, limit }: ReachedLimit, now: number): string {
  const amount = `${limit} ${NOUNS[kind][limit === 1 ? 0 : 1]}`;
  const way =
    scope === "day"
      ? `the next day begins at ${endOfDay(dayAt(now))}`
      : "begin a new session, which counts from nothing";
  return `the limit of ${amount} a ${scope} is reached (limits.${scope}.${kind}); nothing was sent; ${way}`;
}
