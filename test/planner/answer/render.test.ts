// Results as the planner renders them, against a small shop.

import { expect } from "chai";
import type { Message } from "../../../src/domain/message.js";
import type { JsonValue } from "../../../src/lib/json.js";
import { ask, createSession, TOOLS } from "../samples/shop.js";
import { offlineProvider } from "../session.js";

describe("The offline planner renders", () => {
  const rendered = async (prompt: string, value: JsonValue): Promise<string> =>
    (await createSession(TOOLS, () => value)(prompt)).text;

  it("a list as a table of at most 20 rows, with the number of the others", async () => {
    const rows = Array.from({ length: 33 }, (_, id) => ({ id, name: `P|${id}` }));
    const text = await rendered("list products", rows);
    expect(text).to.include("33 products").and.include("| id | name |").and.include("P\\|19").and.include("13 more");
    expect(text).to.not.include("P\\|20");
  });

  it("a wide list with at most eight columns, the ones that identify a record first", async () => {
    const row = Object.fromEntries(
      ["avatar_url", "a", "b", "c", "d", "e", "f", "g", "name", "id"].map((key) => [key, "x"]),
    );
    const header = (await rendered("list products", [row, row])).split("\n").find((line) => line.startsWith("|")) ?? "";
    expect(header.split("|").length - 2).to.equal(8);
    expect(header)
      .to.match(/^\| id \| name /)
      .and.not.include("avatar_url");
  });

  it("a list in a wrapper, and a preview with the total", async () => {
    expect(await rendered("list products", { items: [{ id: 1 }], total: 1 })).to.include("1 product");
    const preview = { truncated: true, total_items: 500, preview: [{ id: 1, name: "Lamp" }, "… (499 more items)"] };
    expect(await rendered("list products", preview)).to.include("of 500");
    expect(await rendered("how many customers are there", preview)).to.include("500 customers");
  });

  it("a record as its fields, an empty list and an empty answer as such", async () => {
    expect(await rendered("show product 1", { id: 1, name: "Lamp", tags: ["a", "b"] })).to.include("**tags**: a, b");
    expect(await rendered("list products", [])).to.equal("No products found.");
    expect(await rendered("delete product 1", { status: 204 })).to.equal("Deleted product 1.");
  });

  it("only what was asked for where the target could not filter", async () => {
    const text = await ask("customers in London");
    expect(text.text).to.include("city = London").and.include("Ada").and.not.include("Alan");
  });

  it("an error as what happened, an unconfirmed call as waiting, a dry run as not sent", async () => {
    const failure = {
      error: "http_409",
      message: "the target answered 409 Conflict",
      status: 409,
      body: { message: "in use" },
    };
    expect(await rendered("delete product 1", failure)).to.include("409 Conflict: in use");
    expect(await rendered("delete product 1", { error: "confirmation_required", confirmation_id: "c-1" })).to.include(
      "c-1",
    );
    expect(await rendered("delete product 1", { dry_run: true, not_sent: { method: "DELETE" } })).to.include(
      "nothing was sent",
    );
    const body = { name: "Lamp", price: 10 };
    expect(await rendered("delete product 1", { dry_run: true, not_sent: { method: "POST", body } })).to.include(
      '**body**: {"name":"Lamp","price":10}',
    );
  });

  it("text that is no JSON as it is", async () => {
    const provider = offlineProvider();
    const call = { id: "c1", name: "get_product", arguments: { product_id: 1 } };
    const messages: Message[] = [
      { role: "user", text: "show product 1" },
      { role: "assistant", text: "", calls: [call] },
      { role: "tool", call_id: "c1", name: "get_product", text: "{cut off", is_error: false },
    ];
    const { value } = await provider.reply({ system: "", messages, tools: TOOLS }, new AbortController().signal).next();
    expect(value).to.have.property("text", "{cut off");
  });
});
