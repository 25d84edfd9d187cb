// A transcript at once.
import type { Agent } from "../../src/domain/agent.js";
import type { TranscriptTurn } from "../../src/domain/record.js";

/** All values there are to come. */
export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** All turns of a session; undefined where there is no such session, or no agent. */
export async function transcriptOf(
  agent: Pick<Agent, "transcript"> | undefined,
  session_id: string,
): Promise<TranscriptTurn[] | undefined> {
  const turns = await agent?.transcript(session_id);
  return turns && collect(turns);
}
