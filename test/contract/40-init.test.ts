// `agentd init` on a terminal of its own, and without one. Source: docs/reference.md, "The guided first start".
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { packageRoot } from "../../src/lib/package.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { typescript } from "../support/program.js";
import { agentd, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { answer, itOnTerminal, onTerminal, type TypedTerminal, typedTerminal } from "../support/terminal.js";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

describe("The guided first start", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let cwd: string;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    cwd = temporaryFolder("init");
    const description = {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      servers: [{ url: target.url }],
      paths: {
        "/pets": {
          get: { operationId: "list_pets", responses: {} },
          post: { operationId: "create_pet", security: [{ petKey: [] }], responses: {} },
        },
      },
      components: { securitySchemes: { petKey: { type: "apiKey", in: "header", name: "X-Key" } } },
    };
    writeFileSync(join(cwd, "openapi.json"), JSON.stringify(description));
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  itOnTerminal("leads with defaults alone to tools, references to credentials and a first answer", async () => {
    const running = start(onTerminal(["init"]), { cwd });
    await running.prints("[openapi.json] >");
    expect(existsSync(join(cwd, ".agentd"))).to.equal(false);
    const { code, stdout } = await answer(running, "");
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include("1 only read, 1 change something, 0 may destroy something");
    expect(stdout).to.match(/id +name\r\n +1 +Rex\r\n[\s\S]*agentd serve/);
    expect(read(join(cwd, ".agentd", "config.json"))).to.deep.equal({
      target: { auth: { petKey: "env:APP_PET_KEY" } },
    });
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(["GET /pets"]);
    const { stdout: tools } = await agentd(["tools", "--json"], { cwd });
    expect(tools).to.include("list_pets").and.include("create_pet");
  });

  const SIZE = { rows: 60, columns: 120 };
  const init = (env: Record<string, string> = {}): TypedTerminal =>
    typedTerminal(start(onTerminal(["init"], SIZE), { cwd, env }), SIZE);

  itOnTerminal("takes a file as terminals paste one that is dropped on them @all", async () => {
    mkdirSync(join(cwd, "my 'shop' (1)"));
    const file = join(cwd, "my 'shop' (1)", "stock");
    const database = new SqliteDatabase(file);
    database.exec("CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT)");
    database.close();
    for (const pasted of [
      `'${file.replaceAll("'", "'\\''")}'`,
      `"${file}"`,
      file.replaceAll(/[ '()]/g, "\\$&"),
      pathToFileURL(file).href,
      file,
    ]) {
      const terminal = init();
      await terminal.reply("[openapi.json] >", pasted);
      await terminal.shows(/taken for sql: the file is a SQLite database/);
      terminal.type("\u0003");
      await terminal.ended;
    }
    const terminal = init();
    await terminal.reply("[openapi.json] >", "'/no such/file'");
    await terminal.shows("There is no file /no such/file");
  });

  itOnTerminal("connects a database, and reads its rows @all", async () => {
    const database = new SqliteDatabase(join(cwd, "warehouse"));
    database.exec("CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO stock VALUES (1, 'Huila')");
    database.close();
    const terminal = init();
    await terminal.reply("[openapi.json] >", "warehouse");
    await terminal.reply(/taken for sql: the file is a SQLite database[\s\S]*\[sql\] >$/, "sql");
    await terminal.reply(/1 change something|only read[\s\S]*Import it\?[\s\S]*>$/, "yes");
    await terminal.reply("A name for it?", "stock");
    await terminal.reply(/Call stock_list_stock now\? It only reads\./, "yes");
    expect((await terminal.ended).code).to.equal(0);
    expect(terminal.lines().join("\n")).to.match(/^id +name\n +1 +Huila$/m);
    expect(read(join(cwd, ".agentd", "schemas", "stock.json"))).to.include({ source: "sql" });
  });

  itOnTerminal("connects the program of an MCP server, whose variables it takes by name @all", async () => {
    const terminal = init({ SERVER_KEY: "the-value-4711" });
    const command = typescript(join(packageRoot, "test/support/mcp-fixture.ts")).join(" ");
    await terminal.reply("[openapi.json] >", command);
    await terminal.reply("taken for mcp: it is a command", "mcp");
    await terminal.reply("Which environment variables", "SERVER_KEY");
    await terminal.reply("Import it?", "yes");
    await terminal.reply("A name for it?", "tools");
    await terminal.reply("Write these lines into config.json?", "yes");
    expect((await terminal.ended).code).to.equal(0);
    expect(terminal.lines().join("\n")).to.not.include("4711");
    expect(read(join(cwd, ".agentd", "config.json"))).to.deep.equal({
      applications: { tools: { environment: { SERVER_KEY: "env:SERVER_KEY" } } },
    });
    expect(JSON.stringify(read(join(cwd, ".agentd", "applications.json")))).to.not.include("4711");
  });

  itOnTerminal("reads a description once, behind a header that is named, as the kind that is said @all", async () => {
    const description = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: { "/pets": { get: {} } } };
    target.answer((request) => {
      if (request.path === "/pets") return json([{ id: 1 }]);
      return request.header("authorization") === "Bearer 4711" ? json(description) : json({}, 401);
    });
    const terminal = init({ DOCS_LOGIN: "Bearer 4711" });
    await terminal.reply("[openapi.json] >", `${target.url.slice("http://".length)}/graphql/openapi.json`);
    await terminal.reply("taken for graphql", "openapi");
    await terminal.reply("A header to read it with", "Authorization: env:DOCS_LOGIN");
    await terminal.reply("Import it?", "yes");
    await terminal.reply("A name for it?", "pets");
    await terminal.reply("Call pets_list_pets now?", "n");
    expect((await terminal.ended).code).to.equal(0);
    const reads = target.requests.filter((request) => request.header("authorization") !== undefined);
    expect(reads.map(({ path }) => path)).to.deep.equal(["/graphql/openapi.json"]);
    expect(JSON.stringify(read(join(cwd, ".agentd", "applications.json")))).to.include('"env:DOCS_LOGIN"');
  });

  itOnTerminal("says what is wrong with what was typed, and asks again @all", async () => {
    const terminal = init();
    await terminal.reply("[openapi.json] >", "postgres://shop:secret@127.0.0.1/shop");
    await terminal.reply("taken for sql: it is the address of a database", "sql");
    await terminal.shows(/Put the whole address into a variable[\s\S]*\[openapi\.json\] >/);
    await terminal.reply(/Put the whole[\s\S]*>$/, "nothing-here");
    await terminal.shows("There is no file nothing-here");
    terminal.type("\u0003");
    expect((await terminal.ended).code).to.equal(130);
    expect(existsSync(join(cwd, ".agentd"))).to.equal(false);
  });

  itOnTerminal("is left by Ctrl-C with nothing written @all", async () => {
    const running = start(onTerminal(["init"]), { cwd });
    await running.prints("[openapi.json] >");
    running.child.stdin?.write("\u0003");
    expect((await running.ended).code).to.equal(130);
    expect(existsSync(join(cwd, ".agentd"))).to.equal(false);
  });

  it("says without a terminal what to run instead, with exit code 2", async () => {
    const { code, stderr } = await agentd(["init"], { cwd });
    expect(code).to.equal(2);
    expect(stderr).to.include("agentd sync openapi");
    expect(existsSync(join(cwd, ".agentd"))).to.equal(false);
  });
});
