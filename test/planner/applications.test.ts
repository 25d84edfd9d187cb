// The offline planner with the tools of applications that have names: the same calls as without, and none in the wrong one.
import { expect } from "chai";
import { ownName, type Tool } from "../../src/domain/tool.js";
import type { JsonObject } from "../../src/lib/json.js";
import { fullName } from "../../src/tools/full-names.js";
import { createIndex } from "../../src/tools/search/tool-index.js";
import { answer, TOOLS } from "./samples/shop.js";
import { createSession, type Turn, tool } from "./session.js";

/** The shop's tools as those of an application. */
function named(application: string, of: readonly Tool[] = TOOLS): Tool[] {
  if (application === "") return [...of];
  return of.map((tool) => ({
    ...tool,
    application,
    name: fullName(application, tool.name, new Set()),
    own_name: tool.name,
  }));
}

const answerOf: typeof answer = (called, args) => answer({ ...called, name: ownName(called) }, args);

const session = (...applications: string[]): ((prompt: string) => Promise<Turn>) =>
  createSession(
    applications.flatMap((application) => named(application)),
    answerOf,
  );

const PROMPTS = [
  "list products",
  "show me products under 20",
  "create a product named Blue Lamp with price 10",
  "create product name=Desk price=120 stock=4",
  "what is the price of product 1?",
  "orders of customer 3",
  "orders of Alan Turing",
  "show pending orders",
  "how many customers are there",
  "ship order 5",
  "delete product 7",
  "delete the product Mug",
  "set the stock of Chair to 9",
  'set the text of note 4 to "at one"',
  "delete all notes",
  "what is the weather",
];

/** Calls under the names that the tools have without their application. */
const without = (prefix: string, { calls }: Turn): [string, JsonObject][] =>
  calls.map(([name, args]) => {
    expect(name.startsWith(prefix), name).to.equal(true);
    return [name.slice(prefix.length), args];
  });

describe("Applications and the offline planner", () => {
  for (const prompt of PROMPTS) {
    it(`"${prompt}" leads to the same calls where the only application has a name`, async () => {
      const expected = await session("")(prompt);
      const turn = await session("web-shop")(prompt);
      expect(without("web_shop_", turn)).to.deep.equal(expected.calls);
      expect(turn.text.replaceAll("web_shop_", "")).to.equal(expected.text);
    });

    it(`F19 "${prompt}" leads to them in the application that it names, and in no other without a name`, async () => {
      const expected = await session("")(prompt);
      for (const where of [`${prompt} in the web shop`, `in web-shop, ${prompt}`, `Web-Shop: ${prompt}`])
        expect(without("web_shop_", await session("", "depot", "web-shop")(where)), where).to.deep.equal(
          expected.calls,
        );
      const unsaid = await session("", "depot", "web-shop")(prompt);
      expect(unsaid.calls).to.deep.equal([]);
      if (expected.calls.length > 0) expect(unsaid.text).to.match(/More than one application.*in depot, in web-shop/s);
    });
  }

  it("the name of an application changes no ranking of its tools", () => {
    const ranked = (tools: readonly Tool[], prompt: string): [string, number][] =>
      createIndex(tools)
        .search(prompt, 20)
        .map(({ tool, score }) => [ownName(tool), score]);
    for (const prompt of PROMPTS)
      for (const application of ["web-shop", "list-delete"])
        expect(ranked(named(application), prompt), prompt).to.deep.equal(ranked(TOOLS, prompt));
  });

  it("a record is looked up where it is changed, also when its application is not named", async () => {
    const lists = named("depot").filter(({ own_name }) => own_name === "list_products");
    const { calls } = await createSession([...lists, ...named("web-shop")], answerOf)("delete the product Mug");
    expect(calls.map(([name]) => name)).to.deep.equal(["web_shop_list_products", "web_shop_delete_product"]);
  });

  it("a tool named in full is that of its application, also of the one without a name", async () => {
    const ask = session("", "depot");
    expect((await ask("delete_product 7")).calls).to.deep.equal([["delete_product", { product_id: 7 }]]);
    expect((await ask("depot_delete_product 7")).calls).to.deep.equal([["depot_delete_product", { product_id: 7 }]]);
  });

  describe("a tool named in full, though others have the same own name", () => {
    const ITEM = { id: { type: "integer" }, name: { type: "string" } };
    const ITEMS = [
      tool("listItems", "list", "GET /items"),
      tool("createItem", "create", "POST /items", { name: { type: "string" } }, ["name"]),
      tool("replaceItem", "update", "PUT /items/{id}", ITEM, ["id", "name"]),
      tool("deleteItem", "delete", "DELETE /items/{id}", { id: { type: "integer" } }, ["id"]),
      tool("search", "list", "GET /items/found"),
      tool("items_ship", "action", "POST /items/{id}/ship", { id: { type: "integer" } }, ["id"]),
    ];
    const open = (...applications: string[]): ((prompt: string) => Promise<Turn>) =>
      createSession(
        applications.flatMap((application) => named(application, ITEMS)),
        (called) => (called.verb === "list" ? [{ id: 2, name: "lamp" }] : { id: 2, name: "lamp" }),
      );
    const callsFor = async (prompt: string): Promise<[string, JsonObject][]> =>
      (await open("", "beta-shop", "gamma")(prompt)).calls;

    for (const prompt of [
      "listItems",
      "call listItems",
      "`listItems`",
      "use the tool `listItems`",
      'run "listItems"',
      "please use listItems.",
      "list items in the application without a name",
      "list the items of the unnamed app",
      "in the one without a name, list items",
    ])
      it(`"${prompt}" is that of the application without a name`, async () => {
        expect(await callsFor(prompt)).to.deep.equal([["listItems", {}]]);
      });

    it("takes its arguments from the rest of the prompt", async () => {
      expect(await callsFor("deleteItem 77")).to.deep.equal([["deleteItem", { id: 77 }]]);
      expect(await callsFor("call `gamma_deleteItem` id=77")).to.deep.equal([["gamma_deleteItem", { id: 77 }]]);
      expect(await callsFor("use the tool items_ship with id 5")).to.deep.equal([["items_ship", { id: 5 }]]);
      expect(await callsFor("gamma_items_ship 5")).to.deep.equal([["gamma_items_ship", { id: 5 }]]);
      expect(await callsFor("createItem name=gamma")).to.deep.equal([["createItem", { name: "gamma" }]]);
    });

    it("is that of an application that is named beside it", async () => {
      expect(await callsFor("listItems in gamma")).to.deep.equal([["gamma_listItems", {}]]);
      expect(await callsFor("beta_shop_listItems in gamma")).to.deep.equal([]);
      expect(await callsFor("listItems and gamma_listItems")).to.deep.equal([]);
    });

    it("a name that is a word of the language is one in backticks, or where it is called", async () => {
      for (const prompt of ["`search`", "call search", "search"])
        expect(await callsFor(prompt), prompt).to.deep.equal([["search", {}]]);
      expect(await callsFor("search the items")).to.deep.equal([]);
    });

    it("is not called where it is the value, or where the prompt only speaks of it", async () => {
      expect(await callsFor("create an item called listItems")).to.deep.equal([]);
      expect(await callsFor('create an item called "gamma_listItems"')).to.deep.equal([]);
      expect(await callsFor("do not call deleteItem 77")).to.deep.equal([]);
      for (const prompt of ["do not call items_ship 5", "items_ship 5?", "what happens if I call items_ship 5"])
        expect(await callsFor(prompt), prompt).to.deep.equal([]);
    });

    it("the question which application is meant says what works for the one without a name, too", async () => {
      const { calls, text } = await open("", "gamma")("delete item 77");
      expect(calls).to.deep.equal([]);
      expect(text).to.contain("(in the application without a name, in gamma)").and.to.contain("- `deleteItem`");
      expect(await callsFor("delete item 77 in the application without a name")).to.deep.equal([
        ["deleteItem", { id: 77 }],
      ]);
      expect((await open("", "gamma")("list items of gamma and the application without a name")).text).to.contain(
        '"gamma" and "the application without a name"',
      );
    });

    for (const prompt of [
      "rename item 2 to gamma",
      "rename item 2 to big gamma",
      "set the name of item 2 to gamma",
      "change the name of item 2 from gamma to lamp",
      "change item 2's name to the gamma",
      "create an item called gamma",
      "create an item called 'gamma'",
      "create an item named big gamma",
      "create an item with the name gamma",
      "save a new item as gamma",
      "find items named gamma",
      "find items whose name is gamma",
      "search the items for gamma",
    ])
      it(`"${prompt}" names no application`, async () => {
        const { calls, text } = await open("", "beta-shop", "gamma")(prompt);
        expect(calls).to.deep.equal([]);
        expect(text).to.match(/More than one application/);
      });

    it("the application is named beside a value that is called like one", async () => {
      const renamed = (name: string): [string, JsonObject][] => [["gamma_replaceItem", { id: 2, name }]];
      expect(await callsFor("in gamma rename item 2 to beta-shop")).to.deep.equal(renamed("beta-shop"));
      expect(await callsFor("rename item 2 to beta-shop in gamma")).to.deep.equal(renamed("beta-shop"));
      for (const prompt of ["gamma: set the name of item 2 to gamma", "rename item 2 to gamma in gamma"])
        expect(await callsFor(prompt), prompt).to.deep.equal(renamed("gamma"));
      for (const prompt of [
        "rename item 2 to gamma in the application without a name",
        "in the unnamed application, rename item 2 to gamma",
        'replaceItem 2 name="gamma"',
      ])
        expect(await callsFor(prompt), prompt).to.deep.equal([["replaceItem", { id: 2, name: "gamma" }]]);
      expect(await callsFor("add an item named lamp to gamma")).to.deep.equal([["gamma_createItem", { name: "lamp" }]]);
    });
  });

  it("a record is looked up where it is changed", async () => {
    const { calls } = await session("depot", "web-shop")("delete the product Mug in the web shop");
    expect(calls.map(([name]) => name)).to.deep.equal(["web_shop_list_products", "web_shop_delete_product"]);
  });

  it('"it" is the record of the application that was asked before', async () => {
    const ask = session("depot", "web-shop");
    expect((await ask("show product 7 in the web shop")).calls).to.deep.equal([
      ["web_shop_get_product", { product_id: 7 }],
    ]);
    expect((await ask("delete it")).calls).to.deep.equal([["web_shop_delete_product", { product_id: 7 }]]);
  });

  it("the name of an application in quotes, or inside another word, names none", async () => {
    const ask = session("depot", "web-shop");
    expect((await ask('create a product named "depot" with price 10')).calls).to.deep.equal([]);
    expect((await ask("list products of depots")).calls).to.deep.equal([]);
  });

  it("the name of an application behind a naming word is a value", async () => {
    for (const application of ["", "depot"])
      expect(
        without(application && "depot_", await session(application)("create a product named Depot with price 10")),
      ).to.deep.equal([["create_product", { name: "Depot", price: 10 }]]);
  });

  it("takes nothing but the name, and what belongs to it, out of the prompt", async () => {
    expect((await session("", "depot")("delete the product Mocha depot")).text).to.contain('called "Mocha"');
    expect((await session("", "depot")("Depot's orders with status paid")).calls).to.deep.equal([
      ["depot_list_orders", { status: "paid" }],
    ]);
  });

  it("an application that is called like its own records is no word to be left out", async () => {
    expect((await session("products", "depot")("list the products")).calls).to.deep.equal([
      ["products_list_products", {}],
    ]);
  });

  it("F19 changes nothing in another application than the one named", async () => {
    const bare = named("depot").filter(({ own_name }) => own_name !== "delete_product");
    const ask = createSession([...bare, ...named("web-shop")], answerOf);
    const { calls } = await ask("delete product 7 in the depot");
    expect(calls.filter(([name]) => !/^depot_(?:list|get)_/.test(name))).to.deep.equal([]);
  });

  it("asks for one application after the other where a prompt names two", async () => {
    const { calls, text } = await session("depot", "web-shop")("list the products of depot and web shop");
    expect(calls).to.deep.equal([]);
    expect(text).to.contain('"depot" and "web-shop"');
  });
});
