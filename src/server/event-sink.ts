// The one way a door runs a turn: counts its events, hands on those the client asked for, and says how the turn ended.
// A door that loses its client aborts the signal; the turn is drained to `done` all the same.
import type { Agent, PromptRequest } from "../domain/agent.js";
import { isBasic, type TurnEvent } from "../domain/event.js";
import type { Metrics, TurnEnd } from "./metrics.js";

/** What a turn needs from its door. */
export interface Outlet {
  request: PromptRequest;
  signal: AbortSignal;
  /** Whether somebody behind the door can answer while the turn waits for a person. */
  interactive: boolean;
  extended: boolean;
  /** Takes each event, at once; must not throw. */
  take(event: TurnEvent): void;
}

/** Runs one turn to its end. Rejects only before the first event, when the turn could not be taken. */
export async function runTurnOut(agent: Agent, metrics: Metrics, outlet: Outlet): Promise<void> {
  const { request, signal, interactive, extended, take } = outlet;
  let end: TurnEnd = "done";
  for await (const event of agent.prompt(request, { signal, interactive })) {
    metrics.event(event);
    if (event.kind === "error") end = signal.aborted || event.message.startsWith("cancelled") ? "cancelled" : "failed";
    if (extended || isBasic(event)) take(event);
  }
  metrics.turn(end);
}
