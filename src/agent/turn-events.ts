// Reading the events of turns, by anyone and as often as they like: from memory while a turn lives, from the record afterwards.
// A reader takes the next event when it has room for it; none of them holds up the turn or another reader.

import { AppError } from "../domain/error.js";
import type { NumberedEvent } from "../domain/event.js";
import type { ReadOptions, SessionEvent, SessionRead, TurnState } from "../domain/turn-reading.js";
import { createSlices } from "../lib/slices.js";
import type { AgentContext } from "./context.js";
import { createResolver, replay } from "./replay.js";
import type { LiveTurn } from "./state/live-turn.js";

function stateOf(live: LiveTurn): TurnState {
  const { turn_id, session_id } = live;
  return { turn_id, session_id, status: live.last === 0 ? "waiting" : (live.end ?? "running") };
}

/** The state of a turn; undefined for an unknown one. */
export async function turnState({ turnLog, store }: AgentContext, turn_id: string): Promise<TurnState | undefined> {
  const live = turnLog.get(turn_id);
  // What is live can be read, whatever becomes of the record.
  const turn = await store.turn(turn_id).catch((error: unknown) => {
    if (!live) throw error;
    return undefined;
  });
  const begun = turn && { started_at: turn.started_at, ended_at: turn.ended_at, provider: turn.provider };
  if (live) return { ...stateOf(live), begun };
  return turn && { turn_id, session_id: turn.session_id, status: turn.status, begun };
}

/** The events of a turn. Order, and which there are: `Agent.turnEvents`. */
export async function* turnEvents(
  context: AgentContext,
  turn_id: string,
  { after, signal, follow = true }: ReadOptions,
): AsyncGenerator<NumberedEvent, void, void> {
  const { turnLog, store } = context;
  const live = turnLog.get(turn_id);
  let last = after;
  if (live) {
    const resolve = createResolver(store, turn_id);
    const slices = createSlices();
    for (;;) {
      if (signal.aborted) return;
      const entry = live.next(last);
      if (entry) {
        const event = entry.event ?? (entry.kept && (await resolve(entry.kept, [])));
        last = entry.seq;
        if (event) yield { seq: last, event };
        if (slices.isOver()) await live.whilePausing(slices.pause());
      } else if (live.end || !follow) break;
      else await live.changed(signal);
    }
    if (last >= live.last || !live.end) return;
  }
  const turn = await store.recordedTurn(turn_id);
  if (!turn) return;
  const slices = createSlices();
  for await (const numbered of replay(context, turn, last)) {
    if (signal.aborted) return;
    yield numbered;
    if (slices.isOver()) await slices.pause();
  }
}

interface SessionFollower {
  /** The next turn; undefined when there will be none. Throws AppError not_found once the session is deleted. */
  next(): Promise<string | undefined>;
  /** Leaves out what began before this turn, and the turn itself. */
  skipTo(turn_id: string): void;
  close(): void;
}

/** The turns of a session as they begin. */
function followSession({ turnLog }: AgentContext, session_id: string, signal: AbortSignal): SessionFollower {
  const begun: string[] = [];
  let end: "deleted" | "draining" | undefined;
  let wake = (): void => {};
  const onAbort = (): void => {
    unwatch();
    wake();
  };
  const unwatch = turnLog.watch(session_id, {
    onTurn(turn_id) {
      begun.push(turn_id);
      wake();
    },
    onEnd(why) {
      end = why;
      wake();
    },
  });
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    async next() {
      for (;;) {
        if (signal.aborted) return undefined;
        const turn_id = begun.shift();
        if (turn_id !== undefined) return turn_id;
        if (end === "deleted") throw new AppError("not_found", "This session was deleted.");
        if (end === "draining") return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    skipTo: (turn_id) => void begun.splice(0, begun.indexOf(turn_id) + 1),
    close() {
      unwatch();
      signal.removeEventListener("abort", onAbort);
    },
  };
}

/** What a reader of a session gets before the turns that begin from now on, or behind the first of them, when that still waits. */
async function firstTurns(
  { turnLog, store }: AgentContext,
  session_id: string,
  { turn_id, mayBeNew }: SessionRead,
): Promise<string[]> {
  if (turn_id !== undefined) {
    if (turnLog.of(session_id).some((turn) => turn.turn_id === turn_id && turn.last === 0)) return [turn_id];
    const later = await store.turnsAfter(session_id, turn_id);
    if (!later) throw new AppError("not_found", `This session has no turn ${JSON.stringify(turn_id)}.`);
    return [turn_id, ...later];
  }
  const running = turnLog.running(session_id);
  if (running) return [running.turn_id];
  if (mayBeNew || turnLog.hasSession(session_id) || (await store.hasSession(session_id))) return [];
  throw new AppError("not_found", `There is no session ${JSON.stringify(session_id)}; GET /-/sessions lists them.`);
}

/** Those listed, then those that begin, each once. */
async function* turnsOf(listed: readonly string[], following: SessionFollower): AsyncGenerator<string, void, void> {
  for (const turn_id of listed) {
    yield turn_id;
    // It may have begun since, perhaps behind others that it waited for.
    following.skipTo(turn_id);
  }
  for (let turn_id = await following.next(); turn_id !== undefined; turn_id = await following.next()) yield turn_id;
}

async function* eventsOf(
  context: AgentContext,
  { listed, following, options }: { listed: readonly string[]; following: SessionFollower; options: SessionRead },
): AsyncGenerator<SessionEvent, void, void> {
  const { turn_id, after, signal } = options;
  try {
    for await (const next of turnsOf(listed, following)) {
      const read = { after: next === turn_id ? after : 0, signal };
      for await (const { seq, event } of turnEvents(context, next, read)) yield { turn_id: next, seq, event };
    }
  } finally {
    following.close();
  }
}

/** The events of a session's turns. Order, and which there are: `Agent.sessionEvents`. */
export async function sessionEvents(
  context: AgentContext,
  session_id: string,
  options: SessionRead,
): Promise<AsyncGenerator<SessionEvent, void, void>> {
  // Before anything is looked up: a turn that begins meanwhile is listed twice rather than never.
  const following = followSession(context, session_id, options.signal);
  try {
    const listed = await firstTurns(context, session_id, options);
    return eventsOf(context, { listed, following, options });
  } catch (error) {
    following.close();
    throw error;
  }
}
