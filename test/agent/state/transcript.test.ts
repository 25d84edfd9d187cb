// Which messages the model still sees.
import { expect } from "chai";
import { repair, trim } from "../../../src/agent/state/transcript.js";
import type { Message } from "../../../src/domain/message.js";

const user = (text: string): Message => ({ role: "user", text });
const assistant = (text: string, ...ids: string[]): Message => ({
  role: "assistant",
  text,
  calls: ids.map((id) => ({ id, name: "t", arguments: {} })),
});
const tool = (id: string): Message => ({ role: "tool", call_id: id, name: "t", text: "{}", is_error: false });

describe("history_limit", () => {
  it("keeps the newest messages", () => {
    const all = [user("a"), assistant("b"), user("c"), assistant("d")];
    expect(trim(all, 2)).to.deep.equal([user("c"), assistant("d")]);
  });

  it("never separates a tool call from its result", () => {
    const all = [user("a"), assistant("", "1", "2"), tool("1"), tool("2"), assistant("b"), user("c")];
    for (let limit = 1; limit <= all.length; limit++) {
      const kept = trim(all, limit);
      expect(kept[0]?.role, `limit ${limit}`).to.not.equal("tool");
      expect(repair(kept)).to.deep.equal(kept);
    }
  });

  it("never drops the current prompt, however many messages follow it", () => {
    const all = [
      user("old"),
      assistant("x"),
      user("now"),
      assistant("", "1"),
      tool("1"),
      assistant("", "2"),
      tool("2"),
    ];
    expect(trim(all, 2)[0]).to.deep.equal(user("now"));
  });
});

describe("a transcript that a crash left open", () => {
  it("answers every call without a result and drops results without a call", () => {
    const repaired = repair([tool("9"), user("a"), assistant("", "1", "2"), tool("2"), user("b")]);
    expect(repaired.map((message) => message.role)).to.deep.equal(["user", "assistant", "tool", "tool", "user"]);
    const lost = repaired[2];
    expect(lost?.role === "tool" && lost.call_id === "1" && lost.is_error).to.equal(true);
  });
});
