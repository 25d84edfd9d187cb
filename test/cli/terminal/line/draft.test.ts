// Keys, and what they make of a prompt that is being typed.
import { expect } from "chai";
import { type Draft, edited } from "../../../../src/cli/terminal/line/draft.js";
import { draftRows } from "../../../../src/cli/terminal/line/draw-draft.js";
import { createKeyReader, type KeyName } from "../../../../src/cli/terminal/line/keys.js";

/** A draft written with | for its cursor. */
const draft = (text: string): Draft => ({ text: text.replace("|", ""), at: text.indexOf("|") });
const written = ({ text, at }: Draft): string => `${text.slice(0, at)}|${text.slice(at)}`;

describe("A prompt that is being typed", () => {
  it("is edited by characters, words and lines", () => {
    const cases: [before: string, key: KeyName, after: string][] = [
      ["ab|", "backspace", "a|"],
      ["a👩‍👧|", "backspace", "a|"],
      ["a|e\u0301b", "delete", "a|b"],
      ["a|b", "left", "|ab"],
      ["|👩‍👧b", "right", "👩‍👧|b"],
      ["one two|", "word-left", "one |two"],
      ["one| two", "word-right", "one two|"],
      ["one two|", "erase-word", "one |"],
      ["a\nbc|d", "home", "a\n|bcd"],
      ["a|b\nc", "end", "ab|\nc"],
      ["a\nbc|d", "erase-before", "a\n|d"],
      ["a|b\nc", "erase-after", "a|\nc"],
      ["a|b", "newline", "a\n|b"],
      ["one| two three", "erase-next-word", "one| three"],
      ["abc\nde|", "up", "ab|c\nde"],
      ["abc|\nd", "down", "abc\nd|"],
    ];
    for (const [before, key, after] of cases)
      expect(written(edited(draft(before), key) ?? draft("|")), `${before} ${key}`).to.equal(after);
    expect(edited(draft("a|b\nc"), "up")).to.equal(undefined);
    expect(edited(draft("a\nb|"), "down")).to.equal(undefined);
  });

  it("is drawn at the width, with what would act on a terminal as its code point", () => {
    expect(draftRows(draft("a\u001bb|"), 80, 5)).to.deep.equal({ rows: ["> a\\u{1b}b"], row: 0, column: 10 });
    expect(draftRows(draft("abcdefgh|"), 8, 5)).to.deep.equal({ rows: ["> abcde", "  fgh"], row: 1, column: 5 });
    expect(draftRows(draft("東京|\nx"), 80, 5)).to.deep.equal({ rows: ["> 東京", "  x"], row: 0, column: 6 });
    expect(draftRows(draft("a\nb\nc|\nd"), 80, 2)).to.deep.equal({ rows: ["  b", "  c"], row: 1, column: 3 });
  });

  it("is read from keys, however their sequences come, and a paste is one piece", () => {
    const bytes = "a\u001b[1;5D\u001b\r\u001b[200~x\r\ny\u0003\u001b[201~\u0003\r東";
    const whole = createKeyReader()(bytes);
    expect(whole).to.deep.equal([
      { kind: "text", text: "a" },
      { kind: "word-left" },
      { kind: "newline" },
      { kind: "paste", text: "x\ny\u0003" },
      { kind: "interrupt" },
      { kind: "enter" },
      { kind: "text", text: "東" },
    ]);
    const read = createKeyReader();
    expect([...bytes].flatMap((one) => read(one))).to.deep.equal(whole);
  });
});
