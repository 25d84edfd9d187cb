// The keyboard: the palette, the list of keys, and every key. A real browser on a real daemon.
import { expect } from "chai";
import type { Page } from "playwright-core";
import { hasNearWords } from "../../static/values/near-words.js";
import { postJson } from "../support/entry-points.js";
import { until } from "../support/until.js";
import { useBrowser } from "./browser.js";

describe("the web UI: the keyboard", () => {
  const browser = useBrowser();
  const open = async (): Promise<Page> => {
    const here = await browser.daemon();
    for (const message of ["older", "newer"]) await postJson(`${here.url}/run`, { message, session_id: message });
    const { page } = await browser.open(here);
    await page.getByRole("link", { name: "newer" }).waitFor();
    return page;
  };
  const path = (page: Page): string => new URL(page.url()).pathname;

  it("finds commands, sessions and tools in the palette, and opens them", async () => {
    const page = await open();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Find anything" });
    await field.fill("older");
    await page.getByRole("option", { name: "older" }).waitFor();
    expect(await field.getAttribute("aria-activedescendant")).to.equal(
      await page.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    await until(() => path(page) === "/s/older");
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.fill("delete pet");
    await page.getByRole("option", { name: /^delete_pet/ }).waitFor();
    await page.keyboard.press("Enter");
    await until(() => path(page) === "/browse/tools/delete_pet");
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.fill("history");
    await page.getByRole("option", { name: /Go to the history/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until(() => path(page) === "/browse/history");
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  });

  it("finds what has no key by its words, and with a letter wrong @all", async () => {
    const page = await open();
    await page.goto(new URL("/s/older", page.url()).href);
    await page.locator(".prompt", { hasText: "older" }).waitFor();
    const field = page.getByRole("combobox", { name: "Find anything" });
    const choose = async (words: string, label: string | RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await field.fill(words);
      await page.getByRole("option", { name: label }).first().waitFor();
      expect(await page.getByRole("option").first().textContent(), words).to.match(new RegExp(label));
      await page.keyboard.press("Enter");
      await field.waitFor({ state: "detached" });
    };
    await choose("dark theme", "Dark colours");
    expect(await page.locator("html").getAttribute("data-theme")).to.equal("dark");
    await choose("theme system", "Colours as the system has them");
    await choose("read only", "Turn read only on");
    expect(await page.getByRole("switch", { name: "Read only" }).getAttribute("aria-checked")).to.equal("true");
    await choose("readonly off", "Turn read only off");
    const download = page.waitForEvent("download");
    await choose("export markdown", "Export this conversation as Markdown");
    expect((await download).suggestedFilename()).to.equal("older.md");
    for (const words of ["setings", "settigns", "settinsg", "srttings", "go to the settingss"]) {
      await choose(words, "Go to the settings");
      await until(() => path(page) === "/browse/settings");
      await page.goBack();
    }
    await choose("shortcuts", "Turn keys of a single letter off");
    await choose("olderr", "older");
    // Two letters wrong is another word, and so is one of three.
    expect(hasNearWords("Go to the settings", "setinks")).to.equal(false);
    expect(hasNearWords("Go to the settings", "tho")).to.equal(false);
    expect(hasNearWords("Go to the settings", "settings history")).to.equal(false);
  });

  it("does what the list of keys says @all", async () => {
    const page = await open();
    await page.getByRole("heading", { level: 1 }).click();
    await page.locator("body").evaluate((body) => (body.ownerDocument.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keys" });
    await list.getByText("Show or hide the sidebar").waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    const press = async (keys: string, expected: string): Promise<void> => {
      await page.locator("body").evaluate((body) => (body.ownerDocument.activeElement as HTMLElement | null)?.blur());
      for (const key of keys.split(" ")) await page.keyboard.press(key);
      await until(() => path(page) === expected, 5_000, `${keys} did not lead to ${expected} but ${path(page)}`);
    };
    await press("g t", "/browse/tools");
    await press("g h", "/browse/history");
    await press("g a", "/browse/approvals");
    await press("g s", "/browse/settings");
    await press("j", "/s/newer");
    await page.locator(".prompt", { hasText: "newer" }).waitFor();
    await press("j", "/s/older");
    await page.locator(".prompt", { hasText: "older" }).waitFor();
    await press("k", "/s/newer");
    await press("n", "/");
    await press("b", "/");
    await page.getByRole("navigation", { name: "Sessions" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("navigation", { name: "Sessions" }).waitFor();
    await press("/", "/");
    await until(async () => page.getByLabel("Prompt", { exact: true }).evaluate((field) => field.matches(":focus")));
    await page.keyboard.type("n? ");
    expect(await page.getByLabel("Prompt", { exact: true }).inputValue()).to.equal("n? ");
  });
});
