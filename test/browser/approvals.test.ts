// What a person decides, beyond one question: a destruction is held, several calls at once, those of other sessions, and what was decided.
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { clickUntil, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const call = (name: string, args: { id: number } | { name: string }) => ({
  id: `call_${name}_${Object.values(args)[0]}`,
  name,
  arguments: args,
});
const TURNS: { prompt: string; replies: ScriptedReply[] }[] = [
  { prompt: "delete", replies: [{ calls: [call("delete_pet", { id: 2 })] }, { text: "Gone it is." }] },
  { prompt: "call", replies: [{ calls: [{ id: "max", name: "update_pet", arguments: { id: 2, name: "Max" } }] }] },
  { prompt: "empty", replies: [{ calls: [{ id: "all", name: "delete_pets", arguments: {} }] }, { text: "All gone." }] },
  {
    prompt: "three",
    replies: [
      {
        calls: [
          call("delete_pet", { id: 2 }),
          call("create_pet", { name: "Ada" }),
          call("create_pet", { name: "Bob" }),
        ],
      },
      { text: "That is that." },
    ],
  },
  {
    prompt: "rename",
    replies: [
      {
        calls: [
          { id: "max", name: "update_pet", arguments: { id: 2, name: "Max", age: 5 } },
          { id: "tom", name: "update_pet", arguments: { id: 3, name: "Tom" } },
        ],
      },
      { text: "Renamed." },
    ],
  },
];

describe("the web UI: approvals", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 2, name: "Rex", kind: "dog", age: 4 }, 200));
  });
  afterEach(() => target.close());

  const open = async (path = "/", schema = petShop(target.url)) => {
    const daemon = await browser.daemon({
      schema,
      turns: TURNS,
      config: { safety: { confirm: true } },
    });
    const { page } = await browser.open(daemon, path);
    return { page, daemon };
  };
  /** The pet shop with a tool that changes a pet. */
  const withUpdate = () => {
    const schema = petShop(target.url);
    schema.resources[0]?.actions.push({
      name: "update_pet",
      verb: "update",
      description: "Change a pet",
      provenance: "declared",
      parameters: {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string" }, age: { type: "integer" } },
        required: ["id"],
      },
      transport: {
        kind: "http",
        method: "PATCH",
        path: "/pets/{id}",
        parameters: [{ name: "id", in: "path", key: "id" }],
        body: { properties: { name: "name", age: "age" } },
      },
    });
    return schema;
  };
  const byScript = (daemon: Daemon, message: string) =>
    postJson(`${daemon.url}/run`, { message, session_id: "by-a-script" });
  const changes = () => target.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
  const settled = (page: Page) => page.locator(".approve[aria-disabled=false]").waitFor();

  it("displays what a deletion takes, and wants Approve held for a second, or pressed twice", async () => {
    const { page } = await open();
    await sendPrompt(page, "delete a pet");
    const card = page.getByRole("region", { name: "Approve this call? delete_pet" });
    await card.waitFor();
    expect(await card.getByRole("heading").textContent()).to.equal("Delete pet 2, Rex");
    expect(await card.locator("del").allInnerTexts()).to.deep.equal(["2", "Rex", "dog", "4"]);
    await card.getByText("It cannot be undone.").waitFor();
    await settled(page);
    // A short press, as a click of assistive technology is one, only asks again, and not at once.
    const approve = card.getByRole("button", { name: "approve" });
    await clickUntil(approve, async () => (await approve.textContent()) === "Yes, approve");
    expect(await card.count()).to.equal(1);
    expect(changes()).to.deep.equal([]);
    await settled(page);
    await clickUntil(approve, async () => (await card.count()) === 0);
    await waitUntilIdle(page);
    expect(changes()).to.deep.equal(["DELETE"]);
  });

  it("says of an approval why nothing came of it, and asks anew @all", async () => {
    const { page, daemon } = await open("/browse/approvals", withUpdate());
    await byScript(daemon, "call him Max");
    const card = page.getByRole("region", { name: "Approve this call? update_pet" });
    await card.getByText("Rex").first().waitFor();
    target.answer(() => json({ id: 2, name: "Bella", kind: "dog", age: 4 }));
    const verdict = page.locator(".decided-list .verdict");
    const approve = card.getByRole("button", { name: "Approve", exact: true });
    // Once: what is asked anew stands in its place, and another click would be for that.
    await approve.click();
    await card.getByText("Bella").first().waitFor();
    await verdict.waitFor();
    expect(await verdict.innerText()).to.match(
      /^Approved, .*: What this call would change is not what was shown any more/,
    );
    expect(changes()).to.deep.equal([]);
  });

  for (const way of ["pointer", "key"] as const)
    it(`runs a destructive call after its button was held, by ${way}, and not when it was let go @all`, async () => {
      const { page } = await open();
      await sendPrompt(page, "delete a pet");
      await settled(page);
      const approve = page.locator(".approve");
      if (way === "key") await approve.focus();
      else await approve.hover();
      await (way === "key" ? page.keyboard.down(" ") : page.mouse.down());
      await page.getByText("Keep holding…").waitFor();
      await waitUntilIdle(page);
      expect(changes()).to.deep.equal(["DELETE"]);
    });

  it("tells of a call in every tab, within its other views too, and lists what was decided after a reload @all", async () => {
    const { page, daemon } = await open("/browse/tools");
    await page.getByRole("searchbox").first().waitFor();
    await byScript(daemon, "delete a pet");
    const bar = page.getByRole("region", { name: "Calls that wait" });
    await bar.getByText("1 call waits: Delete pet 2, Rex").waitFor();
    expect(await page.title()).to.match(/^\(1\) /);
    expect(await page.locator("link[rel=icon]").getAttribute("href")).to.contain("favicon-waiting.svg");
    await bar.getByRole("button", { name: "Open" }).click();
    const card = page.getByRole("region", { name: "Approve this call? delete_pet" });
    await card.waitFor();
    expect(new URL(page.url()).pathname).to.equal("/s/by-a-script");
    const why = page.getByLabel("Why not, for the model");
    await clickUntil(page.getByRole("button", { name: "Say why…" }), async () => (await why.count()) > 0);
    await why.fill("She is still needed");
    const deny = page.getByRole("button", { name: "Deny" });
    await clickUntil(deny, async () => (await card.count()) === 0);
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.reload();
    await page.getByText("Nothing waits for you.").waitFor();
    const row = page.locator(".decided-list li");
    expect(await row.locator(".verdict").innerText()).to.match(/^Refused by a person.*: She is still needed$/);
    await page.getByRole("button", { name: "Approved", exact: true }).click();
    await page.getByText("None yet.").waitFor();
    expect(changes()).to.deep.equal([]);
  });

  it("asks about all changes of one reply at once, in the chat itself @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "three things");
    const group = page.getByRole("region", { name: "3 calls wait for a decision" });
    await page.getByText("3 calls · 3 waiting").waitFor();
    const row = group.getByRole("button", { name: "Create pet, Bob" });
    await row.click();
    const field = group.locator(".edit-fields").getByLabel(/^name/);
    await clickUntil(group.getByRole("button", { name: "Edit" }), () => field.isVisible());
    await field.fill("Bea");
    // What is being edited is not decided with the others: they would be approved as they were before the edit.
    const choice = group.getByRole("checkbox", { name: "Choose: Create pet, Bob" });
    expect([await choice.isDisabled(), await choice.isChecked()]).to.deep.equal([true, false]);
    await row.click();
    await group.getByText("Its arguments are being edited: open it to decide.").waitFor();
    expect(changes()).to.deep.equal([]);
    const approve = group.getByRole("button", { name: "approve 2" });
    await clickUntil(approve, async () => (await group.count()) === 0);
    // What is left is the card of a single call, with what was begun in it.
    const last = page.getByRole("region", { name: "Approve this call? create_pet" });
    expect(await last.getByLabel(/^name/).inputValue()).to.equal("Bea");
    await clickUntil(last.getByRole("button", { name: "Deny" }), async () => (await last.count()) === 0);
    await waitUntilIdle(page);
    await page.locator(".answer").getByText("That is that.").waitFor();
    expect(changes()).to.deep.equal(["DELETE", "POST"]);
    await page.getByText("3 calls · 2 ok · 1 denied").waitFor();
  });

  it("shows in each row of several calls what changes in a record: the value that is there, and the new one @all", async () => {
    const { page } = await open("/", withUpdate());
    await sendPrompt(page, "rename two");
    const rows = page.getByRole("region", { name: "2 calls wait for a decision" }).locator(".effect-line");
    await rows.nth(1).waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "))).to.deep.equal([
      "name Rex Max age 4 5",
      "name Rex Tom",
    ]);
    expect(await rows.locator("del").allInnerTexts()).to.deep.equal(["Rex", "4", "Rex"]);
    const calls = page.locator(".group-call");
    expect((await calls.allInnerTexts()).map((text) => text.trim())).to.deep.equal([
      `PATCH ${target.url}/pets/2`,
      `PATCH ${target.url}/pets/3`,
    ]);
    // An opened row says each thing once: the headline, how much it matters, the difference; its arguments and its request are folded.
    await page.getByRole("button", { name: "Change pet 2" }).click();
    const row = page.locator(".group-rows > li").first();
    await row.locator(".confirmation").waitFor();
    const text = await row.innerText();
    for (const once of ["Change pet 2, Rex", "changes data", `${target.url}/pets/2`, "Max"])
      expect(text.split(once).length - 1, once).to.equal(1);
    await row.getByText("All arguments, and details of the request").click();
    expect(await row.getByRole("group", { name: "Arguments" }).textContent()).to.equal('{"id":2,"name":"Max","age":5}');
  });

  it("decides several calls at once, some of them, each by itself @all", async () => {
    const { page, daemon } = await open("/browse/approvals");
    await byScript(daemon, "three things");
    const group = page.getByRole("region", { name: "3 calls wait for a decision" });
    await group.getByRole("checkbox", { name: "Choose: Delete pet 2, Rex" }).uncheck();
    // Decided elsewhere in the moment before.
    const waiting = await daemon.agent.confirmations({ status: "pending", limit: 9 });
    await page.route("**/-/confirmations?*", (route) => route.abort());
    const [, ada] = waiting;
    await postJson(`${daemon.url}/-/confirmations/${ada?.id}`, { decision: "deny" });
    const approve = group.getByRole("button", { name: "Approve 2" });
    await clickUntil(approve, () => changes().length > 0);
    await page.getByText("already been decided").waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("region", { name: "Approve this call? delete_pet" }).waitFor();
    expect(changes()).to.deep.equal(["POST"]);
  });

  it("wants the name of a whole collection typed before it goes @all", async () => {
    const schema = petShop(target.url);
    const [pets] = schema.resources;
    pets?.actions.push({
      name: "delete_pets",
      verb: "delete",
      description: "Delete every pet",
      provenance: "declared",
      parameters: { type: "object", properties: {} },
      transport: { kind: "http", method: "DELETE", path: "/pets", parameters: [] },
    });
    const { page } = await open("/", schema);
    await sendPrompt(page, "empty the shop");
    const card = page.getByRole("region", { name: "Approve this call? delete_pets" });
    const approve = card.getByRole("button", { name: "Approve", exact: true });
    await card.getByText("Type pets to approve").waitFor();
    await card.getByLabel("Type pets to approve").fill("pet");
    await page.waitForTimeout(1_000);
    expect(await approve.isDisabled()).to.equal(true);
    await card.getByLabel("Type pets to approve").press("Enter");
    expect(changes()).to.deep.equal([]);
    await card.getByLabel("Type pets to approve").fill("pets");
    await clickUntil(approve, async () => (await card.count()) === 0);
    await waitUntilIdle(page);
    expect(changes()).to.deep.equal(["DELETE"]);
  });

  it("tells of a call with a sound and a notification, where a person switched them on, once @all", async () => {
    const { page, daemon } = await open("/browse/approvals");
    await page.context().grantPermissions(["notifications"]);
    await page.addInitScript(`
      globalThis.told = [];
      globalThis.Notification = class extends Notification {
        // A browser without a screen grants it and goes on to say that it is denied.
        static permission = "granted";
        constructor(title, options) { super(title, options); told.push([title, options.body]); }
      };
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (at) { told.push("tone"); return start.call(this, at); };
      document.hasFocus = () => false;`);
    await page.reload();
    const unfold = () => page.getByText("Tell me in this browser").click();
    const told = () => page.evaluate<unknown[]>("told.splice(0)");
    await byScript(daemon, "delete a pet");
    await page.getByRole("region", { name: "Approve this call? delete_pet" }).waitFor();
    expect(await told()).to.deep.equal([]);
    await unfold();
    await page.getByLabel("Sound").check();
    expect(await told()).to.deep.equal(["tone", "tone"]);
    await page.getByLabel("Notifications of the system").check();
    await postJson(`${daemon.url}/run`, { message: "delete a pet", session_id: "another" });
    await page.getByRole("region", { name: "Approve this call? delete_pet" }).nth(1).waitFor();
    expect(await told()).to.deep.equal(["tone", "tone", ["agentd: a call waits", "Delete pet 2, Rex"]]);
    await page.reload();
    await page.getByRole("region", { name: "Approve this call? delete_pet" }).nth(1).waitFor();
    expect(await told()).to.deep.equal([]);
    await unfold();
    expect(await page.getByLabel("Sound").isChecked()).to.equal(true);
  });

  it("gives a call more time, and says who decided elsewhere @all", async () => {
    const { page, daemon } = await open();
    await sendPrompt(page, "delete a pet");
    const card = page.getByRole("region", { name: "Approve this call? delete_pet" });
    await card.waitFor();
    await card.getByRole("button", { name: "One hour more" }).click();
    await card.getByText(/^ ?6\d:\d\d$/).waitFor();
    const [held] = await daemon.agent.confirmations({ status: "pending", limit: 1 });
    await postJson(`${daemon.url}/-/confirmations/${held?.id}`, { decision: "deny", reason: "from a script" });
    await card.waitFor({ state: "detached" });
    await page.getByText(/^Refused by a person.*: from a script$/).waitFor();
  });
});
