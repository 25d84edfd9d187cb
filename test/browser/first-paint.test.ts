// The page before its script is there: a prompt is typed and sent at once, and the script goes on with what it finds.
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Daemon } from "../support/daemon.js";
import { getJson } from "../support/entry-points.js";
import { sendPrompt, useBrowser } from "./browser.js";

const SCRIPT = /\/assets\/begin-[^/]+\.js$/;

/** Opens a path whose script is kept back until the function that comes back is called. */
async function openWithoutScript(page: Page, daemon: Daemon, path = "/"): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(SCRIPT, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(daemon.url + path, { waitUntil: "commit" });
  await page.locator(".sidebar").waitFor({ state: "attached" });
  return release;
}

const prompt = (page: Page) => page.getByLabel("Prompt", { exact: true });

/** Where the parts of the chat stand that are there from the first paint on. */
const places = (page: Page): Promise<number[]> =>
  page.evaluate(`[".sidebar", ".head", ".empty", ".composer-box", "#prompt", ".send"].flatMap((part) => {
    const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
    return [x, y, width, height];
  })`);

describe("the web UI: the first paint", () => {
  const browser = useBrowser();
  const turns = [{ prompt: "list", replies: [{ text: "Here they are." }] }];

  it("keeps what is typed and sent before the script is there, and sends it once", async () => {
    const daemon = await browser.daemon({ turns });
    const { page } = await browser.open(daemon, "/-/healthz");
    const release = await openWithoutScript(page, daemon);
    await page.locator("#prompt:focus").waitFor();
    await page.evaluate(`document.querySelector("#prompt").isFirst = true`);
    await page.keyboard.type("list the pets");
    await page.keyboard.press("Enter");
    await page.keyboard.type("and then");
    expect(await page.locator(".queued-text").allTextContents()).to.deep.equal(["list the pets"]);
    expect(await prompt(page).inputValue()).to.equal("and then");
    release();
    await page.getByRole("log").getByText("Here they are.").waitFor();
    expect(await page.locator(".prompt").allTextContents()).to.deep.equal(["list the pets"]);
    // It is the same field: the caret stays where it was.
    expect(await page.evaluate(`document.activeElement.isFirst`)).to.equal(true);
    await page.keyboard.type(" what");
    expect(await prompt(page).inputValue()).to.equal("and then what");
    const session = new URL(page.url()).pathname.slice("/s/".length);
    const stored = await getJson<{ turns: { prompt: string }[] }>(`${daemon.url}/-/sessions/${session}`);
    expect(stored.turns.map((turn) => turn.prompt)).to.deep.equal(["list the pets"]);
  });

  it("sends with a click, and keeps a draft that was there, in a session @all", async () => {
    const daemon = await browser.daemon({ turns });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "list the pets");
    await page.getByRole("log").getByText("Here they are.").waitFor();
    await prompt(page).fill("An old thought.");
    const release = await openWithoutScript(page, daemon, new URL(page.url()).pathname);
    await prompt(page).fill("list the others");
    await page.getByRole("button", { name: "Send" }).click();
    await prompt(page).pressSequentially("A new one.");
    release();
    await page.getByRole("log").getByText("Here they are.").nth(1).waitFor();
    expect(await page.locator(".prompt").allTextContents()).to.deep.equal(["list the pets", "list the others"]);
    expect(await prompt(page).inputValue()).to.equal("An old thought.\nA new one.");
  });

  it("keeps what is sent where a token is missing, and sends it once a person says so @all", async () => {
    const token = "s3cret-canary+token";
    const daemon = await browser.daemon({ turns, listen: { token } });
    const { page } = await browser.open(daemon);
    const signIn = async () => {
      await page.getByLabel("Token").fill(token);
      await page.keyboard.press("Enter");
    };
    await signIn();
    await page.getByText("What should be done?").waitFor();
    // As in a new tab: the cookie is there, which opens the page, and not the token.
    await page.evaluate("sessionStorage.clear()");
    const release = await openWithoutScript(page, daemon);
    await sendPrompt(page, "list the pets");
    release();
    await signIn();
    await page.getByRole("button", { name: "Send the waiting prompts" }).click();
    await page.getByRole("log").getByText("Here they are.").waitFor();
    expect(await page.locator(".prompt").allTextContents()).to.deep.equal(["list the pets"]);
  });

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])
    it(`moves nothing when the script comes, at ${viewport.width} pixels @all`, async () => {
      const daemon = await browser.daemon({ turns });
      const { page } = await browser.open(daemon, "/-/healthz", { viewport });
      const release = await openWithoutScript(page, daemon);
      await prompt(page).waitFor();
      const before = await places(page);
      release();
      await page.getByText("What should be done?").waitFor();
      const after = await places(page);
      // The height of the field is set in whole pixels.
      expect(after.map((place, at) => Math.max(1, Math.abs(place - (before[at] ?? 0))))).to.deep.equal(
        after.map(() => 1),
      );
    });

  it("has the colours chosen here from the first paint on, and no prompt on other pages @all", async () => {
    const daemon = await browser.daemon({ turns });
    const { page } = await browser.open(daemon);
    await page.evaluate(`localStorage.setItem("agentd.theme", "dark")`);
    const release = await openWithoutScript(page, daemon, "/browse/tools");
    expect(await page.evaluate(`document.documentElement.dataset.theme`)).to.equal("dark");
    expect(await prompt(page).isVisible()).to.equal(false);
    release();
    await page.getByRole("heading", { name: "Tools" }).waitFor();
    expect(await prompt(page).count()).to.equal(0);
  });
});
