// Prompts of any length and shape: the planner reads the beginning, reports that, and changes nothing because of it.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { beginningOf, MAX_CHARACTERS, MAX_WORDS } from "../../../src/planner/prompt/prompt.js";
import { createIndex } from "../../../src/tools/search/tool-index.js";
import { allOnly } from "../../support/all.js";
import { createSession, tool } from "../session.js";

const TEXT = {
  type: "string",
  description: "What it is called, who it is for, and the price under which it was sold.",
};
const FIELDS: JsonObject = {
  name: TEXT,
  price: { type: "number" },
  tags: { type: "array", items: TEXT },
  day1: TEXT,
  day2: TEXT,
};
const TOOLS = [
  tool("list_products", "list", "GET /products", { search: TEXT, max_price: { type: "number" }, from: TEXT, to: TEXT }),
  tool("create_product", "create", "POST /products", FIELDS, ["name"]),
  tool("update_product", "update", "PATCH /products/{id}", { id: { type: "integer" }, ...FIELDS }, ["id"]),
  tool("delete_product", "delete", "DELETE /products/{id}", { id: { type: "integer" } }, ["id"]),
];
/** The longest prompt an entry point accepts. */
const LONGEST = 1_048_576;
const ROWS = Array.from({ length: 200 }, (_, id) => ({ id, name: `Lamp ${id}`, status: "open", price: id }));
const ask = (prompt: string) => createSession(TOOLS, (called) => (called.verb === "list" ? ROWS : {}))(prompt);
const filled = (head: string, unit: (i: number) => string, tail = ""): string => {
  const units: string[] = [];
  for (let i = 0, size = head.length; size < LONGEST; i++) size += units[units.push(unit(i)) - 1]?.length ?? 0;
  return `${head}${units.join("")}`.slice(0, LONGEST - tail.length) + tail;
};
const word = (i: number): string => (i * 2_654_435_761).toString(36).replace(/\d/g, "q");

const HOSTILE: Readonly<Record<string, string>> = {
  "random words": filled("list products ", (i) => `${word(i)} `),
  "one word over and over": filled("list ", () => "products "),
  "one huge word": filled("list ", () => "x"),
  names: filled("products of ", (i) => `${word(i).toUpperCase()} `),
  "pasted CSV": filled("create a product from\n", (i) => `${i},${word(i)},2026-01-01,${i}.5\n`),
  "a log": filled("show products ", (i) => `2026-01-01T10:00:00Z ERROR ${word(i)}@a.b 10.0.0.1 GET /x/${i}\n`),
  JSON: filled("update product 1 with ", (i) => `{"name": "${word(i)}", "tags": ["a", "b"], "price": ${i}},`),
  numbers: filled("products under ", (i) => `${i} `),
  quotes: filled("list products ", () => `"`),
  "opening quotes": filled("list products ", () => "“"),
  "quoted words": filled("list products ", (i) => `'${word(i)}' `),
  dates: filled("products since ", (i) => `March 20${(i % 80) + 10} and `),
  "nothing but and": filled("", () => "and "),
  "spaces between": filled("add", () => " ", "x"),
  "spaces only": filled("", () => " "),
  "newlines only": filled("", () => "\n"),
  "a name that never begins": filled("create a product named", () => " ", '"x'),
  "texts that are set": filled("set name ", () => "to name ", "'"),
  searches: filled("find products ", () => "find for ", "\nx"),
  subjects: filled("products ", () => "about ", "?x"),
  orders: filled("products ", () => "sorted by "),
  "half addresses": filled("", () => "a.b-", "@"),
  commands: filled("", (i) => `delete product ${i} and `),
  fields: filled("create product ", (i) => `name: ${word(i)} price=${i} `),
};

describe("The offline planner reads only the beginning of a long prompt", () => {
  for (const [index, [what, prompt]] of Object.entries(HOSTILE).entries())
    it(`also of ${what}, and changes nothing${allOnly(index > 4)}`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls.filter(([name]) => name !== "list_products")).to.deep.equal([]);
      if (prompt.trim() !== "") expect(text).to.match(/read only the beginning|too long for me/);
      expect(text.length).to.be.below(6000);
    });

  it("in whole words, and all of a prompt that is short enough", () => {
    expect(beginningOf("  show product 12  ")).to.deep.equal({ text: "show product 12", cut: false, words: 3 });
    const digits = beginningOf(`show product ${"9".repeat(MAX_CHARACTERS)}`);
    expect(digits).to.deep.equal({ text: "show product", cut: true, words: 2 });
    const many = beginningOf("a ".repeat(MAX_WORDS + 1));
    expect([many.cut, many.words, many.text.length]).to.deep.equal([true, MAX_WORDS, 2 * MAX_WORDS - 1]);
    expect(beginningOf("a ".repeat(MAX_WORDS))).to.include({ cut: false, words: MAX_WORDS });
  });

  it("reads when that is asked for, and reports how much it read", async () => {
    const { calls, text } = await ask(HOSTILE["random words"] ?? "");
    expect(calls).to.have.length(1);
    expect(text).to.contain(`its first ${MAX_WORDS} words.`);
  });

  it("and does not change on an answer to a question it never asked", async () => {
    const session = createSession(TOOLS, () => ({}));
    const { calls, text } = await session(`update product 1 ${"really ".repeat(MAX_WORDS)}`);
    expect(calls).to.deep.equal([]);
    expect(text).to.contain("changes nothing");
    expect((await session("price: 5")).calls).to.deep.equal([]);
  });
});

describe("A search of the tools", () => {
  it("ranks the beginning and the end of a long query", () => {
    const index = createIndex(TOOLS);
    const first = (query: string): string | undefined => index.search(query, 1)[0]?.tool.name;
    const paste = filled("", (i) => `${word(i)} “`);
    expect(first(`delete a product ${paste}`)).to.equal("delete_product");
    expect(first(`${paste} delete a product`)).to.equal("delete_product");
    expect(first(`${paste} delete a product ${paste}`)).to.equal(undefined);
  });
});

describe("Prompts typed in a hurry", () => {
  for (const [prompt, call] of [
    ["delete product 7 pls", ["delete_product", { id: 7 }]],
    ["delete product 7, thx!", ["delete_product", { id: 7 }]],
    ["set the price of product 7 to 4 plz", ["update_product", { id: 7, price: 4 }]],
    ['set the name of product 7 to "Ring me pls"', ["update_product", { id: 7, name: "Ring me pls" }]],
  ] as const)
    it(`say please in short: ${prompt}`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([call]);
    });
});
