// Untrusted text as a terminal and a person get it.
import { expect } from "chai";
import { DECEPTIVE, visible } from "../../src/lib/invisible-characters.js";

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

  it("O7 finds every character that can pass for another one where texts are compared by eye", () => {
    const marked = (text: string): string => text.replace(DECEPTIVE, "#");
    expect(marked("a\u00a0b\u2800c\ufe0fd\u200de\u3164f\u{e0100}g\tH")).to.equal("a#b#c#d#e#f#g#H");
    expect(marked("1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 東京 é")).to.equal("1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 東京 é");
  });
});
