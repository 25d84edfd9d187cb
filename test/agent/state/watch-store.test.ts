// What is told of a write: what the record says then. Source: docs/reference.md, "Changes".
import { expect } from "chai";
import { watchStore } from "../../../src/agent/state/watch-store.js";
import type { DaemonChange } from "../../../src/domain/change.js";
import type { Claim } from "../../../src/store/store.js";
import { cleanUp, HELD, intent, OK, open, tempDir } from "../../store/sqlite/fixture.js";

const QUESTION = { message: "How many seats?", fields: { properties: { seats: { type: "integer" } } } };

describe("A record that is watched", () => {
  afterEach(cleanUp);

  for (const [what, decision, input] of [
    ["an approved call", "approved", undefined],
    ["a denied call", "denied", undefined],
    ["an expired call", "expired", undefined],
    ["an answered question", "approved", QUESTION],
    ["a question that was declined", "denied", QUESTION],
  ] as const)
    it(`tells the status of the row of ${what}`, async () => {
      const store = await open(tempDir());
      const changes: DaemonChange[] = [];
      const watched = watchStore(store, (change) => changes.push(change));
      await watched.hold(intent(), { ...HELD, id: "held", input });
      const claim: Claim = { id: "held", decision, reason: "" };
      await watched.claim(claim, { seats: 4 });
      const [row] = await store.history({ limit: 1 });
      expect(changes.at(-1)).to.deep.equal({ kind: "history", id: row?.id, status: row?.status });
    });

  it("tells of the row of an attempt that was refused", async () => {
    const store = await open(tempDir());
    const changes: DaemonChange[] = [];
    const watched = watchStore(store, (change) => changes.push(change));
    const id = await watched.beginCall(intent());
    await watched.recordAttempt(id, { ...OK, status: "error" });
    const [row] = await store.history({ limit: 1 });
    expect(changes.at(-1)).to.deep.equal({ kind: "history", id: row?.id, status: row?.status });
  });
});
