// What axe-core finds in every view: nothing. And what a browser loads before the first prompt. A real browser on a real daemon.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { builtUi } from "../support/built-ui.js";
import { type DaemonOptions, petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = {
  "an empty chat": "/",
  tools: "/browse/tools",
  "the history": "/browse/history",
  "a call": "/browse/history/1",
  "an empty search": "/browse/history?q=nothing+like+this",
  approvals: "/browse/approvals",
  settings: "/browse/settings",
  "a tool": "/browse/tools/list_pets",
  "connecting an application": "/browse/connect",
};
/** Controls that a finger cannot hit: less than 44 pixels are theirs in a direction. Those within a sentence are as high as its lines. */
const TOO_SMALL = `(() => {
  const small = [];
  for (const one of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled || one.closest(".visually-hidden, .skip, [inert]")) continue;
    const isInText = [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (isInText && getComputedStyle(one).display === "inline") continue;
    one.scrollIntoView({ block: "center", inline: "center" });
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const area = one.labels?.[0] ?? one;
    const isHit = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit !== null && (one.contains(hit) || area.contains(hit));
    };
    if (!isHit(0, 0)) continue;
    const reach = (dx, dy) => { let n = 0; while (n < 44 && isHit(dx * (n + 1), dy * (n + 1))) n++; return n; };
    const [width, height] = [reach(1, 0) + reach(-1, 0) + 1, reach(0, 1) + reach(0, -1) + 1];
    if (width < 43 || height < 43) small.push((one.ariaLabel || one.textContent || one.name || one.className).trim().slice(0, 40) + " " + width + "x" + height);
  }
  return small;
})()`;

/** What it finds, a line each. */
async function violations(page: Page): Promise<string[]> {
  // What is evaluated does not count as a script of the page, so that the content policy stays in force.
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`);
}

async function waitUntilDrawn(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.locator("main .spinner").first().waitFor({ state: "detached" });
}

/** Opens every view of a page, one after the other. */
async function inEveryView(
  page: Page,
  { daemon, conversation }: { daemon: { url: string }; conversation: string },
  look: (name: string) => Promise<unknown>,
): Promise<void> {
  for (const [name, path] of Object.entries({ ...VIEWS, "a conversation": conversation })) {
    await page.goto(daemon.url + path);
    await waitUntilDrawn(page);
    await look(name);
  }
}

describe("the web UI: accessibility and size", () => {
  let target: RecordingTarget;
  let dataDir: string;
  const browser = useBrowser();

  before(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
  });
  after(() => target.close());
  beforeEach(() => {
    dataDir = temporaryFolder("accessible");
  });

  async function filled() {
    const held = { name: "delete_pet", arguments: { id: 2 } };
    const turns = [
      { prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "One pet: **Rex**." }] },
      { prompt: "delete", replies: [{ calls: [held, held] }, { text: "Held." }] },
    ];
    const daemon = await browser.daemon({ target: target.url, turns });
    // Two of the same wait for a decision, which is told in every view.
    await postJson(`${daemon.url}/run`, { message: "delete", confirm: true, session_id: "held" });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    return { daemon, conversation: new URL(page.url()).pathname };
  }

  /** A daemon with two applications, and two models. */
  async function several(turns: DaemonOptions["turns"] = []) {
    mkdirSync(join(dataDir, "schemas"));
    writeFileSync(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop(target.url)));
    const providers = { played: { type: "scripted", file: join(dataDir, "turns.json") }, other: { type: "offline" } };
    return browser.daemon({ target: target.url, dataDir, turns, config: { providers } });
  }

  it("has nothing that axe-core finds fault with, in any view", async function () {
    this.timeout(60_000);
    const shown = await filled();
    const { page } = await browser.open(shown.daemon);
    await inEveryView(page, shown, async (name) => expect(await violations(page), name).to.deep.equal([]));
  });

  it("has nothing that axe-core finds fault with in the dark, on a phone, and from right to left @all", async function () {
    this.timeout(180_000);
    const shown = await filled();
    const kinds = [
      { colorScheme: "dark" as const },
      { viewport: { width: 390, height: 844 }, hasTouch: true },
      { forcedColors: "active" as const },
    ];
    for (const kind of kinds) {
      const { page } = await browser.open(shown.daemon, "/", kind);
      await inEveryView(page, shown, async (name) => {
        await page.evaluate('document.documentElement.dir = "rtl"');
        expect(await violations(page), `${name} ${JSON.stringify(kind)}`).to.deep.equal([]);
      });
    }
  });

  it("tells what is on and what is chosen where a reader's own colours are in force @all", async function () {
    this.timeout(60_000);
    const { daemon } = await filled();
    const options = { viewport: { width: 390, height: 844 }, forcedColors: "active" as const };
    const { page } = await browser.open(daemon, "/", options);
    const colour = (name: string) =>
      page
        .getByText(name, { exact: true })
        .first()
        .evaluate((one) => {
          const button = one.closest("button");
          return button === null ? "" : getComputedStyle(button).backgroundColor;
        });
    await page.getByRole("switch", { name: "Confirm" }).click();
    expect(await colour("Confirm")).to.not.equal(await colour("Strict"));
    await page.goto(`${daemon.url}/browse/approvals`);
    await page.getByRole("button", { name: "Waiting", exact: true }).waitFor();
    expect(await colour("All")).to.not.equal(await colour("Waiting"));
  });

  it("has controls of 44 pixels on a touch screen, in every view @all", async function () {
    this.timeout(120_000);
    const shown = await filled();
    const { page } = await browser.open(shown.daemon, "/", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await inEveryView(page, shown, async (name) => {
      if (name === "approvals") await page.getByText("2 calls wait for your decision").waitFor();
      expect(await page.evaluate<string[]>(TOO_SMALL), name).to.deep.equal([]);
    });
  });

  it("has controls of 44 pixels on a touch screen, in a conversation at work, and no text over another @all", async function () {
    this.timeout(60_000);
    const long = Array.from({ length: 60 }, (_, i) => `Line ${i}`).join("\n\n");
    const daemon = await several([{ prompt: "long", replies: [{ calls: [{ name: "list_pets" }] }, { text: long }] }]);
    const title = `long ${"and longer ".repeat(12)}`;
    await postJson(`${daemon.url}/run`, { message: title, session_id: "long" });
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await browser.open(daemon, "/s/long", options);
    await page.getByText("Line 59").waitFor();
    await page.getByLabel("Prompt", { exact: true }).fill("something to send");
    await page.locator(".log").evaluate((log: { scrollTop: number }) => (log.scrollTop = 0));
    for (const control of ["To the newest message", "Send", "Model"]) {
      const box = await page.getByLabel(control, { exact: true }).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), control).to.be.at.least(43.5);
    }
    expect(await page.evaluate<string[]>(TOO_SMALL)).to.deep.equal([]);
    await page.goto(`${daemon.url}/browse/history/1`);
    const link = page.locator(".facts a").first();
    await link.waitFor();
    // The text of a fact begins where the one above it ends: what a finger hits beyond it is no text.
    expect(await page.locator(".facts dd").count()).to.be.above(1);
    const overlap =
      await page.evaluate<number>(`Math.max(...[...document.querySelectorAll(".facts dd")].slice(1).map((dd, i) => {
      const text = (node) => { const range = document.createRange(); range.selectNodeContents(node); return [...range.getClientRects()]; };
      const leaf = (node) => node.querySelector("a, code") ?? node;
      const before = document.querySelectorAll(".facts dd")[i];
      return Math.max(...text(leaf(before)).map((r) => r.bottom)) - Math.min(...text(leaf(dd)).map((r) => r.top));
    }))`);
    expect(overlap).to.be.below(4);
  });

  it("keeps the modes in one line beside the lists of models and applications @all", async () => {
    const { page } = await browser.open(await several());
    for (const width of [1280, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByLabel("Application", { exact: true }).waitFor();
      const tops = await page
        .locator("button.mode")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(new Set(tops), `${width}`).to.have.property("size", 1);
    }
  });

  it("scrolls sideways in no view, from 320 to 2560 pixels, in either direction @all", async function () {
    this.timeout(180_000);
    const { daemon, conversation } = await filled();
    const { page } = await browser.open(daemon);
    for (const path of [...Object.values(VIEWS), conversation])
      for (const width of [320, 390, 768, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(daemon.url + path);
        await waitUntilDrawn(page);
        // A title gives way, but never altogether.
        expect((await page.locator("main h1").first().boundingBox())?.width, `${path} at ${width}`).to.be.greaterThan(
          20,
        );
        for (const direction of ["ltr", "rtl"]) {
          await page.evaluate(`document.documentElement.dir = "${direction}"`);
          const beyond = await page.evaluate<number>(
            "Math.max(...[document.documentElement, document.querySelector('main')].map((one) => one.scrollWidth - one.clientWidth))",
          );
          expect(beyond, `${path} at ${width} ${direction}`).to.equal(0);
        }
      }
  });

  it("sets all text in four sizes, and answers in one of their own @all", async function () {
    this.timeout(60_000);
    const shown = await filled();
    const { page } = await browser.open(shown.daemon);
    await inEveryView(page, shown, async (name) => {
      if (name === "a conversation") await page.getByRole("button", { name: "list_pets" }).first().click();
      // Code, and characters that are revealed, are as large as the text around them lets them look.
      const sizes = await page.evaluate<string[]>(`[...new Set([...document.body.querySelectorAll("*")]
        .filter((one) => one.checkVisibility() && !one.closest("code, pre, kbd, svg, canvas, .mono, .revealed, .hidden-char"))
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
        .map((one) => getComputedStyle(one).fontSize + (one.closest(".answer, textarea, input") ? " of an answer" : "")))]`);
      const steps = ["13px", "15px", "18px", "24px"];
      const known = [...steps, "16px of an answer", ...steps.map((step) => `${step} of an answer`)];
      expect(
        sizes.filter((size) => !known.includes(size)),
        name,
      ).to.deep.equal([]);
    });
  });

  it("loads at most 60 kB of script before the first prompt, compressed", async () => {
    const folder = await builtUi();
    const html = readFileSync(join(folder, "index.html"), "utf8");
    const loaded = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);
    expect(loaded).to.not.deep.equal([]);
    expect(readdirSync(join(folder, "assets"))).to.include.members(loaded.map((file) => file.replace("assets/", "")));
    const bytes = loaded.map((file) => gzipSync(readFileSync(join(folder, file))).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).to.be.below(60 * 1024);
    const styles = [...html.matchAll(/href="\/(assets\/[^"]+\.css)"/g)].map(([, file = ""]) => file);
    const styleBytes = styles.map((file) => gzipSync(readFileSync(join(folder, file))).length);
    expect(styleBytes.reduce((sum, one) => sum + one, 0)).to.be.below(16 * 1024);
  });
});
