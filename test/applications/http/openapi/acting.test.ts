// GETs that act and POSTs that only read, told by their words: paths, ids, summaries, descriptions, answers and parameters.
// Source: docs/reference.md, "Safety by words".
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { imported, openapi } from "./imported.js";

/** Paths and operations of one method; the safety of each by its path, with `inferred` behind it where it is. */
async function safetyOf(operations: Record<string, JsonObject>, method = "get"): Promise<Record<string, string>> {
  const paths = Object.entries(operations).map(([path, operation]): [string, JsonValue] => [
    path,
    { [method]: operation },
  ]);
  const { document } = await imported(openapi(Object.fromEntries(paths)));
  return Object.fromEntries(
    document.actions.map(({ transport, safety, provenance }) => [
      String(transport["path"]),
      provenance === "declared" ? safety : `${safety} ${provenance}`,
    ]),
  );
}

const ACTS = "mutating inferred";
const READS = "read_only";
const all = (keys: readonly string[], safety: string) => Object.fromEntries(keys.map((key) => [key, safety]));

/** An answer of JSON with these properties, or a list of things that have them. */
function answer(names: readonly string[], isList = false): JsonObject {
  const thing = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
  const schema = isList ? { type: "array", items: thing } : thing;
  return { responses: { 200: { description: "ok", content: { "application/json": { schema } } } } };
}

/** Operations under paths that say nothing, by what they are told apart with. */
async function safetyBy(key: "summary" | "description" | "operationId", texts: readonly string[]): Promise<object> {
  const operations = texts.map((text, i): [string, JsonObject] => [
    `/p${i}`,
    { [key]: text, ...answer(["id", "name"]) },
  ]);
  const found = await safetyOf(Object.fromEntries(operations));
  return Object.fromEntries(texts.map((text, i) => [text, found[`/p${i}`]]));
}

describe("A GET whose words act", () => {
  it("F16 is mutating, inferred and an action by the last words of its path alone", async () => {
    const paths = [
      "/dev/db-reset",
      "/users/{id}/deactivate",
      "/auth/logout",
      "/email/send-test",
      "/cache/flush",
      "/jobs/{id}/run",
      "/sessions/{id}/terminate",
      "/users/delete/{id}",
      "/newsletter/unsubscribe/{token}",
      "/cron/run-migrations",
      "/api/v1/clearCache.php",
      "/deleteUser",
      "/bots:restart",
      "/files.comments.delete",
      "/search/re-index",
      "/log-out",
      "/notifications/mark-all-read",
      "/posts/{id}/like",
      "/door/open",
      "/vm/{id}/power-off",
      "/account/verify/{token}",
      "/containers/{id}/exec",
      "/pods/{name}/port-forward",
      "/machines/{id}/attach",
      "/wallets/{id}/connect",
      "/drop_tables",
      "/open-door",
      "/set-password",
      "/rollback",
      "/clock-in",
      "/svc?action=delete&id=1",
      "/svc#Action=TerminateInstances",
    ];
    expect(await safetyOf(Object.fromEntries(paths.map((path) => [path, {}])))).to.deep.equal(all(paths, ACTS));
    const { document } = await imported(openapi({ "/cache/flush": { get: {} }, "/deleteUser": { get: {} } }));
    expect(document.actions.map(({ verb }) => verb)).to.deep.equal(["action", "delete"]);
  });

  it("is not one whose path names things, though their names have verbs in them", async () => {
    const paths = [
      "/orders/{id}/cancel-reasons",
      "/repos/{owner}/{repo}/actions/runs",
      "/repos/{owner}/{repo}/actions/runs/{run_id}/logs",
      "/reset-tokens",
      "/reset-tokens/{id}",
      "/users/deleted",
      "/releases/latest",
      "/builds/{id}",
      "/import-errors",
      "/merge-requests",
      "/open-issues",
      "/cancellations",
      "/updates",
      "/last-reset",
      "/can-delete",
      "/users/{id}/check-delete",
      "/send-limits",
      "/tests",
      "/address",
      "/add-ons",
      "/jobs/{id}/runs",
      "/search/export",
      "/commit/{sha}",
      "/purchase/{id}",
      "/archive",
      "/orders/open",
      "/resume/{id}",
      "/pay-stubs",
      "/delete-markers",
      "/connect/accounts",
      "/connect-settings",
      "/port-forwards",
      "/proxies/{id}",
      "/connections/{id}",
      "/svc?action=list",
      "/drop-rates",
      "/train-stations",
      "/set-list",
      "/votes",
      "/vote/{id}",
    ];
    expect(await safetyOf(Object.fromEntries(paths.map((path) => [path, {}])))).to.deep.equal(all(paths, READS));
  });

  it("is known by the first verb of its summary, id or description", async () => {
    const acting = [
      "Deactivate a user",
      "Deactivates the user.",
      "Logs out current logged in user session",
      "Log user into the system",
      "Sends a test e-mail",
      "Reset DB",
      "Run the job now",
      "Starts a session",
      "Logout",
      "Permanently delete all drafts",
      "This endpoint triggers a rebuild.",
      "Allows an app to request a new scope",
      "Use this endpoint to revoke a token",
      "Shut down the server",
      "Initialises the store",
      "Revoke token",
      "Cancel task",
      "Increment counter",
      "Deletes user by ID",
      "Deleting a user",
      "Force a reload",
      "Force reconciliation of the stock",
      "(internal) reset counters",
      "Admin: reset the database",
      "Turn on the light",
      "Connect GET requests to the shell of a pod",
      "Attach to a container",
      "Rolls the last deployment back.",
      "Transfers the money between two accounts.",
      "Formats the disk.",
      "Deletes old records.",
      "Casts a vote.",
      "Trains the model.",
      "Scrapes the site and stores the result.",
      "Ingests documents into the vector store.",
      "Drop tables",
      "Open door",
      "Generate an API key",
      "Generates a service account private key secret.",
    ];
    expect(await safetyBy("summary", acting)).to.deep.equal(all(acting, ACTS));
    expect(await safetyBy("description", acting)).to.deep.equal(all(acting, ACTS));
    const besides = ["Download the agent. Note: this operation invalidates the key before."];
    expect(await safetyBy("description", besides)).to.deep.equal(all(besides, ACTS));
    const ids = [
      "deactivateUser",
      "users_deactivate",
      "UsersController_deactivate",
      "auth.revoke",
      "cache/flush",
      "reset_db",
      "GET_TerminateInstances",
    ];
    expect(await safetyBy("operationId", ids)).to.deep.equal(all(ids, ACTS));
  });

  it("is one that opens a way into a running machine, though other methods of its path do so too", async () => {
    const parts = ["Attach", "Exec", "Portforward", "Proxy"];
    const operation = (method: string, part: string): JsonObject => ({
      operationId: `connectCoreV1${method}NamespacedPod${part}`,
      description: `connect ${method.toUpperCase()} requests to ${part.toLowerCase()} of Pod`,
      responses: { 200: { description: "OK", content: { "*/*": { schema: { type: "string" } } } } },
    });
    const paths = parts.map((part): [string, JsonValue] => [
      `/api/v1/namespaces/{namespace}/pods/{name}/${part.toLowerCase()}`,
      { get: operation("Get", part), head: operation("Head", part), post: operation("Post", part) },
    ]);
    const { document } = await imported(openapi(Object.fromEntries(paths)));
    const found = document.actions.map(({ transport, safety, provenance }) => [
      transport["method"],
      safety,
      provenance,
    ]);
    expect(found).to.deep.equal(
      parts.flatMap(() => [
        ["GET", "mutating", "inferred"],
        ["HEAD", "mutating", "inferred"],
        ["POST", "mutating", "declared"],
      ]),
    );
  });

  it("is not one whose summary, id or description reads or names a thing", async () => {
    const reading = [
      "Get cancel reasons",
      "Cancel reasons",
      "Reset tokens",
      "Run logs",
      "Release notes",
      "Returns the deleted users",
      "List of updates",
      "Check if the user can be deleted",
      "Update history",
      "Updates of a project",
      "Start date",
      "Deleted items",
      "Order status",
      "Accepts a list of ids and answers with their names",
      "Make a GET request to find a city",
      "Use this endpoint to retrieve sent messages",
      "This endpoint returns what was sent",
      "Search and export users",
      "Open issues",
      "Transfers",
      "Empty path-level servers",
      "Commit details",
      "Purchase order",
      "Update center",
      "Kill mails",
      "Restores",
      "Resume of a candidate",
      "Marks women",
      "Generate a report of the tokens",
      "Drop rates",
      "Train stations",
      "Formats the given text.",
      "Sets",
      "Get the result. The request expires after an hour. This endpoint returns it, and accepts no body.",
      "Please remove all spaces from the number before.",
      "**Update:** This is answered by another host now",
      "Allows the caller to request a list of vehicles",
    ];
    expect(await safetyBy("summary", reading)).to.deep.equal(all(reading, READS));
    expect(await safetyBy("description", reading)).to.deep.equal(all(reading, READS));
    const ids = [
      "getCancelReasons",
      "issues/list-events",
      "pins_list",
      "actions/get-workflow-run",
      "downloadExport",
      "runs",
    ];
    expect(await safetyBy("operationId", ids)).to.deep.equal(all(ids, READS));
  });

  it("is not one that is said to read, whatever its path; an id made of method and path says nothing", async () => {
    expect(
      await safetyOf({
        "/orders/{id}/refund": { summary: "Get the refund of an order" },
        "/orders/{id}/cancel": { operationId: "getOrderCancellation" },
        "/pairing/connect": { summary: "Attempts to retrieve the state of a pairing" },
        "/users/{id}/disable": { operationId: "get_users_id_disable" },
        "/auth/logout": { operationId: "getAuthLogout", summary: "GET /auth/logout" },
      }),
    ).to.deep.equal({
      "/orders/{id}/refund": READS,
      "/orders/{id}/cancel": READS,
      "/pairing/connect": READS,
      "/users/{id}/disable": ACTS,
      "/auth/logout": ACTS,
    });
  });

  it("is not one that shares its text with a change of the same path, where only its own id reads", async () => {
    const pair = (read: string, change: string): JsonObject => ({
      get: { operationId: read },
      post: { operationId: change },
    });
    const { document } = await imported(
      openapi({
        "/aws/config": { description: "Configure the connection.", ...pair("aws-read-configuration", "aws-configure") },
        "/users/{id}/state": { summary: "Deactivate the user", ...pair("state_1", "state_2") },
        "/out": { summary: "Log out", ...pair("out_retrieve", "out_create") },
        "/creds/{name}": { get: { operationId: "database-generate-credentials", summary: "Request credentials" } },
      }),
    );
    const found = document.actions.map(
      ({ transport, safety }) => `${transport["method"]} ${transport["path"]} ${safety}`,
    );
    expect(found.filter((one) => one.startsWith("GET"))).to.deep.equal([
      "GET /aws/config read_only",
      "GET /users/{id}/state mutating",
      "GET /out mutating",
      "GET /creds/{name} mutating",
    ]);
  });

  it("is judged by its answer where its words may be a noun", async () => {
    expect(
      await safetyOf({
        "/a/{id}/run": {},
        "/b/{id}/run": answer(["id", "started_at"]),
        "/c/{id}/run": answer(["status", "message"]),
        "/d/{id}/sync": answer(["id"], true),
        "/e/{id}/run": { summary: "Run job", ...answer(["message"]) },
        "/f/{id}/deactivate": answer(["id", "name"]),
        "/k/register": { responses: { 200: { description: "ok", content: { "text/html": {} } } } },
        "/g/deploy": { responses: { 204: { description: "done" } } },
        "/h/rotate": { responses: { 200: { description: "ok", content: { "image/png": {} } } } },
      }),
    ).to.deep.equal({
      "/a/{id}/run": ACTS,
      "/b/{id}/run": READS,
      "/c/{id}/run": ACTS,
      "/d/{id}/sync": READS,
      "/e/{id}/run": ACTS,
      "/f/{id}/deactivate": ACTS,
      "/k/register": READS,
      "/g/deploy": ACTS,
      "/h/rotate": READS,
    });
  });

  it("acts though it answers with a list, where two of its names and sentences say so", async () => {
    const list = answer(["id"], true);
    expect(
      await safetyOf({
        "/screenshot/delete": { operationId: "DeleteScreenshot", summary: "Delete screenshot data", ...list },
        "/messages/send": { summary: "Send message by simple GET or POST", ...list },
        "/keys/{keys}/invalidate": { description: "Immediately expires the keys passed.", ...list },
        "/deleted/purge": list,
        "/people/found/{id}": {
          operationId: "People_Execute",
          summary: 'Execute a "Search People" operation.',
          ...list,
        },
      }),
    ).to.deep.equal({
      "/screenshot/delete": ACTS,
      "/messages/send": ACTS,
      "/keys/{keys}/invalidate": ACTS,
      "/deleted/purge": READS,
      "/people/found/{id}": READS,
    });
  });

  it("acts though a change of its path is there, where that is the same operation by another method", async () => {
    const both = (path: string, id: string): JsonObject => ({
      [path]: {
        get: { operationId: `${id}UsingGET`, ...answer(["code", "data", "message"]) },
        post: { operationId: `${id}UsingPOST` },
      },
    });
    const { document } = await imported(
      openapi({ ...both("/saveRevision", "saveRevision"), ...both("/copyPad", "copyPad") }),
    );
    expect(document.actions.map(({ safety }) => safety)).to.deep.equal(Array(4).fill("mutating"));
    const own = { get: { operationId: "job_run_get" }, post: { operationId: "job_run_post" } };
    const { document: other } = await imported(openapi({ "/jobs/{id}/run": own }));
    expect(other.actions.map(({ safety }) => safety)).to.deep.equal([READS, "mutating"]);
  });

  it("is judged by its parameters, and by a change of the same path", async () => {
    const query = (name: string) => ({ parameters: [{ name, in: "query", schema: { type: "string" } }] });
    expect(
      await safetyOf({
        "/verify-email": query("token"),
        "/a/verify-email": query("email"),
        "/b/{id}/run": { ...query("force"), ...answer(["id", "started_at"]) },
      }),
    ).to.deep.equal({ "/verify-email": ACTS, "/a/verify-email": READS, "/b/{id}/run": ACTS });
    const { document } = await imported(
      openapi({
        "/jobs/{id}/run": { get: answer(["message"]), post: {} },
        "/orders/{id}/cancel": { get: answer(["reason"]), post: {} },
        "/auth/logout": { get: { operationId: "auth_logout_retrieve" }, post: { operationId: "auth_logout_create" } },
        "/admin/db-reset": { get: {}, post: {} },
        "/x/flush": { get: { summary: "Flush it" }, post: {} },
      }),
    );
    const reads = document.actions.filter(({ safety }) => safety === READS).map(({ transport }) => transport["path"]);
    expect(reads).to.deep.equal(["/jobs/{id}/run"]);
  });

  it("is one whose function is named with a command, though path and method follow in its id, where its answer is not a thing", async () => {
    // As FastAPI describes a function without a response model.
    const described = (name: string, path: string, schema: JsonObject = {}): [path: string, operation: JsonObject] => [
      path,
      {
        summary: name.replace(/(?:^|_)(\w)/g, (_, first: string) => ` ${first.toUpperCase()}`).trim(),
        operationId: `${name}${path.replace(/\W/g, "_")}_get`,
        responses: { 200: { description: "Successful Response", content: { "application/json": { schema } } } },
      },
    ];
    const acting = [
      described("drop_tables", "/drop_tables"),
      described("ban_user", "/ban/{user}"),
      described("kill_process", "/kill/{pid}"),
      described("rollback", "/rollback"),
      described("transfer_money", "/transfer"),
      described("grant_role", "/grant/{role}"),
      described("nuke", "/nuke"),
      described("close_ticket", "/close/{id}"),
      described("format_disk", "/format"),
      described("upgrade", "/upgrade"),
      described("cleanup", "/cleanup"),
      described("pay", "/pay"),
      described("set_password", "/set-password"),
      described("set_gpio", "/gpio/{pin}/set/{value}"),
      described("vote", "/vote"),
      described("open_door", "/open-door"),
      described("ingest", "/ingest"),
      described("train_model", "/train"),
      described("scrape", "/scrape"),
    ];
    expect(await safetyOf(Object.fromEntries(acting))).to.deep.equal(
      all(
        acting.map(([path]) => path),
        ACTS,
      ),
    );
    const thing = { type: "object", properties: { id: { type: "string" }, opened_at: { type: "string" } } };
    const reading = [
      described("read_items", "/items"),
      described("health", "/health"),
      described("open_issues", "/open-issues"),
      described("purchase_order", "/purchase-order/{id}"),
      described("set_size", "/set-size"),
      described("lock", "/lock/{id}", thing),
      described("archive", "/archive"),
      described("schedule", "/schedule"),
    ];
    expect(await safetyOf(Object.fromEntries(reading))).to.deep.equal(
      all(
        reading.map(([path]) => path),
        READS,
      ),
    );
  });

  it("keeps what the description declares", async () => {
    const declared = { "x-agentd-safety": "read_only" };
    expect(await safetyOf({ "/cache/flush": declared })).to.deep.equal({ "/cache/flush": READS });
  });
});

describe("A POST whose words only read", () => {
  const read = async (paths: Record<string, JsonObject>): Promise<string[]> => {
    const given = Object.entries(paths).map(([path, operation]): [string, JsonValue] => [
      path,
      { post: { operationId: path.replace(/\W+/g, "_"), ...operation } },
    ]);
    const { report, document } = await imported(openapi(Object.fromEntries(given)));
    expect(
      document.actions.every(({ safety, provenance }) => safety === "mutating" && provenance === "declared"),
    ).to.equal(true);
    const pathOf = new Map(document.actions.map(({ name, transport }) => [name, String(transport["path"])]));
    return report.readsByWords.map((name) => pathOf.get(name) ?? name);
  };

  it("stays mutating, declared, and is reported", async () => {
    const paths = [
      "/users/search",
      "/getUser",
      "/query",
      "/orders/list",
      "/users.list",
      "/items:batchGet",
      "/accounts/balance/get",
      "/reports/preview",
    ];
    expect(await read(Object.fromEntries(paths.map((path) => [path, {}])))).to.deep.equal(paths);
    expect(
      await read({
        "/rpc/a": { operationId: "findAllUsers" },
        "/rpc/b": { summary: "Retrieve the orders of a customer" },
      }),
    ).to.deep.equal(["/rpc/a", "/rpc/b"]);
  });

  it("is not one with a word that changes something, or whose answer says that something was made", async () => {
    expect(
      await read({
        "/users": {},
        "/getOrCreate": {},
        "/search/delete": {},
        "/find": { summary: "Find and remove duplicates" },
        "/list": { summary: "Create a list" },
        "/exports/search": { responses: { 201: { description: "made" } } },
        "/check-in": {},
        "/messages/{id}/read": {},
        "/messages/mark-read": {},
        "/exports": {},
        "/validate-and-import": {},
        "/widgets": { operationId: "createWidget" },
        "/transfers/{id}/returns": { summary: "Return a transfer" },
        "/screen/show-toast": { summary: "Show a message" },
        "/rooms.export": { summary: "Export a room" },
        "/session/{id}/summarize": { summary: "Summarize session" },
        "/roles/{name}": { summary: "Read, write and reference policies", operationId: "write-role" },
      }),
    ).to.deep.equal([]);
  });
});
