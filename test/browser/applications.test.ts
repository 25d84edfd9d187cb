// Several applications in the UI: which one a call goes to, the pages by application, a broken one, and none at all; with a single
// one nothing more than ever. A real browser on a real daemon.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FIRST_STEPS } from "../../src/domain/first-steps.js";
import { petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const call = (name: string, args: Record<string, string> = {}) => ({ calls: [{ name, arguments: args }] });
const TURNS = [
  {
    prompt: "both",
    replies: [{ calls: [...call("list_pets").calls, ...call("shop_list_pets").calls] }, { text: "Both." }],
  },
  { prompt: "create there", replies: [call("shop_create_pet", { name: "Rex" }), { text: "Made." }] },
  { prompt: "create", replies: [call("create_pet", { name: "Tom" }), { text: "Made." }] },
];

describe("the web UI: several applications", () => {
  const browser = useBrowser();
  let pets: RecordingTarget;
  let shop: RecordingTarget;
  let dataDir: string;
  beforeEach(async () => {
    pets = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    shop = await startTarget(() => json([{ id: 2, name: "Tom" }]));
    dataDir = temporaryFolder("several");
    mkdirSync(join(dataDir, "schemas"));
  });
  afterEach(async () => {
    await pets.close();
    await shop.close();
  });
  const several = () => {
    const listing = JSON.stringify(petShop(shop.url)).replace('"list_pets"', '"list_pets","verb":"list"');
    writeFileSync(join(dataDir, "schemas", "shop.json"), listing);
    writeFileSync(join(dataDir, "schemas", "crm.json"), "{ broken");
    return browser.daemon({ target: pets.url, dataDir, turns: TURNS });
  };

  it("marks an application that its last call did not reach, until one does, also after a reload and on a phone @all", async () => {
    let isDown = true;
    await shop.close();
    shop = await startTarget(() => (isDown ? (socket) => socket.destroy() : json([{ id: 2, name: "Tom" }])));
    const here = await several();
    const { page } = await browser.open(here, "/", { viewport: { width: 390, height: 800 } });
    const head = page.locator(".head-target");
    await head.getByText("crm cannot be used").waitFor();
    const listed = () => postJson(`${here.url}/-/tools/shop_list_pets/call`, { arguments: {} });
    await listed();
    await head.getByText("crm cannot be used, shop was not reached").waitFor();
    expect(await head.getAttribute("title")).to.match(
      /shop: .*its last call did not reach it: 127.0.0.1:\d+ closed the connection/,
    );
    await page.reload();
    await head.getByText("shop was not reached").waitFor();
    // What another application answers says nothing of this one, nor does a call that was refused.
    await postJson(`${here.url}/-/tools/list_pets/call`, { arguments: {} });
    await postJson(`${here.url}/-/tools/shop_list_pets/call`, { arguments: { nothing: 1 } });
    await postJson(`${here.url}/-/tools/shop_create_pet/call`, { arguments: {} });
    await page.goto(`${here.url}/browse/settings`);
    const own = page.locator(".settings-application", { has: page.getByRole("heading", { name: "shop" }) });
    await own.getByText("Its last call did not reach it").waitFor();
    isDown = false;
    await listed();
    await own.getByText("Its last call did not reach it").waitFor({ state: "detached" });
    expect(await head.innerText()).to.equal("crm cannot be used");
  });

  it("displays which application each call goes to, on its card and in the history, which has a filter", async () => {
    const here = await several();
    const { page } = await browser.open(here);
    await sendPrompt(page, "list both");
    await waitUntilIdle(page);
    const tags = (name: string) => page.getByRole("group", { name: `Tool call ${name}` }).locator(".application");
    expect(await tags("shop_list_pets").allTextContents()).to.deep.equal(["shop"]);
    expect(await tags("list_pets").count()).to.equal(0);
    await page.getByRole("link", { name: "History" }).click();
    const rows = page.locator(".row-head");
    await rows.nth(1).waitFor();
    expect(await rows.locator(".application").allTextContents()).to.deep.equal(["shop"]);
    const filter = page.getByLabel("Application");
    const host = new URL(pets.url).host;
    expect(await filter.locator("option").allTextContents()).to.deep.equal(["any", host, "crm", "shop"]);
    await filter.selectOption("shop");
    await rows.nth(1).waitFor({ state: "detached" });
    expect(await rows.locator(".row-tool").textContent()).to.equal("shop shop_list_pets");
    await filter.selectOption(host);
    await page.getByText("shop_list_pets").waitFor({ state: "detached" });
    await rows.first().waitFor();
    expect(await rows.locator(".row-tool").allTextContents()).to.deep.equal([" list_pets"]);
    await filter.selectOption("crm");
    await page.getByText("No calls fit these filters.").waitFor();
  });

  it("offers the application without a name by its title, unless that is the name of another @all", async () => {
    for (const [title, label] of [
      ["Copper Kettle", "Copper Kettle"],
      ["shop", new URL(pets.url).host],
    ]) {
      writeFileSync(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop(shop.url)));
      const here = await browser.daemon({ dataDir, schema: { ...petShop(pets.url), title } });
      const { page } = await browser.open(here);
      const options = page.getByLabel("Application", { exact: true }).locator("option");
      await options.first().waitFor({ state: "attached" });
      expect(await options.allTextContents()).to.deep.equal(["All applications", label, "shop"]);
      await here.close();
    }
  });

  it("says in a question which application the call goes to: its name, or else its address @all", async () => {
    const here = await several();
    for (const [prompt, tool, name, { url }] of [
      ["create there", "shop_create_pet", "shop", shop],
      ["create a pet", "create_pet", "", pets],
    ] as const) {
      const { page } = await browser.open(here);
      await page.getByRole("switch", { name: "Confirm" }).click();
      await sendPrompt(page, prompt);
      const card = page.getByRole("region", { name: `Approve this call? ${tool}` });
      await card.waitFor();
      expect(await card.locator(".confirmation-call").textContent()).to.equal(`${name && `${name}: `}POST ${url}/pets`);
      expect(await page.locator("[role=status]").allTextContents()).to.include(
        `Approval needed: ${tool}${name && ` of ${name}`} (mutating), POST ${url}/pets`,
      );
      await page.getByRole("button", { name: "Deny" }).click();
      await waitUntilIdle(page);
    }
    expect([...pets.requests, ...shop.requests]).to.deep.equal([]);
  });

  it("lists the tools by application, and says what is wrong with a broken one @all", async () => {
    const { page } = await browser.open(await several(), "/browse/tools");
    const headings = page.locator(".page section > h2");
    await headings.nth(1).waitFor();
    expect(await headings.allTextContents()).to.deep.equal(["pets 4", "shop · pets 4"]);
    const broken = page.locator(".failure");
    expect(await broken.textContent())
      .to.contain("Trouble with crm:")
      .and.contain("crm.json");
    await page.getByLabel("Application").selectOption("shop");
    expect(await headings.allTextContents()).to.deep.equal(["shop · pets 4"]);
    await page.getByLabel("Search tools").fill("delete a pet");
    await page.getByRole("heading", { name: /best first$/ }).waitFor();
    expect(await page.locator(".tool-head code").first().textContent()).to.equal("shop_delete_pet");
    expect(
      (await page.locator(".tool-head code").allTextContents()).filter((name) => !name.startsWith("shop_")),
    ).to.deep.equal([]);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText("8 tools of 3 applications").waitFor();
    expect(await page.locator(".suggestions button").allTextContents()).to.deep.equal(["List shop pets"]);
    await broken.waitFor();
    expect(await page.locator(".foot").textContent()).to.contain(`Targets${pets.url}, crm (broken), shop`);
  });

  it("says with no application how to get to a first one, and follows once there is one", async () => {
    const here = await browser.daemon({ dataDir, turns: TURNS });
    rmSync(join(dataDir, "schema.json"));
    const { page } = await browser.open(here);
    await page.getByRole("heading", { name: "No application is connected yet" }).waitFor();
    const steps = await page.locator(".first-steps li").allTextContents();
    expect(steps.map((text) => text.trim())).to.deep.equal(FIRST_STEPS.map((step) => step.replaceAll("`", "")));
    writeFileSync(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop(shop.url)));
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText(`4 tools for ${shop.url}`).waitFor();
  });

  it("displays nothing more with a single application, also one with a name @all", async () => {
    const here = await browser.daemon({ dataDir, turns: TURNS });
    rmSync(join(dataDir, "schema.json"));
    writeFileSync(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop(shop.url)));
    await postJson(`${here.url}/run`, { message: "create there", session_id: "s", confirm: true });
    const { page } = await browser.open(here, "/s/s");
    const card = page.getByRole("region", { name: "Approve this call? shop_create_pet" });
    await card.waitFor();
    expect(await card.locator(".confirmation-call").textContent()).to.equal(`POST ${shop.url}/pets`);
    for (const name of ["Tools", "History"]) {
      await page.getByRole("link", { name }).click();
      await page.locator(".tool-head, .row-head").first().waitFor();
      expect(await page.locator(".application, .filter-application, .failure").count()).to.equal(0);
    }
  });
});
