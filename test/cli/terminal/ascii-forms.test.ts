// The program's signs where a terminal has ASCII only.
import { expect } from "chai";
import { withOwnSigns } from "../../../src/cli/terminal/ascii-forms.js";

const TEXT = "✓ ok ✗ ⊘ ◷ ■ ○ → a… • ◦ ▪ ═ ─ │ ⠋⠏ 東京 é";

describe("Signs on a terminal", () => {
  it("are ASCII in the locales C and POSIX, of the same width, by the first variable that is set", () => {
    for (const env of [
      { LC_ALL: "C" },
      { LC_ALL: "POSIX", LANG: "C.UTF-8" },
      { LC_CTYPE: "C" },
      { LC_ALL: "", LANG: "C" },
    ]) {
      const text = withOwnSigns(TEXT, { isTTY: true }, env);
      expect(text).to.match(/^\+ ok x [ -~]* 東京 é$/);
      expect(text.length).to.equal(TEXT.length);
    }
  });

  it("stay as they are in other locales, without any, and in a pipe", () => {
    for (const env of [{ LC_ALL: "C.UTF-8" }, { LC_ALL: "en_US.UTF-8", LANG: "C" }, { LANG: "C.utf8" }, {}])
      expect(withOwnSigns(TEXT, { isTTY: true }, env)).to.equal(TEXT);
    expect(withOwnSigns(TEXT, {}, { LC_ALL: "C" })).to.equal(TEXT);
  });
});
