// The web UI below a path of a reverse proxy: its files, requests, socket, worker and addresses all stay below it.
import { expect } from "chai";
import type { Page } from "playwright-core";
import { type ReverseProxy, startReverseProxy } from "../support/reverse-proxy.js";
import { sendPrompt, useBrowser } from "./browser.js";

const TOKEN = "s3cret-canary+token";
const BASE = "/tools/agent";

/** The size of a picture as a page that may load it finds it. */
const pixels = (page: Page, url: string): Promise<string> =>
  page.evaluate<string>(
    `new Promise((done, fail) => {
      const image = new Image();
      image.onload = () => done(image.naturalWidth + "x" + image.naturalHeight);
      image.onerror = () => fail(new Error("it does not load"));
      image.src = ${JSON.stringify(url)};
    })`,
  );

describe("the web UI: behind a reverse proxy", () => {
  const browser = useBrowser();
  let proxy: ReverseProxy | undefined;
  afterEach(() => proxy?.close());

  it("signs in, answers, renders, deep links and reloads below the base path", async () => {
    const turns = [{ prompt: "list", replies: [{ text: "A **bold** answer." }] }];
    const { port } = await browser.daemon({ turns, listen: { basePath: BASE, token: TOKEN } });
    proxy = await startReverseProxy({ path: BASE, to: { port } });
    const { page, requests } = await browser.open({ url: proxy.url + BASE }, "");
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await sendPrompt(page, "list the pets");
    await page.locator(".answer strong", { hasText: "bold" }).waitFor();
    expect(new URL(page.url()).pathname).to.match(/^\/tools\/agent\/s\/[^/]+$/);
    await page.reload();
    await page.locator(".answer strong", { hasText: "bold" }).waitFor();
    await page.getByRole("link", { name: "Tools" }).click();
    await page.locator(".tool-head code").first().waitFor();
    expect(new URL(page.url()).pathname).to.equal(`${BASE}/browse/tools`);
    await page.goBack();
    await page.locator(".answer strong", { hasText: "bold" }).waitFor();
    const tools = await page.context().newCDPSession(page);
    const manifest = await tools.send("Page.getAppManifest");
    expect(manifest).to.deep.include({ url: `${proxy.url}${BASE}/manifest.webmanifest`, errors: [] });
    const { start_url, scope, icons } = JSON.parse(manifest.data ?? "");
    for (const place of [start_url, scope]) expect(new URL(place, manifest.url).pathname).to.equal(`${BASE}/`);
    for (const { src, sizes } of icons.slice(0, 3))
      expect(await pixels(page, new URL(src, manifest.url).href)).to.equal(sizes);
    const outside = requests.filter((url) => !new URL(url).pathname.startsWith(BASE));
    expect(outside.filter((url) => !url.startsWith("blob:"))).to.deep.equal([]);
    expect(requests.some((url) => url.startsWith("ws:"))).to.equal(true);
  });
});
