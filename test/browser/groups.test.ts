// Items of a turn in the groups in which they are displayed, and the times of a turn, without a browser.
import { expect } from "chai";
import type { TranscriptTurn } from "../../src/domain/record.js";
import { groupLine, groupsOf } from "../../static/turn/groups.js";
import { withTimes } from "../../static/turn/times.js";
import { turnsOf } from "../../static/turn/transcript.js";
import { applyEvents, type CallItem, type Item, startTurn } from "../../static/turn/turn.js";

const call = (id: string, status?: CallItem["status"]): CallItem => {
  const item: CallItem = { kind: "call", id, name: "list", arguments: {} };
  if (status !== undefined) item.status = status;
  return item;
};
const text = (said: string): Item => ({ kind: "text", text: said, streaming: false });

describe("the web UI: groups of a turn", () => {
  it("are of calls with nothing between them, at the place of the first", () => {
    const groups = groupsOf([text("a"), call("1"), call("2"), text("b"), call("3")]);
    expect(
      groups.map(({ at, item }) => [at, item.kind === "calls" ? item.calls.map(({ id }) => id) : item.kind]),
    ).to.deep.equal([
      [0, "text"],
      [1, ["1", "2"]],
      [3, "text"],
      [4, ["3"]],
    ]);
  });

  it("are of one reply, from events as from a transcript", () => {
    const usage = { kind: "usage", provider: "p", model: "m", input_tokens: 1, output_tokens: 1 } as const;
    const called = (id: string) => ({ kind: "tool_call", id, name: "list", arguments: {} }) as const;
    const answered = (id: string) => ({ kind: "tool_result", id, result: 1, status: "ok", duration_ms: 1 }) as const;
    const warned = { kind: "notice", message: "list: mind." } as const;
    const several = { kind: "calls" as const, ids: ["1", "2"] };
    const first = [several, called("1"), answered("1"), warned, called("2"), answered("2")];
    const events = [usage, ...first, called("3"), answered("3")];
    const numbered = events.map((event, i) => ({ ...event, turn_id: "t", seq: i + 1 }));
    const [live] = applyEvents([], numbered);
    const asked = (...ids: string[]): TranscriptTurn["messages"][number] => ({
      role: "assistant",
      text: "",
      calls: ids.map((id) => ({ id, name: "list", arguments: {} })),
    });
    const messages = [asked("1", "2"), asked("3")];
    const stored = { turn_id: "t", prompt: "", status: "done", error: "", started_at: "", ended_at: null, messages };
    const [loaded] = turnsOf([stored as unknown as TranscriptTurn], []);
    for (const turn of [live, loaded])
      expect(
        groupsOf(turn?.items ?? []).flatMap(({ item }) =>
          item.kind === "calls" ? [item.calls.map(({ id }) => id)] : [],
        ),
      ).to.deep.equal([["1", "2"], ["3"]]);
  });

  it("keep their places while more calls come", () => {
    const items = [call("1", "ok"), call("2"), text("a"), call("3")];
    for (let count = 1; count <= items.length; count++)
      expect(groupsOf(items.slice(0, count)).map(({ at }) => at)).to.deep.equal([0, 2, 3].filter((at) => at < count));
  });

  it("are counted by state", () => {
    expect(
      groupLine([call("1", "ok"), call("2"), call("3", "ok"), call("4", "dry_run")], { status: "running" }),
    ).to.equal("4 calls · 2 ok · 1 running · 1 dry run");
    expect(groupLine([call("1", "error"), call("2", "error")], { status: "done" })).to.equal("2 calls · 2 failed");
  });

  it("time a call by its record, or else from when it was first seen", () => {
    const turn = { ...startTurn("a", "p", "a"), items: [call("1"), call("2"), call("3", "ok")] };
    const { items } = withTimes(turn, 9000, (_, id) => (id === "1" ? 4000 : undefined));
    expect(items.map((item) => item.kind === "call" && item.since)).to.deep.equal([4000, 9000, undefined]);
  });

  it("time thoughts up to what follows them, and a turn from its first event to its last", () => {
    const thoughts: Item = { kind: "thoughts", text: "hm", streaming: true };
    const began = withTimes({ ...startTurn("a", "p"), items: [thoughts] }, 1000);
    expect(began.items).to.deep.equal([{ ...thoughts, since: 1000 }]);
    const goesOn = withTimes({ ...began, items: [...began.items, { kind: "text", text: "x", streaming: true }] }, 4000);
    expect(goesOn.items[0]).to.deep.equal({ ...thoughts, since: 1000, took: 3000 });
    const over = withTimes({ ...goesOn, status: "done" }, 9000);
    expect([over.started_at, over.ended_at]).to.deep.equal(["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:09.000Z"]);
    // What came back whole says nothing of its beginning.
    expect(withTimes({ ...startTurn("a", "p"), status: "done" }, 9000).ended_at).to.equal(undefined);
  });
});
