// Signing in: the daemon's own page without a token, the UI's form for a token that is no longer right, and where the token is
// stored and sent.
import { expect } from "chai";
import { sendPrompt, useBrowser } from "./browser.js";

const TOKEN = "s3cret-canary+token";

describe("the web UI: signing in", () => {
  const browser = useBrowser();
  const daemon = (token = TOKEN) => browser.daemon({ listen: { token } });

  it("refuses a wrong token and accepts the right one, and a prompt works", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page
      .getByRole("alert")
      .getByText(/not the token/)
      .waitFor();
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await sendPrompt(page, "hello");
    await page.locator(".answer", { hasText: /^ok$/ }).waitFor();
  });

  it("stays signed in over a reload @all", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await sendPrompt(page, "hello");
    await page.locator(".answer", { hasText: /^ok$/ }).waitFor();
    await page.reload();
    await page.locator(".answer", { hasText: /^ok$/ }).waitFor();
  });

  it("N9 keeps the token in sessionStorage, not in localStorage, a cookie or the address", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("What should be done?").waitFor();
    expect(await page.evaluate<string>("sessionStorage.getItem('agentd.token')")).to.equal(TOKEN);
    expect(
      await page.evaluate<string>("JSON.stringify(localStorage) + document.cookie + location.href"),
    ).to.not.contain(TOKEN);
    const state = JSON.stringify(await page.context().storageState());
    expect(state).to.not.contain(TOKEN);
  });

  it("displays its own form when the stored token is no longer right, instead of retrying for ever @all", async () => {
    const { page, requests } = await browser.open(await daemon());
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("What should be done?").waitFor();
    await page.evaluate("sessionStorage.setItem('agentd.token', 'rotated')");
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to agentd" }).waitFor();
    requests.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(requests).to.deep.equal([]);
    await page.getByLabel("Token").fill("wrong again");
    await page.keyboard.press("Enter");
    await page.getByText("That token is not right.").waitFor();
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("What should be done?").waitFor();
  });

  it("leads to the form when the connection is refused because the token changed, and keeps what was typed @all", async () => {
    const first = await daemon();
    const { page, requests } = await browser.open(first);
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("What should be done?").waitFor();
    await page.getByLabel("Prompt", { exact: true }).fill("half a sentence");
    await first.close();
    await browser.daemon({ listen: { token: "another", port: first.port } });
    await page.getByRole("heading", { name: "Sign in to agentd" }).waitFor();
    requests.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(requests).to.deep.equal([]);
    await page.getByLabel("Token").fill("another");
    await page.keyboard.press("Enter");
    await page.getByText("What should be done?").waitFor();
    expect(await page.getByLabel("Prompt", { exact: true }).inputValue()).to.equal("half a sentence");
  });

  it("forgets the token and what was typed on signing out", async () => {
    const { page } = await browser.open(await daemon());
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByLabel("Prompt", { exact: true }).fill("half a sentence");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to agentd" }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('agentd.token')")).to.equal(null);
    expect(await page.evaluate<string>("JSON.stringify(localStorage)")).to.not.contain("half a sentence");
  });

  it("O5 takes neither a token nor a server from the address", async () => {
    const here = await daemon();
    const evil = `ws://evil.example/&token=${encodeURIComponent(TOKEN)}`;
    const { page } = await browser.open(here, `/?token=${encodeURIComponent(TOKEN)}&gatewayUrl=${evil}&server=${evil}`);
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate("sessionStorage.getItem('agentd.token')")).to.equal(null);
    const open = await browser.daemon();
    const { page: second, requests } = await browser.open(
      open,
      `/?gatewayUrl=${evil}&server=${evil}&base_url=${evil}#${evil}`,
    );
    await sendPrompt(second, "hello");
    await second.locator(".answer", { hasText: /^ok$/ }).waitFor();
    const sockets = requests.filter((url) => /^wss?:/.test(url)).map((url) => new URL(url).host);
    expect([...new Set(sockets)]).to.deep.equal([new URL(open.url).host]);
  });
});
