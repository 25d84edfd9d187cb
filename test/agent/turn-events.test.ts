// Readers of turns and the rest of the daemon: other work goes on beside them, and a reader that lets it go on loses nothing.
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { collect } from "../support/transcript.js";

const RESULTS = 8;
const DELTAS = Array.from({ length: 300 }, (_, i) => `${i} `);

describe("Turns that outlive their client: readers and other work", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async () => {
    target = await startTarget(() => json({ note: "lorem ipsum ".repeat(80_000) }));
    const calls = Array.from({ length: RESULTS }, () => ({ name: "list_pets" }));
    daemon = await startDaemon({
      target: target.url,
      turns: [
        { prompt: "all", replies: [{ calls }, { text: "" }] },
        { prompt: "speak", replies: [{ deltas: DELTAS }] },
      ],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("lets other work go on between the events of a long turn, also for a reader that takes them at once", async () => {
    await ask(daemon.url, { message: "all", session_id: "s" });
    const [row] = await daemon.agent.history({ limit: 1 });
    let turns = 0;
    let isRead = false;
    const count = (): void => {
      turns++;
      if (!isRead) setImmediate(count);
    };
    count();
    const { signal } = new AbortController();
    const events = await collect(daemon.agent.turnEvents(String(row?.turn_id), { after: 0, signal }));
    isRead = true;
    expect(events.filter(({ event }) => event.kind === "tool_result")).to.have.length(RESULTS);
    // They are eight megabytes, which takes several slices.
    expect(turns).to.be.above(2);
  });

  it("gives a reader that paused every delta, though the turn is over by then", async () => {
    const answer = await postJson(`${daemon.url}/run`, { message: "speak", detach: true });
    const { turn_id } = (await answer.json()) as { turn_id: string };
    const deltas: string[] = [];
    const { signal } = new AbortController();
    for await (const { event } of daemon.agent.turnEvents(turn_id, { after: 0, signal })) {
      if (event.kind !== "assistant_delta") continue;
      deltas.push(event.text);
      // Work that takes longer than the turn.
      for (const began = performance.now(); performance.now() - began < 1; );
    }
    expect(deltas).to.deep.equal(DELTAS);
  });
});
