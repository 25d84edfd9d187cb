// One recorded conversation as a page.
import { expect } from "chai";
import { conversationPage } from "../../../src/cli/terminal/conversation-page.js";
import type { Message } from "../../../src/domain/message.js";
import type { TranscriptTurn } from "../../../src/domain/record.js";
import { toJson } from "../../../src/lib/json.js";

const turn = (messages: Message[], more: Partial<TranscriptTurn> = {}): TranscriptTurn => ({
  turn_id: "t",
  prompt: "which pets\nare there?",
  status: "done",
  error: "",
  started_at: "2026-01-31T09:00:00.000Z",
  ended_at: null,
  provider: "p",
  model: "m",
  client: "cli",
  asked_by: "",
  messages,
  ...more,
});

const page = (turns: TranscriptTurn[], width = 60): string =>
  conversationPage({ session_id: "s", title: "Pets", turns }, { width, styled: false, timeOf: (ts) => ts });

const result = (text: string, is_error = false): Message => ({
  role: "tool",
  call_id: "c",
  name: "list_pets",
  text,
  is_error,
});

describe("A recorded conversation", () => {
  const call: Message = {
    role: "assistant",
    text: "",
    calls: [{ id: "c", name: "list_pets", arguments: { limit: 2 } }],
  };

  it("is shown whole, with rows of results as tables", () => {
    const pets = [
      { id: 1, name: "Rex" },
      { id: 22, name: "東京" },
    ];
    const answer: Message = { role: "assistant", text: "**Two** pets.", calls: [] };
    expect(page([turn([call, result(toJson(pets)), answer])])).to.equal(
      [
        "Pets",
        "session s",
        "",
        "2026-01-31T09:00:00.000Z  p m",
        "> which pets",
        "> are there?",
        "",
        '→ list_pets {"limit":2}',
        "",
        "✓ list_pets",
        "  id  name",
        "  ──  ────",
        "   1  Rex",
        "  22  東京",
        "",
        "Two pets.",
        "",
      ].join("\n"),
    );
  });

  it("cuts no row that the width has no room for", () => {
    const note = "every word of a note that no line has room for ".repeat(4).trim();
    const flat = page([turn([call, result(toJson([{ id: 1, note }]))])], 40).replaceAll(/\s+/g, " ");
    expect(flat).to.include(`row 1 of 1 id 1 note ${note}`);
  });

  it("says what failed, and how a turn ended once", () => {
    const text = page([
      turn([call, result("no \u001b[31mJSON", true)], { status: "cancelled", error: "cancelled" }),
      turn([], { status: "failed", error: "the model is gone" }),
    ]);
    expect(text).to.include("✗ list_pets\n  no \\u{1b}[31mJSON\n\ncancelled\n");
    expect(text).to.match(/\nfailed: the model is gone\n$/);
  });
});
