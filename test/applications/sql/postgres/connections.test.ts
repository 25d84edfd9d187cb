// The way to a real PostgreSQL: what is said when it is closed, and that the next call works when it is open again.
import { expect } from "chai";
import type { Database, Selection } from "../../../../src/applications/sql/database.js";
import { openPostgres } from "../../../../src/applications/sql/postgres/open.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { failureOf } from "../../../support/database-failure.js";
import { freePort } from "../../../support/free-port.js";
import { type PostgresServer, startPostgres } from "../../../support/postgres.js";
import { until } from "../../../support/until.js";

const SCHEMA = "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, 'B%c');";
const LIMITS = { timeoutMs: 5_000, lockMs: 500 };
const ID = { name: "id", kind: "integer", type: "integer" } as const;
const V = { name: "v", kind: "text", type: "text" } as const;

describe("Connections to a PostgreSQL database @all", () => {
  let server: PostgresServer;
  let name: string;
  let role: string;
  let url: string;
  const opened: Database[] = [];

  before(async () => {
    server = await startPostgres();
    ({ name, role, url } = await server.createDatabase(SCHEMA));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  after(async () => {
    await server?.stop();
  });

  function open(location: string): Database {
    const database = openPostgres(location);
    opened.push(database);
    return database;
  }

  async function rowsOf(database: Database, parts: Partial<Selection> = {}): Promise<JsonObject[]> {
    const rows: JsonObject[] = [];
    const selection = {
      table: { name: "t" },
      columns: [ID, V],
      where: [],
      order: [{ column: ID, isDescending: false }],
      ...parts,
    };
    for await (const batch of database.select(selection, LIMITS)) rows.push(...batch);
    return rows;
  }

  it("read rows by filters, in an order, page by page", async () => {
    const database = open(url);
    expect(await rowsOf(database, { where: [{ column: V, operator: "contains", value: "b%" }] })).to.deep.equal([
      { id: 2, v: "B%c" },
    ]);
    expect(await rowsOf(database, { order: [{ column: ID, isDescending: true }], limit: 1 })).to.deep.equal([
      { id: 2, v: "B%c" },
    ]);
    expect(await rowsOf(database, { after: { id: 1 } })).to.deep.equal([{ id: 2, v: "B%c" }]);
  });

  it("end a statement when the call is stopped, and are fit for the next", async () => {
    const database = open(url);
    const ask = async (sql: string, signal?: AbortSignal): Promise<JsonObject[]> => {
      const rows: JsonObject[] = [];
      for await (const batch of database.query(sql, [], { timeoutMs: 40_000, lockMs: 500, signal }))
        rows.push(...batch);
      return rows;
    };
    const stop = new AbortController();
    const asleep = failureOf(ask("SELECT pg_sleep(30)", stop.signal));
    const running = async (): Promise<number> => {
      const { rows } = await server.run(
        `SELECT pid FROM pg_stat_activity WHERE usename = '${role}' AND state = 'active' AND query NOT LIKE 'BEGIN%'`,
      );
      return rows.length;
    };
    await until(async () => (await running()) > 0);
    const start = performance.now();
    stop.abort();
    expect((await asleep).code).to.equal("cancelled");
    expect(performance.now() - start).to.be.below(2_000);
    expect(await running()).to.equal(0);
    expect((await failureOf(ask("SELECT 1 AS one", stop.signal))).code).to.equal("cancelled");
    expect(await ask("SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    const { rows } = await server.run(`SELECT pid FROM pg_stat_activity WHERE usename = '${role}'`);
    expect(rows, "the same connection").to.have.length(1);
  });

  it("say a wrong password, an unknown database and a closed port, and never the password", async () => {
    const port = await freePort();
    for (const [location, word] of [
      [url.replace("role-secret", "wrong-secret"), /password/],
      [url.replace(name, "nowhere"), /nowhere/],
      [url.replace(/:\d+\//, `:${port}/`), /nothing listens/],
      [`${url}?sslmode=require`, /SSL|TLS/],
      ["postgres://u:wrong-secret@127.0.0.1:notaport/x", /no address/],
      ["postgres://u:wrong-secret@no-such-host.invalid/x", /host name|not be looked up/],
    ] as const) {
      const failure = await failureOf(rowsOf(open(location)));
      expect(failure.code, location).to.equal("connection_failed");
      expect(failure.message).to.match(word);
      let text = "";
      for (let at: unknown = failure; at instanceof Error; at = at.cause) text += `${at.stack} ${JSON.stringify(at)}`;
      expect(text).not.to.match(/(role|wrong)-secret/);
    }
  });

  it("come back after the server was away", async () => {
    const database = open(url);
    expect(await rowsOf(database)).to.have.length(2);
    await server.restart();
    expect(await rowsOf(database)).to.have.length(2);
  });

  it("come back after the server ended them", async () => {
    const database = open(url);
    await Promise.all([rowsOf(database), rowsOf(database), rowsOf(database)]);
    await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    expect(await rowsOf(database)).to.have.length(2);
  });

  it("that end in the middle of a call say so, and the next call works", async () => {
    const database = open(url);
    const running = failureOf(
      (async () => {
        for await (const _ of database.query("SELECT pg_sleep(10)", [], LIMITS));
      })(),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    expect((await running).code).to.equal("connection_failed");
    expect(await rowsOf(database)).to.have.length(2);
  });

  it("are no more than a few for one database, however many calls there are", async () => {
    const database = open(url);
    let most = 0;
    const calls = Array.from({ length: 12 }, async () => {
      for await (const _ of database.query("SELECT pg_sleep(0.05)", [], LIMITS)) {
        const { rows } = await server.run(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = '${role}'`);
        most = Math.max(most, rows[0].n);
      }
    });
    await Promise.all(calls);
    expect(most).to.be.within(2, 4);
  });

  it("are called agentd at the server", async () => {
    const database = open(url);
    const rows: JsonObject[] = [];
    for await (const batch of database.query("SELECT current_setting('application_name') AS name", [], LIMITS))
      rows.push(...batch);
    expect(rows).to.deep.equal([{ name: "agentd" }]);
  });

  it("say that a table is gone, and what the role may not do", async () => {
    const database = open(url);
    const gone = await failureOf(rowsOf(database, { table: { name: "gone" } }));
    expect(gone.code).to.equal("schema_changed");
    expect(gone.message).to.contain("agentd sync sql");
    await server.run("CREATE TABLE closed (id int, v text)", name);
    expect((await failureOf(rowsOf(database, { table: { name: "closed" } }))).code).to.equal("permission_denied");
  });
});
