// Untrusted text as a terminal and a person get it.
import { expect } from "chai";
import {
  createVisiblePieces,
  DECEPTIVE,
  visible,
  visibleJson,
  visiblePart,
} from "../../src/lib/invisible-characters.js";

describe("Visible text", () => {
  it("keeps what people read and prints the rest as code points", () => {
    expect(visible("Zoë\t東京\r\nנ")).to.equal("Zoë\t東京\nנ");
    expect(visible("a\u0000b\u007fc\u202ed\u{e0041}")).to.equal("a\\u{00}b\\u{7f}c\\u{202e}d\\u{e0041}");
    expect(visible("a\rb")).to.equal("a\\u{0d}b");
  });

  it("leaves emoji and the spaces of other languages as they are", () => {
    const plain = "1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 10\u00a0€ 山田\u3000太郎";
    expect(visible(plain)).to.equal(plain);
  });

  const SPELLED = [
    "می\u200cخواهم",
    "کتاب\u200cها",
    "क्\u200dष",
    "क्\u200cष",
    "ශ්\u200dරී",
    "ه\u200d.ش",
    "👩🏽\u200d❤\ufe0f\u200d👩🏽",
  ];

  it("leaves joiners that are spelling as they are, and no others", () => {
    for (const text of SPELLED) expect(visible(text)).to.equal(text);
    for (const [text, shown] of [
      ["pay\u200cpal", "pay\\u{200c}pal"],
      ["pay\u200dpal", "pay\\u{200d}pal"],
      ["می\u200c\u200cخواهم", "می\\u{200c}\\u{200c}خواهم"],
      ["می\u200c pal", "می\\u{200c} pal"],
      ["\u200cخ", "\\u{200c}خ"],
      ["a\u0303\u200d", "a\u0303\\u{200d}"],
      ["می\u202eخواهم\u2066\u{e0041}", "می\\u{202e}خواهم\\u{2066}\\u{e0041}"],
    ] as const)
      expect(visible(text), shown).to.equal(shown);
    expect(visibleJson('"می\u200cخواهم"')).to.equal('"می\\u200cخواهم"');
    expect("می\u200cخواهم".replace(DECEPTIVE, "#")).to.equal("می#خواهم");
  });

  it("is the same however the text comes", () => {
    const text = `${SPELLED.join(" ")} pay\u200cpal می\u200c\r\nx\ry 👍🏽\u{e0041}\u200d\ud83d! می\u200c`;
    for (const size of [1, 2, 3, 7, 1_000]) {
      const pieces = createVisiblePieces();
      let shown = "";
      for (let at = 0; at < text.length; at += size) shown += pieces.push(text.slice(at, at + size));
      expect(shown + pieces.end(), `pieces of ${size}`).to.equal(visible(text));
    }
  });

  it("judges a part by what stands in it", () => {
    for (const text of ["می\u200c", "\u200cخواهم", "\u200d👩"]) expect(visiblePart(text)).to.equal(text);
    expect(visiblePart("a\u200c")).to.equal("a\\u{200c}");
    expect(visiblePart("\u200cb")).to.equal("\\u{200c}b");
    expect(visiblePart("\u200c")).to.equal("\\u{200c}");
  });

  it("O7 finds every character that can pass for another one where texts are compared by eye", () => {
    const marked = (text: string): string => text.replace(DECEPTIVE, "#");
    expect(marked("a\u00a0b\u2800c\ufe0fd\u200de\u3164f\u{e0100}g\tH")).to.equal("a#b#c#d#e#f#g#H");
    expect(marked("1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 東京 é")).to.equal("1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 東京 é");
  });
});
