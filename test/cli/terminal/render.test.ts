// Events to terminal text.
import { expect } from "chai";
import { describeHeld } from "../../../src/cli/terminal/confirm.js";
import { jsonText } from "../../../src/cli/terminal/output.js";
import { createRenderer } from "../../../src/cli/terminal/render.js";
import { alignMarkdown, formatTable, oneLine } from "../../../src/cli/terminal/table.js";
import type { TurnEvent } from "../../../src/domain/event.js";

function rendered(events: TurnEvent[], tables = false): { out: string; notes: string[] } {
  const written = { out: "", notes: [] as string[] };
  const out = (text: string): string => (written.out += text);
  const render = createRenderer({ out, note: (line) => written.notes.push(line), tables });
  for (const event of events) render(event);
  return written;
}

const message = (text: string): TurnEvent => ({ kind: "assistant_message", text });
const delta = (text: string): TurnEvent => ({ kind: "assistant_delta", text });

describe("Rendering", () => {
  it("shows streamed text once", () => {
    expect(rendered([delta("Hel"), delta("lo"), message("Hello"), message("Bye")]).out).to.equal("Hello\nBye\n");
  });

  it("begins what it says about a call, or its failure, on a line of its own, and ends no text twice", () => {
    const usage: TurnEvent = { kind: "usage", input_tokens: 7, output_tokens: 2, provider: "p", model: "m" };
    const failure = { kind: "error", message: "cut" } as TurnEvent;
    const terminal = (events: TurnEvent[]): string => {
      let screen = "";
      const out = (text: string): string => (screen += text);
      const render = createRenderer({ out, note: (line) => out(`[${line}]\n`), tables: true, usage: true });
      for (const event of events) render(event);
      return screen;
    };
    const line = "[  m: 7 in, 2 out]\n";
    expect(terminal([delta("Hel"), delta("lo"), usage, message("Hello")])).to.equal(`Hello\n${line}`);
    expect(terminal([usage, message("Hello"), usage, message("")])).to.equal(`${line}Hello\n${line}`);
    expect(terminal([delta("Hel"), failure])).to.equal("Hel\n[error: cut]\n");
  });

  it("shows nothing for an empty message", () => {
    expect(rendered([message("")]).out).to.equal("");
  });

  it("aligns a table for a person, however its text is cut into deltas", () => {
    const text = "See:\n| id | name |\n|---|:-:|\n| 1 | 東京 |\n| 22 | x |\nDone";
    const aligned = "See:\n| id  | name |\n| --- | ---- |\n| 1   | 東京 |\n| 22  | x    |\nDone\n";
    for (let size = 1; size < 12; size++) {
      const deltas = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      expect(rendered([...deltas.map(delta), message(text)], true).out, String(size)).to.equal(aligned);
    }
    expect(rendered([message(text)], true).out).to.equal(aligned);
    expect(rendered([message(text)]).out).to.equal(`${text}\n`);
  });

  it("O12 passes on tables that would become many times as long as they are, or take minutes", () => {
    const wide = `|${" a |".repeat(50_000)}\n${"| b |\n".repeat(50_000)}`;
    const long = `| ${"x".repeat(100_000)} |\n${"| b |\n".repeat(1000)}`;
    for (const text of [wide, long]) {
      const { out } = rendered([delta(text), message(text)], true);
      expect(out.length).to.be.below(2 * text.length);
      expect(out.startsWith(text.slice(0, 100))).to.equal(true);
    }
  });

  it("keeps a table that ends the message", () => {
    expect(rendered([delta("| a |\n|---|\n| b |"), message("")], true).out).to.include("| b   |\n");
  });

  it("O6 shows control characters instead of obeying them, in text, names, arguments and errors", () => {
    const evil = "\u001b[2J\u0007\u009b1A\r";
    const { out, notes } = rendered([
      delta(`x${evil}`),
      message(`x${evil}`),
      { kind: "tool_call", id: "1", name: `t${evil}`, arguments: { [evil]: evil } },
      { kind: "tool_result", id: "1", status: "error", result: { error: evil, message: evil }, duration_ms: 1 },
      { kind: "error", message: evil },
      { kind: "notice", message: evil },
    ]);
    expect(notes.length).to.equal(4);
    expect(out + notes.join("")).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(out).to.include("\\u{1b}[2J");
  });

  it("O7 shows hidden and direction-changing characters in what a person confirms", () => {
    const held = {
      id: "1",
      session_id: "s",
      turn_id: "t",
      call_id: "c",
      application: "",
      tool: "pay\u202egnp",
      safety: "mutating" as const,
      arguments: { to: "ann\u200ba", long: "x".repeat(5000) },
      request: { method: "POST" },
      created_at: "",
      expires_at: "",
    };
    const text = describeHeld(held);
    expect(text).to.include("pay\\u{202e}gnp (mutating)").and.include('"ann\\u{200b}a"');
    expect(text.match(/x/g)?.length, "all of it").to.be.above(4999);
    expect(text.endsWith("[y/N] ")).to.equal(true);
    const alike = describeHeld({ ...held, tool: "pay\u00a0bob", arguments: { to: "a\u2003b\u2800c\ufe00", "x y": 1 } });
    expect(alike).to.include("pay\\u{a0}bob (").and.include('"a\\u{2003}b\\u{2800}c\\u{fe00}"').and.include('"x y": 1');
  });

  it("keeps the emoji that need their joiner", () => {
    expect(rendered([message("👩‍👧")]).out).to.equal("👩‍👧\n");
  });

  it("writes JSON on one line that is the same JSON", () => {
    const value = { text: "a\u009b\u2028\u202e\n\u001b", n: 12345678901234567890n };
    const line = jsonText(value);
    expect(line).to.not.match(/[\n\u001b\u009b\u2028\u202e]/);
    expect(line).to.include("12345678901234567890");
    expect((JSON.parse(line) as { text: string }).text).to.equal(value.text);
  });

  it("makes columns as wide as what is in them", () => {
    expect(
      formatTable(
        ["A", "B"],
        [
          ["日本", "x"],
          ["z", ""],
        ],
      ),
    ).to.equal("A     B\n日本  x\nz\n");
    expect(oneLine(" a\n\tb  c ", 4)).to.equal("a b…");
    expect(alignMarkdown(["| a \\| b | c |", "|--|--|", "| 1 |"])).to.equal(
      "| a \\| b | c   |\n| ------ | --- |\n| 1      |     |\n",
    );
  });
});
