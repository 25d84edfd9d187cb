// A conversation as the vendors' packages take it.
import { expect } from "chai";
import type { Message } from "../../../src/domain/message.js";
import { toPrompt } from "../../../src/providers/ai-sdk/prompt.js";

describe("Models: the prompt sent to the vendors' packages", () => {
  it("holds no block of blanks, which Anthropic refuses for the rest of the conversation", () => {
    const call = { id: "c1", name: "list_pets", arguments: {} };
    const messages: Message[] = [
      { role: "user", text: "hi" },
      { role: "assistant", text: "\n\n", calls: [] },
      { role: "user", text: "list" },
      {
        role: "assistant",
        text: " ",
        calls: [call],
        meta: { reasoning: [{ text: "", notes: { anthropic: { signature: "s" } } }] },
      },
      { role: "tool", call_id: "c1", name: "list_pets", text: "[]", is_error: false },
      { role: "assistant", text: " None. ", calls: [] },
    ];
    const prompt = toPrompt({ system: "", messages, tools: [] });
    expect(prompt.map(({ role }) => role)).to.deep.equal(["user", "user", "assistant", "tool", "assistant"]);
    expect(prompt[2]?.content).to.deep.include({
      type: "tool-call",
      toolCallId: "c1",
      toolName: "list_pets",
      input: {},
    });
    const texts = prompt.flatMap(({ content }) =>
      Array.isArray(content) ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    );
    expect(texts).to.deep.equal(["hi", "list", " None. "]);
  });
});
