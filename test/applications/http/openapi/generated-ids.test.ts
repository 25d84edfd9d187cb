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
    const [method, path, given] = row;
    const operationId = idOf(row);
    // "tag:function"
    const [tag, name] = given.split(":");
    const operation: JsonObject = { responses: {} };
    if (operationId !== undefined) operation["operationId"] = operationId;
    if (name !== undefined) operation["tags"] = [tag ?? ""];
    paths[path] = { ...paths[path], [method]: operation };
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
      ["get", "/v3/cats", "Cats.listV3_v3", "list_cats"],
      ["post", "/deals/{id}/files", "Deals.upload", "upload_deal_file"],
    ],
  ],
  [
    "FastAPI: tag and function",
    ([, , name]) => name.replace(":", "-"),
    [
      ["get", "/api/v1/users/", "users:read_users", "read_users"],
      ["get", "/api/v1/users/me", "users:read_user_me", "read_user_me"],
      ["post", "/api/v1/items/", "Items & co:create_item", "create_item"],
      ["delete", "/api/v1/items/{id}", "Items & co:delete", "delete_item"],
      ["post", "/api/v1/login/access-token", "login:login_access_token", "login_access_token"],
    ],
  ],
  [
    "a person, who has put the tag in front",
    ([, , name]) => name.replace(":", "_"),
    [
      ["get", "/v2/droplets", "droplets:list", "droplets_list"],
      ["post", "/v2/droplets", "droplets:create", "droplets_create"],
      ["get", "/v2/droplets/{id}/backups", "droplets:list_backups", "droplets_list_backups"],
    ],
  ],
  [
    "connexion: package, module and function",
    ([, , name]) => `app.controllers.${name}`,
    [
      ["get", "/pets", "pets.search", "search_pets"],
      ["get", "/pets/{pet_id}", "pets.get", "get_pet"],
      ["put", "/pets/{pet_id}", "pets.replace_pet", "replace_pet"],
      ["get", "/owners", "owners.search", "search_owners"],
    ],
  ],
  [
    "drf-spectacular: path and action",
    ([, , name]) => name,
    [
      ["get", "/api/orders/", "orders_list", "list_orders"],
      ["get", "/api/orders/{id}/", "orders_retrieve", "get_order"],
      ["patch", "/api/orders/{id}/", "orders_partial_update", "update_order"],
      ["post", "/api/orders/{id}/cancel/", "orders_cancel_create", "cancel_order"],
      ["get", "/api/orders/export/", "orders_export_retrieve", "export_orders"],
    ],
  ],
  [
    "OData: path, entity and function",
    ([, , name]) => name,
    [
      ["get", "/users", "users.user.ListUser", "list_user"],
      ["get", "/users/{id}", "users.user.GetUser", "get_user"],
      ["get", "/users/{id}/messages", "users.ListMessages", "list_messages"],
      ["get", "/users/{id}/photo", "users.GetPhoto-1a2b", "get_photo"],
    ],
  ],
  [
    "NestJS: class and function by a naming of one's own",
    ([, , name]) => name,
    [
      ["get", "/deals", "Deals.findAll", "find_all_deals"],
      ["post", "/deals/{id}/ship", "Deals.ship", "ship_deal"],
      ["get", "/users/me", "Users.getProfile", "get_user_profile"],
    ],
  ],
  [
    "NestJS: one function for every method",
    ([method]) => `AppController_proxy_${method}`,
    [
      ["get", "/api/proxy", "", "get_proxy"],
      ["post", "/api/proxy", "", "post_proxy"],
      ["delete", "/api/proxy", "", "delete_proxy"],
    ],
  ],
  [
    "Django REST framework: the same in two classes",
    ([, , name]) => name,
    [
      ["get", "/users", "listUsers", "listUsers"],
      ["get", "/users/{id}", "retrieveUser", "retrieve_user"],
      ["get", "/me", "retrieveUser", "retrieve_me_user"],
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
      ["put", "/binary/octet", "Upload_Binary", "upload_binary"],
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
      ["get", "/members", "club_api_v1_list_members", "list_members"],
      ["post", "/rooms", "club_api_routers_rooms_create_room", "create_room"],
      ["delete", "/rooms/{id}", "club_api_routers_rooms_delete", "delete_room"],
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
      ["post", "/users/{user}/publish", "publish", "publish_user"],
    ],
  ],
  [
    "Laravel: a route without a name",
    ([, , key]) => `generated::${key}`,
    [
      ["get", "/orders/{id}", "AbCd123XyzAbCd12", "get_order"],
      ["post", "/orders", "ZbCd123XyzAbCd12", "create_order"],
    ],
  ],
  [
    "no id, and two methods of one path",
    () => undefined,
    [
      ["get", "/signout", "", "signout"],
      ["post", "/signout", "", "post_signout"],
      ["get", "/books/search", "", "search_books"],
      ["post", "/books/search", "", "post_search_books"],
    ],
  ],
  [
    "no id, a custom method or a version in the path",
    () => undefined,
    [
      ["post", "/v1/items:batchGet", "", "batch_get_items"],
      ["get", "/v1/messages:search", "", "search_messages"],
      ["post", "/v1/projects/{project}/topics/{topic}:publish", "", "publish_topic"],
      ["post", "/v1/topics/{topic}:undelete", "", "undelete_topic"],
      ["get", "/api/v{version}/orders", "", "list_orders"],
      ["get", "/api/v{version}/orders/{id}", "", "get_order"],
    ],
  ],
  [
    "Medusa: method and path without what all paths begin with",
    ([method, path]) =>
      capital(method) +
      segments(path)
        .slice(1)
        .map((part) => capital(part.replace(/\W/g, "")))
        .join(""),
    [
      ["get", "/admin/collections", "", "list_admin_collections"],
      ["post", "/admin/collections", "", "create_admin_collection"],
      ["delete", "/admin/collections/{id}", "", "delete_admin_collection"],
      ["post", "/admin/orders/{id}/cancel", "", "cancel_order"],
    ],
  ],
  [
    "no id, a thing and what is done to it between dots",
    () => undefined,
    [
      ["post", "/api/v1/channels.create", "", "create_channel"],
      ["post", "/api/v1/channels.delete", "", "delete_channel"],
      ["post", "/api/v1/channels.setTopic", "", "set_channel_topic"],
      ["post", "/api/v1/assets.unsetAsset", "", "unset_asset"],
      ["post", "/api/v1/groups.leave", "", "leave_group"],
      ["get", "/api/v1/channels.list", "", "list_channels"],
      ["get", "/api/v1/livechat/contacts.get", "", "get_contacts"],
      ["get", "/api/v1/users.getAvatar", "", "get_user_avatar"],
      ["get", "/reports/latest.json", "", "get_reports_latest"],
    ],
  ],
  [
    "a command as the only segment of the path",
    ([method, path]) => method + path.replace("/", "-"),
    [
      ["post", "/deleteBankAccounts", "", "delete_bank_accounts"],
      ["post", "/getTerminalDetails", "", "get_terminal_details"],
      ["post", "/import-jobs", "", "create_import_job"],
      ["post", "/cancel-reasons", "", "create_cancel_reason"],
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
      ["get", "/search", "", "search"],
      ["get", "/api/Orders/GetByCustomer/{customerId}", "", "get_orders_by_customer"],
      ["get", "/api/Orders/ResetDemoData", "", "reset_orders_demo_data"],
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
      ["droplets_list", "droplets_create", "droplets_get", "images_list", "images_destroy"],
      ["chat.postMessage", "chat.delete", "users.list", "api.test"],
      ["users/list-followers", "users/get", "issues/create-comment"],
      ["list_api_keys", "create_api_key", "delete_api_key", "rotate_api_key"],
      ["user_api_key_create", "user_api_key_list", "team_api_key_list"],
      ["shop_api_list_orders", "orders_get", "orders_list"],
    ]) {
      const rows = ids.map((id): Row => ["get", `/${id}`, id, ""]);
      const { names } = await imported(openapi(pathsOf(rows, ([, , id]) => id)));
      expect(names).to.have.members(ids.map((id) => id.replace(/[./]/g, "_")));
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
