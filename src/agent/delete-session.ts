// Deletes sessions, from memory and from the record: one that a client names, and those that were not used for as long as they are
// kept. None while a turn of it runs.
import { AppError, messageOf } from "../domain/error.js";
import { startRounds } from "../store/rounds.js";
import type { AgentContext } from "./context.js";

/** Deletes a session; false when there is none. Throws AppError conflict while a turn of it runs, busy when none could. */
export async function deleteSession(context: AgentContext, id: string): Promise<boolean> {
  const { turnQueue, turnLog, sessions, unsavedTurns, store } = context;
  if (turnQueue.isBusy(id)) throw new AppError("conflict", "A turn of this session is running; cancel it first.");
  const permit = await turnQueue.acquire(id, new AbortController().signal);
  try {
    sessions.forget(id);
    unsavedTurns.forget(id);
    const isDeleted = await store.deleteSession(id);
    turnLog.forget(id);
    return isDeleted;
  } finally {
    permit.release();
  }
}

/** Deletes the unused sessions in rounds; returns what stops that, once the one in hand is deleted. */
export function retireSessions(context: AgentContext): () => Promise<void> {
  let isStopped = false;
  let working = Promise.resolve(true);
  const retire = async (): Promise<boolean> => {
    try {
      for await (const id of context.store.unusedSessions()) {
        if (isStopped) return true;
        if (!context.turnQueue.isBusy(id)) await deleteSession(context, id);
      }
      return true;
    } catch (error) {
      // The daemon is busy or stops; the next round goes on.
      if (!isStopped) context.log.debug({ cause: messageOf(error) }, "unused sessions wait for the next round");
      return false;
    }
  };
  const stopRounds = startRounds(() => {
    working = working.then(retire);
    return working;
  });
  return async () => {
    isStopped = true;
    stopRounds();
    await working;
  };
}
