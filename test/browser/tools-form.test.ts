// Calling a tool by hand: the form made from its schema, what is sent, and what comes back.
import { expect } from "chai";
import type { Locator } from "playwright-core";
import type { HistoryEntry } from "../../src/domain/record.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { clickAway, useBrowser } from "./browser.js";

const schema = (target: string): object => ({
  version: 1,
  source: "openapi",
  base_url: target,
  resources: [
    {
      name: "orders",
      actions: [
        {
          name: "create_order",
          description: "Create an order",
          safety: "mutating",
          parameters: {
            type: "object",
            properties: {
              status: { type: "string", enum: ["open", "paid"], default: "open" },
              customer: { type: "integer", description: "Number of the customer." },
              boxes: { type: "integer", multipleOf: 7 },
              voucher: { type: "string", pattern: "^[A-Z]{3}$" },
              lines: {
                type: "array",
                items: {
                  type: "object",
                  properties: { sku: { type: "string" }, amount: { type: "integer", minimum: 1 } },
                  required: ["sku"],
                },
              },
              address: {
                type: "object",
                maxProperties: 1,
                properties: { city: { type: "string" }, zip: { type: "string", pattern: "^[0-9]{5}$" } },
              },
            },
            required: ["customer"],
          },
          transport: {
            kind: "http",
            method: "POST",
            path: "/orders",
            body: {
              properties: {
                status: "status",
                customer: "customer",
                voucher: "voucher",
                lines: "lines",
                address: "address",
              },
            },
          },
        },
        {
          name: "rebuild_index",
          description: "Rebuild the index",
          safety: "mutating",
          parameters: { type: "object", properties: {} },
          transport: { kind: "http", method: "POST", path: "/index" },
        },
        {
          name: "label_order",
          description: "Label an order",
          safety: "mutating",
          parameters: { type: "object", properties: { labels: { type: "object" }, more: { type: "object" } } },
          transport: {
            kind: "http",
            method: "POST",
            path: "/labels",
            body: { properties: { labels: "labels", more: "more" } },
          },
        },
      ],
    },
  ],
});

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement).catch(() => false);

describe("Calling a tool by hand", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let target: RecordingTarget;

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, done: true }));
  });
  afterEach(() => target.close());

  it("makes a form of the schema, refuses what does not fit beside its field, and shows the answer", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url) });
    const { page } = await browser.open(daemon, "/browse/tools/create_order");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    expect(await page.getByText("This needs an answer.").count()).to.equal(1);
    await page.getByLabel(/^customer/).fill("9007199254740993");
    await page.getByRole("button", { name: "Add lines" }).click();
    await page.getByLabel(/^sku/).fill("A-1");
    await page.getByRole("button", { name: "Add address" }).click();
    await page.getByLabel(/^city/).fill("Bremen");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".value").first().waitFor();
    expect(target.requests.at(-1)?.body.toString()).to.include('"customer":9007199254740993');
    expect(JSON.parse(target.requests.at(-1)?.body.toString() ?? "")).to.deep.include({
      status: "open",
      lines: [{ sku: "A-1" }],
      address: { city: "Bremen" },
    });
    await page.getByRole("button", { name: "Use these arguments" }).click();
    await page.getByRole("button", { name: "Write as JSON" }).click();
    expect(await page.getByLabel(/as JSON/).inputValue())
      .to.include("9007199254740993")
      .and.to.include("Bremen");
  });

  it("goes into the field that is added, and keeps the focus where a part is left out @all", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url) });
    const { page } = await browser.open(daemon, "/browse/tools/create_order");
    for (const value of ["A-1", "B-2"]) {
      await page.getByRole("button", { name: "Add lines" }).press("Enter");
      await page.keyboard.type(value);
      expect(await page.getByLabel(/^sku/).last().inputValue()).to.equal(value);
    }
    await page.getByRole("button", { name: "Add address" }).press("Enter");
    await page.keyboard.type("Bremen");
    expect(await page.getByLabel(/^city/).inputValue()).to.equal("Bremen");
    for (const name of ["Leave out", "Remove lines 2", "Remove lines 1"]) {
      await page.getByRole("button", { name, exact: true }).press("Enter");
      expect(await page.evaluate("document.activeElement?.closest('fieldset') !== null"), name).to.equal(true);
    }
  });

  it("shows what the daemon refuses beside the fields, and goes to the first @all", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url) });
    const sent = target.requests.length;
    const { page } = await browser.open(daemon, "/browse/tools/create_order");
    const boxes = page.getByLabel(/^boxes/);
    const voucher = page.getByLabel(/^voucher/);
    await page.getByLabel(/^customer/).fill("1");
    await boxes.fill("8");
    await voucher.fill("abc");
    await page.getByRole("button", { name: "Add address" }).click();
    await page.getByLabel(/^city/).fill("Bremen");
    await page.getByLabel(/^zip/).fill("1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Refused; nothing was sent." }).waitFor();
    const complaint = async (field: Locator): Promise<string | undefined> => {
      const [id] = ((await field.getAttribute("aria-describedby")) ?? "").split(" ").slice(-1);
      return (await page.locator(`[id="${id}"]`).textContent())?.trim();
    };
    expect(await boxes.getAttribute("aria-invalid")).to.equal("true");
    expect(await complaint(boxes)).to.equal("must be multiple of 7");
    expect(await complaint(voucher)).to.equal('must match pattern "^[A-Z]{3}$"');
    expect(await complaint(page.getByLabel(/^zip/))).to.include("must match pattern");
    expect(await complaint(page.getByRole("group", { name: /^address/ }))).to.include("more than 1");
    await until(() => boxes.evaluate((element) => element === document.activeElement));
    // A complaint goes with what it was about, the others stay.
    await boxes.fill("14");
    await until(async () => (await complaint(boxes)) === "");
    expect(await complaint(voucher)).to.include("must match pattern");
    expect(target.requests).to.have.length(sent);
  });

  it("asks for a confirmation where one is needed, and saves an action", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url), config: { safety: { confirm: true } } });
    const { page } = await browser.open(daemon, "/browse/tools/create_order");
    await page.getByLabel(/^customer/).fill("7");
    await page.getByRole("button", { name: "Save as action" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Deny" }).waitFor();
    const [row] = await getJson<HistoryEntry[]>(`${daemon.url}/history`);
    expect(row).to.include({ tool: "create_order", status: "held", client: "web" });
  });

  it("calls a tool without parameters, saves it as an action, and writes an object of any members as JSON @all", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url) });
    const { page } = await browser.open(daemon, "/browse/tools/rebuild_index");
    await page.getByText("Takes no parameters.").waitFor();
    await page.getByRole("button", { name: "Save as action" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".last-calls li").waitFor();
    expect(target.requests.at(-1)).to.include({ method: "POST", path: "/index" });
    await page.goto(`${daemon.url}/browse/tools/label_order`);
    await page.getByLabel(/^labels optional, as JSON/).fill('{"colour":"red"}');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".last-calls li").waitFor();
    expect(target.requests.at(-1)?.body.toString()).to.equal('{"labels":{"colour":"red"}}');
  });

  it("keeps the buttons in their place and the focus on what is saved @all", async () => {
    const daemon = await browser.daemon({ schema: schema(target.url) });
    const { page } = await browser.open(daemon, "/browse/tools/rebuild_index");
    const sent = target.requests.length;
    const run = page.getByRole("button", { name: "Run", exact: true });
    const save = page.getByRole("button", { name: "Save as action" });
    const title = page.getByLabel("Title of the action");
    const before = await run.boundingBox();
    await save.click();
    await until(() => isFocused(title));
    expect(await run.boundingBox()).to.deep.equal(before);
    const pin = page.getByLabel("On the start page");
    const [box, label] = [await pin.boundingBox(), await page.locator(".save-action label").boundingBox()];
    expect(box?.width, "a checkbox of its own size").to.be.lessThan(25);
    expect(label?.height, "on one line with its label").to.be.lessThan(30);
    await title.press("Escape");
    await until(() => isFocused(save));
    await save.click();
    await title.press("Enter");
    await page.getByText("Saved.").waitFor();
    await until(() => isFocused(save));
    expect(target.requests).to.have.length(sent);
  });

  it("shows what became of a held call in its place, and among the last calls, and keeps the focus @all", async () => {
    target.answer(() => json({ indexed: 12 }));
    const daemon = await browser.daemon({ schema: schema(target.url), config: { safety: { confirm: true } } });
    const { page } = await browser.open(daemon, "/browse/tools/rebuild_index");
    const run = page.getByRole("button", { name: "Run", exact: true });
    const outcome = page.locator(".call-decided");
    const newest = page.locator(".last-calls li").first().locator(".status");
    const decide = async (decision: "Approve" | "Deny") => {
      await run.click();
      await page.locator(".confirmation").waitFor();
      await page.locator(".last-calls .status-held").waitFor();
      expect(await isFocused(run), "the button that was pressed").to.equal(true);
      await clickAway(page.getByRole("button", { name: decision, exact: true }));
      await until(() => isFocused(outcome));
    };
    await decide("Approve");
    await outcome.locator(".value", { hasText: "12" }).waitFor();
    await until(async () => (await newest.textContent()) === "ok");
    target.answer(() => json({ message: "the index is locked" }, 409));
    await decide("Approve");
    await outcome.locator(".failure", { hasText: "the index is locked" }).waitFor();
    await until(async () => (await newest.textContent()) === "error");
    await decide("Deny");
    await outcome.getByText("You refused this call").waitFor();
    await until(async () => (await newest.textContent()) === "denied");
    // A decision that is made elsewhere is told here, too.
    target.answer(() => json({ indexed: 77 }));
    await run.click();
    await page.locator(".confirmation").waitFor();
    const [held] = await getJson<{ id: string }[]>(`${daemon.url}/-/confirmations?status=pending`);
    await postJson(`${daemon.url}/-/confirmations/${held?.id}`, { decision: "approve" });
    await outcome.locator(".value", { hasText: "77" }).waitFor();
  });
});
