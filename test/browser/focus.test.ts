// The keyboard is never left nowhere: whatever is pressed by key, something of the page has the focus afterwards, and what opens to be
// written in takes what is typed. A real browser on a real daemon.
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const remove = (id: number) => ({ id: `call_${id}`, name: "delete_pet", arguments: { id } });
const TURNS = [
  {
    prompt: "create",
    replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "That is that." }],
  },
  { prompt: "three", replies: [{ calls: [remove(1), remove(2), remove(3)] }, { text: "Gone they are." }] },
  { prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "One pet." }] },
];
const BODY = "document.activeElement === document.body";
const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement).catch(() => false);

/** Presses a button with Enter once it takes presses, and says whether the focus is on the page at every moment after it. */
async function press(page: Page, button: Locator): Promise<void> {
  await button.waitFor();
  await until(async () => (await button.getAttribute("aria-disabled")) !== "true");
  await button.focus();
  await page.keyboard.press("Enter");
}

/** Asserts that the focus is on the page, and stays there for as long as things come and go. */
async function expectFocus(page: Page, what: string): Promise<void> {
  for (let i = 0; i < 10; i++) {
    expect(await page.evaluate(BODY), what).to.equal(false);
    await page.waitForTimeout(30);
  }
}

describe("the web UI: focus", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(({ method }) => json(method === "GET" ? { id: 1, name: "Rex" } : { ok: true }));
  });
  afterEach(() => target.close());

  const open = async (path = "/") => {
    const daemon = await browser.daemon({ target: target.url, turns: TURNS });
    const { page } = await browser.open(daemon, path);
    return { daemon, page };
  };

  it("goes into the field of a reason: what is typed is no key of the page @all", async () => {
    const { page, daemon } = await open();
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "create a pet");
    await press(page, page.getByRole("button", { name: "Say why…" }));
    await page.keyboard.type("next x/?");
    expect(await page.getByLabel("Why not, for the model").inputValue()).to.equal("next x/?");
    await press(page, page.getByRole("button", { name: "Deny" }));
    await page.getByRole("log").getByText("That is that.").waitFor();
    await expectFocus(page, "after the denial");
    const [row] = await daemon.agent.history({ limit: 1 });
    expect(JSON.stringify(row?.result)).to.contain("next x/?");
  });

  it("is lost by no button of a question", async () => {
    const { page } = await open();
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "create a pet");
    for (const name of [
      "+5 min: five minutes more",
      "+1 h: one hour more",
      "Edit",
      "Undo edit",
      "Say why…",
      "Approve",
    ]) {
      await press(page, page.getByRole("button", { name, exact: true }));
      await expectFocus(page, name);
    }
    await waitUntilIdle(page);
    await until(() => isFocused(page.locator("#prompt")));
  });

  it("goes to what waits next after several were decided, and to the prompt after the last @all", async () => {
    const { page } = await open();
    await page.getByRole("switch", { name: "Confirm" }).click();
    await sendPrompt(page, "three of them");
    const group = page.locator(".confirmation-group");
    await group.getByRole("checkbox").last().waitFor();
    await group.getByRole("checkbox").last().press(" ");
    const hold = page.getByRole("button", { name: "Hold to approve 2" });
    await until(async () => (await hold.getAttribute("aria-disabled")) !== "true");
    await hold.focus();
    await page.keyboard.down("Enter");
    await page.locator(".confirmation").waitFor();
    await page.keyboard.up("Enter");
    await until(() => isFocused(page.locator(".confirmation")));
    await press(page, page.getByRole("button", { name: "Deny" }));
    await page.getByRole("log").getByText("Gone they are.").waitFor();
    await until(() => isFocused(page.locator("#prompt")));
  });

  it("is lost by no button that goes away, in any view @all", async () => {
    const { page, daemon } = await open();
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    const conversation = new URL(page.url()).pathname;
    await postJson(`${daemon.url}/-/actions`, { title: "My pets", tool: "list_pets", arguments: {}, pinned: true });
    const walk: [string, (() => Locator)[]][] = [
      [conversation, [() => page.getByRole("button", { name: "Rename", exact: true })]],
      [
        conversation,
        [
          () => page.getByRole("button", { name: "Edit", exact: true }),
          () => page.getByRole("button", { name: "Cancel" }),
        ],
      ],
      [conversation, [() => page.getByRole("button", { name: "Retry" })]],
      [
        conversation,
        [() => page.getByRole("button", { name: "Open navigation" }).or(page.getByRole("link", { name: "Tools" }))],
      ],
      ["/", [() => page.locator(".pinned-action").getByRole("button", { name: "Delete" })]],
      ["/browse/history?q=list", [() => page.getByRole("button", { name: /Clear/ }).first()]],
      ["/browse/tools/list_pets", [() => page.getByRole("button", { name: "Run" })]],
      [
        "/browse/tools/list_pets",
        [
          () => page.getByRole("button", { name: "Save as action" }),
          () => page.getByRole("button", { name: "Save", exact: true }),
        ],
      ],
    ];
    for (const [path, steps] of walk) {
      await page.goto(daemon.url + path);
      for (const step of steps) {
        await press(page, step());
        await expectFocus(page, `${path} ${String(step)}`);
      }
    }
  });

  it("leaves letters alone where they are switched off, in this browser @all", async () => {
    const { page } = await open("/browse/settings");
    const letters = page.getByRole("checkbox", { name: /Keys of a single letter/ });
    await letters.waitFor();
    await page.locator("body").press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Keys of a single letter are on").waitFor();
    await page.keyboard.press("Escape");
    await letters.uncheck();
    await page.reload();
    await letters.waitFor();
    await page.locator("body").press("g");
    await page.locator("body").press("t");
    await page.locator("body").press("?");
    expect(new URL(page.url()).pathname).to.equal("/browse/settings");
    expect(await page.getByRole("dialog").count()).to.equal(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find anything" }).waitFor();
  });
});
