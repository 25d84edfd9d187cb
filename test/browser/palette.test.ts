// The keyboard: the palette, the list of keys, and every key. A real browser on a real daemon.
import { expect } from "chai";
import type { Page } from "playwright-core";
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

  it("does what the list of keys says", async () => {
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
