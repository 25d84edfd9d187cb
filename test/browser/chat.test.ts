// A conversation in the UI: prompts, cards, streaming, stop, the queue, reloads. A real browser on a real daemon; the model is
// a script, the target a recording server.
import { expect } from "chai";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const call = (name: string, args: object, id = "call_1"): ScriptedReply => ({
  calls: [{ id, name, arguments: JSON.parse(JSON.stringify(args)) }],
});
const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `word${i} `);

const TURNS = [
  { prompt: "list", replies: [call("list_pets", {}), { text: "You have **two** pets." }] },
  { prompt: "missing", replies: [call("get_pet", { id: 99 }), { text: "There is no such pet." }] },
  { prompt: "slow", replies: [{ deltas: words(300), delay_ms: 30 }] },
  { prompt: "break", replies: [{ deltas: ["half an ans"], error: "the model went away" }] },
  {
    prompt: "long",
    replies: [call("list_pets", {}), { text: `The first line.\n\n${"More of it.\n\n".repeat(80)}The end.` }],
  },
  {
    prompt: "of one view",
    replies: [{ text: `# About\n\n${"* **One** of `many`.\n".repeat(9)}\nThe last line.` }],
  },
  { prompt: "big", replies: [call("list_pets", {}), { text: "done" }] },
];
const PETS = '[{"id":9007199254740993,"name":"Rex"},{"id":2,"name":"Tom","tags":["old"]}]';

describe("the web UI: a conversation", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(({ path }) => (path === "/pets" ? json(PETS) : json({ error: "no such pet" }, 404)));
  });
  afterEach(() => target.close());
  const daemon = () => browser.daemon({ target: target.url, turns: TURNS });

  it("displays a tool card and the answer of a prompt", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "list my pets");
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    expect(await page.locator(".answer strong").textContent()).to.equal("two");
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    await card.getByText("ok", { exact: true }).waitFor();
    const head = await card.locator(".call-head").textContent();
    expect(head).to.contain("list_pets").and.contain("2 rows").and.match(/\d ms/);
    expect(await card.locator(".call-head").getAttribute("aria-expanded")).to.equal("false");
  });

  it("displays rows as a table, with every digit of a large number, and the JSON behind it @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "list my pets");
    await waitUntilIdle(page);
    await page.getByRole("group", { name: "Tool call list_pets" }).locator(".call-head").click();
    const table = page.getByRole("group", { name: "Table of 2 rows" });
    await table.waitFor();
    expect(await table.locator("th").allTextContents()).to.deep.equal(["id", "name", "tags"]);
    expect(await table.locator("tbody tr").first().locator("td").first().textContent()).to.equal("9007199254740993");
    await page.getByRole("button", { name: "JSON" }).click();
    expect(await page.getByRole("group", { name: "Result" }).textContent()).to.contain("9007199254740993");
  });

  it("opens the card of a failed call by itself @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "get the missing one");
    await page.getByRole("log").getByText("There is no such pet.").waitFor();
    const card = page.getByRole("group", { name: "Tool call get_pet" });
    expect(await card.locator(".call-head").getAttribute("aria-expanded")).to.equal("true");
    expect(await card.textContent())
      .to.contain("no such pet")
      .and.contain("error")
      .and.contain('"id":99');
  });

  it("displays an answer while it streams, lists its new session, and stops it on Esc", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "slow please");
    await page.locator(".answer", { hasText: "word3" }).waitFor();
    await page.getByRole("link", { name: "slow please running" }).waitFor();
    expect(await page.locator(".answer").getAttribute("aria-busy")).to.equal("true");
    await page.keyboard.press("Escape");
    await page.getByRole("log").getByText("Stopped.").waitFor();
    await waitUntilIdle(page);
    const text = (await page.locator(".answer").textContent()) ?? "";
    expect(text).to.contain("word3").and.not.contain("word299");
  });

  it("stops with the stop button @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "slow please");
    await page.locator(".answer", { hasText: "word1" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("log").getByText("Stopped.").waitFor();
    expect(await page.locator(".answer").textContent()).to.not.contain("word299");
  });

  it("displays the partial answer of a failed turn and why it failed, also after a reload, and restores its prompt", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "break it");
    await page.locator(".failure", { hasText: "the model went away" }).waitFor();
    expect(await page.locator(".answer").textContent()).to.equal("half an ans");
    await waitUntilIdle(page);
    await page.reload();
    await page.locator(".failure", { hasText: "the model went away" }).waitFor();
    await page.getByRole("button", { name: "Write it again" }).click();
    expect(await page.getByLabel("Prompt", { exact: true }).inputValue()).to.equal("break it");
    expect(await page.locator(".prompt").count()).to.equal(1);
  });

  it("follows a growing answer to its end, but not for a reader who has scrolled up @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { viewport: { width: 360, height: 420 } });
    await sendPrompt(page, "slow please");
    await page.locator(".answer", { hasText: "word80" }).waitFor();
    const toEnd = page.getByRole("button", { name: "To the newest message" });
    expect(await toEnd.count()).to.equal(0);
    await page.getByRole("log").hover();
    await page.mouse.wheel(0, -400);
    await toEnd.waitFor();
    await page.locator(".answer", { hasText: "word110" }).waitFor();
    await toEnd.click();
    await toEnd.waitFor({ state: "detached" });
  });

  it("keeps an opened card where it is, also at the end of the log @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { viewport: { width: 700, height: 420 } });
    for (let i = 0; i < 3; i++) {
      await sendPrompt(page, "list my pets");
      await waitUntilIdle(page);
    }
    const head = page.locator(".call-head").last();
    const before = await head.boundingBox();
    await head.click();
    await page.getByRole("button", { name: "To the newest message" }).waitFor();
    expect(await head.boundingBox()).to.deep.equal(before);
  });

  it("displays a long answer that arrived at once from its start, also after a reload @all", async () => {
    const { page } = await browser.open(await daemon(), "/", { viewport: { width: 700, height: 420 } });
    const inView = (text: string) =>
      page
        .locator(".log")
        .getByText(text, { exact: true })
        .evaluate((node: { getBoundingClientRect(): { top: number } }) => {
          const { top } = node.getBoundingClientRect();
          return top > 0 && top < 420;
        });
    const inViewNow = async () => [
      await inView("a long one"),
      await inView("The first line."),
      await inView("The end."),
    ];
    await sendPrompt(page, "a long one");
    await waitUntilIdle(page);
    const toEnd = page.getByRole("button", { name: "To the newest message" });
    await toEnd.waitFor();
    expect(await inViewNow()).to.deep.equal([true, true, false]);
    await toEnd.click();
    await toEnd.waitFor({ state: "detached" });
    expect(await inViewNow()).to.deep.equal([false, false, true]);
    await page.reload();
    await toEnd.waitFor();
    expect(await inViewNow()).to.deep.equal([true, true, false]);
  });

  it("displays an answer that fits whole and with the line under it, also once it is rendered @all", async () => {
    const here = await daemon();
    for (const height of [545, 560, 580]) {
      const { page } = await browser.open(here, "/", { viewport: { width: 700, height } });
      const isInView = (selector: string) =>
        page.evaluate<boolean>(`(() => {
          const log = document.querySelector(".log").getBoundingClientRect();
          const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect();
          return top >= log.top && bottom <= log.bottom;
        })()`);
      const bothInView = async () => (await isInView(".answer")) && (await isInView(".turn-foot"));
      await sendPrompt(page, "of one view");
      await page.locator(".answer .chunk").first().waitFor();
      await until(bothInView);
      await page.reload();
      await page.locator(".answer .chunk").first().waitFor();
      await until(bothInView);
    }
  });

  it("queues a prompt written while a turn runs, and pauses the queue after a stop", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "slow please");
    await page.locator(".answer", { hasText: "word1" }).waitFor();
    await sendPrompt(page, "list my pets");
    await sendPrompt(page, "get the missing one");
    const queue = page.getByRole("region", { name: "Waiting prompts" });
    await queue.getByRole("button", { name: "Remove: get the missing one" }).click();
    expect(await queue.getByRole("listitem").count()).to.equal(1);
    await page.getByRole("button", { name: "Stop" }).click();
    await queue.getByText("Paused.").waitFor();
    expect(target.requests).to.deep.equal([]);
    await queue.getByRole("button", { name: "Send the waiting prompts" }).click();
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    expect(target.requests.map((request) => request.path)).to.deep.equal(["/pets"]);
  });

  it("sends with Enter and starts a line with Shift+Enter @all", async () => {
    const { page } = await browser.open(await daemon());
    const field = page.getByLabel("Prompt", { exact: true });
    await field.fill("first");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second");
    expect(await field.inputValue()).to.equal("first\nsecond");
    expect(await page.locator(".prompt").count()).to.equal(0);
    await page.keyboard.press("Enter");
    expect(await page.locator(".prompt").textContent()).to.equal("first\nsecond");
    expect(await field.inputValue()).to.equal("");
  });

  it("keeps the session over a reload, with its cards and its address @all", async () => {
    const here = await daemon();
    const { page } = await browser.open(here);
    await sendPrompt(page, "list my pets");
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    await waitUntilIdle(page);
    const address = page.url();
    expect(await page.title()).to.equal("list my pets · agentd");
    expect(new URL(address).pathname).to.match(/^\/s\/[0-9a-f-]{36}$/);
    await page.reload();
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    expect(page.url()).to.equal(address);
    expect(await page.getByRole("group", { name: "Tool call list_pets" }).locator(".call-head").textContent())
      .to.contain("2 rows")
      .and.contain("ok");
    await sendPrompt(page, "hello again");
    await page.locator(".answer", { hasText: /^ok$/ }).waitFor();
    await waitUntilIdle(page);
    const sessions = await here.agent.sessions({ limit: 9 });
    expect(sessions.map(({ session_id, turns }) => [session_id, turns])).to.deep.equal([
      [new URL(address).pathname.slice(3), 2],
    ]);
  });

  it("reports a lost connection, reconnects by itself, and goes on in the same session, with the modes of the daemon there now @all", async function () {
    this.timeout(40_000);
    const dataDir = temporaryFolder("test");
    const first = await browser.daemon({
      target: target.url,
      turns: TURNS,
      dataDir,
      config: { safety: { read_only: true } },
    });
    const { page } = await browser.open(first);
    const locked = page.getByRole("switch", { name: "Read only (set at startup)" });
    await locked.waitFor();
    const opacity = `getComputedStyle(document.querySelector(".mode[aria-disabled='true']")).opacity`;
    expect(await page.evaluate<string>(opacity)).to.equal("1");
    await sendPrompt(page, "list my pets");
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    await first.close();
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await sendPrompt(page, "hello again");
    const second = await browser.daemon({ target: target.url, turns: TURNS, dataDir, listen: { port: first.port } });
    await page.getByText("Connection lost. Reconnecting…").waitFor({ state: "detached", timeout: 20_000 });
    await locked.waitFor({ state: "detached", timeout: 5_000 });
    await page.locator(".answer", { hasText: /^ok$/ }).waitFor();
    expect(await page.locator(".prompt").allTextContents()).to.deep.equal(["list my pets", "hello again"]);
    await second.close();
  });

  it("displays what another tab did in the same session @all", async () => {
    const here = await daemon();
    const { page: first } = await browser.open(here);
    await sendPrompt(first, "slow please");
    await first.locator(".answer", { hasText: "word3" }).waitFor();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator(".answer", { hasText: "word3" }).waitFor();
    await sendPrompt(second, "list my pets");
    await first.keyboard.press("Escape");
    await second.getByRole("log").getByText("Stopped.").waitFor();
    await second.getByRole("button", { name: "Send the waiting prompts" }).click();
    for (const page of [first, second]) await page.getByRole("log").getByText("You have two pets.").waitFor();
  });

  it("displays a result of thousands of rows without rendering them all @all", async () => {
    const many = Array.from({ length: 4000 }, (_, id) => ({ id, name: `Pet ${id}`, note: "word ".repeat(60) }));
    target.answer(() => json(many));
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "big list");
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    // The rest may be kept before the turn is over, or after it.
    await card.getByText(/^(3,\d{3} of )?4,000 rows$/).waitFor();
    await card.locator(".call-head").click();
    await card.locator(".result-count", { hasText: /4,000 rows$/ }).waitFor();
    expect(await card.locator("tbody tr").count()).to.be.lessThan(200);
    expect(await card.getByText("Other fields").count()).to.equal(0);
    await card.getByRole("button", { name: "JSON", exact: true }).click();
    // In the shape the answer had; what is missing is said, and not copied as if it were all.
    await card.getByText(/^The first 3,\d{3} of 4,000 rows\. A file has all of them\.$/).waitFor();
    expect(await card.locator(".result").innerText()).to.not.contain("truncated");
    expect(await card.getByRole("button", { name: "Copy Result" }).count()).to.equal(0);
    expect(await card.getByRole("button", { name: "Fields", exact: true }).count()).to.equal(0);
    await card.getByRole("button", { name: "Table", exact: true }).click();
    // A text in a row of many columns stays a few lines high.
    expect((await card.locator("tbody tr").first().boundingBox())?.height).to.be.lessThan(130);
    await card.locator("tbody td").first().click();
    await page.keyboard.press("Control+End");
    await page
      .getByRole("gridcell", { name: /^Pet 3\d{3}$/ })
      .last()
      .waitFor();
  });

  it("lists the sessions, switches between them and deletes one after a question", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "list my pets");
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText("What should be done?").waitFor();
    await sendPrompt(page, "hello there");
    const nav = page.getByRole("navigation", { name: "Sessions" });
    await nav.getByRole("link", { name: /hello there/ }).waitFor();
    await nav.getByRole("link", { name: /list my pets/ }).click();
    await page.getByRole("log").getByText("You have two pets.").waitFor();
    await nav.getByRole("link", { name: /hello there/ }).hover();
    await nav.getByRole("button", { name: "More: hello there" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await nav.getByRole("listitem").count()).to.equal(2);
    await nav.getByRole("link", { name: /hello there/ }).hover();
    await nav.getByRole("button", { name: "More: hello there" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await nav.getByRole("link", { name: /hello there/ }).waitFor({ state: "detached" });
    await page.locator(".sessions:focus").waitFor();
    expect(await page.getByRole("log").getByText("You have two pets.").isVisible()).to.equal(true);
  });
});
