// Several applications in one daemon, from inside it: two we did not write or did not write for this, side by side, with equal tool
// names; documents that break, appear and disappear; whose credentials, modes and rows are whose.
// Source: docs/reference.md, "Several applications"
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import { startSampleApplication } from "../../src/demo/sample.js";
import type { PublicConfig } from "../../src/domain/agent.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { ask, finalText, getJson, postJson } from "../support/entry-points.js";
import { agentd, type Running, type Served, serve, start, stopAll, sync } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor } from "../support/vendor.js";

const EXAMPLE = createRequire(import.meta.url).resolve("@loopback/example-todo/dist/index.js");
const OFFLINE = { default_provider: "offline", providers: { offline: { type: "offline", act: true } } };

const tools = (url: string, query = ""): Promise<Tool[]> => getJson<Tool[]>(`${url}/tools${query}`);
const names = async (url: string, query = ""): Promise<string[]> => (await tools(url, query)).map(({ name }) => name);
const history = (url: string, query = ""): Promise<HistoryEntry[]> => getJson(`${url}/history?limit=100${query}`);
const config = (url: string): Promise<PublicConfig> => getJson(`${url}/config/public`);

describe("Several applications", function () {
  this.timeout(60_000);
  let dir: string;
  const write = (file: string, value: unknown): void => {
    mkdirSync(join(dir, file, ".."), { recursive: true });
    writeFileSync(join(dir, file), typeof value === "string" ? value : JSON.stringify(value));
  };
  const makeDir = (): void => {
    dir = temporaryFolder("several");
  };

  describe("side by side", () => {
    let shop: Awaited<ReturnType<typeof startSampleApplication>>;
    let depot: typeof shop;
    let todo: Running;
    let todoUrl: string;
    let daemon: Served;
    const stock = async (of: typeof shop): Promise<number> =>
      (await getJson<{ stock: number }>(`${of.url}/products/1`)).stock;
    /** What a prompt called; the pages of one list are one. */
    const prompt = async (message: string, session_id = message) => {
      const events = await ask(daemon.url, { message, session_id });
      const rows = (await history(daemon.url, `&session_id=${encodeURIComponent(session_id)}`)).reverse();
      const calls = rows.filter(({ tool }, at) => tool !== rows[at - 1]?.tool);
      return { text: finalText(events), calls: calls.map(({ application, tool }) => [application, tool]) };
    };

    before(async () => {
      makeDir();
      [shop, depot] = [await startSampleApplication(), await startSampleApplication()];
      todo = start([process.execPath, EXAMPLE], { cwd: dir, env: { HOST: "127.0.0.1", PORT: "0" } });
      todoUrl = await todo.prints(/http:\/\/\S+/);
      write("config.json", OFFLINE);
      await sync(dir, `${todoUrl}/openapi.json`);
      await sync(dir, `${shop.url}/openapi.json`, "--name", "shop");
      await sync(dir, `${depot.url}/openapi.json`, "--name", "back-depot");
      daemon = await serve(["--data-dir", dir]);
    });
    after(async () => {
      await daemon.stop();
      await Promise.all([shop.close(), depot.close()]);
      await stopAll();
    });

    it("work in one prompt, each under its name, and the record says whose each call was", async () => {
      const listed = await tools(daemon.url);
      const own = await names(daemon.url, "?application=");
      expect(own).to.have.length(8);
      expect(own.filter((name) => /^(?:shop|back_depot)_/.test(name))).to.deep.equal([]);
      const shops = await tools(daemon.url, "?application=shop");
      const depots = await tools(daemon.url, "?application=back-depot");
      expect(shops.every(({ name, own_name }) => name === `shop_${own_name}`)).to.equal(true);
      expect(depots.map(({ name }) => name)).to.deep.equal(shops.map(({ own_name }) => `back_depot_${own_name}`));
      expect(listed.map(({ name }) => name)).to.deep.equal([
        ...own,
        ...depots.map(({ name }) => name),
        ...shops.map(({ name }) => name),
      ]);
      expect(await names(daemon.url, "?application=none")).to.deep.equal([]);
      expect(await names(daemon.url, "?name=shop_listProducts&application=shop")).to.deep.equal(["shop_listProducts"]);
      expect(await names(daemon.url, "?name=shop_listProducts&application=back-depot")).to.deep.equal([]);
      const { sync_source, base_url, applications, first_steps } = await config(daemon.url);
      expect({ sync_source, base_url, first_steps }).to.deep.equal({
        sync_source: "several",
        base_url: "",
        first_steps: [],
      });
      expect(applications.map(({ name, kind, base_url: url }) => ({ name, kind, base_url: url }))).to.deep.equal([
        { name: "", kind: "openapi", base_url: todoUrl },
        { name: "back-depot", kind: "openapi", base_url: depot.url },
        { name: "shop", kind: "openapi", base_url: shop.url },
      ]);
      expect(applications.map(({ title }) => title).slice(1)).to.deep.equal(["Copper Kettle", "Copper Kettle"]);

      expect((await prompt("create a todo named 'Buy milk'")).calls.map(([application]) => application)).to.deep.equal([
        "",
      ]);
      expect(await getJson<{ title: string }[]>(`${todoUrl}/todos`)).to.have.length(1);
      // Both shops have it: the one that is named is asked, and changed.
      expect((await prompt("list the products in the back depot")).calls).to.deep.equal([
        ["back-depot", "back_depot_listProducts"],
      ]);
      expect((await prompt("set the stock of product 1 to 777 in the shop")).calls).to.deep.equal([
        // What undoing it would need.
        ["shop", "shop_getProduct"],
        ["shop", "shop_updateProduct"],
      ]);
      expect([await stock(shop), await stock(depot)].map((pieces) => pieces === 777)).to.deep.equal([true, false]);
      // Neither is named: nothing is guessed.
      const unsaid = await prompt("set the stock of product 1 to 555");
      expect(unsaid.calls).to.deep.equal([]);
      expect(unsaid.text).to.contain("in shop").and.to.contain("in back-depot");
      expect([await stock(shop), await stock(depot)]).to.not.include(555);
      expect((await history(daemon.url, "&application=shop")).map(({ tool }) => tool)).to.deep.equal([
        "shop_updateProduct",
        "shop_getProduct",
      ]);
      expect((await history(daemon.url, "&application=")).every(({ application }) => application === "")).to.equal(
        true,
      );
      expect(await history(daemon.url, "&application=none")).to.deep.equal([]);
      const { code, stdout } = await agentd(["history", "verify", "--data-dir", dir]);
      expect(code, stdout).to.equal(0);
    });

    it("are searched together, the one that is named first", async () => {
      const found = (q: string, more = "&limit=5"): Promise<Tool[]> =>
        getJson(`${daemon.url}/-/tools/search?q=${encodeURIComponent(q)}${more}`);
      expect((await found("todos")).every(({ application }) => application === "")).to.equal(true);
      const [first, second] = await found("delete a product");
      expect([first?.own_name, second?.own_name]).to.deep.equal(["deleteProduct", "deleteProduct"]);
      for (const [q, name] of [
        ["delete a product in the back depot", "back_depot_deleteProduct"],
        ["delete a product of shop", "shop_deleteProduct"],
        ["SHOP: delete a product", "shop_deleteProduct"],
      ] as const)
        expect((await found(q))[0]?.name, q).to.equal(name);
      expect((await found("back depot"))[0]?.application).to.equal("back-depot");
      // The matches of one application are those of all its tools, not what it has among the first of all.
      for (const name of ["shop", "back-depot"]) {
        const own = await found("delete a product", `&application=${name}&limit=1`);
        expect(own.map(({ application, own_name }) => [application, own_name])).to.deep.equal([
          [name, "deleteProduct"],
        ]);
      }
    });

    it("G34 lose only their own tools to a broken document or an application that is gone, and come and go while the daemon runs", async () => {
      const good = readFileSync(join(dir, "schemas", "shop.json"), "utf8");
      const all = await names(daemon.url);
      write("schemas/broken.json", "{");
      expect(await names(daemon.url)).to.deep.equal(all);
      const broken = (await config(daemon.url)).applications.find(({ name }) => name === "broken");
      expect(broken).to.include({ kind: "unknown", base_url: "" });
      expect(broken?.error).to.contain("broken.json cannot be used");
      write("schemas/broken.json", petShop("http://127.0.0.1:9"));
      expect(await names(daemon.url, "?application=broken")).to.contain("broken_list_pets");
      expect((await config(daemon.url)).applications.find(({ name }) => name === "broken")).to.not.have.property(
        "error",
      );
      // One that breaks while the daemon runs loses its tools like one that never was in order.
      const mended = await names(daemon.url);
      write("schemas/shop.json", "{}");
      expect(await names(daemon.url)).to.deep.equal(mended.filter((name) => !name.startsWith("shop_")));
      expect((await config(daemon.url)).applications.find(({ name }) => name === "shop")?.error).to.contain(
        "shop.json",
      );
      const served = await getJson<{ resources: { application: string }[] }>(`${daemon.url}/schema`);
      expect(served.resources.map(({ application }) => application)).to.not.include("shop");
      expect((await fetch(`${daemon.url}/schema?application=shop`)).status).to.equal(400);
      write("overrides/shop.json", {
        listProducts: { name: "stock" },
        "DELETE /products/{productId}": { hidden: true },
      });
      write("schemas/shop.json", good);
      const corrected = await names(daemon.url, "?application=shop");
      expect(corrected)
        .to.contain("shop_stock")
        .and.not.contain("shop_listProducts")
        .and.not.contain("shop_deleteProduct");
      expect(await names(daemon.url, "?application=back-depot")).to.contain("back_depot_listProducts");
      rmSync(join(dir, "schemas"), { recursive: true });
      expect(await names(daemon.url)).to.deep.equal(await names(daemon.url, "?application="));
      rmSync(join(dir, "schema.json"));
      expect(await names(daemon.url)).to.deep.equal([]);
      write("schemas/shop.json", good);
      expect(await names(daemon.url)).to.deep.equal(corrected);
      expect(await config(daemon.url)).to.include({ sync_source: "openapi", base_url: shop.url });

      write(
        "schemas/back-depot.json",
        readFileSync(join(dir, "schemas", "shop.json"), "utf8").replaceAll(shop.url, depot.url),
      );
      await depot.close();
      expect((await prompt("list the products in back-depot")).calls).to.deep.equal([
        ["back-depot", "back_depot_listProducts"],
      ]);
      const [row] = await history(daemon.url, "&application=back-depot");
      expect(row?.status).to.equal("error");
      expect((await prompt("show the stock of the shop")).calls).to.deep.equal([["shop", "shop_stock"]]);
      expect((await history(daemon.url, "&application=shop"))[0]?.status).to.equal("ok");
      depot = await startSampleApplication();
    });
  });

  describe("in one daemon", () => {
    let targets: Record<"plain" | "shop" | "crm", RecordingTarget>;
    let daemon: Daemon | undefined;
    const open = async (
      options: { turns?: ScriptedReply[][]; config?: Record<string, unknown> } = {},
    ): Promise<string> => {
      const turns = (options.turns ?? []).map((replies, i) => ({ prompt: `turn ${i}`, replies }));
      daemon = await startDaemon({ dataDir: dir, target: targets.plain.url, turns, config: options.config ?? {} });
      return daemon.url;
    };
    beforeEach(async () => {
      makeDir();
      const [plain, shop, crm] = await Promise.all([startTarget(), startTarget(), startTarget()]);
      targets = { plain, shop, crm };
      write("schemas/shop.json", petShop(shop.url));
      write("schemas/crm.json", petShop(crm.url));
    });
    afterEach(async () => {
      await daemon?.close();
      daemon = undefined;
      for (const target of Object.values(targets)) await target.close();
      await stopAll();
    });

    it("a full name names that tool, that of the application without a name, too; a value names no application", async () => {
      const url = await open({ config: OFFLINE });
      const calls = async (message: string): Promise<string[]> => {
        await ask(url, { message, session_id: message });
        return (await history(url, `&session_id=${encodeURIComponent(message)}`)).map(({ tool }) => tool);
      };
      for (const message of ["list_pets", "use the tool `list_pets`", "list pets in the application without a name"])
        expect(await calls(message), message).to.deep.equal(["list_pets"]);
      expect(await calls("list_pets in the shop")).to.deep.equal(["shop_list_pets"]);
      expect(await calls("create a pet named shop")).to.deep.equal([]);
      expect(await calls("in crm create a pet named shop")).to.deep.equal(["crm_create_pet"]);
      const events = await ask(url, { message: "list pets", session_id: "which" });
      expect(finalText(events)).to.contain("in the application without a name, in crm, in shop");
    });

    it("G33 a credential is only ever sent to its own application, and no record holds one", async () => {
      const auth = { key: { type: "apiKey", in: "header", name: "X-Key" } };
      const secrets = { plain: "plain-3f9a1c77", shop: "shop-88e0b2d4", crm: "crm-5d21f06e" };
      const own = (name: keyof typeof secrets): object => ({
        headers: { "X-Auth-Token": `h-${secrets[name]}` },
        auth: { key: `k-${secrets[name]}` },
        arguments: { name: `a-${secrets[name]}` },
      });
      const documentOf = (target: RecordingTarget): object => {
        const document = petShop(target.url) as { resources: { actions: { transport: object }[] }[] };
        for (const { actions } of document.resources)
          for (const action of actions) action.transport = { ...action.transport, security: [{ key: [] }] };
        return { ...document, auth };
      };
      write("schemas/shop.json", documentOf(targets.shop));
      write("schemas/crm.json", documentOf(targets.crm));
      // Each application repeats every secret there is.
      const everything = Object.values(secrets).flatMap((secret) => [`h-${secret}`, `k-${secret}`, `a-${secret}`]);
      for (const target of Object.values(targets)) target.answer(() => json({ said: everything }));
      daemon = await startDaemon({
        dataDir: dir,
        schema: documentOf(targets.plain),
        config: { target: own("plain"), applications: { shop: own("shop"), crm: own("crm") } },
        turns: [
          {
            prompt: "all of them",
            replies: [
              {
                calls: ["list_pets", "shop_list_pets", "crm_create_pet", "shop_create_pet", "create_pet"].map(
                  (name) => ({ name, arguments: {} }),
                ),
              },
              { text: "ok" },
            ],
          },
        ],
      });
      const events = await ask(daemon.url, { message: "all of them", session_id: "s" });
      expect(events.filter((event) => event.kind === "tool_result").map(({ status }) => status)).to.deep.equal(
        Array(5).fill("ok"),
      );
      for (const [name, { requests }] of Object.entries(targets)) {
        const received = requests.map(({ raw }) => raw.toString("latin1")).join("\n");
        expect(requests.length, name).to.be.above(0);
        for (const [of, secret] of Object.entries(secrets)) {
          expect(
            received.includes(`h-${secret}`) && received.includes(`k-${secret}`) && received.includes(`a-${secret}`),
            `${of} in what ${name} got`,
          ).to.equal(of === name);
          if (of !== name) expect(received, name).to.not.contain(secret);
        }
      }
      const rows = JSON.stringify(await history(daemon.url));
      const told = JSON.stringify(await config(daemon.url)) + JSON.stringify(await tools(daemon.url));
      for (const secret of everything) expect(rows + told + JSON.stringify(events)).to.not.contain(secret);
    });

    it("F17 its safety modes are its own, on top of those of the daemon and the request", async () => {
      const create = (name: string): ScriptedReply => ({ calls: [{ name, arguments: { name: "Rex" } }] });
      const all = [create("create_pet"), create("shop_create_pet"), create("crm_create_pet"), { text: "done" }];
      const url = await open({
        turns: [all, all],
        config: {
          applications: { shop: { safety: { read_only: true } }, crm: { safety: { dry_run: true, strict: true } } },
        },
      });
      await ask(url, { message: "turn 0", session_id: "s" });
      const rows = (await history(url)).reverse();
      expect(rows.map(({ application, status }) => [application, status])).to.deep.equal([
        ["", "ok"],
        ["shop", "blocked"],
        ["crm", "dry_run"],
      ]);
      expect(
        rows.map(({ policy }) => Object.entries(policy).flatMap(([mode, on]) => (on ? [mode] : []))),
      ).to.deep.equal([[], ["read_only"], ["dry_run", "strict"]]);
      expect(Object.values(targets).map(({ requests }) => requests.length)).to.deep.equal([1, 0, 0]);
      await ask(url, { message: "turn 1", session_id: "s", dry_run: true });
      expect((await history(url)).slice(0, 3).map(({ status }) => status)).to.deep.equal([
        "dry_run",
        "blocked",
        "dry_run",
      ]);
      // What is in force for the daemon is not what is in force for one application.
      expect(await config(url)).to.include({ read_only: false, dry_run: false, strict: false });
    });

    it("F17 a held call is judged by the modes of its application that are in force when it is decided", async () => {
      const hold = { calls: [{ name: "shop_create_pet", arguments: { name: "Rex" } }] };
      const url = await open({
        turns: [[hold], [hold]],
        config: { applications: { shop: { safety: { confirm: true } } } },
      });
      const pending = async (at: string): Promise<Confirmation> => {
        const [held] = await getJson<Confirmation[]>(`${at}/-/confirmations?status=pending`);
        if (!held) throw new Error("nothing is held");
        return held;
      };
      await ask(url, { message: "turn 0", session_id: "s" });
      const held = await pending(url);
      expect(held).to.include({ application: "shop", tool: "shop_create_pet" });
      await postJson(`${url}/-/confirmations/${held.id}`, { decision: "approve" });
      expect(targets.shop.requests).to.have.length(1);
      await ask(url, { message: "turn 1", session_id: "s" });
      const { id } = await pending(url);
      await daemon?.close();
      const again = await open({ config: { applications: { shop: { safety: { read_only: true } } } } });
      const answer = await postJson(`${again}/-/confirmations/${id}`, { decision: "approve" });
      expect((await answer.json()) as object).to.have.nested.property("outcome.result.error", "refused");
      expect((await history(again, "&application=shop"))[0]).to.include({ status: "blocked" });
      expect(targets.shop.requests, "nothing more was sent").to.have.length(1);
    });

    it("F18 a held call is not made when its name is another application's by then", async () => {
      write("schemas/a-b.json", petShop(targets.shop.url));
      rmSync(join(dir, "schemas", "crm.json"));
      rmSync(join(dir, "schemas", "shop.json"));
      const url = await open({ turns: [[{ calls: [{ name: "a_b_create_pet", arguments: { name: "Rex" } }] }]] });
      await ask(url, { message: "turn 0", session_id: "s", confirm: true });
      const [held] = await getJson<Confirmation[]>(`${url}/-/confirmations?status=pending`);
      expect(held).to.include({ application: "a-b" });
      rmSync(join(dir, "schemas", "a-b.json"));
      write("schemas/a.json", JSON.stringify(petShop(targets.shop.url)).replaceAll("create_pet", "b_create_pet"));
      expect(await names(url, "?application=a")).to.contain("a_b_create_pet");
      const answer = await postJson(`${url}/-/confirmations/${held?.id}`, { decision: "approve" });
      expect((await answer.json()) as object).to.have.nested.property("error.code", "changed");
      expect(targets.shop.requests).to.deep.equal([]);
    });

    it("a full name that is too long or taken ends in a hash, and its calls arrive", async () => {
      const hash = (application: string, tool: string): string =>
        createHash("sha256").update(`${application}\0${tool}`).digest("hex").slice(0, 8);
      const long = `list_${"x".repeat(58)}`;
      const fits = `list_${"y".repeat(54)}`;
      const renamed = (target: RecordingTarget, name: string): string =>
        JSON.stringify(petShop(target.url)).replaceAll("list_pets", name);
      write("schemas/crm.json", renamed(targets.crm, long));
      write("schemas/shop.json", renamed(targets.shop, fits));
      write("schemas/crm-get.json", JSON.stringify(petShop(targets.crm.url)).replaceAll("get_pet", "pet"));
      const cut = `crm_${long}`.slice(0, 55);
      const turn = [{ calls: [{ name: `${cut}_${hash("crm", long)}`, arguments: {} }] }, { text: "ok" }];
      const url = await open({ turns: [turn] });
      expect(await names(url, "?application=crm")).to.deep.equal([
        `${cut}_${hash("crm", long)}`,
        "crm_get_pet",
        "crm_create_pet",
        "crm_delete_pet",
      ]);
      expect(await names(url, "?application=crm-get")).to.include(`crm_get_pet_${hash("crm-get", "pet")}`);
      expect(await names(url, "?application=shop")).to.include(`shop_${fits}`);
      expect((await tools(url)).every(({ name }) => name.length <= 64)).to.equal(true);
      await ask(url, { message: "turn 0", session_id: "s" });
      expect(targets.crm.requests.map(({ path }) => path)).to.deep.equal(["/pets"]);
    });

    it("an unknown name is answered with the full one, or with those of each application", async () => {
      const called = (name: string): ScriptedReply[] => [{ calls: [{ name, arguments: {} }] }, { text: "ok" }];
      write("schemas/shop.json", JSON.stringify(petShop(targets.shop.url)).replaceAll("list_pets", "list_dogs"));
      write("schemas/crm.json", JSON.stringify(petShop(targets.crm.url)).replaceAll("get_pet", "read_pet"));
      write("schemas/x.json", JSON.stringify(petShop(targets.crm.url)).replaceAll("get_pet", "read_pet"));
      const url = await open({ turns: [called("list_dogs"), called("read_pet")] });
      for (const i of [0, 1]) await ask(url, { message: `turn ${i}`, session_id: "s" });
      const messages = (await history(url)).reverse().map(({ result }) => (result as { message: string }).message);
      expect(messages[0]).to.contain("it is called shop_list_dogs");
      expect(messages[1]).to.contain("crm_read_pet, x_read_pet");
    });

    it("GET /schema is one document of all, and each byte for byte", async () => {
      const withPets = (target: RecordingTarget, type: string): object => ({
        ...JSON.parse(JSON.stringify(petShop(target.url)).replaceAll('{"type":"integer"}', '{"$ref":"#/$defs/Id"}')),
        $defs: { Id: { type } },
        note: 12345678901234567890n.toString(),
      });
      write("schemas/shop.json", withPets(targets.shop, "integer"));
      write("schemas/crm.json", withPets(targets.crm, "string"));
      const url = await open();
      const response = await fetch(`${url}/schema`);
      const etag = response.headers.get("etag") ?? "";
      const whole = (await response.json()) as {
        $defs: object;
        resources: { name: string; application: string; actions: { name: string; parameters: object }[] }[];
      };
      expect(whole).to.deep.include({ version: 1, source: "several", base_url: "" });
      expect(whole.resources.map(({ application }) => application)).to.deep.equal(["", "crm", "shop"]);
      expect(whole.resources.flatMap(({ actions }) => actions.map(({ name }) => name))).to.deep.equal(await names(url));
      expect(whole.$defs).to.deep.equal({ "crm:Id": { type: "string" }, "shop:Id": { type: "integer" } });
      expect(whole.resources[1]?.actions[1]?.parameters).to.have.nested.property(
        "properties.id.$ref",
        "#/$defs/crm:Id",
      );
      // What is told of a tool is what its own document says.
      const [tool] = await tools(url, "?name=crm_get_pet");
      expect(tool?.input_schema).to.have.nested.property("$defs.Id.type", "string");
      expect((await fetch(`${url}/schema`, { headers: { "If-None-Match": etag } })).status).to.equal(304);
      for (const [name, file] of [
        ["", "schema.json"],
        ["crm", "schemas/crm.json"],
      ] as const)
        expect(await fetch(`${url}/schema?application=${name}`).then((one) => one.text())).to.equal(
          readFileSync(join(dir, file), "utf8"),
        );
      const unknown = await fetch(`${url}/schema?application=nobody`);
      expect(unknown.status).to.equal(400);
      expect(await unknown.text()).to.contain('Known: \\"\\", \\"crm\\", \\"shop\\"');
      write("schemas/crm.json", "{");
      rmSync(join(dir, "schemas", "shop.json"));
      expect((await fetch(`${url}/schema`, { headers: { "If-None-Match": etag } })).status).to.equal(200);
    });

    it("GET /schema of several has the actions that are tools: renamed as they are, without hidden ones", async () => {
      write("overrides/crm.json", { list_pets: { name: "all_pets" }, get_pet: { hidden: true } });
      const url = await open();
      const { resources } = await getJson<{ resources: { actions: { name: string }[] }[] }>(`${url}/schema`);
      const served = resources.flatMap(({ actions }) => actions.map(({ name }) => name));
      expect(served).to.deep.equal(await names(url));
      expect(served).to.include.members(["crm_all_pets", "shop_get_pet"]).and.not.include("crm_get_pet");
    });

    it("a model is told which applications there are and what their tools begin with", async () => {
      const vendor = await startVendor();
      try {
        vendor.script([{ text: "ok" }]);
        write("schemas/broken.json", "{");
        const m = { type: "openai-compatible", base_url: vendor.url, model: "m" };
        const url = await open({
          config: { default_provider: "m", providers: { m }, applications: { shop: { safety: { read_only: true } } } },
        });
        await ask(url, { message: "hello", session_id: "s" });
        const sent = vendor.requests[0]?.text ?? "";
        expect(sent)
          .to.contain(`- crm at ${targets.crm.url}: its tools begin with crm_`)
          .and.to.contain("its tools begin with shop_")
          .and.to.contain("For shop alone: Read-only is in force: tools that change anything are refused.")
          .and.to.contain("- broken: its description cannot be used")
          .and.to.contain(`- the one without a name at ${targets.plain.url}: its tools have no prefix`);
      } finally {
        await vendor.close();
      }
    });
  });

  describe("none at all", () => {
    beforeEach(makeDir);
    afterEach(stopAll);

    it("starts, answers everything, and says three ways to a first one wherever it is asked @all", async () => {
      const vendor = await startVendor();
      try {
        const m = { type: "openai-compatible", base_url: vendor.url, model: "m" };
        const ways = [/agentd sync openapi ADDRESS/, /agentd serve --demo/, /agentd serve --data-dir DIR/];
        for (const settings of [OFFLINE, { default_provider: "m", providers: { m } }]) {
          write("config.json", settings);
          const { url, ...daemon } = await serve(["--data-dir", dir]);
          expect(await tools(url)).to.deep.equal([]);
          expect(await getJson(`${url}/schema`)).to.deep.equal({
            version: 1,
            source: "unknown",
            base_url: "",
            resources: [],
          });
          const { sync_source, base_url, applications, first_steps } = await config(url);
          expect({ sync_source, base_url, applications }).to.deep.equal({
            sync_source: "unknown",
            base_url: "",
            applications: [],
          });
          const events = await ask(url, { message: "list the orders", session_id: "s" });
          expect(events.map(({ kind }) => kind)).to.deep.equal(["user_prompt", "assistant_message", "done"]);
          expect(await history(url)).to.deep.equal([]);
          const { stderr } = await daemon.stop();
          const printed = await agentd(["tools", "--data-dir", dir]);
          for (const way of ways)
            for (const text of [first_steps.join("\n"), finalText(events), stderr, printed.stderr])
              expect(text).to.match(way);
        }
        expect(vendor.requests, "no model is asked").to.deep.equal([]);
      } finally {
        await vendor.close();
      }
    });

    it("takes the first application while it runs", async () => {
      write("config.json", OFFLINE);
      const daemon = await serve(["--data-dir", dir]);
      write("schemas/shop.json", petShop("http://127.0.0.1:9"));
      expect(await names(daemon.url)).to.contain("shop_list_pets");
      expect((await config(daemon.url)).first_steps).to.deep.equal([]);
      const shown = await fetch(`${daemon.url}/schema`).then((one) => one.text());
      expect(shown).to.equal(readFileSync(join(dir, "schemas", "shop.json"), "utf8"));
    });
  });
});
