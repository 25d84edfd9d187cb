// Words as a shell takes them apart.
import { expect } from "chai";
import { shellWords } from "../../../src/cli/terminal/shell-words.js";

describe("The words of a line", () => {
  it("are kept together by quotes and backslashes", () => {
    for (const [line, words] of [
      ["", []],
      ["  npx  server /a ", ["npx", "server", "/a"]],
      ["'/my shop/openapi.json' ", ["/my shop/openapi.json"]],
      ['"/my shop/$HOME \\"x\\".json"', ['/my shop/$HOME "x".json']],
      ["/my\\ shop/a\\'b\\(1\\).json", ["/my shop/a'b(1).json"]],
      ["'/it'\\''s here.db'", ["/it's here.db"]],
      ["node --name=\"a b\" '' c", ["node", "--name=a b", "", "c"]],
      ["/it's here.db", ["/it's", "here.db"]],
      ["a\\", ["a\\"]],
      ["'Straße 東京.json'", ["Straße 東京.json"]],
    ] as const)
      expect(shellWords(line), line).to.deep.equal(words);
  });
});
