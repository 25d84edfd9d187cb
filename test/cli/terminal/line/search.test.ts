// A search of the prompts typed before.
import { expect } from "chai";
import { EMPTY_SEARCH, type Search, searchOlder, searchPrompts } from "../../../../src/cli/terminal/line/search.js";

const PROMPTS = ["list pets", "delete pet 4", "list Pets", "list pets", "what is left"];

/** A search as it is typed: letters, `<` for Backspace, `^` for the next older one. */
const typed = (keys: string): Search =>
  [...keys].reduce((search, key) => {
    if (key === "^") return searchOlder(PROMPTS, search);
    const query = key === "<" ? search.query.slice(0, -1) : search.query + key;
    return searchPrompts(PROMPTS, search, query);
  }, EMPTY_SEARCH);

describe("A search of the prompts typed before", () => {
  it("finds the newest with the text in it, then older ones, none twice in a row", () => {
    for (const [keys, place, isFailed] of [
      ["", undefined, false],
      ["l", 4, false],
      ["list", 3, false],
      ["list^", 2, false],
      ["list^^", 0, false],
      ["list^^^", 0, true],
      ["PET", 3, false],
      ["pet^^ 4", 1, false],
      ["pet 4", 1, false],
      ["list^<<<<", undefined, false],
      ["list^<", 3, false],
      ["lx", 4, true],
      ["lx<", 4, false],
      ["nowhere", undefined, true],
      ["^", undefined, false],
    ] as const)
      expect(typed(keys), keys).to.include({ place, isFailed });
  });
});
