// A turn goes on without the page, and the page comes back to it: after a reload, a lost or silent link, a killed daemon; in every
// tab, with nothing missing and nothing twice. A real browser on a real daemon, through a proxy that breaks as networks do.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { serve } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const WORDS = Array.from({ length: 40 }, (_, i) => `word${i} `);
const ANSWER = WORDS.join("").trim();
const call = (name: string, args: object): ScriptedReply => ({
  calls: [{ id: "call_1", name, arguments: JSON.parse(JSON.stringify(args)) }],
});
const TURNS = [
  {
    prompt: "slow",
    replies: [
      { ...call("list_pets", {}), text: "Looking." },
      { deltas: WORDS, delay_ms: 25 },
    ],
  },
  { prompt: "hang", replies: [{ deltas: WORDS, delay_ms: 300 }] },
  { prompt: "create", replies: [call("create_pet", { name: "Rex" }), { text: "That is that." }] },
];

/** What the log says, in its order: prompts, calls and answers. */
async function log(page: Page): Promise<string[]> {
  const texts = await page.locator(".log :is(.prompt, .call-name, .answer)").allTextContents();
  return texts.map((text) => text.trim());
}

/** Waits until the log says this, which it does a moment after the last event: long answers are rendered beside the page. */
async function expectLog(page: Page, expected: readonly string[], from = 0): Promise<void> {
  const now = async () => (await log(page)).slice(from);
  await until(async () => isDeepStrictEqual(await now(), expected), 5000).catch(() => {});
  expect(await now()).to.deep.equal(expected);
}

const SLOW = ["slow please", "Looking.", "list_pets", ANSWER];

describe("the web UI: turns that outlive the page", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let proxy: TcpProxy | undefined;
  beforeEach(async () => {
    target = await startTarget(({ method }) => json({ id: 7, name: "Rex" }, method === "POST" ? 201 : 200));
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
    await target.close();
  });
  const daemon = () => browser.daemon({ target: target.url, turns: TURNS });
  /** Opens the page through a link that can break. */
  const openThrough = async (here: { url: string }) => {
    const link = await startTcpProxy(Number(new URL(here.url).port));
    proxy = link;
    return { link, ...(await browser.open({ url: link.url })) };
  };
  const answer = (page: Page, text: string | RegExp) => page.locator(".answer", { hasText: text });
  const script = (here: Daemon, message: string, session_id: string) =>
    postJson(`${here.url}/run`, { message, session_id, detach: true });

  it("comes back to a streaming answer after a reload, with nothing missing and nothing twice", async () => {
    const here = await daemon();
    const { page } = await browser.open(here);
    await sendPrompt(page, "slow please");
    await answer(page, "word5").waitFor();
    await page.reload();
    await answer(page, "word5").waitFor();
    expect(await page.locator(".answer").last().getAttribute("aria-busy")).to.equal("true");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await waitUntilIdle(page);
    await expectLog(page, SLOW);
    await page.reload();
    await answer(page, "word39").waitFor();
    await expectLog(page, SLOW);
    expect(target.requests).to.have.length(1);
    expect((await here.agent.history({ limit: 9 })).map(({ client }) => client)).to.deep.equal(["web"]);
  });

  it("runs a call that is approved after a reload once, and goes on to the answer before a person's eyes @all", async () => {
    const here = await daemon();
    const { page } = await browser.open(here);
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "create a pet");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    await page.reload();
    await card.waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await answer(page, "That is that.").waitFor();
    await waitUntilIdle(page);
    await expectLog(page, ["create a pet", "create_pet", "That is that."]);
    await page.getByRole("group", { name: "Tool call create_pet" }).getByText("ok", { exact: true }).waitFor();
    expect(target.requests).to.have.length(1);
    expect((await here.agent.history({ limit: 9 })).map(({ status }) => status)).to.deep.equal(["ok"]);
  });

  it("says that the link is lost, and goes on where it was once it is back", async () => {
    const { page, link } = await openThrough(await daemon());
    await sendPrompt(page, "slow please");
    await answer(page, "word5").waitFor();
    link.set("cut");
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await page.locator(".head").getByText("No answer").waitFor();
    await sendPrompt(page, "and then this");
    link.set("open");
    await page.getByText("Connection lost. Reconnecting…").waitFor({ state: "detached" });
    await page.locator(".head").getByText("The daemon answers").waitFor({ state: "attached" });
    await answer(page, /^ok$/).waitFor();
    await expectLog(page, [...SLOW, "and then this", "ok"]);
  });

  it("notices a link that is silent, says so, and reconnects @all", async () => {
    const { page, link } = await openThrough(await daemon());
    await page.clock.install();
    await page.reload();
    await sendPrompt(page, "slow please");
    await answer(page, "word5").waitFor();
    link.set("silent");
    await page.clock.runFor(15_000);
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    link.set("open");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Connection lost. Reconnecting…").waitFor({ state: "detached" });
    await page.clock.resume();
    await waitUntilIdle(page);
    await expectLog(page, SLOW);
  });

  it("finds the daemon again with all of its links once it has with one @all", async () => {
    const { page, link } = await openThrough(await daemon());
    await sendPrompt(page, "hello there");
    await answer(page, /^ok$/).waitFor();
    // No attempt is made by itself from here on.
    await page.clock.install();
    await page.reload();
    await answer(page, /^ok$/).waitFor();
    await page.locator(".head").getByText("The daemon answers").waitFor({ state: "attached" });
    await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1_000);
    link.set("cut");
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await page.locator(".head").getByText("No answer").waitFor();
    link.set("open");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Connection lost. Reconnecting…").waitFor({ state: "detached" });
    await page.locator(".head").getByText("The daemon answers").waitFor({ state: "attached" });
  });

  it("notices by itself that the link is silent, and that it is back @all", async function () {
    this.timeout(90_000);
    const { page, link } = await openThrough(await daemon());
    await sendPrompt(page, "slow please");
    await answer(page, "word5").waitFor();
    link.set("silent");
    await page.getByText("Connection lost. Reconnecting…").waitFor({ timeout: 20_000 });
    link.set("open");
    await waitUntilIdle(page);
    await expectLog(page, SLOW);
    // Quiet, but not silent.
    await page.waitForTimeout(17_000);
    expect(await page.getByText("Connection lost").count()).to.equal(0);
  });

  it("displays every turn of a script that ran while the link was lost @all", async () => {
    const here = await daemon();
    const { page, link } = await openThrough(here);
    await sendPrompt(page, "hello there");
    await waitUntilIdle(page);
    const session = decodeURIComponent(new URL(page.url()).pathname.slice(3));
    link.set("cut");
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    const prompts = ["slow please", ...Array.from({ length: 8 }, (_, i) => `prompt ${i}`)];
    for (const prompt of prompts) await script(here, prompt, session);
    await until(() => here.agent.load().running === 0 && here.agent.load().waiting === 0);
    link.set("open");
    await page.getByText("prompt 7").waitFor();
    await waitUntilIdle(page);
    const rest = prompts.slice(1).flatMap((prompt) => [prompt, "ok"]);
    await expectLog(page, ["hello there", "ok", ...SLOW, ...rest]);
    await page.getByRole("group", { name: "Tool call list_pets" }).getByText("ok", { exact: true }).waitFor();
  });

  it("says what became of a prompt that waited behind another, was stopped there, or was refused @all", async function () {
    this.timeout(90_000);
    const here = await daemon();
    const { page } = await browser.open(here, "/s/shared");
    await page.getByText("What should be done?").waitFor();
    await page.route("**/run", async (route) => {
      await script(here, "hang on", "shared");
      await route.continue();
    });
    await sendPrompt(page, "create a pet");
    await answer(page, "word0").waitFor();
    await page.unroute("**/run");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("log").getByText("Stopped.").nth(1).waitFor();
    await waitUntilIdle(page);
    expect((await log(page)).filter((text) => !text.startsWith("word"))).to.deep.equal(["hang on", "create a pet"]);
    expect(target.requests).to.deep.equal([]);
    await page.getByLabel("Prompt", { exact: true }).fill("long ".repeat(215_000), { timeout: 60_000 });
    await page.keyboard.press("Enter");
    await page.locator(".failure", { hasText: /1 MiB|1048576|too large/ }).waitFor({ timeout: 60_000 });
    await page.getByLabel("Prompt", { exact: true }).fill("hello again", { timeout: 60_000 });
    await page.keyboard.press("Enter");
    await answer(page, /^ok$/).waitFor();
  });

  it("displays the same in every tab at once, whoever prompts, and stops from any @all", async () => {
    const here = await daemon();
    const { page: first } = await browser.open(here, "/s/shared");
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.getByText("What should be done?").waitFor();
    await script(here, "hang on", "shared");
    for (const page of [first, second]) await answer(page, "word0").waitFor();
    await second.getByRole("button", { name: "Stop" }).click();
    for (const page of [first, second]) await page.getByRole("log").getByText("Stopped.").waitFor();
    await sendPrompt(first, "slow please");
    for (const page of [first, second]) await answer(page, "word39").waitFor();
    for (const page of [first, second]) await expectLog(page, SLOW, 2);
  });

  it("follows in more tabs than a browser has HTTP connections for @all", async () => {
    const here = await daemon();
    const { page } = await browser.open(here, "/s/shared");
    const pages = [page];
    while (pages.length < 8) {
      const next = await page.context().newPage();
      await next.goto(page.url());
      await next.getByText("What should be done?").waitFor();
      pages.push(next);
    }
    await sendPrompt(pages[7] ?? page, "slow please");
    for (const one of pages) await answer(one, "word39").waitFor();
    for (const one of pages) await expectLog(one, SLOW);
  });

  it("says that the session was deleted in another tab, and starts a new one with the next prompt @all", async () => {
    const here = await daemon();
    const { page: first } = await browser.open(here);
    await sendPrompt(first, "hello there");
    await waitUntilIdle(first);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await answer(second, /^ok$/).waitFor();
    await second.getByRole("button", { name: "More: hello there" }).click();
    await second.getByRole("menuitem", { name: "Delete…" }).click();
    await second.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await first.getByText("This session was deleted elsewhere.").waitFor();
    const address = first.url();
    await sendPrompt(first, "hello again");
    await answer(first, /^ok$/).waitFor();
    expect(first.url()).to.not.equal(address);
    await expectLog(first, ["hello again", "ok"]);
  });

  it("keeps prompts that were not sent over a reload, and sends them when it is told to @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "slow please");
    await answer(page, "word1").waitFor();
    await sendPrompt(page, "and then this");
    await page.reload();
    const queue = page.getByRole("region", { name: "Waiting prompts" });
    await queue.getByText("Paused.").waitFor();
    await waitUntilIdle(page);
    expect(await queue.getByRole("listitem").allTextContents()).to.deep.equal(["and then this"]);
    await queue.getByRole("button", { name: "Send the waiting prompts" }).click();
    await answer(page, /^ok$/).waitFor();
    await page.reload();
    await answer(page, /^ok$/).waitFor();
    expect(await queue.count()).to.equal(0);
  });

  it("sends no prompt twice whose arrival the link hid @all", async () => {
    const here = await daemon();
    const { page, link } = await openThrough(here);
    await page.getByText("What should be done?").waitFor();
    // The request arrives, its answer and its events do not.
    await page.route("**/run", async (route) => {
      link.set("cut");
      await postJson(`${here.url}/run`, route.request().postDataJSON() as object);
      await route.abort();
    });
    await sendPrompt(page, "create a pet");
    await page.getByText("The connection was lost: the first may have arrived.").waitFor();
    await sendPrompt(page, "and then this");
    await page.unroute("**/run");
    link.set("open");
    await answer(page, "That is that.").waitFor();
    // What stands behind it is sent on a person's word.
    const queue = page.getByRole("region", { name: "Waiting prompts" });
    await queue.getByText("Paused.").waitFor();
    expect(await queue.getByRole("listitem").allTextContents()).to.deep.equal(["and then this"]);
    await expectLog(page, ["create a pet", "create_pet", "That is that."]);
    expect(target.requests).to.have.length(1);
  });

  it("is loaded anew, with its draft, once the daemon answers that a part of the page could not be loaded from @all", async () => {
    const { page, link } = await openThrough(await daemon());
    await page.getByText("What should be done?").waitFor();
    await page.getByLabel("Prompt", { exact: true }).fill("not sent yet");
    link.set("cut");
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("The page is loaded anew once the daemon answers.").waitFor();
    link.set("open");
    await page.getByRole("searchbox").first().waitFor();
    await page.getByRole("button", { name: "New chat" }).click();
    expect(await page.getByLabel("Prompt", { exact: true }).inputValue()).to.equal("not sent yet");
  });

  it("is loaded anew where an upgrade of the daemon took a part of it away, and by hand where that does not help @all", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByText("What should be done?").waitFor();
    // As a newer daemon answers for a file of an older page.
    const answered = { status: 200, contentType: "text/html", body: "<!doctype html>" };
    await page.route(/\/assets\/history-.*js/, (route) => route.fulfill(answered));
    await page.getByRole("link", { name: "History" }).click();
    await page.waitForEvent("load");
    const button = page.getByRole("button", { name: "Reload the page" });
    await button.waitFor();
    await page.unrouteAll();
    await button.click();
    await page.getByRole("searchbox").first().waitFor();
  });

  it("says what a daemon that was killed and started again made of the turn, and goes on @all", async () => {
    const dir = temporaryFolder("killed");
    const file = join(dir, "turns.json");
    await writeFile(file, JSON.stringify({ turns: TURNS, replies: [{ text: "ok" }], repeat: true }));
    await writeFile(join(dir, "schema.json"), JSON.stringify(petShop(target.url)));
    const providers = { played: { type: "scripted", file } };
    await writeFile(join(dir, "config.json"), JSON.stringify({ default_provider: "played", providers }));
    const first = await serve(["--data-dir", dir]);
    const { page, link } = await openThrough(first);
    await sendPrompt(page, "hang on");
    await answer(page, "word1").waitFor();
    await sendPrompt(page, "and then this");
    await first.kill();
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    const second = await serve(["--data-dir", dir]);
    link.aim(second.port);
    try {
      await page.locator(".failure", { hasText: /interrupted/ }).waitFor();
      await page.getByRole("button", { name: "Send the waiting prompts" }).click();
      await answer(page, /^ok$/).waitFor();
      const here = await log(page);
      expect(here.at(0)).to.equal("hang on");
      expect(here.slice(-2)).to.deep.equal(["and then this", "ok"]);
      await page.reload();
      await page.locator(".failure", { hasText: /interrupted/ }).waitFor();
      await expectLog(page, ["hang on", "and then this", "ok"]);
    } finally {
      await second.stop();
    }
  });
});
