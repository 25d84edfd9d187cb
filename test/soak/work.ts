// Sessions at work while something goes wrong beside them.
import { make, type Subject } from "./client.js";
import type { Tally } from "./fault.js";

/** Starts sessions whose turns follow each other until told to stop; stop() resolves with how many turns there were. */
export function workBeside(
  daemon: Subject,
  { tally, sessions }: { tally: Tally; sessions: number },
): { stop(): Promise<number> } {
  let isOver = false;
  let turns = 0;
  const work = Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let n = 0; !isOver; n++, turns++)
        await tally.attempt(`work ${session}.${n}`, () =>
          make(daemon, `work-${session}-${n}`, { pets: 2, session_id: `work-${session}` }),
        );
    }),
  );
  return {
    async stop() {
      isOver = true;
      await work;
      return turns;
    },
  };
}
