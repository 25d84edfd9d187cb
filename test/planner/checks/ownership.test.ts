// The record of a change must be the one the prompt names: the id of another, or a part of a record, is not enough.
import { expect } from "chai";
import { createSession, tool } from "../session.js";

const id = (name: string) => ({ [name]: { type: "integer" } });
const text = { type: "string" };
const SHOP = [
  tool("listOrders", "list", "GET /orders", { customer_id: { type: "integer" } }),
  tool("getOrder", "get", "GET /orders/{orderId}", id("orderId"), ["orderId"]),
  tool("updateOrder", "update", "PATCH /orders/{orderId}", { ...id("orderId"), note: text }, ["orderId"]),
  tool("deleteOrder", "delete", "DELETE /orders/{orderId}", id("orderId"), ["orderId"]),
  tool("cancelOrder", "action", "POST /orders/{orderId}/cancel", id("orderId"), ["orderId"]),
  tool("shipOrder", "action", "POST /orders/{orderId}/ship", { ...id("orderId"), tracking_number: text }, ["orderId"]),
  tool("payOrder", "action", "POST /orders/{orderId}/pay", id("orderId"), ["orderId"]),
  tool("listCustomers", "list", "GET /customers"),
  tool("updateCustomer", "update", "PATCH /customers/{customerId}", { ...id("customerId"), name: text }, [
    "customerId",
  ]),
  tool("deleteCustomer", "delete", "DELETE /customers/{customerId}", id("customerId"), ["customerId"]),
  tool("listProducts", "list", "GET /products"),
  tool(
    "updateProduct",
    "update",
    "PATCH /products/{productId}",
    { ...id("productId"), description: text, stock: { type: "integer" } },
    ["productId"],
  ),
  tool("deleteProduct", "delete", "DELETE /products/{productId}", id("productId"), ["productId"]),
  tool(
    "restockProduct",
    "action",
    "POST /products/{productId}/restock",
    { ...id("productId"), quantity: { type: "integer" } },
    ["productId", "quantity"],
  ),
  tool("removeItem", "delete", "DELETE /orders/{orderId}/items/{itemId}", { ...id("orderId"), ...id("itemId") }, [
    "orderId",
    "itemId",
  ]),
];
const inRepo = { owner: text, repo: text };
const REPO = ["owner", "repo"];
const CODE = [
  tool("repos_delete", "delete", "DELETE /repos/{owner}/{repo}", inRepo, REPO),
  tool("activity_delete-repo-subscription", "delete", "DELETE /repos/{owner}/{repo}/subscription", inRepo, REPO),
  tool(
    "repos_delete-branch-protection",
    "delete",
    "DELETE /repos/{owner}/{repo}/branches/{branch}/protection",
    { ...inRepo, branch: text },
    [...REPO, "branch"],
  ),
  tool(
    "issues_remove-all-labels",
    "delete",
    "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels",
    { ...inRepo, ...id("issue_number") },
    [...REPO, "issue_number"],
  ),
  ...["issues/", "pulls/", ""].map((parent) =>
    tool(
      `delete-${parent.replace("/", "-")}comment`,
      "delete",
      `DELETE /repos/{owner}/{repo}/${parent}comments/{comment_id}`,
      { ...inRepo, ...id("comment_id") },
      [...REPO, "comment_id"],
    ),
  ),
];

/** The changes that follow from a prompt. */
const changes = async (tools: typeof SHOP, prompt: string): Promise<string[]> => {
  const changing = new Set(tools.filter(({ safety }) => safety !== "read_only").map(({ name }) => name));
  const { calls } = await createSession(tools, () => ({ items: [] }))(prompt);
  return calls.filter(([name]) => changing.has(name)).map(([name, args]) => `${name} ${Object.values(args).join(" ")}`);
};

describe("The offline planner changes what is named and nothing else", () => {
  for (const prompt of [
    "cancel the order of customer 31",
    "delete the product of order 3",
    "delete the product in order 3",
    "delete the customer of order 5",
    "delete order of customer 3",
    "delete orders of customer 3",
    "delete customer 3 orders",
    "ship the order of customer 4",
    "pay the order for product 3",
    "cancel orders from customer 2",
    "change the name of the customer of order 3 to Zed",
    'update the note of the order of customer 2 to "x"',
    "restock the product of order 3 with quantity 5",
    "cancel the items of order 3",
    "pay the customer of order 3",
    "remove the tracking number of order 4",
    "delete the note of order 4",
    "delete the description of product 3",
    "delete stock of product 3",
    "clear stock of product 3",
  ])
    it(`"${prompt}" changes nothing`, async () => {
      expect(await changes(SHOP, prompt)).to.deep.equal([]);
    });

  for (const prompt of ["delete comment 7 in octo/hello", "delete branch dev in octo/hello"])
    it(`"${prompt}" changes nothing where the description has no such tool, or several`, async () => {
      expect(await changes(CODE, prompt)).to.deep.equal([]);
    });

  it("deletes all records of a part only when the prompt has the plural", async () => {
    expect(await changes(CODE, "remove the label bug from issue 12 in octo/hello")).to.deep.equal([]);
    const all = ["issues_remove-all-labels octo hello 12"];
    expect(await changes(CODE, "remove all labels from issue 12 in octo/hello")).to.deep.equal(all);
  });

  it("deletes no part of a record that the prompt does not name", async () => {
    for (const call of await changes(CODE, "delete repo octo/hello")) expect(call).to.equal("repos_delete octo hello");
  });

  for (const [prompt, change] of [
    ["cancel order 31", "cancelOrder 31"],
    ["delete the order 4", "deleteOrder 4"],
    ["delete the order with id 4", "deleteOrder 4"],
    ["please remove product number 3 from the shop", "deleteProduct 3"],
    ["ship order 5", "shipOrder 5"],
    ["restock product 3 with quantity 5", "restockProduct 3 5"],
    ["change the name of customer 3 to Zed", "updateCustomer 3 Zed"],
    ["remove item 2 from order 3", "removeItem 3 2"],
  ] as const)
    it(`"${prompt}" is done`, async () => {
      expect(await changes(SHOP, prompt)).to.deep.equal([change]);
    });
});
