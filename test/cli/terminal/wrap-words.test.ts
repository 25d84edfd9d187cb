// Plain text broken between its words.
import { expect } from "chai";
import { wrapWords } from "../../../src/cli/terminal/wrap-words.js";

describe("A notice on a terminal", () => {
  it("is broken between words, with its indent, and never inside one", () => {
    for (const [text, rows] of [
      ["short", ["short"]],
      ["one two three four", ["one two", "three four"]],
      ["  one two three", ["  one two", "  three"]],
      ["see http://127.0.0.1:4242/x now", ["see", "http://127.0.0.1:4242/x", "now"]],
      ["a  b  c d e f", ["a  b  c d", "e f"]],
      ["exactly 10\nnext line", ["exactly 10", "next line"]],
      ["東京 東京 東京", ["東京 東京", "東京"]],
      ["", [""]],
    ] as const)
      expect(wrapWords(text, 10).split("\n"), text).to.deep.equal(rows);
  });
});
