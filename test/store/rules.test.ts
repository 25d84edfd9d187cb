// The rules that hold on every database.
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import {
  agedFirst,
  type DecidedCall,
  decisionNotice,
  RECOVERED_RESULT_CHARS,
  recoveredMessages,
  retentionOf,
  toTitle,
} from "../../src/store/rules.js";
import { intent } from "./sqlite/fixture.js";

describe("Rules of the record", () => {
  it("make a title of the first 80 characters of a prompt, on one line", () => {
    expect(toTitle("  add\n a   pet ")).to.equal("add a pet");
    expect(toTitle("x".repeat(80))).to.equal("x".repeat(80));
    expect(toTitle("🐕".repeat(90))).to.equal(`${"🐕".repeat(79)}…`);
  });

  it("keep history for a number of days", () => {
    expect(Date.parse(retentionOf(30).cutoff)).to.be.closeTo(Date.now() - 30 * 86_400_000, 1_000);
  });

  it("judge age by the order of writing, where a clock was wrong", () => {
    const retention = { cutoff: "2026-06-01T00:00:00.000Z", now: "2026-07-01T00:00:00.000Z" };
    const aged = (...days: string[]) =>
      agedFirst(
        days.map((day) => `${day}T00:00:00.000Z`),
        retention,
      );
    expect(aged("2026-01-01", "2099-01-01", "2026-01-02", "2026-06-20")).to.deep.equal({ count: 3, isEnd: true });
    expect(aged("2026-06-20", "1970-01-01", "2026-06-21")).to.deep.equal({ count: 0, isEnd: true });
    expect(aged("2026-01-01", "2099-01-01")).to.deep.equal({ count: 1, isEnd: false });
    expect(aged("2099-01-01", "2026-06-20", "2026-01-01")).to.deep.equal({ count: 0, isEnd: true });
    expect(aged()).to.deep.equal({ count: 0, isEnd: false });
  });

  it("word each outcome of a held call in its notice", () => {
    const call: DecidedCall = {
      confirmation_id: "c1",
      tool: "delete_pet",
      call_id: "call_1",
      arguments: '{"id":7}',
      decision: "approved",
      reason: "too risky",
      status: "ok",
      result: { deleted: true },
    };
    const outcome = (over: Partial<DecidedCall>): string => {
      const { text } = decisionNotice({ ...call, ...over }, 1_000) as { text: string };
      expect(text).to.match(/^The held call delete_pet \{"id":7\} \(confirmation c1\) /);
      return text.slice(text.indexOf("(confirmation c1) ") + 18);
    };
    expect(outcome({})).to.equal('was approved and ran with status ok: {"deleted":true}');
    expect(outcome({ status: "interrupted" })).to.contain("whether it took effect is unknown");
    expect(outcome({ decision: "denied", status: "denied" })).to.equal("was refused: too risky");
    expect(outcome({ decision: "expired", status: "denied" })).to.equal("was not made: nobody approved it in time.");
  });

  it("recover a call as an assistant message and its answer, with a long result shortened", () => {
    const entry: HistoryEntry = {
      ...intent(),
      id: 1,
      ts: "2026-01-01T00:00:00.000Z",
      status: "ok",
      result: { id: 1 },
      duration_ms: 1,
    };
    const [question, answer] = recoveredMessages(entry, undefined);
    expect(question).to.deep.include({ role: "assistant" });
    expect(answer).to.deep.include({ role: "tool", call_id: "call_1", text: '{"id":1}', is_error: false });
    const long = recoveredMessages({ ...entry, status: "interrupted", result: "x".repeat(9_000) }, undefined)[1];
    const { text, is_error } = long as { text: string; is_error: boolean };
    expect([JSON.parse(text).length, JSON.parse(text).start.length]).to.deep.equal([9_002, RECOVERED_RESULT_CHARS]);
    expect(is_error).to.equal(true);
  });
});
