// The button beside a call that runs: it stops that call, and the answer goes on. A real browser on a real daemon; the target keeps
// silent until the call is stopped.
import type { Socket } from "node:net";
import { expect } from "chai";
import { type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { clickAway, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const TURNS = [
  {
    prompt: "look",
    replies: [{ calls: [{ id: "call_1", name: "list_pets", arguments: {} }] }, { text: "I could not see the pets." }],
  },
];

describe("the web UI: stopping one call", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    target = await startTarget(() => (socket) => void sockets.push(socket));
  });
  afterEach(() => target.close());

  it("ends the call, says so in its card, and goes on with the answer", async () => {
    const daemon = await browser.daemon({ target: target.url, turns: TURNS });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "look for pets");
    await until(() => sockets.length === 1);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    await card.getByText("running", { exact: true }).waitFor();
    await clickAway(card.getByRole("button", { name: "Cancel call list_pets" }));
    await page.getByRole("log").getByText("I could not see the pets.").waitFor();
    await waitUntilIdle(page);
    const isStopped = async (): Promise<void> => {
      await card.getByText("You stopped this call", { exact: true }).waitFor();
      await card.getByText("stopped", { exact: true }).waitFor();
      expect(await card.getByText("error", { exact: true }).count()).to.equal(0);
      expect(await card.locator(".failure").count()).to.equal(0);
    };
    await isStopped();
    expect(await card.getByRole("button", { name: /^Cancel/ }).count()).to.equal(0);
    expect(sockets[0]?.destroyed).to.equal(true);
    const [row] = await daemon.agent.history({ limit: 1 });
    expect(row).to.include({ status: "error" }).and.to.have.nested.property("result.error", "cancelled");
    await page.reload();
    await isStopped();
  });

  it("says of the calls of a turn that was stopped that they were not sent, live and after a reload @all", async () => {
    const named = ["Ada", "Bob"].map((name) => ({ id: name, name: "create_pet", arguments: { name } }));
    const calls = [...named, { id: "list", name: "list_pets", arguments: {} }];
    const turns = [{ prompt: "make", replies: [{ calls }, { text: "Done." }] }];
    const daemon = await browser.daemon({ target: target.url, turns, config: { safety: { confirm: true } } });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "make two pets");
    await page.getByRole("region", { name: "2 calls wait for a decision" }).waitFor();
    await page.keyboard.press("Escape");
    const card = page.getByRole("group", { name: /^Tool call / });
    const outcome = (at: number) => card.nth(at).locator(".call-outcome");
    for (const at of [0, 1, 2]) await outcome(at).getByText("Not sent: the turn was stopped").waitFor();
    for (const at of [0, 1]) await outcome(at).getByText("denied", { exact: true }).waitFor();
    const live = await card.locator(".call-outcome").allInnerTexts();
    await page.reload();
    await outcome(2).getByText("Not sent: the turn was stopped").waitFor();
    expect(await card.locator(".call-outcome").allInnerTexts()).to.deep.equal(live);
    expect(live[2]).to.match(/stopped/);
    // Once on each card.
    expect(await page.getByText("Not sent: the turn was stopped").count()).to.equal(3);
    expect(await page.getByText("You refused this call").count()).to.equal(0);
    expect(sockets).to.deep.equal([]);
  });

  it("says without being asked what is known of a change that was stopped @all", async () => {
    const calls = [{ id: "call_1", name: "create_pet", arguments: { name: "Rex" } }];
    const turns = [{ prompt: "make", replies: [{ calls }, { text: "It may be there." }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "make a pet");
    await until(() => sockets.length === 1);
    await clickAway(page.getByRole("button", { name: "Cancel call create_pet" }));
    await page.getByRole("log").getByText("It may be there.").waitFor();
    const card = page.getByRole("group", { name: "Tool call create_pet" });
    await card.getByText(/^You stopped this call before .* The request may have been carried out/).waitFor();
    await page.reload();
    await card.getByText(/^You stopped this call before .* The request may have been carried out/).waitFor();
  });
});
