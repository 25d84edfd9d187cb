// Calls of one reply while they run: all of them together, each with its state, seconds and a button that stops it, though their events
// are held back behind one another. A real browser on a real daemon; the target answers when it is told to.
import type { Socket } from "node:net";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { clickAway, sendPrompt, useBrowser } from "./browser.js";

const read = (id: number) => ({ id: `read_${id}`, name: "get_pet", arguments: { id } });

describe("the web UI: calls side by side", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let requests: Map<string, Socket>;
  beforeEach(async () => {
    requests = new Map();
    target = await startTarget(
      () =>
        (socket, { path }) =>
          void requests.set(path, socket),
    );
  });
  afterEach(() => target.close());

  const arrived = (count: number): Promise<void> => until(() => requests.size === count);
  const answer = (id: number): void => void requests.get(`/pets/${id}`)?.write(json({ name: `pet ${id}` }));
  /** The lines of the groups of the log. */
  const lines = (page: Page): Promise<string[]> => page.locator(".calls-head").allTextContents();
  const card = (page: Page, id: number) =>
    page.getByRole("group", { name: "Tool call get_pet" }).filter({ hasText: `id: ${id}` });

  for (const ids of [[1], [1, 2]])
    it(`count their seconds on over a reload: ${ids.length} @all`, async () => {
      const replies = [{ calls: ids.map(read) }, { text: "Looked." }];
      const daemon = await browser.daemon({ target: target.url, turns: [{ prompt: "look", replies }] });
      const { page } = await browser.open(daemon);
      await sendPrompt(page, "look");
      await arrived(ids.length);
      const seconds = async (id: number) => Number.parseInt(await card(page, id).locator(".seconds").innerText(), 10);
      for (const id of ids) await until(async () => (await seconds(id)) >= 3);
      await page.reload();
      for (const id of ids) expect(await seconds(id)).to.be.at.least(3);
    });

  it("stand together while they run, live and after a reload, and each says at once what became of it", async () => {
    const replies = [
      { calls: [1, 2, 3].map(read) },
      { calls: [read(4)] },
      { calls: [read(5)] },
      { text: "Five pets." },
    ];
    const daemon = await browser.daemon({ target: target.url, turns: [{ prompt: "look", replies }] });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "look");
    await arrived(3);
    const areRunning = async (): Promise<void> => {
      await until(async () => (await lines(page)).join() === "3 calls · 3 running");
      for (const id of [1, 2, 3]) {
        await card(page, id).locator(".seconds").waitFor();
        await card(page, id).getByRole("button", { name: "Cancel call get_pet" }).waitFor();
      }
    };
    await areRunning();
    await page.waitForURL(/\/s\//);
    await page.reload();
    await areRunning();
    answer(2);
    await card(page, 2).getByText("ok", { exact: true }).waitFor();
    await clickAway(card(page, 3).getByRole("button", { name: "Cancel call get_pet" }));
    await card(page, 3).getByText("You stopped this call").waitFor();
    expect(await lines(page)).to.deep.equal(["3 calls · 1 running · 1 ok · 1 stopped"]);
    answer(1);
    await arrived(4);
    answer(4);
    await arrived(5);
    answer(5);
    await page.getByRole("log").getByText("Five pets.").waitFor();
    const isWhole = async (): Promise<void> => {
      await until(async () => (await page.locator(".calls").count()) === 3);
      expect(await lines(page)).to.deep.equal(["3 calls · 2 ok · 1 stopped"]);
      expect(await page.getByRole("group", { name: "Tool call get_pet" }).count()).to.equal(5);
    };
    await isWhole();
    await card(page, 2).getByRole("button").first().click();
    await card(page, 2).getByText("pet 2").waitFor();
    await page.reload();
    await page.getByRole("log").getByText("Five pets.").waitFor();
    await isWhole();
  });
});
