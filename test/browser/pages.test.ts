// The pages beside the chat, the modes, and how the UI fits the screen it is on.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const WIDE = "`a_very_long_word_that_does_not_break_".repeat(8);

/** How far the page could be scrolled sideways. */
const overflow = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe("the web UI: pages, modes and screens", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex", note: "x".repeat(400) }]));
  });
  afterEach(() => target.close());

  const turns = [
    {
      prompt: "list",
      replies: [{ calls: [{ name: "list_pets" }] }, { text: `Here. ${WIDE}\n\n|a|b|\n|-|-|\n|${WIDE}|2|` }],
    },
    { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Tom" } }] }, { text: "fine" }] },
  ];
  const daemon = (config: Record<string, unknown> = {}) => browser.daemon({ target: target.url, turns, config });

  it("lists the tools by resource and ranks them for a search", async () => {
    const { page } = await browser.open(await daemon(), "/browse/tools");
    const names = page.locator(".tool-head code");
    await names.first().waitFor();
    expect(await names.allTextContents()).to.deep.equal(["list_pets", "get_pet", "create_pet", "delete_pet"]);
    await page.getByLabel("Search tools").fill("delete a pet");
    await page.getByRole("heading", { name: /best first$/ }).waitFor();
    expect(await names.first().textContent()).to.equal("delete_pet");
    await page.locator(".tool-head").first().click();
    expect(await page.locator(".tool-body").textContent())
      .to.contain("DELETE /pets/{id}")
      .and.contain("required");
  });

  it("shows what config.json says of a tool, and which rule says it @all", async () => {
    const permissions = { "delete_*": "deny", create_pet: "allow", list_pets: "ask" };
    const { page } = await browser.open(await daemon({ permissions }), "/browse/tools");
    const rows = page.locator(".tool-head");
    await rows.first().waitFor();
    const tags = (row: Locator) => row.locator(".tag").allTextContents();
    expect(await Promise.all((await rows.all()).map(tags))).to.deep.equal([
      ["read only", "ask"],
      ["read only"],
      ["mutating", "allow"],
      ["destructive", "deny"],
    ]);
    expect(await rows.last().locator(".tag").last().getAttribute("title")).to.equal(
      "By permissions.delete_* in config.json",
    );
  });

  /** More than a page of calls in session one, and another call in session two. */
  async function fill({ url }: { url: string }): Promise<void> {
    const headers = { "content-type": "application/json" };
    const run = (message: string, session_id: string) =>
      fetch(`${url}/run`, { method: "POST", headers, body: JSON.stringify({ message, session_id }) });
    for (let i = 0; i < 55; i++) await run("list", "one");
    await run("create", "two");
  }

  it("displays the history with filters in its address, as far as one scrolls, and the whole row", async () => {
    const here = await daemon();
    await fill(here);
    const { page } = await browser.open(here, "/browse/history");
    const rows = page.locator(".row-head");
    await page.locator('.row[aria-setsize="56"]').first().waitFor();
    expect(await rows.count()).to.be.below(50);
    await rows.first().focus();
    await page.keyboard.press("End");
    await page.locator('.row:has(a:focus)[aria-posinset="56"][aria-setsize="56"]').waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator('.row:has(a:focus)[aria-posinset="55"]').waitFor();
    await page.getByRole("searchbox", { name: "Tool" }).fill("CREATE");
    await page.locator(".row:nth-child(2)").waitFor({ state: "detached" });
    expect(await rows.textContent()).to.contain("create_pet");
    expect(await rows.locator(".row-arguments").textContent()).to.equal("name: Tom");
    const time = rows.locator("time");
    expect(await time.textContent()).to.match(/^\d\d:\d\d/);
    expect(await time.getAttribute("title")).to.match(/\d{4}.*:\d\d:\d\d/);
    await rows.press("Enter");
    const body = (await page.locator(".row-body").textContent()) ?? "";
    expect(body).to.contain(`POST ${target.url}/pets`).and.contain('{"name":"Tom"}').and.contain("played");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).to.equal("/browse/history/56?tool=CREATE");
    await page.reload();
    await page.locator(".row-body").waitFor();
    await page.getByRole("link", { name: "its turn in create" }).click();
    await page.locator(".answer").waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole("searchbox", { name: "Tool" }).waitFor();
    expect(await page.getByRole("searchbox", { name: "Tool" }).inputValue()).to.equal("CREATE");
    await page.getByLabel("Status").selectOption("denied");
    await page.getByText("No calls fit these filters.").waitFor();
    await page.getByRole("button", { name: "Show all calls" }).click();
    await page.locator('.row[aria-setsize="56"]').first().waitFor();
    await fetch(`${here.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "list" }),
    });
    await page.locator('.row[aria-setsize="57"]').first().waitFor();
  });

  it("leads from a recorded call to its turn, and to the form that calls again with its arguments @all", async () => {
    const here = await daemon();
    for (const message of ["list", "list", "list", "create"])
      await postJson(`${here.url}/run`, { message, session_id: "one" });
    const { page } = await browser.open(here, "/browse/history/2", { viewport: { width: 700, height: 420 } });
    await page.getByRole("link", { name: "its turn in list" }).click();
    const turn = page.locator(".turn").nth(1);
    const top = () =>
      turn.evaluate((node: { getBoundingClientRect(): { top: number } }) => node.getBoundingClientRect().top);
    await turn.waitFor();
    await until(async () => (await top()) >= 0 && (await top()) < 120);
    expect(await turn.getAttribute("id")).to.equal(new URL(page.url()).hash.slice(1));
    await page.goBack();
    await page.getByRole("region", { name: "Call 2" }).waitFor();
    await page.goto(`${here.url}/browse/history/4`);
    await page.getByRole("link", { name: "Call again…" }).click();
    await page.getByRole("form", { name: "Call create_pet" }).waitFor();
    await until(async () => (await page.getByLabel(/^name/).inputValue()) === "Tom");
    expect(target.requests).to.have.length(4);
  });

  it("displays what is in force and why, and tests a model", async () => {
    const { page } = await browser.open(await daemon({ safety: { read_only: true } }), "/browse/settings");
    await page.getByText("safety.read_only is true in config.json").waitFor();
    expect(await page.locator(".head-mode").allTextContents()).to.deep.equal(["Read only"]);
    expect(await page.locator(".settings").textContent())
      .to.contain(target.url)
      .and.contain("4 tools: 2 read, 1 change, 1 destroy");
    await page.getByRole("button", { name: /^Test/ }).first().click();
    await page.getByText(/ answered in /).waitFor();
    await page.getByLabel("dark").check();
    await page.getByLabel("Sound").check();
    expect(await page.evaluate("localStorage.getItem('agentd.alert-sound')")).to.equal("on");
    await page.getByRole("link", { name: "Connect an application" }).click();
    await page.getByRole("heading", { name: "Connect an application" }).first().waitFor();
    await page.goBack();
    expect(await page.evaluate("document.documentElement.dataset.theme")).to.equal("dark");
  });

  it("displays the date of a call that was not today @all", async () => {
    const here = await daemon();
    const body = JSON.stringify({ message: "create" });
    await fetch(`${here.url}/run`, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { page } = await browser.open(here, "/");
    await page.clock.setSystemTime(Date.now() + 2 * 86_400_000);
    await page.getByRole("link", { name: "History" }).click();
    const time = page.locator(".row-time");
    await time.waitFor();
    const day = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short" }).format();
    expect(await time.textContent())
      .to.contain(day)
      .and.match(/\d\d:\d\d/);
  });

  it("suggests to list collections, not reports that come as lists @all", async () => {
    const action = (name: string, path: string, more: object = {}) => ({
      name,
      description: name,
      parameters: { type: "object", properties: {}, ...more },
      verb: name.startsWith("list") ? "list" : "get",
      safety: "read_only",
      provenance: "declared",
      transport: { kind: "http", method: "GET", path },
    });
    const schema = {
      base_url: target.url,
      resources: [
        { name: "reports", actions: [action("list_slow", "/reports/slow"), action("sales", "/reports/sales")] },
        { name: "pets", actions: [action("list_pets", "/pets"), action("get_pet", "/pet", { required: ["id"] })] },
        { name: "dust", actions: [action("list_dust", "/dust", { required: ["house"] })] },
      ],
    };
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns, schema }));
    await page.locator(".suggestions button").first().waitFor();
    expect(await page.locator(".suggestions button").allTextContents()).to.deep.equal(["List pets"]);
  });

  it("aligns numbers, keeps codes on one line, and displays no field a row does not have @all", async () => {
    target.answer(() =>
      json([
        { stock: 1, code: "COF-005", constructor: "own" },
        { stock: 20, code: "COF-006" },
      ]),
    );
    const answer = "|Item|Code|Price|\n|-|-|-|\n|Bean|COF-005|€ 7.50|\n|Leaf|TEA-001|12.00|";
    const replies = [{ calls: [{ name: "list_pets" }] }, { text: answer }];
    const { page } = await browser.open(
      await browser.daemon({ target: target.url, turns: [{ prompt: "list", replies }] }),
    );
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    await page.locator(".call-head").click();
    const cells = page.locator(".result-table tbody tr:nth-child(2) td");
    await cells.first().waitFor();
    expect(await cells.allTextContents()).to.deep.equal(["20", "COF-006", ""]);
    const alignments = (selector: string) =>
      page.evaluate<string[]>(
        `Array.from(document.querySelectorAll("${selector}"), (cell) => getComputedStyle(cell).textAlign)`,
      );
    expect(await alignments(".result-table tbody tr:first-child td")).to.deep.equal(["end", "start", "start"]);
    expect(await alignments(".answer th, .answer tr:first-child td")).to.deep.equal([
      "start",
      "start",
      "right",
      "start",
      "start",
      "right",
    ]);
  });

  it("only tightens: a mode chosen here reaches the daemon, one set at startup is locked on", async () => {
    const here = await daemon({ safety: { dry_run: true } });
    const { page } = await browser.open(here);
    const dryRun = page.getByRole("switch", { name: /Dry run/ });
    expect(await dryRun.getAttribute("aria-checked")).to.equal("true");
    await dryRun.click({ force: true });
    expect(await dryRun.getAttribute("aria-checked")).to.equal("true");
    await page.getByRole("switch", { name: "Read only" }).click();
    await sendPrompt(page, "create one");
    await waitUntilIdle(page);
    expect(target.requests).to.deep.equal([]);
    const [row] = await here.agent.history({ limit: 1 });
    expect(row?.policy).to.deep.equal({ read_only: true, dry_run: true, strict: false, confirm: false });
    expect(row?.status).to.equal("blocked");
    await page.reload();
    expect(await page.getByRole("switch", { name: "Read only" }).getAttribute("aria-checked")).to.equal("true");
    await page.getByRole("switch", { name: "Read only" }).click();
    expect(await page.getByRole("switch", { name: "Read only" }).getAttribute("aria-checked")).to.equal("false");
  });

  it("displays the provider, the model and the target @all", async () => {
    const { page } = await browser.open(await daemon());
    const foot = (await page.locator(".foot").textContent()) ?? "";
    expect(foot).to.contain("played").and.contain(target.url);
  });

  it("cuts off a long title before the application and the model @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { viewport: { width: 1440, height: 800 } });
    await sendPrompt(page, "words of a long title ".repeat(12));
    await page.getByRole("heading", { name: /^words of a long title words/ }).waitFor();
    await page.getByRole("button", { name: "Rename" }).waitFor();
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      const isCut = (selector: string) =>
        page.evaluate<boolean>(`(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(
          document.querySelector(".head ${selector}"))`);
      expect([await isCut(".head-target"), await isCut(".head-model")]).to.deep.equal([false, false]);
      if (width < 1200) expect(await isCut("h1")).to.equal(true);
      expect(await overflow(page)).to.equal(0);
    }
  });

  it("fits a phone: no sideways scrolling in any view, and the drawer leads everywhere @all", async () => {
    const { page } = await browser.open(await daemon(), "/", PHONE);
    expect(await overflow(page)).to.equal(0);
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    await page.locator(".call-head").click();
    expect(await overflow(page)).to.equal(0);
    await sendPrompt(page, "create one");
    await page.getByRole("region", { name: /^Approve this call/ }).waitFor();
    expect(await overflow(page)).to.equal(0);
    for (const name of ["Tools", "History", /Approvals/]) {
      await page.getByRole("button", { name: "Open navigation" }).click();
      await page.getByRole("link", { name }).click();
      await page.locator(".page-body, .history-page").waitFor();
      await page.locator(".sidebar").waitFor({ state: "hidden" });
      expect(await overflow(page)).to.equal(0);
    }
  });

  it("has the whole name of a tool on a phone, and the choices and buttons of a prompt in one line", async () => {
    const dataDir = temporaryFolder("phone");
    mkdirSync(join(dataDir, "schemas"));
    writeFileSync(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop(target.url)));
    const providers = { played: { type: "scripted", file: "turns.json" }, offline: { type: "offline" } };
    const slow = [{ prompt: "slow", replies: [{ delay_ms: 60_000, text: "done" }] }];
    const here = await browser.daemon({ dataDir, target: target.url, turns: slow, config: { providers } });
    const screen = { viewport: { width: 390, height: 844 } };
    const { page } = await browser.open(here, "/browse/tools/shop_create_pet", screen);
    const title = page.getByRole("heading", { name: "shop_create_pet" });
    await title.waitFor();
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
    expect(await title.evaluate(isCut)).to.equal(false);
    await page.goto(here.url);
    await page.getByLabel("Application", { exact: true }).waitFor();
    await page.getByLabel("Model", { exact: true }).waitFor();
    await sendPrompt(page, "slow");
    await page.getByRole("button", { name: /^Stop/ }).waitFor();
    const tops = await page.locator(".composer-row > select, .composer-row > button").evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
    expect(tops).to.have.length(4);
    expect(Math.max(...tops) - Math.min(...tops)).to.be.at.most(3);
    expect(await overflow(page)).to.equal(0);
    await page.locator(".thinking", { hasText: /Working…\s+\d+ s/ }).waitFor();
    // Half of a usual screen, as of a page of twice its size: all of it is one line.
    await page.setViewportSize({ width: 720, height: 450 });
    const ends = await page
      .locator(".composer-row > select, .composer-row > button, button.mode")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2));
    expect(Math.max(...ends) - Math.min(...ends)).to.be.at.most(8);
    expect(await overflow(page)).to.equal(0);
  });

  it("fades the edge at which a table overflows @all", async () => {
    const { page } = await browser.open(await daemon(), "/", PHONE);
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    const table = page.locator(".answer .scroll-x");
    await page.locator(".answer .more-after:not(.more-before)").waitFor();
    await table.evaluate((node: { scrollTo(x: number, y: number): void }) => node.scrollTo(9999, 0));
    await page.locator(".answer .more-before:not(.more-after)").waitFor();
    await page.setViewportSize({ width: 9000, height: 740 });
    await page.locator(".answer .more-before, .answer .more-after").waitFor({ state: "detached" });
  });

  it("puts the focus into the drawer when it opens, keeps it there, and returns it @all", async () => {
    const { page } = await browser.open(await daemon(), "/browse/tools", PHONE);
    const opener = page.getByRole("button", { name: "Open navigation" });
    expect(await opener.getAttribute("aria-expanded")).to.equal("false");
    await opener.click();
    await page.locator("main[inert]").waitFor({ state: "attached" });
    await page.locator("#close-navigation:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#open-navigation:focus").waitFor();
    expect(await page.locator("main[inert]").count()).to.equal(0);
    await page.keyboard.press("Enter");
    await page.locator("#close-navigation:focus").waitFor();
    expect(await page.locator("#open-navigation").getAttribute("aria-expanded")).to.equal("true");
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.locator("main[inert]").waitFor({ state: "detached" });
  });

  it("moves nothing where reduced motion is preferred @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { ...PHONE, reducedMotion: "reduce" });
    const duration = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).transitionDuration`);
    await page.getByRole("button", { name: "Open navigation" }).click();
    expect(await duration(".sidebar")).to.equal("0s");
    await page.keyboard.press("Escape");
    await page.locator("#open-navigation:focus").waitFor();
    expect(await duration(".sidebar")).to.equal("0s");
  });

  it("renders each text in its own direction, copies code, and makes only what scrolls focusable @all", async () => {
    const text = "# שלום\n\n1. שלום\n\nHello.\n\n- [x] done\n\n```\nshort\n```\n";
    const here = await browser.daemon({ turns: [{ prompt: "שלום", replies: [{ text }] }] });
    const { page } = await browser.open(here);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await sendPrompt(page, "שלום");
    await page.locator("li.task").waitFor();
    const directions = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.prompt, .answer :is(h2, ol, p, ul)'), (one) => getComputedStyle(one).direction)",
    );
    expect(directions).to.deep.equal(["rtl", "rtl", "rtl", "ltr", "ltr"]);
    expect(await page.locator("li.task").textContent()).to.contain("☑");
    const code = page.getByRole("group", { name: "Code" });
    expect(await code.getAttribute("tabindex")).to.equal(null);
    await page.setViewportSize({ width: 60, height: 800 });
    await page.locator(".code-box[tabindex='0']").waitFor();
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).to.equal("short\n");
  });

  it("follows the system's colours, and a choice made here over a reload @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { colorScheme: "dark" });
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const dark = await ground();
    await page.getByRole("button", { name: "Colours: system" }).click();
    const light = await ground();
    expect(light).to.not.equal(dark);
    await page.reload();
    await page.getByRole("button", { name: "Colours: light" }).waitFor();
    expect(await ground()).to.equal(light);
  });

  it("can be used from the keyboard alone", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByText("What should be done?").waitFor();
    expect(await page.evaluate("document.activeElement.id")).to.equal("prompt");
    await page.keyboard.type("list");
    await page.keyboard.press("Enter");
    await waitUntilIdle(page);
    await page.locator(".call-head").focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".call-head").getAttribute("aria-expanded")).to.equal("true");
    const outline = await page.locator(".call-head").evaluate((node) => {
      const style = (
        globalThis as unknown as { getComputedStyle(node: unknown): { outlineStyle: string } }
      ).getComputedStyle(node);
      return style.outlineStyle;
    });
    expect(outline).to.equal("solid");
  });

  it("answers a deep link to a session that does not exist with an empty conversation of that name @all", async () => {
    const here = await daemon();
    const { page } = await browser.open(here, "/s/my%20thread");
    await page.getByText("What should be done?").waitFor();
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    expect((await here.agent.sessions({ limit: 5 })).map((one) => one.session_id)).to.deep.equal(["my thread"]);
  });
});
