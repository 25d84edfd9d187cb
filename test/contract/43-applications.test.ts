// Several applications from the command line: synced by name, read again, listed, removed. The daemon that serves them is the
// real program. Source: docs/reference.md, "Several applications"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Tool } from "../../src/domain/tool.js";
import { parseJson } from "../../src/lib/json.js";
import { getJson } from "../support/entry-points.js";
import { keptApplications } from "../support/kept-applications.js";
import { PROGRAM } from "../support/program.js";
import { agentd, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Headers, query and address hold one each. */
const SECRETS = ["header-secret-1f9e", "q7Zk2vX9pL4mN8sT1r", "password-secret-77"];

/** An application that describes itself: one list and one form, whose names begin as given. */
function described(noun: string, more: object = {}): object {
  const ok = { 200: { description: "ok" } };
  return {
    openapi: "3.1.0",
    info: { title: noun, version: "1" },
    paths: {
      [`/${noun}s`]: {
        get: { operationId: `list_${noun}s`, security: [{ key: [] }], responses: ok },
        post: { operationId: `find_${noun}`, summary: `Find a ${noun}.`, responses: ok },
      },
    },
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    ...more,
  };
}

describe("Several applications", function () {
  this.timeout(60_000);

  let dir: string;
  let books: RecordingTarget;
  let shop: RecordingTarget;
  /** What the shop says of itself. */
  let shopDocument: object;

  beforeEach(async () => {
    dir = temporaryFolder("apps");
    shopDocument = described("item");
    books = await startTarget(() => json(described("book")));
    shop = await startTarget(() => json(shopDocument));
  });
  afterEach(async () => {
    await stopAll();
    await Promise.all([books.close(), shop.close()]);
  });

  const run = (args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ended> =>
    agentd([...args, "--data-dir", dir], { env, ...(cwd !== undefined && { cwd }) });
  const done = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(args, env);
    expect(code, stderr).to.equal(0);
    return stdout + stderr;
  };
  const refused = async (args: string[], code = 2): Promise<string> => {
    const ended = await run(args);
    expect(ended.code, ended.stderr).to.equal(code);
    expect(ended.stdout).to.equal("");
    return ended.stderr;
  };
  const at = ({ url }: RecordingTarget): string => `${url}/openapi.json`;
  const stored = (file: string): string => readFileSync(join(dir, file), "utf8");
  const kept = () => keptApplications(join(dir, "applications.json"));
  const write = (file: string, value: object): void => writeFileSync(join(dir, file), JSON.stringify(value));
  const files = (): string[] =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(dir, name)).isFile())
      .sort();

  it("are warned of where config.json has settings for one that is not there, with the nearest name @all", async () => {
    await done(["sync", "openapi", at(shop), "--name", "shop"]);
    write("config.json", { applications: { shp: { safety: { read_only: true } }, shop: {} } });
    const { stderr } = await run(["run", "list items"]);
    expect(stderr.split("there is no application")).to.have.length(2);
    expect(stderr).to.include(
      "there is no application shp, so nothing uses applications.shp of config.json, its safety modes included. Did you mean shop? agentd sync KIND LOCATION --name shp connects it.",
    );
  });

  describe("agentd sync --name", () => {
    it("writes the document of that application and of no other @all", async () => {
      await done(["sync", "openapi", at(books)]);
      const first = stored("schema.json");
      const said = await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(said).to.include(join(dir, "schemas", "shop.json"));
      expect(files()).to.deep.equal(["applications.json", "schema.json", "schemas/shop.json"]);
      expect(stored("schema.json")).to.equal(first);
      expect(stored("schemas/shop.json")).to.include(shop.url).and.not.include(books.url);
      expect(statSync(join(dir, "schemas")).mode & 0o777).to.equal(0o700);
    });

    it("keeps kind and location in applications.json, for its owner alone, and reads them again @all", async () => {
      await done(["sync", "openapi", at(books)]);
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(statSync(join(dir, "applications.json")).mode & 0o777).to.equal(0o600);
      expect(kept()).to.deep.equal({
        "": { kind: "openapi", location: at(books) },
        shop: { kind: "openapi", location: at(shop) },
      });
      const first = stored("schema.json");
      shopDocument = described("product");
      const said = await done(["sync", "--name", "shop"]);
      expect(said)
        .to.match(/^added: list_products, find_product$/m)
        .and.match(/^removed: list_items, find_item$/m);
      expect(stored("schema.json")).to.equal(first);
      expect(await done(["sync"])).to.include("Nothing changed.");
      expect(await done(["sync", "openapi", "--name", "shop"])).to.include("Nothing changed.");
    });

    it("keeps a file by its absolute path, with --base-url and --allow-external @all", async () => {
      write("shop.json", described("item"));
      const flags = ["--name", "shop", "--base-url", "http://127.0.0.1:9/api", "--allow-external"];
      const { code, stderr } = await run(["sync", "openapi", "shop.json", ...flags], {}, dir);
      expect(code, stderr).to.equal(0);
      expect(kept()).to.deep.equal({
        shop: {
          kind: "openapi",
          location: join(dir, "shop.json"),
          base_url: "http://127.0.0.1:9/api",
          allow_external: true,
        },
      });
      expect(await done(["sync", "--name", "shop"])).to.include("Nothing changed.");
      expect(stored("schemas/shop.json")).to.include('"base_url": "http://127.0.0.1:9/api"');
    });

    it("N13 stores no secret of the location, says what it leaves out, and asks for it again", async () => {
      const [header, query, password] = SECRETS;
      const address = at(shop).replace("//", `//user:${password}@`);
      const said = await done(
        [
          ...["sync", "openapi", `${address}?api-version=2024-05-01-preview&sig=${query}&x=1#frag`, "--name", "shop"],
          ...["--header", `Authorization: Bearer ${header}`, "--header", "X-Tenant: env:TENANT"],
        ],
        { TENANT: "acme-tenant-9" },
      );
      expect(said).to.include(
        "but not its user and password, its query parameter sig, the value of its header authorization",
      );
      expect(shop.requests[0]?.path).to.include(`sig=${query}`);
      expect(kept()).to.deep.equal({
        shop: {
          kind: "openapi",
          location: `${at(shop)}?api-version=2024-05-01-preview&x=1`,
          withheld: ["user and password", "query parameter sig"],
          headers: { authorization: null, "x-tenant": "env:TENANT" },
        },
      });
      for (const file of files())
        for (const secret of [...SECRETS, "acme-tenant-9"]) expect(stored(file), file).to.not.include(secret);
      const again = await refused(["sync", "--name", "shop"]);
      expect(again).to.include("agentd sync openapi LOCATION --name shop").and.include("user and password");
      for (const secret of SECRETS) expect(again + said).to.not.include(secret);
    });

    it("reads again with a header that is kept as env:NAME, and asks for one that is not @all", async () => {
      const headers = ["--header", "Authorization: env:DOCS_LOGIN", "--header", "X-Plain: some text"];
      await done(["sync", "openapi", at(shop), "--name", "shop", ...headers], { DOCS_LOGIN: "Bearer first-login" });
      const asked = await refused(["sync", "--name", "shop"]);
      expect(asked).to.include("header x-plain").and.not.include("some text");
      await done(["sync", "--name", "shop", "--header", "X-Plain: other"], { DOCS_LOGIN: "Bearer second-login" });
      const last = shop.requests.at(-1);
      expect([last?.header("authorization"), last?.header("x-plain")]).to.deep.equal(["Bearer second-login", "other"]);
      expect(stored("applications.json")).to.not.include("login").and.not.include("other");
    });

    it("takes credentials from the settings of that application alone @all", async () => {
      write("config.json", {
        target: { headers: { "X-From": "env:FOR_TARGET" } },
        applications: { shop: { base_url: shop.url, headers: { "X-From": "env:FOR_SHOP" } } },
      });
      const env = { FOR_TARGET: "secret-of-target", FOR_SHOP: "secret-of-shop" };
      await done(["sync", "openapi", at(shop), "--name", "shop"], env);
      expect(shop.requests[0]?.header("x-from")).to.equal("secret-of-shop");
      await done(["sync", "openapi", at(books), "--name", "books", "--base-url", books.url], env);
      await done(["sync", "openapi", at(books), "--base-url", books.url], env);
      expect(books.requests.map((request) => request.header("x-from"))).to.deep.equal([undefined, "secret-of-target"]);
    });

    it("prints the lines for config.json and for overrides where they belong @all", async () => {
      const said = await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(said).to.include('"applications": {\n    "shop": {\n      "auth": {\n        "key": "env:SHOP_KEY"');
      expect(said).to.include("In overrides/shop.json, to allow them:");
      const without = await done(["sync", "openapi", at(books)]);
      expect(without).to.include('"target": {\n    "auth": {').and.include("In overrides.json, to allow them:");
    });

    it("goes by overrides/NAME.json, not by overrides.json @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      write("overrides.json", { find_item: { safety: "destructive" } });
      expect(await done(["sync", "--name", "shop"])).to.include("Safety: 1 read only, 1 mutating, 0 destructive.");
      mkdirSync(join(dir, "overrides"));
      write("overrides/shop.json", { "POST /items": { safety: "read_only" } });
      expect(await done(["sync", "--name", "shop"])).to.include("Safety: 2 read only, 0 mutating, 0 destructive.");
    });

    it("takes the full names of tools in overrides/NAME.json too, and says what they begin with @all", async () => {
      const said = await done(["sync", "openapi", at(shop), "--name", "my-shop"]);
      expect(said).to.include("schemas/my-shop.json; their full names begin with my_shop_\n");
      mkdirSync(join(dir, "overrides"));
      const other = { safety: "destructive" };
      write("overrides/my-shop.json", {
        my_shop_find_item: { safety: "read_only" },
        my_shop_list_items: other,
        "my_shop_x*": other,
      });
      expect(await done(["sync", "--name", "my-shop"])).to.include("Safety: 1 read only, 0 mutating, 1 destructive.");
      const tools = await done(["tools"]);
      expect(tools)
        .to.match(/^my_shop_find_item +my-shop +read_only /m)
        .and.match(/^my_shop_list_items +my-shop +destructive /m);
      expect(tools).to.include("has the pattern my_shop_x*, which no tool fits");
      // The name of the tool itself wins.
      write("overrides/my-shop.json", { my_shop_find_item: { safety: "read_only" }, find_item: other });
      expect(await done(["tools", "--application", "my-shop"])).to.match(/^my_shop_find_item +my-shop +destructive /m);
    });

    it("leaves nothing behind that keeps others out where the disk takes no byte @all", async () => {
      const words = [...PROGRAM, "sync", "openapi", at(shop), "--data-dir", dir];
      const { code, stderr } = await start(["sh", "-c", 'ulimit -f 0; "$@"', "sh", ...words], { input: "" }).ended;
      expect([code, files()]).to.deep.equal([1, []]);
      expect(stderr).to.match(/^agentd: Cannot write .*\.lock: EFBIG.*\. Look for space on the disk/);
    });

    it("goes on after a sync that was killed while it wrote @all", async () => {
      writeFileSync(join(dir, "applications.json.lock"), "999999999");
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(files()).to.deep.equal(["applications.json", "schemas/shop.json"]);
    });

    it("refuses a name that is none, --schema beside it, and a location that nobody gave @all", async () => {
      expect(await refused(["sync", "openapi", at(shop), "--name", "My Shop"])).to.include("Try my-shop.");
      expect(await refused(["sync", "openapi", at(shop), "--name", "../x"])).to.include("is no name");
      expect(await refused(["sync", "openapi", at(shop), "--name", "shop", "--schema", "a.json"])).to.include(
        "--schema is for the application without a name",
      );
      expect(await refused(["sync"]))
        .to.include("no location")
        .and.include("agentd sync KIND LOCATION");
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(await refused(["sync", "--name", "shpo"])).to.include("Did you mean shop?");
      expect(await refused(["sync", "mcp", "--name", "shop"])).to.include("the last sync read openapi, not mcp");
      expect(files()).to.deep.equal(["applications.json", "schemas/shop.json"]);
    });

    it("loses nothing when several are synced at once @all", async () => {
      const names = ["a", "b", "c", "d"];
      await Promise.all(names.map((name) => done(["sync", "openapi", at(shop), "--name", name])));
      expect(Object.keys(parseJson(stored("applications.json")) as object).sort()).to.deep.equal(names);
      expect(files()).to.deep.equal(["applications.json", ...names.map((name) => `schemas/${name}.json`)]);
    });

    it("leaves everything as it was when applications.json cannot be used @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      const before = stored("schemas/shop.json");
      writeFileSync(join(dir, "applications.json"), "{");
      shopDocument = described("product");
      expect(await refused(["sync", "openapi", at(shop), "--name", "shop"], 1)).to.match(
        /applications\.json cannot be used: .* Move it away/,
      );
      expect(stored("schemas/shop.json")).to.equal(before);
    });
  });

  describe("agentd applications", () => {
    it("lists name, kind, address, tools, safety and location; --json has the same @all", async () => {
      await done(["sync", "openapi", at(books)]);
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      mkdirSync(join(dir, "overrides"));
      write("overrides/shop.json", { find_item: { safety: "destructive" } });
      write("config.json", { applications: { shop: { base_url: "http://shop.example/api" }, crm: { timeout_ms: 1 } } });
      const shared = { kind: "openapi", tools: 2, error: "" };
      const [unnamed, crm, named, ...others] = parseJson(await done(["applications", "--json"])) as object[];
      expect(unnamed).to.deep.equal({
        name: "",
        ...shared,
        base_url: books.url,
        safety: { read_only: 1, mutating: 1, destructive: 0 },
        location: at(books),
      });
      expect(named).to.deep.equal({
        name: "shop",
        ...shared,
        base_url: "http://shop.example/api",
        safety: { read_only: 1, mutating: 0, destructive: 1 },
        location: at(shop),
      });
      expect(crm).to.include({ name: "crm", kind: "", tools: 0 });
      expect((crm as { error: string }).error).to.include('Make it with "agentd sync KIND LOCATION --name crm"');
      expect(others).to.deep.equal([]);
      const lines = (await done(["applications"])).split("\n").map((line) => line.split(/ {2,}/));
      expect(lines[0]?.slice(0, 4)).to.deep.equal(["NAME", "KIND", "ADDRESS", "TOOLS"]);
      expect(lines).to.deep.include(["-", "openapi", books.url, "2", "1", "1", "0", at(books)]);
      expect(lines).to.deep.include(["shop", "openapi", "http://shop.example/api", "2", "1", "0", "1", at(shop)]);
    });

    it("lists one that cannot be used with its error, and a file that is called like none @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      await done(["sync", "openapi", at(books), "--name", "books"]);
      writeFileSync(join(dir, "schemas", "shop.json"), "{");
      write("schemas/My Shop.json", {});
      const said = await done(["applications"]);
      expect(said)
        .to.match(/^books +openapi /m)
        .and.match(/^shop cannot be used: .*JSON/m);
      expect(said).to.include("My Shop.json is called like no application");
    });

    it("remove takes document, corrections and location of that one away, and says what is left @all", async () => {
      await done(["sync", "openapi", at(books)]);
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      mkdirSync(join(dir, "overrides"));
      write("overrides/shop.json", { find_item: { hidden: true } });
      const config = { applications: { shop: { auth: { key: "env:K" } } } };
      write("config.json", config);
      const before = stored("schema.json");
      const said = await done(["applications", "remove", "shop"], { K: "secret-key-1" });
      expect(said).to.include("schemas/shop.json is gone");
      expect(said).to.include("overrides/shop.json is kept as overrides/shop.json.removed, which nothing reads.");
      expect(said).to.include("config.json still has applications.shop with its auth: take it out");
      expect(files()).to.deep.equal(["applications.json", "config.json", "overrides/shop.json.removed", "schema.json"]);
      expect(stored("schema.json")).to.equal(before);
      expect(parseJson(stored("config.json"))).to.deep.equal(config);
      expect(Object.keys(parseJson(stored("applications.json")) as object)).to.deep.equal([""]);
      expect(await refused(["sync", "--name", "shop"])).to.include("no location");
      // The corrections of the old one are not those of the next.
      expect(await done(["sync", "openapi", at(shop), "--name", "shop"])).to.include("Safety: 1 read only, 1 mutating");
      expect(await done(["applications", "remove", "-"])).to.include("schema.json is gone");
      expect(files()).to.not.include("schema.json");
    });

    it("remove touches nothing but files of the application, whatever applications.json says @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      const outside = join(dir, "outside.json");
      writeFileSync(outside, "{}");
      write("applications.json", { "../outside": { kind: "openapi", location: "x" } });
      expect(await refused(["applications", "remove", "../outside"])).to.include("there is no application ../outside");
      expect((await run(["applications"])).stderr).to.include("applications.json cannot be used");
      await refused(["applications", "remove", "shop"], 1);
      expect(files()).to.deep.equal(["applications.json", "outside.json", "schemas/shop.json"]);
      write("config.json", { applications: { crm: {} } });
      rmSync(join(dir, "applications.json"));
      expect(await refused(["applications", "remove", "crm"])).to.include("take applications.crm out there");
    });

    it("remove refuses what is not there, with the nearest name @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      expect(await refused(["applications", "remove", "shpo"])).to.include(
        "there is no application shpo. Did you mean shop? Known: shop.",
      );
      expect(await refused(["applications", "remove", "../schema"])).to.include("there is no application ../schema");
      expect(await refused(["applications", "remove"])).to.include("agentd applications remove NAME");
      expect(await refused(["applications", "remvoe", "shop"])).to.include("Did you mean remove?");
      expect(await refused(["applications", "list", "shop"])).to.include("no use for shop");
      expect(files()).to.deep.equal(["applications.json", "schemas/shop.json"]);
    });
  });

  describe("A running daemon", () => {
    const names = async ({ url }: Served, query = ""): Promise<string[]> =>
      (await getJson<{ name: string }[]>(`${url}/tools${query}`)).map(({ name }) => name);

    it("starts without any, follows what is synced, listed and removed, and keeps what was recorded @all", async () => {
      write("turns.json", {
        replies: [
          {
            calls: [
              { name: "shop_list_items", arguments: {} },
              { name: "list_books", arguments: {} },
            ],
          },
          { text: "Both." },
        ],
        repeat: true,
      });
      write("config.json", {
        providers: { played: { type: "scripted", file: "turns.json", model: "m" } },
        applications: { shop: { headers: { "X-From": "env:FOR_SHOP" } } },
      });
      const env = { FOR_SHOP: "secret-of-shop" };
      const daemon = await serve(["--data-dir", dir], { env });
      expect(await names(daemon)).to.deep.equal([]);
      const first = await run(["run", "hello"]);
      for (const way of ["agentd sync", "agentd serve --demo", "--data-dir"]) expect(first.stdout).to.include(way);
      expect(first.code, first.stderr).to.equal(0);
      expect(await done(["tools"], env)).to.include("No application is connected yet.");
      expect(await done(["applications"], env)).to.match(/^shop cannot be used: there is no .*--name shop/m);
      await done(["sync", "openapi", at(shop), "--name", "shop", "--base-url", shop.url], env);
      await done(["sync", "openapi", at(books)], env);
      expect(await names(daemon)).to.deep.equal(["list_books", "find_book", "shop_list_items", "shop_find_item"]);
      expect(await names(daemon, "?application=shop")).to.deep.equal(["shop_list_items", "shop_find_item"]);
      const before = [shop, books].map(({ requests }) => requests.length);
      const both = await run(["run", "list both"]);
      expect(both.stderr).to.include("→ shop_list_items {}").and.include("→ list_books {}");
      expect(both.stdout).to.equal("Both.\n");
      const calls = [shop, books].map(({ requests }, i) =>
        requests.slice(before[i]).map((request) => request.header("x-from")),
      );
      expect(calls).to.deep.equal([["secret-of-shop"], [undefined]]);
      shopDocument = described("product");
      await done(["sync", "--name", "shop"], env);
      expect(await names(daemon, "?application=shop")).to.deep.equal(["shop_list_products", "shop_find_product"]);
      await done(["applications", "remove", "shop"], env);
      expect(await names(daemon)).to.deep.equal(["list_books", "find_book"]);
      const history = await done(["history"], env);
      expect(history)
        .to.match(/^ID +TIME +STATUS +APPLICATION +TOOL/)
        .and.match(/ ok +shop +shop_list_items /);
      const rows = parseJson(await done(["history", "--application", "shop", "--json"], env)) as { tool: string }[];
      expect(rows.map(({ tool }) => tool)).to.deep.equal(["shop_list_items"]);
      const unnamed = parseJson(await done(["history", "--application", "-", "--json"], env)) as { tool: string }[];
      expect(unnamed.map(({ tool }) => tool)).to.deep.equal(["list_books"]);
    });

    it("serves a sample application beside those of the directory with --demo @all", async () => {
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      await done(["sync", "openapi", at(books)]);
      const daemon = await serve(["--demo", "--data-dir", dir]);
      const all = await names(daemon);
      expect(all).to.include.members(["listProducts", "warehouse_list_stock", "shop_list_items"]);
      expect(all).to.not.include("list_books");
    });
  });

  describe("agentd tools", () => {
    it("shows all of the tool that it is given the name of, of the files and of a daemon", async () => {
      await done(["sync", "openapi", at(books)]);
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      mkdirSync(join(dir, "overrides"));
      write("overrides/shop.json", { find_item: { safety: "destructive" } });
      const page = async (): Promise<string> => await done(["tools", "shop_find_item"]);
      const text = await page();
      expect(text).to.match(
        /^shop_find_item \(destructive\)\nrequest +\S.*\napplication +shop\nprovenance +\w+\nchanged +safety, by overrides\/shop\.json\n\n/,
      );
      const schema = parseJson(text.slice(text.indexOf("Arguments\n") + "Arguments\n".length));
      const [tool, ...others] = parseJson(await done(["tools", "shop_find_item", "--json"])) as unknown as Tool[];
      expect(others).to.deep.equal([]);
      expect(schema).to.deep.equal(tool?.input_schema);
      expect(await done(["tools", "shop_find_item", "--application", "-"])).to.not.include("Arguments");
      const daemon = await serve(["--data-dir", dir]);
      expect(await page()).to.equal(text);
      await daemon.stop();
    });

    it("names the application of each where one has a name, and takes --application @all", async () => {
      await done(["sync", "openapi", at(books)]);
      expect(await done(["tools"])).to.match(/^TOOL +SAFETY /);
      await done(["sync", "openapi", at(shop), "--name", "shop"]);
      mkdirSync(join(dir, "overrides"));
      write("overrides/shop.json", { find_item: { safety: "read_only" } });
      write("overrides.json", { find_book: { safety: "destructive" } });
      const all = await done(["tools"]);
      expect(all)
        .to.match(/^TOOL +APPLICATION +SAFETY /)
        .and.match(/^list_books +- +read_only /m);
      expect(all).to.match(/^shop_find_item +shop +read_only /m);
      expect(all).to.include("Changed by overrides.json: find_book (safety).\n");
      expect(all).to.include("Changed by overrides/shop.json: shop_find_item (safety).");
      const own = parseJson(await done(["tools", "--application", "shop", "--json"])) as { name: string }[];
      expect(own.map(({ name }) => name)).to.deep.equal(["shop_list_items", "shop_find_item"]);
      expect(await done(["tools", "list", "--application", "-"]))
        .to.include("list_books")
        .and.not.include("shop");
      expect(await refused(["tools", "--application", "shpo"])).to.include("Did you mean shop? Known: -, shop.");
    });
  });
});
