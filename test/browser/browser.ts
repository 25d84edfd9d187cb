// A real browser on a real daemon. The page is built from its sources once a run; its requests and its console are recorded, so
// that every test can also assert that nothing left the machine and no policy was violated.
import { expect } from "chai";
import { type Browser, type BrowserContextOptions, chromium as driver, type Locator, type Page } from "playwright-core";
import { builtUi } from "../support/built-ui.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { until } from "../support/until.js";
import { chromiumProgram } from "./chromium.js";

/** A page and what it did. */
interface Tab {
  page: Page;
  /** Every address the page requested, WebSockets included. */
  requests: string[];
  /** Warnings and errors on the console, and uncaught errors. */
  consoleErrors: string[];
}

/** The browser of a file of tests. */
interface TestBrowser {
  /** A daemon that serves the built page; it may be closed early. */
  daemon(options?: DaemonOptions): Promise<Daemon>;
  /** A new tab in a browser profile of its own, at a path of the daemon. */
  open(daemon: Pick<Daemon, "url">, path?: string, options?: BrowserContextOptions): Promise<Tab>;
}

function watch(page: Page): Tab {
  const tab: Tab = { page, requests: [], consoleErrors: [] };
  page.on("request", (request) => tab.requests.push(request.url()));
  page.on("websocket", (socket) => tab.requests.push(socket.url()));
  page.on("pageerror", (error) => tab.consoleErrors.push(String(error)));
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) tab.consoleErrors.push(message.text());
  });
  return tab;
}

/**
 * Registers a browser for the enclosing `describe`; daemons and tabs are closed after each test. A tab that sent a
 * request to another host, or violated its content policy, fails the test it was opened in.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  const daemons = new Set<Daemon>();
  let tabs: { tab: Tab; host: string }[] = [];

  before(async function () {
    this.timeout(60_000);
    await builtUi();
    // Not the package's own arguments: they switch web security off, which would make these tests prove nothing.
    const args = ["--no-sandbox", "--disable-gpu"];
    browser = await driver.launch({ executablePath: await chromiumProgram(), args, headless: true });
  });
  after(() => browser.close());
  // What a page does depends on when its machine gets to it: the run names every case that needed its second attempt.
  beforeEach(function () {
    this.currentTest?.retries(1);
  });
  afterEach(async () => {
    const opened = tabs;
    tabs = [];
    await Promise.all(opened.map(({ tab }) => tab.page.context().close()));
    await Promise.all(Array.from(daemons, (daemon) => daemon.close()));
    for (const { tab, host } of opened) {
      expect(tab.requests.filter((url) => new URL(url).host !== host)).to.deep.equal([]);
      expect(
        tab.consoleErrors.filter((text) => /content security policy|uncaught|TypeError/i.test(text)),
      ).to.deep.equal([]);
    }
  });

  return {
    async daemon(options = {}) {
      const started = await startDaemon({ ...options, listen: { staticDir: await builtUi(), ...options.listen } });
      const daemon = { ...started, close: () => (daemons.delete(daemon) ? started.close() : Promise.resolve()) };
      daemons.add(daemon);
      return daemon;
    },
    async open(daemon, path = "/", options = {}) {
      const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
      context.setDefaultTimeout(10_000);
      const tab = watch(await context.newPage());
      tabs.push({ tab, host: new URL(daemon.url).host });
      await tab.page.goto(daemon.url + path);
      return tab;
    },
  };
}

/** Types a prompt and sends it with Enter. */
export async function sendPrompt(page: Page, text: string): Promise<void> {
  await page.getByLabel("Prompt", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

/**
 * Clicks until the click has done its work: what has just appeared or moved takes none, and on a busy machine it moves between the
 * moment it is looked at and the click.
 */
export function clickUntil(button: Locator, isDone: () => boolean | Promise<boolean>): Promise<void> {
  return until(async () => {
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    return isDone();
  });
}

/** Clicks a button that goes away with the click. */
export function clickAway(button: Locator): Promise<void> {
  return clickUntil(button, async () => (await button.count()) === 0);
}

/** How long an answer may be text before it is taken for one that stays so. */
const RENDERED_MS = 3_000;

/** Waits until no turn is running, and the answers in view are rendered. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  const looks = `document.querySelector("[role=log], .page") !== null &&
    [...document.querySelectorAll(".answer")].every((answer) => answer.querySelector(".chunk"))`;
  await until(() => page.evaluate<boolean>(looks), RENDERED_MS).catch(() => {});
}
