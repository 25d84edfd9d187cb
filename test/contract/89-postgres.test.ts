// A PostgreSQL database as an application, from outside: the command line connects it, the daemon calls it, and a daemon that is killed
// while a change becomes final says afterwards what became of it. Source: docs/databases.md, "Changes".
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { type PostgresServer, startPostgres } from "../support/postgres.js";
import { agentd, type Served, serve } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const SCHEMA = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, balance numeric(30,10) NOT NULL DEFAULT 0);
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int NOT NULL REFERENCES customers ON DELETE CASCADE,
    placed_at timestamptz NOT NULL DEFAULT '2026-01-01 00:00:00Z');
  CREATE FUNCTION owed(customer int) RETURNS numeric STABLE LANGUAGE sql AS 'SELECT balance FROM customers WHERE id = customer';
  INSERT INTO customers VALUES (1, 'Ada', 12345678901234567890.0123456789), (2, 'Bob', 0);
  INSERT INTO orders (customer_id) VALUES (1), (1), (2);`;

/** What becomes of the statement that makes a change final. */
type AtCommit = "passes" | "is lost" | "arrives, and its answer is lost";

/** A link to the server that ends when COMMIT comes by. */
async function startLink(
  port: number,
): Promise<{ port: number; atCommit(what: AtCommit, then: () => void): void; close(): Promise<void> }> {
  let what: AtCommit = "passes";
  let then: () => void = () => {};
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    let isOver = false;
    const end = (): void => {
      isOver = true;
      upstream.destroy();
      then();
    };
    client.on("data", (bytes) => {
      if (isOver) return;
      if (what === "is lost" && bytes.includes("COMMIT\0")) end();
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isOver) return;
      if (what === "arrives, and its answer is lost" && bytes.includes("COMMIT\0")) end();
      else client.write(bytes);
    });
    client.on("close", () => upstream.end());
    upstream.on("close", () => client.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    atCommit(next, callback) {
      what = next;
      then = callback;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

describe("PostgreSQL databases", function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let vendor: Vendor;
  let database: { name: string; url: string; role: string };
  let dir: string;
  let daemon: Served;

  before(async () => {
    server = await startPostgres();
    vendor = await startVendor();
  });
  after(async () => {
    await vendor?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    database = await server.createDatabase(SCHEMA);
    dir = temporaryFolder("crm");
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m", max_retries: 0 };
    writeFileSync(join(dir, "config.json"), JSON.stringify({ default_provider: "fake", providers: { fake } }));
  });
  afterEach(async () => {
    if (daemon?.isAlive()) await daemon.stop();
  });

  /** Connects the database by the command line and starts a daemon; everything goes by this address. */
  async function start(url = database.url): Promise<string> {
    const { code, stdout, stderr } = await agentd(["sync", "sql", "env:CRM_URL", "--name", "crm", "--data-dir", dir], {
      env: { CRM_URL: url },
    });
    expect(code, stderr).to.equal(0);
    daemon = await serve(["--data-dir", dir], { env: { CRM_URL: url } });
    return stdout + stderr;
  }

  /** Has the model make one call; gives the event of its result, or what holds it. */
  async function call(tool: string, args: JsonObject, policy: JsonObject = {}): Promise<JsonObject> {
    vendor.script([{ calls: [{ name: tool, arguments: args }] }, { text: "done" }]);
    const events: TurnEvent[] = await ask(daemon.url, { message: `call ${tool}`, events: "extended", ...policy });
    const found = events.find(({ kind }) => kind === "tool_result");
    return found as unknown as JsonObject;
  }

  const result = async (tool: string, args: JsonObject = {}): Promise<JsonValue> => {
    const { status, result: value } = await call(tool, args);
    expect(status, JSON.stringify(value)).to.equal("ok");
    return value ?? null;
  };

  const history = (): Promise<HistoryEntry[]> => getJson(`${daemon.url}/history`);
  const count = async (table: string): Promise<number> =>
    (await server.run(`SELECT count(*)::int AS n FROM ${table}`, database.name)).rows[0].n as number;

  it("are connected by an address in a variable, whose password is nowhere", async () => {
    const printed = await start();
    expect(printed).to.contain("list_customers").and.to.contain("query").and.to.contain("owed");
    await result("crm_query", { sql: "SELECT count(*) AS n FROM orders" });
    await call("crm_query", { sql: "SELECT nothing" });
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "latin1"), name).not.to.contain("role-secret");
    for (const path of ["/schema", "/config/public", "/tools", "/history", "/-/applications"]) {
      const response = await fetch(daemon.url + path);
      expect(await response.text(), path).not.to.contain("role-secret");
    }
    expect(printed + daemon.stdout() + daemon.stderr()).not.to.contain("role-secret");
  });

  it("are listed, asked, called and changed with all their digits @all", async () => {
    await start();
    expect(await result("crm_list_customers", { where: { name: { starts_with: "a" } } })).to.deep.equal([
      { id: 1, name: "Ada", balance: "12345678901234567890.0123456789" },
    ]);
    expect(await result("crm_owed", { customer: 2 })).to.deep.equal([{ owed: 0 }]);
    expect(
      await result("crm_query", { sql: "SELECT name FROM customers WHERE id = $1", parameters: [2] }),
    ).to.deep.equal([{ name: "Bob" }]);
    expect(await result("crm_create_orders", { customer_id: 2 })).to.deep.equal({
      id: 4,
      customer_id: 2,
      placed_at: "2026-01-01T00:00:00Z",
    });
    expect(await result("crm_update_customers", { id: 2, balance: "99999999999999999999.5" })).to.deep.equal({
      id: 2,
      name: "Bob",
      balance: "99999999999999999999.5000000000",
    });
    const failed = await call("crm_create_orders", { customer_id: 9 });
    expect(failed["result"]).to.deep.include({
      error: "constraint_violation",
      constraint: "orders_customer_id_fkey",
      column: "customer_id",
      table: "orders",
    });
  });

  it("show what a held change takes along, do it on a yes, and take it back", async () => {
    await start();
    const held = await call("crm_delete_customers", { id: 1 }, { confirm: true });
    expect(held["result"]).to.deep.include({ error: "confirmation_required" });
    const [confirmation] = await getJson<JsonObject[]>(`${daemon.url}/-/confirmations`);
    const { effect, undo, id } = confirmation as { effect: JsonObject; undo: string; id: string };
    expect(effect["tables"]).to.deep.equal([
      { name: "customers", inserted: 0, updated: 0, deleted: 1 },
      { name: "orders", inserted: 0, updated: 0, deleted: 2 },
    ]);
    expect({ undo, complete: effect["complete"] }).to.deep.equal({ undo: "possible", complete: true });
    expect(await count("orders")).to.equal(3);
    await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve" });
    expect(await count("orders")).to.equal(1);
    const row = (await history()).find(({ tool }) => tool === "crm_delete_customers");
    expect(row).to.deep.include({ status: "ok", undo: "possible" });
    await postJson(`${daemon.url}/-/history/${row?.id}/undo`, {});
    expect([await count("customers"), await count("orders")]).to.deep.equal([2, 3]);
  });

  for (const [what, status, orders] of [
    ["is lost", "error", 3],
    ["arrives, and its answer is lost", "ok", 1],
  ] as const)
    it(`are asked after kill -9 what became of a change whose COMMIT ${what} @all`, async () => {
      const link = await startLink(Number(new URL(database.url).port));
      try {
        await start(database.url.replace(/:\d+\//, `:${link.port}/`));
        link.atCommit(what, () => void daemon.child.kill("SIGKILL"));
        await call("crm_delete_customers", { id: 1 }).catch(() => {});
        await daemon.ended;
        link.atCommit("passes", () => {});
        await until(async () => (await count("orders")) === orders);
        daemon = await serve(["--data-dir", dir], { env: { CRM_URL: database.url } });
        await until(async () => ["ok", "error", "interrupted"].includes(String((await history())[0]?.status)));
        const [row] = await history();
        expect(row).to.deep.include({ tool: "crm_delete_customers", status });
        if (status === "ok") expect(row).to.deep.include({ undo: "possible" });
      } finally {
        await link.close();
      }
    });
});
