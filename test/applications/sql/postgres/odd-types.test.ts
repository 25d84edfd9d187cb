// Tools of PostgreSQL tables with types that have no order, numbers that JSON has not, and keys that are lists, called as a client calls
// them. Source: docs/databases.md, "Tools" and "Values".
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { sqlSource } from "../../../../src/applications/sql/source.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { type Daemon, startDaemon } from "../../../support/daemon.js";
import { type PostgresServer, startPostgres } from "../../../support/postgres.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { type ToolCalls, toolCalls } from "../../../support/tool-calls.js";

const SCHEMA = `
  CREATE TABLE bare (p point, x xml, j json, t text);
  INSERT INTO bare VALUES ('(3,4)', '<b/>', '{"a":1}', 'two'), ('(1,2)', '<a/>', '{"a":1}', 'one'), (NULL, '<a/>', NULL, 'none');
  CREATE TABLE floats (k double precision PRIMARY KEY, r real, n int);
  INSERT INTO floats VALUES (0.5, 'NaN', 1), ('Infinity', 2, 2);
  CREATE TABLE lists (k int[] PRIMARY KEY, v text);
  INSERT INTO lists VALUES ('{1,2}', 'a'), ('{3}', 'b');
  CREATE TABLE of_lists (id int PRIMARY KEY, k int[] REFERENCES lists ON DELETE CASCADE);
  INSERT INTO of_lists VALUES (1, '{1,2}'), (2, '{3}');`;

describe("PostgreSQL tables of odd types", () => {
  let server: PostgresServer;
  let daemon: Daemon & ToolCalls;
  before(async () => {
    server = await startPostgres();
    const { url } = await server.createDatabase(SCHEMA);
    process.env["ODD_DATABASE"] = url;
    const { document } = await sqlSource.read({ location: "env:ODD_DATABASE" });
    const dataDir = join(temporaryFolder("odd"), "data");
    await mkdir(dataDir, { mode: 0o700 });
    const kept = { "": { kind: "sql", location: "env:ODD_DATABASE" } };
    await writeFile(join(dataDir, "applications.json"), JSON.stringify(kept), { mode: 0o600 });
    const started = await startDaemon({ schema: document, dataDir });
    daemon = { ...started, ...toolCalls(started.agent) };
  });
  after(async () => {
    await daemon?.close();
    await server?.stop();
    delete process.env["ODD_DATABASE"];
  });

  const rows = async (tool: string, args: JsonObject): Promise<JsonObject[]> =>
    (await daemon.result(tool, args)) as JsonObject[];
  const column = (list: JsonObject[], name: string): JsonValue[] => list.map((row) => row[name] ?? null);

  it("are listed page by page where there is neither a key nor an order of a column", async () => {
    expect(column(await rows("list_bare", { limit: 9 }), "t")).to.deep.equal(["one", "two", "none"]);
    expect(column(await rows("list_bare", { order_by: ["x", "-p"] }), "p")).to.deep.equal([null, "(1,2)", "(3,4)"]);
    const [first = {}] = await rows("list_bare", { order_by: ["-t"], limit: 1 });
    expect(column(await rows("list_bare", { order_by: ["-t"], limit: 1, after: first }), "t")).to.deep.equal(["one"]);
  });

  it("are narrowed by the text of what has no order", async () => {
    const where = (condition: JsonObject) => rows("list_bare", { where: condition });
    expect(column(await where({ p: "(1,2)" }), "t")).to.deep.equal(["one"]);
    expect(column(await where({ p: { in: ["(3,4)", "(9,9)"] } }), "t")).to.deep.equal(["two"]);
    expect(column(await where({ x: { ne: "<a/>" } }), "t")).to.deep.equal(["two"]);
    expect(column(await where({ x: { contains: "B" } }), "t")).to.deep.equal(["two"]);
    expect(column(await where({ p: null }), "t")).to.deep.equal(["none"]);
  });

  it("take the numbers that results give as texts", async () => {
    expect(await rows("list_floats", { where: { k: "Infinity" } })).to.deep.equal([{ k: "Infinity", r: 2, n: 2 }]);
    expect(column(await rows("list_floats", { where: { r: { in: ["NaN"] } } }), "k")).to.deep.equal([0.5]);
    expect(await daemon.result("update_floats", { k: "Infinity", r: "-Infinity" })).to.deep.include({ r: "-Infinity" });
    expect(await daemon.result("update_floats", { k: "0.5", r: "1.5" })).to.deep.include({ k: 0.5, r: 1.5 });
    expect(await daemon.failure("update_floats", { k: 0.5, r: "much" })).to.deep.include({
      error: "invalid_arguments",
    });
  });

  it("are changed by a key that is a list, with the rows that refer to it", async () => {
    expect(await daemon.result("update_lists", { k: [1, 2], v: "c" })).to.deep.equal({ k: [1, 2], v: "c" });
    const { effect } = (await daemon.callTool("delete_lists", { k: [1, 2] }, { dry_run: true })).result as {
      effect: JsonObject;
    };
    expect(effect["tables"]).to.deep.equal([
      { name: "lists", inserted: 0, updated: 0, deleted: 1 },
      { name: "of_lists", inserted: 0, updated: 0, deleted: 1 },
    ]);
    expect(await daemon.result("delete_lists", { k: [3] })).to.deep.equal({ k: [3], v: "b" });
    expect(column(await rows("list_of_lists", {}), "id")).to.deep.equal([1]);
  });
});
