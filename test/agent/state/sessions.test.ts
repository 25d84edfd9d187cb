import { expect } from "chai";
import { createSessions } from "../../../src/agent/state/sessions.js";
import type { Message } from "../../../src/domain/message.js";
import { cleanUp, open, tempDir, turn } from "../../store/sqlite/fixture.js";

/** Somewhat more than half of what all sessions together may keep. */
const LARGE = "x".repeat(20 * 1024 * 1024);

describe("Sessions in memory", () => {
  afterEach(cleanUp);

  it("E6 are bounded by what they hold: an idle one with much to say leaves, and comes back from the record", async () => {
    const store = await open(tempDir());
    const sessions = createSessions(store, () => 40);
    const answer: Message[] = [{ role: "assistant", text: LARGE, calls: [] }];
    const speak = async (id: string) => {
      const session = await sessions.open(id);
      await store.beginTurn(turn({ session_id: id, turn_id: `turn-${id}` }));
      sessions.add(session, [{ role: "user", text: "add a pet" }]);
      sessions.add(session, answer);
      await store.endTurn({ turn_id: `turn-${id}`, status: "done", error: "", messages: answer });
      return session;
    };
    const first = await speak("first");
    expect(await sessions.open("first")).to.equal(first);
    const second = await speak("second");
    expect(await sessions.open("second")).to.equal(second);
    const again = await sessions.open("first");
    expect(again).to.not.equal(first);
    expect(again.messages).to.deep.equal(first.messages);
    await sessions.close();
  });
});
