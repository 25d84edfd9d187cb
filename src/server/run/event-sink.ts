// The one way an entry point runs a turn: measures its events, passes on those the client asked for, and counts how it ended.
// An entry point that loses its client aborts the signal; the turn is drained to `done` all the same.
import type { Agent, PromptRequest } from "../../domain/agent.js";
import { isBasic, type TurnEvent } from "../../domain/event.js";
import type { Metrics, TurnOutcome } from "../metrics/metrics.js";

/** Bytes waiting for a client that does not read before its connection is cut. */
export const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** Where the events of a turn go. */
export interface EventSink {
  /** Whether the client asked for extended events. */
  extended: boolean;
  /** Receives each event at once, in order, with its number in the turn; must not throw. */
  push(event: TurnEvent, seq: number): void;
}

/** What is run, and with what. */
interface SinkTurn {
  agent: Agent;
  metrics: Metrics;
  request: PromptRequest;
  signal: AbortSignal;
  /** Whether the client can answer a confirmation while the turn waits. */
  interactive: boolean;
  /** Called at once when the turn is accepted and has to wait. */
  onQueued?(): void;
  /** Resolves when events may be passed on; the turn has its place among those of its session before that. */
  ready?: Promise<void>;
}

/** Runs one turn to its end. Rejects only before the first event, when the turn could not be taken. */
export async function runTurnInto(sink: EventSink, turn: SinkTurn): Promise<void> {
  const { agent, metrics, request, signal, interactive, onQueued } = turn;
  const { extended } = sink;
  let outcome: TurnOutcome = "done";
  let start: number | undefined;
  let seq = 0;
  const options = { signal, interactive, onQueued, onModelCall: metrics.modelCall };
  for await (const event of agent.prompt(request, options)) {
    if (seq === 0) await turn.ready;
    seq++;
    start ??= performance.now();
    metrics.event(event);
    if (event.kind === "error")
      outcome = signal.aborted || event.message.startsWith("cancelled") ? "cancelled" : "failed";
    if (extended || isBasic(event)) sink.push(event, seq);
  }
  metrics.turn(outcome, performance.now() - (start ?? performance.now()));
}
