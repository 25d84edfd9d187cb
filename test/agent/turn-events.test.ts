// A turn of megabytes that is replayed: other work goes on meanwhile.
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { collect } from "../support/transcript.js";

const RESULTS = 8;

describe("Turns that outlive their client: a long turn that is replayed", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async () => {
    target = await startTarget(() => json({ note: "lorem ipsum ".repeat(80_000) }));
    const calls = Array.from({ length: RESULTS }, () => ({ name: "list_pets" }));
    daemon = await startDaemon({
      target: target.url,
      turns: [{ prompt: "all", replies: [{ calls }, { text: "" }] }],
    });
    await ask(daemon.url, { message: "all", session_id: "s" });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("lets other work go on between its events, also for a reader that takes them at once", async () => {
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
});
