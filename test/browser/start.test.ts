// The start page: connecting a first application, and what stands there once there is one.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { PublicConfig } from "../../src/domain/agent.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { withScheme } from "../../static/state/address.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { useBrowser } from "./browser.js";

const read = (operationId: string) => ({
  get: { operationId, summary: operationId, responses: { 200: { description: "ok" } } },
});
const DESCRIPTION = {
  openapi: "3.1.0",
  info: { title: "Pet Shop", version: "1" },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  paths: { "/pets": read("listPets"), "/owners": read("listOwners") },
};

describe("The start page", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let target: RecordingTarget;

  before(async () => {
    target = await startTarget(({ path }) => (path === "/openapi.json" ? json(DESCRIPTION) : json([{ id: 1 }])));
  });
  after(() => target.close());

  it("connects a first application: what it has, its credentials, a name, and a first call", async () => {
    const daemon = await browser.daemon();
    rmSync(join(daemon.dataDir, "schema.json"));
    const { page } = await browser.open(daemon);
    await page.getByRole("heading", { name: "No application is connected yet" }).waitFor();
    await page.getByLabel(/Address of your application/).fill(`${target.url}/openapi.json`);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.getByRole("heading", { name: "Pet Shop openapi" }).waitFor({ timeout: 30_000 });
    expect(await page.locator(".connect-config pre").textContent()).to.include("PET_SHOP_KEY");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).to.equal("pet-shop");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("What should be done?").waitFor({ timeout: 30_000 });
    expect(await page.locator(".start-application").textContent()).to.include("pets");
    expect(await page.locator(".connect-config pre").textContent()).to.include("PET_SHOP_KEY");
    await page.getByRole("link", { name: /list(Pets|Owners)/ }).click();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  });

  it("takes an address without its scheme, and says once what is wrong until something else is written @all", async () => {
    const daemon = await browser.daemon();
    const { page } = await browser.open(daemon, "/browse/connect");
    const address = page.getByLabel(/Address of your application/);
    await address.fill("file:///etc/hosts");
    await address.press("Enter");
    const error = page.getByRole("alert").filter({ hasText: "http" });
    expect((await error.innerText()).match(/http:\/\//g)).to.have.length(1);
    await address.fill(`${new URL(target.url).host}/openapi.json`);
    expect(await error.count()).to.equal(0);
    await address.press("Enter");
    await page.getByRole("heading", { name: "Pet Shop openapi" }).waitFor({ timeout: 30_000 });
    expect(await address.inputValue()).to.equal(`${target.url}/openapi.json`);
    for (const [written, meant] of [
      ["localhost:8000", "http://localhost:8000"],
      ["localhost", "http://localhost"],
      ["127.0.0.1:1/docs", "http://127.0.0.1:1/docs"],
      ["[::1]:8000", "http://[::1]:8000"],
      ["shop.test:8080/api", "http://shop.test:8080/api"],
      ["api.shop.test/v1", "https://api.shop.test/v1"],
      ["//api.shop.test", "https://api.shop.test"],
      [" HTTPS://shop.test ", "HTTPS://shop.test"],
      ["file:///x", "file:///x"],
      ["", ""],
    ] as const)
      expect(withScheme(written), written).to.equal(meant);
  });

  it("looks at a file that is dropped anywhere on it, and says what a file without an address needs @all", async () => {
    const daemon = await browser.daemon();
    const { page } = await browser.open(daemon, "/browse/connect");
    const files = await page.evaluateHandle(
      `(() => { const files = new DataTransfer(); files.items.add(new File([${JSON.stringify(JSON.stringify(DESCRIPTION))}], "shop.json")); return files; })()`,
    );
    await page.getByRole("region", { name: "Connect an application" }).dispatchEvent("drop", { dataTransfer: files });
    await page.getByRole("heading", { name: "Pet Shop openapi" }).waitFor({ timeout: 30_000 });
    await page.getByLabel("Address that calls go to").fill(target.url);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const names = async () => {
      const { applications } = await getJson<PublicConfig>(`${daemon.url}/config/public`);
      return applications.map(({ name }) => name);
    };
    await until(async () => (await names()).includes("pet-shop"));
  });

  it("can be installed: what a browser asks for is there @all", async () => {
    const daemon = await browser.daemon();
    const { page } = await browser.open(daemon);
    const session = await page.context().newCDPSession(page);
    const { errors, url } = await session.send("Page.getAppManifest");
    expect(errors).to.deep.equal([]);
    const manifest = await getJson<{ icons: { src: string; type: string }[]; start_url: string }>(url);
    expect(manifest.start_url).to.equal("./");
    for (const { src, type } of manifest.icons) {
      const response = await fetch(new URL(src, url));
      expect(response.headers.get("content-type"), src).to.contain(type);
      expect((await response.arrayBuffer()).byteLength).to.be.greaterThan(200);
    }
  });

  it("says what is wrong with an address @all", async () => {
    const daemon = await browser.daemon();
    const { page } = await browser.open(daemon, "/browse/connect");
    await page.getByLabel(/Address of your application/).fill("http://127.0.0.1:9/none");
    await page.getByRole("button", { name: "Look at it" }).click();
    expect(await page.getByRole("alert").filter({ hasText: "127.0.0.1:9" }).textContent()).to.include("127.0.0.1:9");
  });

  it("says what the application is, counts its records by a click only, and proposes prompts", async () => {
    const transport = (method: string, path: string) => ({ kind: "http", method, path });
    const actions = [
      {
        name: "list_pets",
        verb: "list",
        safety: "read_only",
        description: "Lists them all.",
        transport: transport("GET", "/pets"),
      },
      {
        name: "get_pet",
        verb: "get",
        safety: "read_only",
        description: "Get a pet.\nWith all it has.",
        parameters: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        transport: transport("GET", "/pets/{id}"),
      },
      {
        name: "delete_all",
        verb: "delete",
        safety: "destructive",
        description: "Delete all pets",
        transport: transport("DELETE", "/pets"),
      },
    ];
    const daemon = await browser.daemon({
      schema: {
        version: 1,
        source: "openapi",
        base_url: target.url,
        title: "Pet Shop",
        description: "Everything about pets.\nAnd more.",
        resources: [
          { name: "pets", actions },
          { name: "purge", actions: [{ ...actions[2], name: "purge" }] },
        ],
      },
    });
    const config = await getJson<PublicConfig>(`${daemon.url}/config/public`);
    expect(config.applications[0]).to.include({ title: "Pet Shop", description: "Everything about pets." });
    const before = target.requests.length;
    const { page } = await browser.open(daemon);
    const card = page.locator(".start-application");
    await card.getByRole("heading", { name: "Pet Shop" }).waitFor();
    await card.getByText("Everything about pets.", { exact: true }).waitFor();
    expect(await card.locator(".start-resources li").first().locator(".tag").allTextContents()).to.deep.equal([
      "2 read only",
      "1 destructive",
    ]);
    expect(await card.getByRole("button", { name: /^Count/ }).count()).to.equal(1);
    expect(target.requests).to.have.length(before);
    await card.getByRole("button", { name: "Count pets" }).click();
    await card.getByText("1 record", { exact: true }).waitFor();
    const [row] = await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=1`);
    expect(row).to.include({ tool: "list_pets", status: "ok", client: "web" });
    await card.getByText("pets", { exact: true }).click();
    const prompts = card.locator(".start-resources li").first().locator(".resource-prompts button");
    await prompts.first().waitFor();
    expect(await prompts.allTextContents()).to.deep.equal(["List pets", "Get a pet with id …", "Delete all pets"]);
    await prompts.nth(1).click();
    await until(async () => (await page.evaluate(() => getSelection()?.toString())) === "…");
    await page.keyboard.type("1");
    expect(await page.getByLabel("Prompt", { exact: true }).inputValue()).to.equal("Get a pet with id 1");
    expect(target.requests).to.have.length(before + 1);
  });

  it("counts all collections of records at a click, one after the other, and no rows of a report @all", async () => {
    const list = (name: string, path: string, verb = "list") => ({
      name,
      verb,
      safety: "read_only",
      description: name,
      ...(verb === "get" && {
        parameters: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      }),
      transport: { kind: "http", method: "GET", path },
    });
    const resources = [
      { name: "pets", actions: [list("list_pets", "/api/pets.json")] },
      { name: "Stock keeping", actions: [list("list_items", "/items"), list("get_item", "/items/{id}", "get")] },
      { name: "reports", actions: [list("sales", "/reports/sales"), list("wide", "/reports/wide")] },
    ];
    const schema = { version: 1, source: "openapi", base_url: target.url, resources };
    const { page } = await browser.open(await browser.daemon({ schema }));
    const before = target.requests.length;
    await page.getByRole("button", { name: "Count all" }).waitFor();
    expect(await page.getByRole("button", { name: /^Count (?!all)/ }).allInnerTexts()).to.have.length(2);
    await page.getByRole("button", { name: "Count all" }).press("Enter");
    await until(async () => (await page.getByText("1 record", { exact: true }).count()) === 2);
    expect(target.requests.slice(before).map(({ path }) => path)).to.deep.equal(["/api/pets.json", "/items"]);
    expect(await page.getByRole("button", { name: /^Count/ }).count()).to.equal(0);
    expect(await page.evaluate("document.activeElement === document.body")).to.equal(false);
    // The browser remembers them, and calls nothing by itself.
    await page.reload();
    await page
      .getByText(/^1 record, /)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /^Count .* again$/ }).count()).to.equal(2);
    expect(target.requests).to.have.length(before + 2);
  });

  it("runs a pinned action with a click @all", async () => {
    const daemon = await browser.daemon({ target: target.url });
    await postJson(`${daemon.url}/-/actions`, { title: "All my pets", tool: "list_pets", pinned: true });
    const { page } = await browser.open(daemon);
    const run = page.getByRole("button", { name: "All my pets" });
    await run.click();
    await page.locator(".pinned-action .value").waitFor();
    expect(await run.evaluate((button) => button === document.activeElement), "keeps the focus").to.equal(true);
    expect(target.requests.at(-1)?.path).to.equal("/pets");
  });
});
