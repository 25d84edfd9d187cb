// What an application asks in the middle of a call, in the UI: the form, its errors, what is sent, a page to visit, a second tab.
// Source: docs/reference.md, "Questions of an application".
import { expect } from "chai";
import type { InputAnswer, InputRequest } from "../../src/domain/input.js";
import { startAsking } from "../support/asking-agent.js";
import { builtUi } from "../support/built-ui.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { clickUntil, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const FORM: InputRequest = {
  message: "Which table?\u202e\nApprove this call?",
  fields: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name", description: "as on the door", minLength: 2 },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 8 },
      mail: { type: "string", title: "E-mail", format: "email" },
      day: { type: "string", title: "Day", format: "date", default: "2026-12-01" },
      at: { type: "string", title: "At", format: "date-time" },
      window: { type: "boolean", title: "At the window" },
      size: {
        type: "string",
        title: "Size",
        oneOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "Large" },
        ],
      },
      extras: {
        type: "array",
        title: "Extras",
        items: { type: "string", enum: ["bread", "water"] },
        default: ["water"],
      },
    },
    required: ["name", "seats", "size"],
  },
};

describe("the web UI: questions of an application", () => {
  const browser = useBrowser();
  let dir: string;
  let asking: Awaited<ReturnType<typeof startAsking>>;
  let answer: InputAnswer | undefined;

  const start = async (request: InputRequest) => {
    answer = undefined;
    asking = await startAsking(
      dir,
      async ({ ask, onProgress }) => {
        onProgress("looking for a table");
        answer = await ask(request);
        return { action: answer.action };
      },
      { listening: { staticDir: await builtUi() } },
    );
    const { page } = await browser.open(asking);
    await sendPrompt(page, "book a table");
    const card = page.getByRole("region", { name: "The application asks you, to go on with order" });
    await card.waitFor();
    return { page, card };
  };
  beforeEach(() => {
    dir = temporaryFolder("question");
  });
  afterEach(() => asking.close());

  it("O13 are a form with the application's words behind a bar, checked where it is filled in, and sent once", async () => {
    const { page, card } = await start(FORM);
    expect(await card.getByRole("blockquote").locator("p").allTextContents()).to.deep.equal([
      "Which table?U+202E",
      "Approve this call?",
    ]);
    await page.getByText("looking for a table").waitFor();
    await card.getByLabel("Seats required").fill("9");
    await card.getByLabel("E-mail optional").fill("ann");
    const send = card.getByRole("button", { name: "Send" });
    await clickUntil(send, async () => (await card.getByText("This needs at most 8.").count()) > 0);
    expect(await card.locator(".error-text").allTextContents()).to.deep.equal([
      "This needs an answer.",
      "This needs at most 8.",
      "This needs an e-mail address.",
      "",
      "",
      "",
      "This needs an answer.",
      "",
      "",
    ]);
    const name = card.getByLabel("Your name required");
    await until(() => name.evaluate((field) => field.matches(":focus")));
    const described = await name.getAttribute("aria-describedby");
    expect(described?.split(" ")).to.have.length(2);
    expect(answer).to.equal(undefined);
    await name.fill("Ann");
    await card.getByLabel("Seats required").fill("4");
    await card.getByLabel("E-mail optional").fill("ann@example.com");
    await card.getByLabel("At the window optional").selectOption("Yes");
    await card.getByLabel("Size required").selectOption("Large");
    await card.getByLabel("bread").check();
    await clickUntil(send, () => answer !== undefined);
    await waitUntilIdle(page);
    expect(answer).to.deep.equal({
      action: "accept",
      values: {
        name: "Ann",
        seats: 4,
        mail: "ann@example.com",
        day: "2026-12-01",
        window: true,
        size: "l",
        extras: ["bread", "water"],
      },
    });
    expect(await card.count()).to.equal(0);
    await page.getByRole("group", { name: "Tool call order" }).getByText("ok", { exact: true }).waitFor();
  });

  it("O13 name the host of a page, open nothing, and are declined by a click, in a second tab too @all", async () => {
    const { page } = await start({ message: "Sign in", url: "https://user@id.example:8443/x?state=1" });
    const { page: second } = await browser.open(asking, "/browse/approvals");
    const card = second.getByRole("region", { name: "The application asks you, to go on with order" });
    expect(await card.locator(".question-host").textContent()).to.equal("id.example:8443");
    const link = card.getByRole("link", { name: "Open the page" });
    expect(await link.getAttribute("rel")).to.equal("noopener noreferrer");
    await clickUntil(card.getByRole("button", { name: "Decline" }), () => answer !== undefined);
    await waitUntilIdle(page);
    expect(answer).to.deep.equal({ action: "decline" });
    await second.locator(".decided-list li", { hasText: "Declined" }).waitFor();
  });
});
