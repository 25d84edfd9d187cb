// Sessions in the sidebar: searched, named, exported, more of them than are loaded at once; prompts that are edited and asked again. A
// real browser on a real daemon.
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { postJson } from "../support/entry-points.js";
import { until } from "../support/until.js";
import { startVendor } from "../support/vendor.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const TURNS = [{ prompt: "weather", replies: [{ text: "It is sunny in Zürich." }] }];

describe("the web UI: sessions", () => {
  const browser = useBrowser();

  it("finds sessions by words, shows where they stand, and names and exports them", async () => {
    const here = await browser.daemon({ turns: TURNS });
    for (const message of ["weather please", "two", "three", "four"])
      await postJson(`${here.url}/run`, { message, session_id: message.split(" ")[0] });
    const { page } = await browser.open(here);
    const nav = page.getByRole("navigation", { name: "Sessions" });
    await nav.getByRole("link", { name: "four" }).waitFor();
    await page.getByLabel("Search sessions").fill("SUNNY");
    await nav.getByRole("link", { name: "three" }).waitFor({ state: "detached" });
    expect(await nav.locator(".session-match").textContent()).to.equal("It is sunny in Zürich.");
    expect(await nav.locator("mark").textContent()).to.equal("sunny");
    await page.keyboard.press("Escape");
    await nav.getByRole("link", { name: "three" }).waitFor();

    await nav.getByRole("link", { name: "weather please" }).dblclick();
    await nav.getByLabel("Title").fill("The weather");
    await page.keyboard.press("Enter");
    await nav.getByRole("link", { name: "The weather" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "The weather" }).waitFor();

    await nav.getByRole("button", { name: "More: The weather" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export as Markdown" }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal("The-weather.md");
    expect(await readFile(await download.path(), "utf8")).to.contain("It is sunny in Zürich.");

    await nav.getByRole("button", { name: "More: The weather" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await nav.getByLabel("Title").fill("");
    await page.keyboard.press("Enter");
    await nav.getByRole("link", { name: "weather please" }).waitFor();
  });

  it("begins a session for a prompt that is edited or asked again, and leads back to the one before @all", async () => {
    const here = await browser.daemon({ turns: TURNS });
    const { page } = await browser.open(here);
    await sendPrompt(page, "first");
    await waitUntilIdle(page);
    await sendPrompt(page, "weather please");
    await page.locator(".answer", { hasText: "sunny" }).waitFor();
    await waitUntilIdle(page);
    const before = page.url();
    await page.getByRole("button", { name: "Edit" }).last().click();
    const edited = page.getByLabel("Edited prompt");
    const edit = page.getByRole("button", { name: "Edit" }).last();
    const isFocused = () => edit.evaluate((button) => button === document.activeElement);
    await edited.press("Tab");
    await page.getByRole("button", { name: "Cancel" }).click();
    await until(isFocused);
    await edit.click();
    await edited.fill("dropped");
    await edited.press("Escape");
    await until(isFocused);
    expect(await page.locator(".log .prompt").allTextContents()).to.deep.equal(["first", "weather please"]);
    await page.getByRole("button", { name: "Edit" }).last().click();
    await edited.fill("something else");
    await page.locator(".prompt-edit").getByRole("button", { name: "Send" }).click();
    await page.locator(".prompt", { hasText: "something else" }).waitFor();
    expect(await page.locator(".log .prompt").allTextContents()).to.deep.equal(["first", "something else"]);
    expect(page.url()).to.not.equal(before);
    await page.getByRole("link", { name: "another conversation" }).click();
    await page.locator(".prompt", { hasText: "weather please" }).waitFor();
    expect(page.url()).to.equal(before);
  });

  it("leads between the versions of a prompt, and tells them apart in the list @all", async () => {
    const { page } = await browser.open(await browser.daemon({ turns: TURNS }));
    await sendPrompt(page, "first");
    await waitUntilIdle(page);
    await sendPrompt(page, "weather please");
    await waitUntilIdle(page);
    const first = page.url();
    const versions = page.getByRole("group", { name: "Versions of this prompt" });
    expect(await versions.count()).to.equal(0);
    // Asked again, from the first and then from what came of it: versions of one prompt all the same.
    for (const text of ["2 of 2", "3 of 3"]) {
      await page.getByRole("button", { name: "Retry" }).last().click();
      await versions.getByText(text).waitFor();
      await waitUntilIdle(page);
    }
    const items = page.locator(".session");
    await until(async () => (await items.count()) === 3);
    expect((await items.locator(".session-version").allTextContents()).sort()).to.deep.equal([
      "version 2",
      "version 3",
    ]);
    await page.reload();
    await versions.getByText("3 of 3").waitFor();
    expect(await versions.getByRole("link", { name: "Next version" }).count()).to.equal(0);
    for (const text of ["2 of 3", "1 of 3"]) {
      await versions.getByRole("link", { name: "Previous version" }).click();
      await versions.getByText(text).waitFor();
      expect(await page.locator(".log .prompt").allTextContents()).to.deep.equal(["first", "weather please"]);
    }
    expect(page.url().replace(/#.*/, "")).to.equal(first);
    // Another turn of the session is no version of anything.
    expect(await versions.count()).to.equal(1);
    await versions.getByRole("link", { name: "Next version" }).click();
    await versions.getByText("2 of 3").waitFor();
    // One whose original is gone is still the version that it was, and is asked again as its own turn.
    const [session = ""] = new URL(first).pathname.split("/").slice(-1);
    await fetch(new URL(`/-/sessions/${session}`, first), { method: "DELETE" });
    await versions.getByText("1 of 2").waitFor();
    await page.getByRole("button", { name: "Retry" }).last().click();
    await until(async () => (await items.count()) === 3);
    await waitUntilIdle(page);
    await page.locator(".log .prompt", { hasText: "weather please" }).waitFor();
  });

  it("says of an address that no conversation is there, until a prompt begins it @all", async () => {
    const { page } = await browser.open(await browser.daemon({}), "/s/none-such");
    const said = page.getByText("There is no conversation at this address yet");
    await said.waitFor();
    await sendPrompt(page, "hello");
    await waitUntilIdle(page);
    expect(await said.count()).to.equal(0);
    await page.goto(new URL("/", page.url()).href);
    await page.getByRole("heading", { name: "What should be done?" }).waitFor();
    expect(await said.count()).to.equal(0);
  });

  it("lists as many sessions as there are, as one scrolls @all", async () => {
    const here = await browser.daemon();
    const numbers = Array.from({ length: 130 }, (_, n) => n);
    for (let at = 0; at < numbers.length; at += 10)
      await Promise.all(
        numbers
          .slice(at, at + 10)
          .map((n) => postJson(`${here.url}/run`, { message: `say ${n}`, session_id: `n${n}` })),
      );
    const { page } = await browser.open(here);
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
    await until(async () => (await links.count()) === 100);
    await until(async () => {
      await page.getByRole("navigation", { name: "Sessions" }).evaluate((list) => list.scrollTo(0, list.scrollHeight));
      return (await links.count()) === 130;
    });
  });
});

describe("the web UI: prompts as they are written", () => {
  const browser = useBrowser();
  const prompt = (page: Page) => page.getByLabel("Prompt", { exact: true });

  it("keeps what is typed over a reload, for each session, and brings earlier prompts back", async () => {
    const here = await browser.daemon({ turns: TURNS });
    const { page } = await browser.open(here);
    await prompt(page).fill("not sent yet");
    await page.reload();
    await until(async () => (await prompt(page).inputValue()) === "not sent yet");
    await sendPrompt(page, "first");
    await waitUntilIdle(page);
    await sendPrompt(page, "second");
    await waitUntilIdle(page);
    await prompt(page).fill("half of a third");
    await page.reload();
    await until(async () => (await prompt(page).inputValue()) === "half of a third");
    await page.getByRole("button", { name: "New chat" }).click();
    await until(async () => (await prompt(page).inputValue()) === "");
    await page.goBack();
    await page.locator(".prompt", { hasText: "second" }).waitFor();
    await prompt(page).fill("");
    for (const [key, text] of [
      ["ArrowUp", "second"],
      ["ArrowUp", "first"],
      ["ArrowDown", "second"],
      ["ArrowDown", ""],
    ] as const) {
      await prompt(page).press(key);
      expect(await prompt(page).inputValue()).to.equal(text);
    }
  });

  it("go to the model and the application that are chosen @all", async () => {
    const vendor = await startVendor();
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "small", models: ["large"] };
    vendor.script(() => ({ text: "done" }));
    const config = { default_provider: "fake", providers: { fake } };
    const here = await browser.daemon({ config });
    const { page } = await browser.open(here);
    await page.getByLabel("Model").selectOption("large");
    await sendPrompt(page, "hello");
    await page.locator(".answer", { hasText: "done" }).waitFor();
    expect(vendor.requests.map(({ body }) => body["model"])).to.deep.equal(["large"]);
    await page.reload();
    await until(async () => (await page.getByLabel("Model").inputValue()).endsWith("large"));
    await vendor.close();
  });
});
