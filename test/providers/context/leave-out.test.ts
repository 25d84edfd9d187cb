// What stays of a conversation under a number of tokens.
import { expect } from "chai";
import fc from "fast-check";
import type { Message } from "../../../src/domain/message.js";
import { tokensOfMessages } from "../../../src/providers/context/estimate.js";
import { leaveOut } from "../../../src/providers/context/leave-out.js";

let ids = 0;

/** The messages of one turn: a prompt, so many calls with a result of this size, an answer. */
function turn(prompt: string, calls: number, resultChars: number, isOpen = false): Message[] {
  const messages: Message[] = [{ role: "user", text: prompt }];
  for (let n = 0; n < calls; n++) {
    const id = `c${++ids}`;
    messages.push({ role: "assistant", text: "", calls: [{ id, name: "list", arguments: {} }] });
    messages.push({ role: "tool", call_id: id, name: "list", text: "x".repeat(resultChars), is_error: false });
  }
  if (!isOpen) messages.push({ role: "assistant", text: "so", calls: [] });
  return messages;
}

const shapes = fc.array(fc.record({ calls: fc.nat(3), chars: fc.nat(2_000) }), { minLength: 1, maxLength: 6 });

describe("Models: what is left out of a conversation", () => {
  it("leaves out nothing that fits", () => {
    const messages = [...turn("one", 1, 100), ...turn("two", 1, 100)];
    expect(leaveOut(messages, 10_000)).to.deep.equal({ messages, turns: 0, results: 0 });
  });

  it("leaves out the oldest turns first, and no more than it must", () => {
    const turns = [turn("one", 1, 4_000), turn("two", 1, 4_000), turn("three", 1, 4_000)];
    const [, second = [], third = []] = turns;
    const budget = tokensOfMessages([...second, ...third]);
    expect(leaveOut(turns.flat(), budget)).to.deep.equal({ messages: [...second, ...third], turns: 1, results: 0 });
    expect(leaveOut(turns.flat(), budget - 1)).to.deep.include({ messages: third, turns: 2 });
  });

  it("counts notices before a prompt to the turn before it", () => {
    const notice: Message = { role: "notice", text: "approved" };
    const last = turn("two", 0, 0);
    const { messages, turns } = leaveOut([...turn("one", 1, 4_000), notice, ...last], tokensOfMessages(last));
    expect({ messages, turns }).to.deep.equal({ messages: last, turns: 1 });
  });

  it("replaces results of the present turn that were read, and never the newest", () => {
    const present = turn("now", 3, 4_000, true);
    const { messages, turns, results } = leaveOut([...turn("before", 1, 10), ...present], 1_300);
    expect({ turns, results }).to.deep.equal({ turns: 1, results: 2 });
    expect(messages.map(({ role }) => role)).to.deep.equal(present.map(({ role }) => role));
    expect(messages.at(-1)).to.equal(present.at(-1));
    expect(messages[2]?.text).to.contain("left_out");
  });

  it("keeps the present prompt and never parts a call from its result, whatever the budget", () => {
    fc.assert(
      fc.property(shapes, fc.nat(4_000), fc.boolean(), (turns, budget, isOpen) => {
        const messages = turns.flatMap(({ calls, chars }, at) =>
          turn(`prompt ${at}`, calls, chars, isOpen && at === turns.length - 1),
        );
        const { messages: kept } = leaveOut(messages, budget);
        const prompts = kept.filter(({ role }) => role === "user").map(({ text }) => text);
        expect(prompts.at(-1)).to.equal(`prompt ${turns.length - 1}`);
        const calls = kept.flatMap((one) => (one.role === "assistant" ? one.calls.map(({ id }) => id) : []));
        const results = kept.flatMap((one) => (one.role === "tool" ? [one.call_id] : []));
        expect(results).to.deep.equal(calls);
        expect(kept[0]?.role).to.equal("user");
      }),
    );
  });
});
