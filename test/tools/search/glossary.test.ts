// Words of the operator for what an application calls otherwise: in texts, in the ranking and in the offline planner.
import { expect } from "chai";
import fc from "fast-check";
import { createGlossary } from "../../../src/tools/search/glossary.js";
import { createIndex } from "../../../src/tools/search/tool-index.js";
import { createSession } from "../../planner/session.js";
import { catalogueOf } from "../../support/glossary-tools.js";

const entry = (word: string, meaning: string, application = "") => ({ application, word, meaning });
const till = createGlossary([entry("till", "POS terminal")], [""]);

describe("Glossary", () => {
  for (const [prompt, translated] of [
    ["open the till 3", "open the POS terminal 3"],
    ["Till 3?", "POS terminal 3?"],
    ["show all tills", "show all POS terminals"],
    ["still no distillery", "still no distillery"],
    ['rename item 3 to "till"', 'rename item 3 to "till"'],
    ["create an item named till", "create an item named till"],
    ["mail till@example.com", "mail till@example.com"],
    ["delete /till/3", "delete /till/3"],
  ] as const)
    it(`reads "${prompt}" as "${translated}"`, () => expect(till.translate(prompt)).to.equal(translated));

  it("keeps the word beside what it means for the ranking", () =>
    expect(till.explain("open the till")).to.equal("open the till POS terminal"));

  it("takes the longest word, in any case and spacing", () => {
    const glossary = createGlossary([entry("till", "drawer"), entry("main till", "POS terminal")], [""]);
    expect(glossary.translate("the Main  Till and the till")).to.equal("the POS terminal and the drawer");
  });

  it("leaves a prompt alone that names other applications only", () => {
    const glossary = createGlossary([entry("till", "POS terminal", "shop")], ["shop", "farm"]);
    expect(glossary.translate("till the field in the farm")).to.equal("till the field in the farm");
    expect(glossary.translate("open the till in the shop")).to.equal("open the POS terminal in the shop");
  });

  it("takes any word as it is written, and changes no text without one", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (word, text) => {
        const glossary = createGlossary([entry(`x${word}x`, "y")], [""]);
        if (!text.toLowerCase().includes("x")) expect(glossary.translate(text)).to.equal(text);
      }),
    );
  });

  it("reads the beginning of a long text, and a number of words in it", () => {
    const many = createGlossary(
      Array.from({ length: 1000 }, (_, at) => entry(`word${at} thing`, "POS terminal")),
      [""],
    );
    for (const unit of ["word1 thing till ", "word999 thing named ", "word1 "]) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(many.translate(text).split("POS").length).to.be.at.most(101);
      expect(many.translate(`${text} word7 thing`).endsWith("word7 thing")).to.equal(true);
    }
  });

  it("finds the tool that speaks of the other word, and without it ranks as ever", () => {
    const query = "list the tills";
    const found = (glossary?: Parameters<typeof catalogueOf>[0]) => catalogueOf(glossary).search(query, 3)[0]?.name;
    expect(found(till)).to.equal("list_pos_terminals");
    const { tools, search } = catalogueOf();
    expect(search(query, 3).map(({ name }) => name)).to.deep.equal(
      createIndex(tools)
        .search(query, 3)
        .map(({ tool }) => tool.name),
    );
    expect(found()).not.to.equal("list_pos_terminals");
  });

  it("is understood by the offline planner", async () => {
    const { tools } = catalogueOf();
    const turn = async (translate?: (text: string) => string) =>
      (await createSession(tools, () => ({ id: 3 }), { translate })("show the till 3")).calls;
    expect(await turn(till.translate)).to.deep.equal([["get_pos_terminal", { id: 3 }]]);
    expect(await turn()).to.deep.equal([]);
  });
});
