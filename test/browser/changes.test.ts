// What others do reaches every tab by itself: sessions, held calls, tools and the open conversation. A real browser on a real daemon.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const call = { calls: [{ id: "call_1", name: "create_pet", arguments: { name: "Rex" } }] };

describe("the web UI: what changes elsewhere", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 7, name: "Rex" }, 201));
  });
  afterEach(() => target.close());
  const daemon = () =>
    browser.daemon({ target: target.url, turns: [{ prompt: "create", replies: [call, { text: "That is that." }] }] });

  it("reaches every tab: sessions that begin and go, a call that is held and decided, tools that are others", async () => {
    const here = await daemon();
    const [one, two] = await Promise.all([browser.open(here), browser.open(here, "/browse/tools")]);
    const sessionsOf = (page: typeof one.page) => page.getByRole("navigation", { name: "Sessions" });
    await sessionsOf(one.page).waitFor({ state: "attached" });
    const run = { message: "create a pet", session_id: "script", confirm: true };
    expect((await postJson(`${here.url}/run`, run)).status).to.equal(200);
    for (const { page } of [one, two]) {
      await sessionsOf(page).getByText("create a pet").waitFor();
      await page.getByRole("link", { name: "Approvals 1" }).waitFor();
    }
    const [held] = await here.agent.confirmations({ limit: 1 });
    await one.page.getByRole("link", { name: "create a pet" }).click();
    await one.page.getByRole("region", { name: "Approve this call? create_pet" }).waitFor();
    await postJson(`${here.url}/-/confirmations/${held?.id}`, { decision: "approve" });
    await one.page.getByRole("region", { name: "Approve this call? create_pet" }).waitFor({ state: "detached" });
    await one.page.getByRole("group", { name: "Tool call create_pet" }).getByText("ok", { exact: true }).waitFor();
    for (const { page } of [one, two]) await page.getByRole("link", { name: "Approvals", exact: true }).waitFor();

    const file = join(here.dataDir, "schema.json");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("get_pet", "fetch_pet"));
    await two.page.getByText("fetch_pet").first().waitFor();

    await fetch(`${here.url}/-/sessions/script`, { method: "DELETE" });
    await one.page.getByText("This session was deleted elsewhere.").waitFor();
    for (const { page } of [one, two]) await sessionsOf(page).getByText("create a pet").waitFor({ state: "detached" });
  });

  it("reaches a page whose conversation is another one @all", async () => {
    const here = await daemon();
    const { page } = await browser.open(here);
    await sendPrompt(page, "hello");
    await waitUntilIdle(page);
    await postJson(`${here.url}/run`, { message: "from a script", session_id: "script" });
    await page.getByRole("link", { name: "from a script" }).waitFor();
  });
});
