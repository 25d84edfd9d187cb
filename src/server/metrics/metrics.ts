// What the daemon has done since it started, for GET /-/metrics. Counts events as they pass the entry points; owns no timer.
// The instruments themselves are loaded at the first record, so that the start does not wait for them.
import type { ModelCall } from "../../domain/agent.js";
import type { TurnEvent } from "../../domain/event.js";
import type { ModelUsage } from "../../domain/usage.js";
import type { Instruments, Levels } from "./instruments.js";

/** How a turn ended, as far as its entry point could see. */
export type TurnOutcome = "done" | "failed" | "cancelled";

/** The measurements behind GET /-/metrics. No method that records throws. */
export interface Metrics {
  event(event: TurnEvent): void;
  modelCall(call: ModelCall): void;
  /** `durationMs` counts from `user_prompt`; waiting for the session's earlier turns is no part of it. */
  turn(outcome: TurnOutcome, durationMs: number): void;
  response(status: number): void;
  /** The samples in the text format of Prometheus, with what can only be measured now. */
  text(levels: Levels): Promise<{ text: string; contentType: string }>;
}

/** Records kept until the instruments are loaded, which takes milliseconds; more are lost. */
const MAX_EARLY = 10_000;

/** What one model call took; kinds that the vendor does not count have no samples. */
function recordUsage({ tokens, cost }: Instruments, usage: ModelUsage): void {
  const { provider, model, currency } = usage;
  const counts = {
    input: usage.input_tokens,
    cached: usage.cached_tokens,
    cache_write: usage.cache_write_tokens,
    output: usage.output_tokens,
    reasoning: usage.reasoning_tokens,
  };
  for (const [type, count] of Object.entries(counts))
    if (count !== undefined) tokens.inc({ provider, model, type }, count);
  if (usage.cost !== undefined && currency !== undefined) cost.inc({ provider, model, currency }, usage.cost);
}

/** Measurements at zero. */
export function createMetrics(): Metrics {
  let loading: Promise<Instruments> | undefined;
  let instruments: Instruments | undefined;
  const early: ((instruments: Instruments) => void)[] = [];

  /** A sample that the instruments refuse, such as a count below zero, is left out: measuring must not end a turn. */
  const measured = (measure: (instruments: Instruments) => void, into: Instruments): void => {
    try {
      measure(into);
    } catch {
      // Left out.
    }
  };
  const load = async (): Promise<Instruments> => {
    const { createInstruments } = await import("./instruments.js");
    instruments = createInstruments();
    for (const measure of early.splice(0)) measured(measure, instruments);
    return instruments;
  };
  const loaded = (): Promise<Instruments> => (loading ??= load());
  const record = (measure: (instruments: Instruments) => void): void => {
    if (instruments) measured(measure, instruments);
    else if (early.push(measure) > MAX_EARLY) early.shift();
    // A failure to load is the answer to GET /-/metrics.
    else loaded().catch(() => {});
  };

  return {
    event(event) {
      if (event.kind === "tool_result")
        record(({ toolCalls, toolCallSeconds }) => {
          toolCalls.inc({ status: event.status });
          toolCallSeconds.observe({ status: event.status }, event.duration_ms / 1000);
        });
      else if (event.kind === "usage") record((into) => recordUsage(into, event));
    },
    modelCall: ({ provider, model, status, durationMs }) =>
      record(({ modelCallSeconds }) => modelCallSeconds.observe({ provider, model, status }, durationMs / 1000)),
    turn: (outcome, durationMs) =>
      record(({ turns, turnSeconds }) => {
        turns.inc({ status: outcome });
        turnSeconds.observe({ status: outcome }, durationMs / 1000);
      }),
    response: (status) => record(({ responses }) => responses.inc({ class: `${Math.floor(status / 100)}xx` })),
    text: async (levels) => (await loaded()).text(levels),
  };
}
