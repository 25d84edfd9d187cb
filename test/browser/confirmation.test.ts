// Confirmations in the UI: the whole request that would be sent, Approve, Edit, Deny, after a reload, and expiry.
import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { allOnly } from "../support/all.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { clickUntil, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

/** Reads as "Rexgnp.exe" backwards where it is not made visible. */
const TRICKY = "Rex\u202egnp.exe\u202c\u200b";

const createPet = (name: string): ScriptedReply[] => [
  { calls: [{ id: "call_1", name: "create_pet", arguments: { name } }] },
  { text: "That is that." },
];
const TURNS = [
  { prompt: "tricky", replies: createPet(TRICKY) },
  { prompt: "long", replies: createPet(`${"x".repeat(30_000)}-the-end`) },
  { prompt: "enormous", replies: createPet("x y ".repeat(250_000)) },
  { prompt: "create", replies: createPet("Rex") },
  {
    prompt: "two",
    replies: [
      { calls: [{ id: "call_1", name: "create_pet", arguments: { name: "Rex" } }] },
      { calls: [{ id: "call_2", name: "delete_pet", arguments: { id: 2 } }] },
      { text: "That is that." },
    ],
  },
  {
    prompt: "delete",
    replies: [
      { calls: [{ id: "call_1", name: "delete_pet", arguments: { id: 9007199254740991 } }] },
      { text: "Gone it is." },
    ],
  },
];

describe("the web UI: confirmations", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 7, name: "Rex" }, 201));
  });
  afterEach(() => target.close());

  const open = async (confirmation_ttl_ms?: number, options: BrowserContextOptions = {}) => {
    const config = confirmation_ttl_ms === undefined ? {} : { confirmation_ttl_ms };
    const daemon = await browser.daemon({ target: target.url, turns: TURNS, config });
    const { page } = await browser.open(daemon, "/", options);
    await page.getByRole("switch", { name: "Confirm" }).click();
    return { page, daemon };
  };
  const statuses = async (daemon: { agent: { history(q: { limit: number }): Promise<{ status: string }[]> } }) =>
    (await daemon.agent.history({ limit: 9 })).map((row) => row.status);

  it("displays the full arguments and the request, and sends nothing before the approval", async () => {
    const { page } = await open();
    await sendPrompt(page, "create a pet");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    expect(await card.getByRole("group", { name: "Arguments" }).textContent()).to.equal('{"name":"Rex"}');
    expect(await card.getByRole("heading").textContent()).to.equal("Create pet, Rex");
    expect(await card.locator(".request-line").count()).to.equal(0);
    await card.getByText("Details of the request").click();
    expect(await card.locator(".request-line").textContent()).to.equal(`POST ${target.url}/pets`);
    expect(await card.textContent()).to.contain("mutating");
    expect(await card.getByRole("group", { name: "Body" }).textContent()).to.equal('{"name":"Rex"}');
    const headers = card.getByRole("group", { name: "Headers" });
    expect(await headers.count()).to.equal(0);
    await card.getByText(/^\d headers$/).click();
    expect(await headers.textContent()).to.contain("content-type");
    expect(target.requests).to.deep.equal([]);
  });

  it("runs an approved call once, and the turn goes on", async () => {
    const { page, daemon } = await open();
    await sendPrompt(page, "create a pet");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("log").getByText("That is that.").waitFor();
    await waitUntilIdle(page);
    expect(target.requests.map((request) => request.body.toString())).to.deep.equal(['{"name":"Rex"}']);
    expect(await statuses(daemon)).to.deep.equal(["ok"]);
    await page.getByRole("group", { name: "Tool call create_pet" }).getByText("ok", { exact: true }).waitFor();
  });

  it("sends nothing when it is denied, and marks the card @all", async () => {
    const { page, daemon } = await open();
    await sendPrompt(page, "delete a pet");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("log").getByText("Gone it is.").waitFor();
    await page.getByRole("group", { name: "Tool call delete_pet" }).getByText("denied", { exact: true }).waitFor();
    expect(target.requests.map((request) => request.method)).to.deep.equal(["GET"]);
    expect(await statuses(daemon)).to.deep.equal(["denied", "ok"]);
  });

  it("sends edited arguments, and refuses ones that are not JSON or are invalid @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "delete a pet");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator(".edit-fields input:focus").waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const field = page.getByLabel("Arguments as JSON");
    await field.fill("{ id: 1 }");
    expect(await page.getByRole("button", { name: "Approve edited" }).isDisabled()).to.equal(true);
    await field.fill('{ "id": "none" }');
    await page.getByRole("button", { name: "Hold to approve edited" }).click();
    await page.getByRole("button", { name: "Yes, approve edited" }).click();
    await page.getByText("The edited arguments were refused").waitFor();
    expect(target.requests.map((request) => request.method)).to.deep.equal(["GET"]);
    await field.fill('{ "id": 9007199254740993 }');
    await page.getByRole("button", { name: "Yes, approve edited" }).click();
    await page.getByRole("log").getByText("Gone it is.").waitFor();
    expect(target.requests.map((request) => `${request.method} ${request.path}`)).to.deep.equal([
      "GET /pets/9007199254740991",
      "GET /pets/9007199254740993",
      "GET /pets/9007199254740993",
      "DELETE /pets/9007199254740993",
    ]);
  });

  it("edits in the fields of the tool or as JSON, each with what was changed in the other @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "delete a pet");
    const field = page.locator(".edit-fields").getByLabel(/^id/);
    await clickUntil(page.getByRole("button", { name: "Edit" }), () => field.isVisible());
    await page.locator(".edit-fields input:focus").waitFor();
    expect(await field.inputValue()).to.equal("9007199254740991");
    await field.fill("none");
    expect(await page.getByRole("button", { name: "Hold to approve edited" }).isDisabled()).to.equal(true);
    await field.fill("9007199254740995");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const json = page.getByLabel("Arguments as JSON");
    expect(await json.inputValue()).to.equal('{\n  "id": 9007199254740995\n}');
    await json.fill('{ "id": 9007199254740997, "more": 1 }');
    expect(await page.getByRole("button", { name: "Fields", exact: true }).count()).to.equal(0);
    await json.fill('{ "id": 9007199254740997 }');
    await page.getByRole("button", { name: "Fields", exact: true }).click();
    expect(await field.inputValue()).to.equal("9007199254740997");
    await page.getByRole("button", { name: "Hold to approve edited" }).click();
    await page.getByRole("button", { name: "Yes, approve edited" }).click();
    await page.getByRole("log").getByText("Gone it is.").waitFor();
    expect(target.requests.at(-1)?.path).to.equal("/pets/9007199254740997");
  });

  it("lists the pending ones of every session on a page of its own @all", async () => {
    const { page, daemon } = await open();
    const body = { message: "create a pet", confirm: true, session_id: "by-a-script" };
    const headers = { "content-type": "application/json" };
    await fetch(`${daemon.url}/run`, { method: "POST", headers, body: JSON.stringify(body) });
    await page.reload();
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    expect(await statuses(daemon)).to.deep.equal(["denied"]);
    expect(target.requests).to.deep.equal([]);
  });

  it("does not take the second click on one question as the answer to the next @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "do two things");
    await page.getByRole("region", { name: "Approve this call? create_pet" }).waitFor();
    // Records whether the button of the second question is disabled, from its first appearance on.
    await page.evaluate(`globalThis.seen = [];
      const look = () => {
        const card = document.querySelector(".confirmation");
        if (card?.textContent.includes("delete_pet")) seen.push(card.querySelector(".approve").ariaDisabled);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });`);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("region", { name: "Approve this call? delete_pet" }).waitFor();
    await page.locator(".approve[aria-disabled=false]").waitFor();
    expect(await page.evaluate("seen[0]")).to.equal("true");
    expect(target.requests.map((request) => request.method)).to.deep.equal(["POST", "GET"]);
  });

  it("withdraws the question after its expiry @all", async () => {
    const { page, daemon } = await open(1500);
    await sendPrompt(page, "create a pet");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    await card.waitFor({ state: "detached" });
    await page.getByRole("group", { name: "Tool call create_pet" }).getByText("denied", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).to.equal(0);
    expect(await statuses(daemon)).to.deep.equal(["denied"]);
    expect(target.requests).to.deep.equal([]);
  });

  for (const hours of [-3, 3])
    it(`asks until the daemon's expiry, also when the clock here is ${hours} hours off${allOnly(hours < 0)} @all`, async () => {
      const { page, daemon } = await open(6000);
      await page.addInitScript(`const now = Date.now; Date.now = () => now() + ${hours * 3_600_000};`);
      await page.reload();
      await sendPrompt(page, "create a pet");
      const card = page.getByRole("region", { name: "Approve this call? create_pet" });
      await card.waitFor();
      expect(await card.locator(".confirmation-time").textContent()).to.match(/^\s*0:0[3-6]$/);
      await page.reload();
      await card.waitFor();
      expect(await card.locator(".confirmation-time").textContent()).to.match(/^\s*0:0[1-7]$/);
      // A fast clock would hide the question at once, a slow one display it for hours.
      if (hours > 0) return;
      await card.waitFor({ state: "detached" });
      // The page is right to within a second.
      while ((await statuses(daemon))[0] === "held") await page.waitForTimeout(50);
      expect(await statuses(daemon)).to.deep.equal(["denied"]);
    });

  it("withdraws the question when the turn is stopped @all", async () => {
    const { page, daemon } = await open();
    await sendPrompt(page, "create a pet");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("log").getByText("Stopped.").waitFor();
    await card.waitFor({ state: "detached" });
    expect(await statuses(daemon)).to.deep.equal(["denied"]);
    expect(target.requests).to.deep.equal([]);
  });

  it("displays long arguments to their end, with the question and its buttons always in view @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "create a long one");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    expect(await card.getByRole("group", { name: "Arguments" }).textContent()).to.contain("-the-end");
    const isInView = async () => {
      const top = (await card.locator(".confirmation-head").boundingBox())?.y ?? -1;
      const bottom = (await card.getByRole("button", { name: "Approve" }).boundingBox())?.y ?? 9999;
      return top > 50 && top < 100 && bottom > 500 && bottom < 680;
    };
    while (!(await isInView())) await page.waitForTimeout(20);
    await page.locator(".log").evaluate((log: { scrollBy(x: number, y: number): void }) => log.scrollBy(0, 200));
    expect(await isInView()).to.equal(true);
  });

  for (const [what, options] of [
    ["a wide screen", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
    ["a phone", { viewport: { width: 390, height: 700 }, colorScheme: "dark" }],
    ["a low screen", { viewport: { width: 800, height: 400 } }],
  ] as const)
    it(`O11 keeps method and address beside the buttons, with a megabyte of arguments, on ${what} @all`, async () => {
      const { page, daemon } = await open(undefined, options);
      await sendPrompt(page, "create an enormous one");
      const card = page.getByRole("region", { name: "Approve this call? create_pet" });
      await card.waitFor();
      const approve = page.locator(".approve[aria-disabled=false]");
      await approve.waitFor();
      const { height } = options.viewport;
      const place = () => Promise.all([card.locator(".confirmation-call").boundingBox(), approve.boundingBox()]);
      for (const scrolled of [0, 150, 1e9]) {
        await page
          .locator(".log")
          .evaluate((log: { scrollBy(x: number, y: number): void }, y) => log.scrollBy(0, y), scrolled);
        const [call, button] = await place();
        expect(call?.y, `${scrolled}`).to.be.above(40);
        expect((button?.y ?? 1e9) + (button?.height ?? 0), `${scrolled}`).to.be.below(height);
        expect((button?.y ?? 0) - (call?.y ?? 0)).to.be.within(10, 120);
      }
      expect(await card.locator(".confirmation-call").textContent()).to.equal(`POST ${target.url}/pets`);
      const described = await approve.getAttribute("aria-describedby");
      expect(await page.locator(`[id="${described}"]`).textContent()).to.equal(`POST ${target.url}/pets`);
      expect(await page.locator("[role=status]").allTextContents()).to.include(
        `Approval needed: create_pet (mutating), POST ${target.url}/pets`,
      );
      const answered = page.getByRole("group", { name: "Tool call create_pet" });
      await clickUntil(page.getByRole("button", { name: "Deny" }), async () => (await answered.count()) > 0);
      expect(await statuses(daemon)).to.deep.equal(["denied"]);
    });

  it("O11 takes no click on what has just appeared or moved, and no key that was held down @all", async () => {
    const { page } = await open();
    // Clicks every button in the moment it appears.
    await page.evaluate(`new MutationObserver(() => {
      for (const button of document.querySelectorAll(".confirmation button:not(.view-tabs button)")) button.click();
    }).observe(document.body, { subtree: true, childList: true });`);
    await sendPrompt(page, "create a pet");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    for (let i = 0; i < 5; i++) await page.keyboard.press("Enter");
    const settled = page.locator(".approve[aria-disabled=false]");
    await settled.waitFor();
    const moved = await page.evaluate(`(() => {
      document.querySelector(".confirmation").style.marginTop = "60px";
      for (const button of document.querySelectorAll(".confirmation button:not(.view-tabs button)")) button.click();
      return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
        resolve(document.querySelector(".approve").ariaDisabled);
      })));
    })()`);
    expect(moved).to.equal("true");
    await page.locator(".approve").focus();
    await page.keyboard.down("Enter");
    await settled.waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.waitForTimeout(100);
    expect(await card.count()).to.equal(1);
    expect(target.requests).to.deep.equal([]);
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("That is that.").waitFor();
    expect(target.requests).to.have.length(1);
  });

  it("O7 makes direction overrides and zero-width characters visible before an approval @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "create a tricky one");
    const card = page.getByRole("region", { name: "Approve this call? create_pet" });
    await card.waitFor();
    const text = (await card.textContent()) ?? "";
    expect(text).to.contain("Rex\\u202egnp.exe\\u202c\\u200b");
    for (const hidden of ["\u202e", "\u202c", "\u200b"]) expect(text).to.not.contain(hidden);
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await page.getByLabel("Arguments as JSON").inputValue()).to.contain("Rex\\u202egnp.exe");
    await page.getByRole("button", { name: "Approve edited" }).click();
    await page.getByRole("log").getByText("That is that.").waitFor();
    expect(JSON.parse(target.requests[0]?.body.toString() ?? "")).to.deep.equal({ name: TRICKY });
  });
});
