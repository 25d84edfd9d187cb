// Events to terminal text.
import { expect } from "chai";
import { callLines, createPlainActivity } from "../../../src/cli/terminal/activity.js";
import { describeHeld } from "../../../src/cli/terminal/confirm.js";
import { jsonText } from "../../../src/cli/terminal/output.js";
import { createPlainAnswer, createRenderer } from "../../../src/cli/terminal/render.js";
import { formatTable, oneLine } from "../../../src/cli/terminal/table.js";
import type { TurnEvent } from "../../../src/domain/event.js";
import { STOPPED_READ } from "../../../src/domain/stopped-call.js";
import type { JsonValue } from "../../../src/lib/json.js";

function rendered(events: TurnEvent[], { quiet = false, isDryRun = false } = {}): { out: string; notes: string[] } {
  const written = { out: "", notes: [] as string[] };
  const note = (line: string): number => written.notes.push(line);
  const render = createRenderer({
    answer: createPlainAnswer((text) => (written.out += text)),
    activity: createPlainActivity(isDryRun, note),
    note,
    quiet,
  });
  for (const event of events) render(event);
  return written;
}

const message = (text: string): TurnEvent => ({ kind: "assistant_message", text });
const delta = (text: string): TurnEvent => ({ kind: "assistant_delta", text });

describe("Rendering", () => {
  it("shows streamed text once", () => {
    expect(rendered([delta("Hel"), delta("lo"), message("Hello"), message("Bye")]).out).to.equal("Hello\nBye\n");
  });

  it("shows joiners that are spelling, however the text is cut, and no character that acts", () => {
    const text = "می\u200cخواهم 👩🏽\u200d💻 pay\u200cpal \u001b\u202e";
    const { out } = rendered([...Array.from({ length: text.length }, (_, at) => delta(text[at] ?? "")), message(text)]);
    expect(out).to.equal("می\u200cخواهم 👩🏽\u200d💻 pay\\u{200c}pal \\u{1b}\\u{202e}\n");
  });

  it("begins what it says about a call, or its failure, on a line of its own, and ends no text twice", () => {
    const usage: TurnEvent = { kind: "usage", input_tokens: 7, output_tokens: 2, provider: "p", model: "m" };
    const failure = { kind: "error", message: "cut" } as TurnEvent;
    const terminal = (events: TurnEvent[]): string => {
      let screen = "";
      const out = (text: string): string => (screen += text);
      const note = (line: string): string => out(`[${line}]\n`);
      const answer = createPlainAnswer(out);
      const render = createRenderer({ answer, activity: createPlainActivity(false, note), note, usage: true });
      for (const event of events) render(event);
      return screen;
    };
    const line = "[  m: 7 in, 2 out]\n";
    expect(terminal([delta("Hel"), delta("lo"), usage, message("Hello")])).to.equal(`Hello\n${line}`);
    expect(terminal([usage, message("Hello"), usage, message("")])).to.equal(
      `${line}Hello\n${line}[The model answered nothing.]\n`,
    );
    expect(terminal([delta("Hel"), failure])).to.equal("Hel\n[error: cut]\n");
  });

  it("shows nothing for an empty message", () => {
    expect(rendered([message("")]).out).to.equal("");
  });

  it("says of a call what became of it, with the application's own reason where it failed", () => {
    const call: TurnEvent = { kind: "tool_call", id: "1", name: "create_pet", arguments: { name: "" } };
    const ended = (result: JsonValue, status: "ok" | "error" = "error") =>
      ({ kind: "tool_result", id: "1", status, result, duration_ms: 12 }) as const;
    const ends: [result: ReturnType<typeof ended>, line: string][] = [
      [ended([], "ok"), "  ok, 12 ms"],
      [
        ended({ error: "http_422", message: "x", status: 422, body: { detail: "name must not be empty" } }),
        "  failed, 12 ms: name must not be empty",
      ],
      [ended({ error: "refused", message: "read_only is in force" }), "  refused: read_only is in force"],
      [ended({ error: "cancelled", message: STOPPED_READ }), "  You stopped this call before its answer"],
    ];
    for (const [result, line] of ends) expect(rendered([call, result]).notes[1]).to.equal(line);
    expect(
      ends.map(([result]) => callLines(call, result, { width: 40, styled: false, isDryRun: false })),
    ).to.deep.equal([
      ['✓ create_pet {"name":""} ok, 12 ms'],
      ['✗ create_pet {"name":""} failed, 12 ms', "  name must not be empty"],
      ['⊘ create_pet {"name":""} refused', "  read_only is in force"],
      ['■ create_pet {"name":""} stopped', "  You stopped this call before its", "  answer"],
    ]);
    expect(callLines(call, ends[1]?.[0] ?? ended(null), { width: 30, styled: false, isDryRun: false })[0]).to.equal(
      '✗ create_pet {"… failed, 12 ms',
    );
  });

  it("says of a dry run what was not sent, and believes no application that says so", () => {
    const call: TurnEvent = { kind: "tool_call", id: "1", name: "create_pet", arguments: {} };
    const result = { dry_run: true, not_sent: { method: "POST", url: "http://127.0.0.1/pets", body: {} } };
    const end: TurnEvent = { kind: "tool_result", id: "1", status: "ok", result, duration_ms: 0 };
    const line = "  dry run: nothing was sent; it would be POST http://127.0.0.1/pets";
    expect(rendered([call, end], { isDryRun: true }).notes[1]).to.equal(line);
    expect(rendered([call, end]).notes[1]).to.equal("  ok, 0 ms");
  });

  it("shows what a dry run would change as a confirmation does, and the parameters of a statement", () => {
    const change = { resource: "stock", key: { id: 1 }, before: { id: 1, amount: 4 }, after: { id: 1, amount: 3 } };
    const tables = [{ name: "stock", inserted: 0, updated: 1, deleted: 0 }];
    const effect = { tables, changes: [change], complete: true };
    const not_sent = { statement: 'UPDATE "stock" SET "amount" = ?', database: "sqlite:ware.db", parameters: [3, 1] };
    const result = { dry_run: true, not_sent, effect, undo: "possible" };
    const call = { kind: "tool_call", id: "1", name: "update_stock", arguments: {} } as const;
    const end = { kind: "tool_result", id: "1", status: "ok", result, duration_ms: 0 } as const;
    const lines = ['    changed in stock {"id":1}', "      amount: 4 -> 3", "    stock: 1 changed"];
    const reason = 'nothing was sent; it would be UPDATE "stock" SET "amount" = ? [3,1]';
    expect(rendered([call, end], { isDryRun: true }).notes.slice(1)).to.deep.equal([`  dry run: ${reason}`, ...lines]);
    const drawn = callLines(call, end, { width: 100, styled: false, isDryRun: true });
    expect(drawn.slice(1)).to.deep.equal([`  ${reason}`, ...lines]);
    for (const effect of [null, {}, { changes: [{}] }, { changes: "x" }] as JsonValue[])
      expect(rendered([call, { ...end, result: { ...result, effect } }], { isDryRun: true }).notes).to.have.length(2);
  });

  it("says nothing but the answer, and what ended it, where it is to be quiet", () => {
    const call: TurnEvent = { kind: "tool_call", id: "1", name: "x", arguments: {} };
    const failure: TurnEvent = { kind: "error", message: "cut" };
    expect(rendered([{ kind: "notice", message: "n" }, message("Hello"), failure], { quiet: true })).to.deep.equal({
      out: "Hello\n",
      notes: ["error: cut"],
    });
    expect(rendered([call]).notes).to.deep.equal(["→ x {}"]);
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
  });
});
