// Ids that generators make, written here by the rule of each generator from a function, a path and a method: what the tools are
// called, and that the names stay unique and the same.
import { expect } from "chai";
import { TOOL_NAME } from "../../../../src/domain/schema-document.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { imported, openapi } from "./imported.js";

/** Method, path, what the generator is given, the name expected. */
type Row = [method: string, path: string, given: string, name: string];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const segments = (path: string): string[] => path.split("/").filter(Boolean);

function pathsOf(rows: readonly Row[], idOf: (row: Row) => string | undefined): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const row of rows) {
    const [method, path] = row;
    const operationId = idOf(row);
    paths[path] = { ...paths[path], [method]: { ...(operationId !== undefined && { operationId }), responses: {} } };
  }
  return paths;
}

/** Names by "METHOD path". */
async function namesOf(paths: JsonObject): Promise<Record<string, string>> {
  const { document } = await imported(openapi(paths));
  return Object.fromEntries(
    document.actions.map(({ name, transport }) => [`${transport["method"]} ${transport["path"]}`, name]),
  );
}

const generators: [what: string, idOf: (row: Row) => string | undefined, rows: Row[]][] = [
  [
    "FastAPI: function, path and method",
    ([method, path, name]) => `${`${name}${path}`.replace(/\W/g, "_")}_${method}`,
    [
      ["put", "/loans/{loan_id}/return", "give_back", "give_back_loan"],
      ["get", "/loans/", "list_loans", "list_loans"],
      ["get", "/members/me", "read_members_me", "read_members_me"],
      ["post", "/books/{book_id}/archive", "archive", "archive_book"],
      ["get", "/books/{book_id}/history", "history", "book_history"],
      ["post", "/api/v1/books", "create", "create_book"],
      ["get", "/api/v1/books", "list", "list_books"],
      ["delete", "/api/v1/books/{book_id}", "delete", "delete_book"],
      ["get", "/loans/stats", "get_stats", "get_loan_stats"],
      ["get", "/members/stats", "get_stats", "get_member_stats"],
      ["get", "/", "root", "root"],
      ["get", "/files/{file_path}", "read_file", "read_file"],
    ],
  ],
  [
    "NestJS: class and function",
    ([, , name]) => name.replace(".", "Controller_"),
    [
      ["get", "/deals", "Deals.findAll", "find_all_deals"],
      ["get", "/deals/{id}", "Deals.findOne", "find_one_deal"],
      ["patch", "/deals/{id}", "Deals.update", "update_deal"],
      ["delete", "/deals/{id}", "Deals.remove", "remove_deal"],
      ["post", "/deals/{id}/ship", "Deals.ship", "ship_deal"],
      ["get", "/deals/stats", "Deals.getStats", "get_deal_stats"],
      ["post", "/auth/login", "Auth.login", "login"],
      ["get", "/", "App.getHello", "get_hello"],
      ["get", "/v1/cats", "Cats.findAll_v1", "find_all_cats_v1"],
      ["get", "/v2/cats", "Cats.findAll_v2", "find_all_cats_v2"],
    ],
  ],
  [
    "LoopBack: class and function",
    ([, , name]) => `TodoController.${name}`,
    [
      ["get", "/todos", "find", "find_todos"],
      ["get", "/todos/{id}", "findById", "find_todo_by_id"],
      ["get", "/todos/count", "count", "count_todos"],
      ["patch", "/todos", "updateAll", "update_all_todos"],
    ],
  ],
  [
    "grpc-gateway: service and method",
    ([, , name]) => `UserService_${name}`,
    [
      ["get", "/v1/users", "ListUsers", "list_users"],
      ["post", "/v1/users/{id}:deactivate", "Deactivate", "deactivate_user"],
    ],
  ],
  [
    "tsoa: the function in capitals, repeated in every class",
    ([, , name]) => capital(name),
    [
      ["get", "/tags", "list", "list_tags"],
      ["get", "/tags/{id}", "get", "get_tag"],
      ["post", "/tags", "create", "create_tag"],
      ["get", "/posts", "list", "list_posts"],
      ["get", "/posts/{id}/comments", "listComments", "ListComments"],
      ["get", "/tags/stats", "stats", "tag_stats"],
      ["get", "/posts/stats", "stats", "post_stats"],
    ],
  ],
  [
    "Springfox: function, method and a number",
    ([method, , name]) => name.replace(/(_\d+)?$/, `Using${method.toUpperCase()}$1`),
    [
      ["get", "/api/users/{id}", "get_1", "get_user"],
      ["get", "/api/orders/{id}", "get", "get_order"],
      ["get", "/api/users", "findAll_3", "find_all_users"],
      ["post", "/api/users", "save", "save_user"],
      ["get", "/api/users/{id}/orders", "findOrdersOfUser", "find_orders_of_user"],
    ],
  ],
  [
    "springdoc: function and a number",
    ([, , name]) => name,
    [
      ["get", "/users", "getAll", "get_all_users"],
      ["get", "/orders", "getAll_1", "get_all_orders"],
      ["get", "/users/stats", "getStats", "get_user_stats"],
      ["get", "/orders/stats", "getStats_1", "get_order_stats"],
      ["delete", "/users/{id}", "deleteUser", "deleteUser"],
    ],
  ],
  [
    "Spring Data REST: kind of resource, entity and method",
    ([method, , name]) => `${name}-${method}`,
    [
      ["get", "/users", "getCollectionResource-user", "list_users"],
      ["get", "/users/{id}", "getItemResource-user", "get_user"],
      ["post", "/users", "postCollectionResource-user", "create_user"],
      ["get", "/users/search/findByName", "executeSearch-user", "find_users_by_name"],
    ],
  ],
  [
    "NSwag: controller and action",
    ([, , name]) => name,
    [
      ["get", "/api/Todos", "Todos_GetAll", "get_all_todos"],
      ["get", "/api/Todos/{id}", "Todos_Get", "get_todo"],
      ["post", "/api/Todos", "Todos_Post", "create_todo"],
      ["delete", "/api/Todos/{id}", "Todos_Delete", "delete_todo"],
    ],
  ],
  [
    "AutoRest: group and operation",
    ([, , name]) => name,
    [
      ["get", "/groups/{group}/virtualMachines", "VirtualMachines_List", "list_virtual_machines"],
      ["get", "/virtualMachines", "VirtualMachines_ListAll", "list_all_virtual_machines"],
      ["get", "/places/{p}/virtualMachines", "VirtualMachines_ListByPlace", "list_virtual_machines_by_place"],
      ["get", "/groups/{group}/virtualMachines/{name}", "VirtualMachines_Get", "get_virtual_machine"],
      [
        "put",
        "/groups/{group}/virtualMachines/{name}",
        "VirtualMachines_CreateOrUpdate",
        "create_or_update_virtual_machine",
      ],
      [
        "post",
        "/groups/{group}/virtualMachines/{name}/powerOff",
        "VirtualMachines_PowerOff",
        "power_off_virtual_machine",
      ],
      [
        "get",
        "/groups/{group}/virtualMachines/{name}/instanceView",
        "VirtualMachines_InstanceView",
        "virtual_machine_instance_view",
      ],
      ["post", "/groups/{group}/disks/{name}/beginGetAccess", "Disks_GrantAccess", "disk_grant_access"],
    ],
  ],
  [
    "Django Ninja: module and function",
    ([, , name]) => name,
    [
      ["get", "/events", "events_api_list_events", "list_events"],
      ["post", "/events", "events_api_create_event", "create_event"],
      ["get", "/events/{event_id}", "project_events_api_event_details", "event_details"],
      ["delete", "/events/{event_id}", "events_api_delete", "delete_event"],
      ["post", "/login", "accounts_views_login", "login"],
    ],
  ],
  [
    "Swashbuckle: path, parameters and method",
    ([method, path]) =>
      segments(path)
        .map((part) => (part.startsWith("{") ? `By${capital(part.slice(1, -1))}` : capital(part)))
        .join("") + capital(method),
    [
      ["get", "/api/Todos", "", "list_todos"],
      ["get", "/api/Todos/{id}", "", "get_todo"],
      ["post", "/api/Todos", "", "create_todo"],
    ],
  ],
  [
    "grape: method and path",
    ([method, path]) =>
      method +
      segments(path)
        .map((part) => capital(part.replace(/\W/g, "")))
        .join(""),
    [
      ["get", "/api/v1/statuses", "", "list_statuses"],
      ["get", "/api/v1/statuses/{id}", "", "get_status"],
      ["put", "/api/v1/statuses/{id}", "", "replace_status"],
    ],
  ],
  [
    "API Platform: path and method",
    ([method, path]) => `${segments(path.replace(/[{}]/g, "")).join("_")}_${method}`,
    [
      ["get", "/api/books", "", "list_books"],
      ["post", "/api/books", "", "create_book"],
      ["patch", "/api/books/{id}", "", "update_book"],
    ],
  ],
  [
    "Laravel: resource and action",
    ([, , name]) => `users.${name}`,
    [
      ["get", "/users", "index", "list_users"],
      ["get", "/users/{user}", "show", "get_user"],
      ["post", "/users", "store", "create_user"],
      ["delete", "/users/{user}", "destroy", "delete_user"],
    ],
  ],
  [
    "swagger-php: a hash",
    ([method, path]) => Buffer.from(`${method}${path}`).toString("hex").padEnd(32, "0").slice(-32),
    [
      ["get", "/api/projects", "", "list_projects"],
      ["get", "/api/projects/{id}", "", "get_project"],
    ],
  ],
  [
    "none",
    () => undefined,
    [
      ["get", "/pets", "", "list_pets"],
      ["post", "/pets", "", "create_pet"],
      ["get", "/pets/{petId}", "", "get_pet"],
      ["put", "/pets/{petId}", "", "replace_pet"],
      ["patch", "/pets/{petId}", "", "update_pet"],
      ["delete", "/pets/{petId}/photos/{photoId}", "", "delete_pet_photo"],
      ["get", "/orgs/{org}/projects/{project}/issues/{number}/comments", "", "list_issue_comments"],
      ["get", "/users/{id}/deactivate", "", "deactivate_user"],
      ["post", "/orders/{id}/cancel", "", "cancel_order"],
      ["post", "/users/search", "", "search_users"],
      ["post", "/auth/login", "", "auth_login"],
      ["get", "/v2/status", "", "get_status"],
      ["get", "/repos/{owner}", "", "get_repo_by_owner"],
      ["get", "/repos/{owner}/{repo}", "", "get_repo_by_owner_repo"],
    ],
  ],
];

describe("Ids of generators", () => {
  for (const [what, idOf, rows] of generators)
    it(`become what a person would say: ${what}`, async () => {
      const names = await namesOf(pathsOf(rows, idOf));
      expect(names).to.deep.equal(
        Object.fromEntries(rows.map(([method, path, , name]) => [`${method.toUpperCase()} ${path}`, name])),
      );
    });

  it("are the same whatever order the operations have", async () => {
    for (const [what, idOf, rows] of generators)
      expect(await namesOf(pathsOf(rows.toReversed(), idOf)), what).to.deep.equal(await namesOf(pathsOf(rows, idOf)));
  });

  it("become legal names, each given once, also when nothing tells the operations apart", async () => {
    const rows: Row[] = [
      ["get", `/${"very-long-segment/".repeat(8)}a`, "", ""],
      ["get", `/${"very-long-segment/".repeat(8)}b`, "", ""],
      ["get", "/x/{a}", "", ""],
      ["get", "/x/{a}/", "", ""],
      ["get", "/x//{a}", "", ""],
      ["get", "/search_tools", "", ""],
    ];
    const names = Object.values(await namesOf(pathsOf(rows, () => undefined)));
    expect(new Set(names).size).to.equal(rows.length);
    for (const name of names) expect(name).to.match(TOOL_NAME);
  });

  it("leave alone what a person wrote", async () => {
    const written: Row[] = [
      ["get", "/pets", "listPets", ""],
      ["get", "/pets/{id}", "getPetById", ""],
      ["get", "/users", "getUsers", ""],
      ["get", "/user/{id}", "getUserById", ""],
      ["delete", "/pet/{petId}", "deletePet", ""],
      ["get", "/search", "search", ""],
      ["get", "/things", "list", ""],
      ["post", "/things", "create", ""],
      ["post", "/batches", "createBatch", ""],
      ["post", "/threads/{thread}/runs", "createRun", ""],
      ["post", "/login", "login", ""],
      ["get", "/me", "whoami", ""],
      ["get", "/loans", "users_list", ""],
      ["patch", "/users/{id}", "users_partial_update", ""],
      ["get", "/schema", "getAPISchema", ""],
      ["get", "/v", "listPets_v1", ""],
      ["post", "/v1/customers/{customer}/sources", "PostCustomersCustomerSources", ""],
    ];
    const { names, report } = await imported(openapi(pathsOf(written, ([, , id]) => id)));
    expect(names).to.have.members(written.map(([, , id]) => id));
    expect(report.renamed).to.deep.equal([]);
  });

  it("leave alone what resembles a module and a function", async () => {
    for (const ids of [
      ["list_api_keys", "create_api_key", "delete_api_key", "rotate_api_key"],
      ["user_api_key_create", "user_api_key_list", "team_api_key_list"],
      ["shop_api_list_orders", "orders_get", "orders_list"],
    ]) {
      const rows = ids.map((id): Row => ["get", `/${id}`, id, ""]);
      const { names } = await imported(openapi(pathsOf(rows, ([, , id]) => id)));
      expect(names).to.have.members(ids);
    }
  });

  it("are reported with their pattern, and stay as other names of the tool", async () => {
    const { report, document } = await imported(
      openapi({ "/deals": { get: { operationId: "DealsController_findAll" } }, "/x": { get: { operationId: "a/b" } } }),
    );
    expect(report.renamed).to.deep.equal([
      { pattern: "class and function", from: "DealsController_findAll", to: "find_all_deals" },
    ]);
    expect(document.actions.map(({ name, aliases }) => [name, aliases])).to.deep.equal([
      ["find_all_deals", ["DealsController_findAll"]],
      ["a_b", ["a/b"]],
    ]);
  });

  it("that are long are looked at no longer than short ones", async () => {
    const long = `${"aController_".repeat(20_000)}!`;
    const start = process.cpuUsage();
    await imported(
      openapi({
        [`/${"a/".repeat(20_000)}`]: { get: { operationId: long } },
        "/x": { get: { operationId: `${long}x` } },
      }),
    );
    expect(process.cpuUsage(start).user).to.be.below(3_000_000);
  });
});
