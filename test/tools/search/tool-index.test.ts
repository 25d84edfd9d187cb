// The ranking: what a prompt's words find in a catalogue, and which tools they pull in.
import { expect } from "chai";
import type { Verb } from "../../../src/domain/schema-document.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { terms, words } from "../../../src/tools/search/terms.js";
import { createIndex } from "../../../src/tools/search/tool-index.js";

function tool(name: string, route: string, description: string, properties: JsonObject = {}): Tool {
  const [method = "GET", path = "/"] = route.split(" ");
  const verbs: Record<string, Verb> = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" };
  const safety = method === "GET" ? "read_only" : method === "DELETE" ? "destructive" : "mutating";
  return {
    name,
    application: "",
    description,
    input_schema: { type: "object", properties },
    resource: path.split("/")[1] ?? "",
    verb: verbs[method] ?? (path.endsWith("}") ? "get" : "list"),
    safety,
    provenance: "declared",
    transport: { kind: "http", method, path },
  };
}

const catalogue = [
  tool("searchMovie", "GET /movie/search", "Search for movies", { query: {} }),
  tool("popularMovies", "GET /movie/popular", "A list of popular movies"),
  tool("movieCredits", "GET /movie/{movie_id}/credits", "The cast and crew of a movie", { movie_id: {} }),
  tool("searchPerson", "GET /search/person", "Search for people", { query: {} }),
  tool("create_invoice", "POST /invoices", "Create an invoice", { due_date: { description: "When it must be paid" } }),
  tool("delete_invoice", "DELETE /invoices/{invoice_id}", "Delete an invoice", { invoice_id: {} }),
  tool("listToDoItems", "GET /todos", "Everything still open"),
];
const index = createIndex(catalogue, { lenient: true });
const names = (query: string, limit = 3): string[] => index.search(query, limit).map((found) => found.tool.name);

describe("Ranking tools for a prompt", () => {
  it("splits camelCase, snake_case and paths, and stems what it finds", () => {
    expect(words("listHTTPRequests by_user/{userId}")).to.deep.equal([
      "list",
      "http",
      "requests",
      "by",
      "user",
      "user",
      "id",
    ]);
    expect(terms("the movies")).to.deep.equal(terms("a movie"));
  });

  it("cuts scripts without spaces into pairs of characters", () => {
    expect(words("天气预报")).to.deep.equal(["天气", "气预", "预报"]);
  });

  it("takes neighbouring words for a pair whatever stands between them that only says which one is meant", () => {
    const shop = createIndex([
      tool("post_items", "POST /items", "Creates an item for the next bill that is created for the customer."),
      tool("post_customers", "POST /customers", "Creates a new customer object."),
      tool("put_customer", "PUT /customers/{id}", "Updates the specified customer."),
    ]);
    expect(shop.search("create a customer", 1)[0]?.tool.name).to.equal("post_customers");
    expect(shop.search("create a new customer", 1)[0]?.tool.name).to.equal("post_customers");
    expect(shop.search("update an existing customer", 1)[0]?.tool.name).to.equal("put_customer");
  });

  it("finds a tool by its name, by a parameter's description and by a synonym", () => {
    expect(names("create invoice")[0]).to.equal("create_invoice");
    expect(names("paid when")[0]).to.equal("create_invoice");
    expect(names("well known films")).to.include("popularMovies");
  });

  it("prefers the tool of the same verb family", () => {
    expect(names("remove the invoice")[0]).to.equal("delete_invoice");
    expect(names("add an invoice")[0]).to.equal("create_invoice");
  });

  const shop = createIndex([
    tool("orders", "GET /shops/{shop}/orders", "List orders", { shop: {} }),
    tool("order", "GET /shops/{shop}/orders/{order_id}", "Get an order", { order_id: {} }),
    tool("items", "GET /shops/{shop}/orders/{order_id}/items", "List the items of an order", { order_id: {} }),
    tool("change", "PATCH /shops/{shop}/orders/{order_id}", "Update an order", { order_id: {} }),
    tool("note", "POST /shops/{shop}/orders/{order_id}/notes", "Add a note to an order", { order_id: {} }),
    tool("refund", "POST /shops/{shop}/orders/{order_id}/refund", "Give back what was paid", { order_id: {} }),
    tool("refunds", "GET /shops/{shop}/orders/{order_id}/refunds", "Every refund of an order", { order_id: {} }),
    tool("labels", "GET /labels", "List labels of orders"),
  ]);
  const first = (query: string): string | undefined => shop.search(query, 1)[0]?.tool.name;

  it("prefers what works on the record whose key is given, or on a part of it that is mentioned", () => {
    expect(first("show order 12")).to.equal("order");
    expect(first("close order 12")).to.equal("change");
    expect(first("add a note to order A-12")).to.equal("note");
    expect(first("items of order 12")).to.equal("items");
  });

  it("takes for a command what the paths of the catalogue end in", () => {
    expect(first("refund order 12")).to.equal("refund");
  });

  it("looks for no words in an address or a path inside a prompt, but for those the catalogue knows", () => {
    expect(first("close order 12 of acme/labels")).to.equal("change");
    expect(first("show orders/labels")).to.equal(first("show orders labels"));
  });

  it("finds words written apart that the catalogue writes together", () => {
    const joined = createIndex([tool("todoList", "GET /todos", "Todos"), tool("mail", "GET /mail", "Mail to send")]);
    expect(joined.search("my to do list", 1)[0]?.tool.name).to.equal("todoList");
  });

  const desk = createIndex([
    tool("search_tickets", "GET /search/tickets", "Search open tickets", { q: {} }),
    tool("list_tickets", "GET /queues/{queue}/tickets", "List open tickets", { queue: {} }),
    tool("get_ticket", "GET /queues/{queue}/tickets/{ticket}", "Get an open ticket", { ticket: {} }),
    tool("create_ticket", "POST /queues/{queue}/tickets", "Create a ticket", { queue: {} }),
    tool("update_ticket", "PATCH /queues/{queue}/tickets/{ticket}", "Update a ticket", { ticket: {} }),
    tool("create_ticket_type", "POST /ticket-types", "Create a type of tickets"),
    tool("list_ticket_types", "GET /ticket-types", "List types of tickets"),
    tool("list_queues", "GET /queues", "List queues"),
    tool("delete_ticket", "DELETE /queues/{queue}/tickets/{ticket}", "Delete a ticket", { ticket: {} }),
  ]);
  const firstAtDesk = (query: string): string | undefined => desk.search(query, 1)[0]?.tool.name;

  it("puts what was commanded before what reads it, and reading before changes where only that is asked for", () => {
    expect(firstAtDesk("create a ticket")).to.equal("create_ticket");
    expect(firstAtDesk("delete the ticket")).to.equal("delete_ticket");
    expect(firstAtDesk("show the tickets of the queue")).to.equal("list_tickets");
    expect(firstAtDesk("which tickets are there?")).to.equal("list_tickets");
  });

  it("leaves room for each thing of a query that asks for several", () => {
    const codes = ["print", "draw", "stamp", "mail", "send"].map((verb) =>
      tool(`${verb}_label`, `GET /${verb}/label`, "The bar code label of a parcel"),
    );
    const depot = createIndex([
      ...codes,
      tool("forklift_battery", "GET /forklifts/battery", "The charge of the battery"),
      tool("dock_calendar", "GET /docks/calendar", "The calendar of a dock"),
    ]);
    const found = depot.search("show the bar code label of the parcel, and the battery, and the calendar", 4);
    expect(found.map((one) => one.tool.name)).to.include.members(["forklift_battery", "dock_calendar"]);
  });

  it('shows a record whose key is given, not the list of all, and what is "my" from what is the caller\'s', () => {
    const calls = createIndex([
      tool("alarms.list", "GET /alarms.list", "Lists all alarms of an alarm panel"),
      tool("alarms.info", "GET /alarms.info", "Gets information about an alarm"),
      tool("listMutes", "GET /mutes", "All mutes"),
      tool("listMyMutes", "GET /mutes/me", "All mutes"),
    ]);
    const firstCall = (query: string): string | undefined => calls.search(query, 1)[0]?.tool.name;
    expect(firstCall("show alarm A77")).to.equal("alarms.info");
    expect(firstCall("list the alarms")).to.equal("alarms.list");
    expect(firstCall("show my mutes")).to.equal("listMyMutes");
    expect(firstCall("show the mutes")).to.equal("listMutes");
  });

  it("looks for what is to be shown, not for the word that asks to show it", () => {
    const office = createIndex([
      tool("getPersonalTaskList", "GET /people/{person}/task_list", "The task list of somebody in an office"),
      tool("getTasksOfTaskList", "GET /task_lists/{list}/tasks", "The tasks of a task list"),
      tool("getOffices", "GET /offices", "Get several offices"),
      ...["desk", "lamp", "plant"].map((noun) =>
        tool(`get_${noun}s`, `GET /offices/{office}/${noun}s`, `The ${noun}s of an office`),
      ),
    ]);
    expect(office.search("list all offices", 1)[0]?.tool.name).to.equal("getOffices");
  });

  it('takes "open" for making one in "open a new ticket", and for reading in "open ticket 7" and "open tickets"', () => {
    expect(firstAtDesk("Open a new ticket")).to.equal("create_ticket");
    expect(firstAtDesk("open another ticket")).to.equal("create_ticket");
    expect(firstAtDesk("open ticket 7")).to.equal("get_ticket");
    expect(firstAtDesk("open tickets of the queue")).to.equal("list_tickets");
  });

  it("takes verbs of nearly the same meaning for each other, and 'file a bug' for making one", () => {
    const desk = createIndex(
      [
        tool("list_tickets", "GET /tickets", "All tickets"),
        tool("create_ticket", "POST /tickets", "Create a ticket"),
        tool("list_files", "GET /files", "The files of a ticket"),
        tool("duplicate_board", "POST /boards/{id}/duplicate", "A second board like the first"),
        tool("list_boards", "GET /boards", "All boards"),
        tool("list_loans", "GET /loans", "Loans of books"),
        tool("create_loan", "POST /loans", "Gives a book to a member"),
        tool("list_books", "GET /books", "All books"),
        tool("list_members", "GET /boards/{id}/members", "Members of a board"),
        tool("remove_member", "DELETE /boards/{id}/members/{member_id}", "Remove a member of a board"),
      ],
      { lenient: true },
    );
    const first = (query: string): string | undefined => desk.search(query, 1)[0]?.tool.name;
    expect(first("file a bug")).to.equal("create_ticket");
    expect(first("report a bug")).to.equal("create_ticket");
    expect(first("show the file of a ticket")).to.equal("list_files");
    expect(first("copy the board")).to.equal("duplicate_board");
    expect(first("lend a book to Ada")).to.equal("create_loan");
    expect(first("kick a member")).to.equal("remove_member");
  });

  it("puts the tool first whose name says no more than the prompt", () => {
    expect(firstAtDesk("list ticket types")).to.equal("list_ticket_types");
    expect(firstAtDesk("list queues")).to.equal("list_queues");
  });

  it("puts the list before the single record where all records or a new one are asked for", () => {
    const plans = createIndex([
      tool("getPlan", "GET /plans/{plan}", "Plan", { plan: {} }),
      tool("getPlans", "GET /plans", "Plans"),
      tool("postPlan", "POST /plans/{plan}", "Plan", { plan: {} }),
      tool("postPlans", "POST /plans", "Plans"),
    ]);
    const best = (query: string): string | undefined => plans.search(query, 1)[0]?.tool.name;
    expect(best("show all plans")).to.equal("getPlans");
    expect(best("add a plan")).to.equal("postPlans");
    expect(best("show plan 5")).to.equal("getPlan");
  });

  it("weighs every change that a prompt commands, and none when it also asks to read", () => {
    const two = desk.search("delete ticket 7 and create a ticket", 2).map((found) => found.tool.name);
    expect(two).to.have.members(["delete_ticket", "create_ticket"]);
  });

  it("takes a tool for reading whose verb reads, whatever its method", () => {
    const posts = createIndex([
      { ...tool("purgePages", "POST /pages/purge", "Purge pages"), verb: "action" },
      { ...tool("queryPages", "POST /pages/query", "Query pages"), verb: "list" },
      { ...tool("changePages", "POST /pages/change", "Change pages"), verb: "update" },
    ]);
    expect(posts.search("which pages are there?", 1)[0]?.tool.name).to.equal("queryPages");
    expect(posts.search("update pages", 1)[0]?.tool.name).to.equal("changePages");
  });

  it("never puts what yields a key before the match that needs it, and pulls few of many in", () => {
    const lists = Array.from({ length: 12 }, (_, i) =>
      tool(`list_${i}`, `GET /areas/${"abcdefghijkl"[i]}/rooms`, "Rooms"),
    );
    const rooms = createIndex([
      ...lists,
      tool("paint", "POST /rooms/{room_id}/paint", "Paint a room", { room_id: {} }),
      tool("paint_colours", "GET /paint/colours", "Colours of paint"),
    ]);
    const found = rooms.search("paint it", 10).map((one) => one.tool.name);
    expect(found[0]).to.equal("paint");
    expect(found.filter((name) => name.startsWith("list_"))).to.have.length(3);
    expect(found).to.include("paint_colours");
  });

  it("pulls in the tools that yield what a match needs, a search first when something is named", () => {
    expect(names('the cast of "Alien"', 2)).to.have.members(["movieCredits", "searchMovie"]);
  });

  it("pulls in what reads the current user where a user is needed", () => {
    const users = createIndex([
      tool("profile", "GET /me", "Current profile"),
      tool("health", "GET /health", "Is it alive"),
      tool("create_playlist", "POST /users/{user_id}/playlists", "Create a playlist", { user_id: {} }),
    ]);
    expect(users.search("make a new playlist", 5).map((found) => found.tool.name)).to.deep.equal([
      "create_playlist",
      "profile",
    ]);
  });

  it("knows meanings that no word has: a person, a search, an answer", () => {
    expect(names("movies by Ridley Scott", 4)).to.include("searchPerson");
    const asked = createIndex([...catalogue, tool("short", "GET /short", "A short answer to anything")]);
    expect(asked.search("how far is the moon from here", 1)[0]?.tool.name).to.equal("short");
  });

  it("prefers the resource that covers more of the prompt", () => {
    const shops = createIndex([
      tool("north_prices", "GET /north", "Prices"),
      tool("north_users", "GET /north", "Users"),
      tool("south_prices", "GET /south", "Prices"),
      tool("south_stock", "GET /south", "Stock"),
    ]);
    expect(shops.search("prices and stock", 4).map((found) => found.tool.name)).to.deep.equal([
      "south_stock",
      "south_prices",
      "north_prices",
      "north_users",
    ]);
  });

  it("finds what the last word begins, as it is typed", () => {
    expect(names("invoi")).to.have.members(["create_invoice", "delete_invoice"]);
    expect(names("invoi today")).to.deep.equal([]);
    expect(names("in")).to.deep.equal([]);
  });

  it("takes a misspelt word for the nearest one that the catalogue has, also where it is the command", () => {
    expect(names("creat an invoce")[0]).to.equal("create_invoice");
    expect(names("delte the invioce")[0]).to.equal("delete_invoice");
    expect(names("populr moives")[0]).to.equal("popularMovies");
    expect(names("Serach for a movie", 1)).to.deep.equal(["searchMovie"]);
  });

  it("takes no value, no name and no word of a long text for a misspelt one", () => {
    for (const query of [
      'show "invioce"',
      "show Invioce",
      "show octo/invioce",
      "show the one named invioce",
      "show the invioce that all of us have been waiting for since the end of last week",
    ])
      expect(names(query), query).not.to.include.oneOf(["create_invoice", "delete_invoice"]);
  });

  it("counts only what is said where it is not lenient", () => {
    const literal = createIndex(catalogue);
    expect(literal.search("creat an invoce", 1)[0]?.tool.name).not.to.equal("delete_invoice");
    expect(literal.search("GET /movie/popular", 1)[0]?.score).to.be.below(20);
    expect(names("GET /movie/popular")[0]).to.equal("popularMovies");
    const users = [
      tool("drop_user", "DELETE /users/{id}", "Delete a user"),
      tool("exclude_user", "POST /users/{id}/expel", "Expel a user"),
    ];
    const scores = (lenient: boolean): number[] =>
      createIndex(users, { lenient })
        .search("remove user", 2)
        .map(({ score }) => score);
    expect(Math.max(...scores(false))).to.be.below(Math.max(...scores(true)));
  });

  it("finds tools by their path, with a method or without, with keys, values or neither", () => {
    const git = createIndex(
      [
        tool("delete_asset", "DELETE /repos/{owner}/{repo}/assets/{id}", "Delete an asset of the repository"),
        tool("delete_repo", "DELETE /repos/{owner}/{repo}", "Delete it"),
        tool("get_repo", "GET /repos/{owner}/{repo}", "Get it"),
        tool("issues", "GET /repos/{owner}/{repo}/issues", "The issues"),
        tool("issue", "GET /repos/{owner}/{repo}/issues/{number}", "One issue"),
        tool("reviews", "GET /repos/{owner}/{repo}/pulls/{number}/reviews", "What was said"),
        tool("pull", "GET /repos/{owner}/{repo}/pulls/{number}", "Reviews, pulls, pull reviews, reviews of pulls"),
        tool("user", "GET /user", "Myself"),
        tool("update_user", "PATCH /user", "Change me"),
      ],
      { lenient: true },
    );
    const first = (query: string): string | undefined => git.search(query, 1)[0]?.tool.name;
    expect(first("DELETE /repos")).to.equal("delete_repo");
    expect(first("delete /repos/{owner}/{repo}/assets/{id}")).to.equal("delete_asset");
    expect(first("/repos/octo/hello/issues/12")).to.equal("issue");
    expect(first("/repos/octo/hello/issues?state=open")).to.equal("issues");
    expect(first("https://api.github.com/repos/octo/hello")).to.equal("get_repo");
    expect(first("/pulls/reviews")).to.equal("reviews");
    expect(first("pulls/reviews")).to.equal("reviews");
    expect(first("PATCH /user")).to.equal("update_user");
    expect(first("/user")).to.equal("user");
  });

  it("returns nothing for words the catalogue does not know, and never more than the limit", () => {
    expect(names("zzz qqq")).to.deep.equal([]);
    expect(names("movie", 2)).to.have.length(2);
  });

  it("is the same every time, and keeps document order between equals", () => {
    const twins = createIndex([tool("a", "GET /x", "same words"), tool("b", "GET /x", "same words")]);
    expect(twins.search("words", 5).map((found) => found.tool.name)).to.deep.equal(["a", "b"]);
  });

  it("survives names that are members of every object", () => {
    const odd = createIndex([tool("constructor", "GET /__proto__", "toString valueOf", { __proto__: {} })]);
    expect(odd.search("constructor toString", 1)).to.have.length(1);
    expect(odd.search("hasOwnProperty", 1)).to.deep.equal([]);
  });
});
