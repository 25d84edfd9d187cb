// The log of a conversation: code in answers, calls that stand together, links to turns, and what is said of a turn below it. A real
// browser on a real daemon.
import { expect } from "chai";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { clickAway, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const CODE =
  "```js\nconst answer = 42; // <b>not bold</b>\n```\n\n```made-up\nplain here\n```\n\n1. one\n\ntext\n\n2. two\n";
const NOTES = [
  "Said once[^a] and again[^b].\n\n[^a]: The first note.\n[^b]: The second.\n\nMore text.\n\n",
  ...Array.from({ length: 20 }, () => `${"word ".repeat(60)}\n\n`),
];
const TABLES =
  "| a | b |\n|---|---|\n| one row | 2 |\n\n1. An item\n\n   | c | d |\n   |---|---|\n   | in a list | 3 |\n\n| اسم | مبلغ |\n|---|---|\n| أحمد | 12 |\n";
/** A table in a list item, and one in a text with a footnote: neither is cut by the parser. */
const LONG = Array.from({ length: 2_000 }, (_, i) => `| row ${i} | ${i * 3} |\n`);
const LONG_TABLES = {
  item: `- An item\n\n  | name | value |\n  |---|---|\n${LONG.map((row) => `  ${row}`).join("")}`,
  note: `A note[^1]\n\n| name | value |\n|---|---|\n${LONG.join("")}\n[^1]: Here.\n`,
};
const LONG_LINE = `\`\`\`\n${"long ".repeat(100)}\n\`\`\`\n`;
const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  arguments: JSON.parse(JSON.stringify(args)),
});
const TURNS = [
  { prompt: "code", replies: [{ text: CODE }] },
  { prompt: "notes", replies: [{ deltas: NOTES, delay_ms: 60 }] },
  { prompt: "tables", replies: [{ text: TABLES }] },
  { prompt: "long in an item", replies: [{ text: LONG_TABLES.item }] },
  { prompt: "long with a note", replies: [{ text: LONG_TABLES.note }] },
  { prompt: "wide", replies: [{ text: LONG_LINE }] },
  {
    prompt: "three",
    replies: [
      { calls: [call("a", "list_pets"), call("b", "get_pet", { id: 99 }), call("c", "list_pets")] },
      { text: "Three calls." },
    ],
  },
  { prompt: "create", replies: [{ calls: [call("d", "create_pet", { name: "Rex" })] }, { text: "Not created." }] },
];

describe("the web UI: answers", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(({ path }) =>
      path === "/pets/99" ? json({ message: "no such pet" }, 404) : json([{ id: 1 }]),
    );
  });
  afterEach(() => target.close());
  const daemon = () => browser.daemon({ target: target.url, turns: TURNS });

  it("colour code of a known language, name every language, and keep the text as it is @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "code");
    const code = page.locator(".code");
    await code.locator(".code-keyword", { hasText: "const" }).waitFor();
    expect(await code.locator("pre").allTextContents()).to.deep.equal([
      "const answer = 42; // <b>not bold</b>\n",
      "plain here\n",
    ]);
    expect(await code.locator(".code-language").allTextContents()).to.deep.equal(["js", "made-up"]);
    expect(await code.nth(1).locator("pre span").count()).to.equal(0);
    expect(await page.getByRole("button", { name: "Copy code" }).count()).to.equal(2);
    // A list that goes on behind a text keeps its number.
    expect(await page.locator(".answer ol").nth(1).getAttribute("start")).to.equal("2");
  });

  it("lead from a footnote to its text and back, within the answer, and have them at the end while they grow @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "notes");
    await page.locator(".answer .chunk").nth(1).waitFor();
    const isBefore = ".answer .chunk:not(:last-child) .footnotes";
    await page.locator(isBefore).first().waitFor({ state: "attached" });
    expect(await page.locator(isBefore).evaluateAll((all) => all.some((one) => one.checkVisibility()))).to.equal(false);
    await waitUntilIdle(page);
    const address = page.url();
    await page.getByRole("button", { name: "Footnote 2" }).click();
    await page.locator(".footnotes li:focus", { hasText: "The second." }).waitFor();
    await page.getByRole("button", { name: "Back to the text" }).nth(1).click();
    await page.locator("button:focus", { hasText: "2" }).waitFor();
    expect(page.url()).to.equal(address);
  });

  it("have views for tables of one row and within lists, and stand at the side of their text @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "tables");
    await waitUntilIdle(page);
    const views = page.locator(".answer .with-views");
    await views.nth(2).waitFor();
    const right = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).last().boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect(await right(".answer .scroll-x")).to.be.closeTo(await right(".answer .markdown"), 1);
    await views.nth(1).getByRole("button", { name: "Table", exact: true }).click();
    await page.locator(".answer li .result", { hasText: "in a list" }).waitFor();
  });

  for (const what of ["long in an item", "long with a note"])
    it(`lay out a table ${what} in parts, and have all of it as a result at once @all`, async () => {
      const { page } = await browser.open(await daemon());
      await sendPrompt(page, what);
      await page.locator(".answer td", { hasText: /^row 0$/ }).waitFor();
      await waitUntilIdle(page);
      await page.reload();
      await page.locator(".answer td", { hasText: /^row 0$/ }).waitFor();
      const answer = page.locator(".answer");
      await until(async () => (await answer.locator("tbody tr").count()) === 2_000);
      // The first hundred are the table, each other hundred is a part that is laid out when it comes into view.
      expect(await answer.locator(".table-rows-final").count()).to.equal(19);
      await answer.getByRole("button", { name: "Table", exact: true }).click();
      await answer.locator(".result-count", { hasText: "2,000 rows" }).waitFor();
      await answer.locator(".row-sums", { hasText: "5,997,000" }).waitFor();
    });

  it("wrap long lines of code only when asked to @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "wide");
    await page.locator(".code-box[tabindex='0']").waitFor();
    await page.getByRole("button", { name: "Wrap" }).click();
    await page.locator(".code-box:not([tabindex])").waitFor();
  });

  it("put calls that follow each other together, with a line for all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "three");
    await page.locator(".answer").getByText("Three calls.").waitFor();
    await page.locator(".calls-head", { hasText: "3 calls · 2 ok · 1 failed" }).waitFor();
    expect(await page.locator(".calls").count()).to.equal(1);
    const failed = page.getByRole("group", { name: "Tool call get_pet" });
    expect(await failed.locator(".call-failure").textContent()).to.equal("no such pet");
    // The answer as it came is a click away, and the closed card says why, too.
    await failed.getByText("Answer as it came").click();
    await failed.getByText("http_404").first().waitFor();
    await failed.locator(".call-head").click();
    expect(await failed.locator(".call-summary").textContent()).to.equal("no such pet");
  });

  it("read a refused call as a refusal, not as a failure @all", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "create one");
    await clickAway(page.getByRole("button", { name: "Deny" }));
    await page.locator(".answer").getByText("Not created.").waitFor();
    const card = page.getByRole("group", { name: "Tool call create_pet" });
    await card.getByText("You refused this call").waitFor();
    expect(await card.locator(".call-head").getAttribute("aria-expanded")).to.equal("false");
    expect(target.requests).to.have.length(0);
  });

  it("have an address that opens the session at their turn", async () => {
    const { page } = await browser.open(await daemon(), "/", { viewport: { width: 700, height: 420 } });
    for (const prompt of ["code", "wide", "code", "wide"]) {
      await sendPrompt(page, prompt);
      await waitUntilIdle(page);
    }
    const turns = page.locator(".turn");
    await until(async () => (await turns.count()) === 4);
    const href = await page.getByRole("link", { name: "Link to this turn" }).nth(1).getAttribute("href");
    expect(href).to.match(/^\/s\/.+#turn-/);
    const origin = new URL(page.url()).origin;
    await page.goto("about:blank");
    await page.goto(origin + href);
    await turns.nth(1).waitFor();
    const top = () =>
      turns.nth(1).evaluate((node: { getBoundingClientRect(): { top: number } }) => node.getBoundingClientRect().top);
    await until(async () => (await top()) >= 0 && (await top()) < 120);
    await page.getByRole("button", { name: "To the newest message" }).waitFor();
  });

  it("are added before those on the page as one scrolls up, and what is in view stays where it is @all", async () => {
    const here = await daemon();
    const count = 40;
    for (let i = 0; i < count; i++) await postJson(`${here.url}/run`, { message: `code ${i}`, session_id: "long" });
    const { page } = await browser.open(here, "/s/long");
    const turns = page.locator(".turn");
    await turns.last().getByText("answer = 42").waitFor();
    expect(await turns.count()).to.equal(30);
    // At the place that is in view at the upper edge, before and after the others are there and rendered.
    const moved = await page.evaluate(`(async () => {
      const log = document.querySelector("[role=log]");
      const { left, width, top, height } = log.getBoundingClientRect();
      const settled = async () => { for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); };
      log.scrollTop = height * 1.5 + 50;
      await settled();
      const seen = document.elementFromPoint(left + width / 2, top + 40);
      const before = seen.getBoundingClientRect().top;
      log.scrollTop -= 100;
      const isWhole = () => log.querySelectorAll(".turn").length > 30 && log.querySelector(".turn .as-text") === null;
      while (!isWhole()) await new Promise(requestAnimationFrame);
      await settled();
      return Math.abs(seen.getBoundingClientRect().top - before - 100);
    })()`);
    expect(moved).to.be.lessThan(4);
    expect(await turns.count()).to.equal(count);
    // To the very start, which is above what is in view.
    await page.evaluate("document.querySelector('[role=log]').scrollTop = 0");
    await page.locator(".prompt").getByText("code 0", { exact: true }).waitFor();
  });

  it("say when their turn was, before and after a reload @all", async () => {
    const { page } = await browser.open(await daemon());
    await sendPrompt(page, "hello");
    await waitUntilIdle(page);
    const time = page.locator(".turn-foot time");
    expect(await time.textContent()).to.match(/^just now · /);
    await page.reload();
    expect(await time.textContent()).to.match(/^just now · /);
  });
});
