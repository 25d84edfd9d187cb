// What the model is told of the person and the application, from a description and a request to the vendor's wire.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import { openapiSource } from "../../src/applications/http/openapi/source.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { TILLS } from "../support/glossary-tools.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor } from "../support/vendor.js";

interface Sent {
  role: string;
  content: string;
}

const STAMP = /\n\nIt is (\w+), (\d{4}-\d{2}-\d{2}) \d\d:\d\d \((.+), GMT[+-]\d\d:\d\d\)\.$/;

describe("What the model is told", () => {
  let vendor: Vendor;
  let daemon: Daemon;
  const config = (): Record<string, unknown> => ({
    default_provider: "m",
    providers: { m: { type: "openai-compatible", base_url: vendor.url, model: "m", max_retries: 0 } },
    target: { glossary: { till: "POS terminal" } },
  });
  before(async () => {
    vendor = await startVendor(() => ({ text: "ok" }));
    const schema = { ...TILLS, title: "Corner shop", description: "Doors and terminals." };
    daemon = await startDaemon({ schema, config: config() });
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
  });

  const run = (body: object): Promise<Response> =>
    fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const sent = (at = -1): Sent[] => vendor.requests.at(at)?.body["messages"] as unknown as Sent[];

  it("has the title and description of the application, and the glossary", async () => {
    await run({ message: "hello" });
    expect(sent()[0]?.content)
      .to.contain('calls it "Corner shop" and says of it "Doors and terminals."')
      .and.contain('- "till" is "POS terminal"');
  });

  it("has the time where the person is behind instructions that stay the same, and the prompt as it was written", async () => {
    for (const [time_zone, session_id] of [
      ["Asia/Tokyo", "s"],
      ["Pacific/Honolulu", "s"],
    ]) {
      const response = await run({ message: `now in ${time_zone}`, time_zone, session_id });
      expect(response.status).to.equal(200);
      const [, , date, zone] = STAMP.exec(sent()[0]?.content ?? "") ?? [];
      expect(zone).to.equal(time_zone);
      expect(date).to.equal(new Intl.DateTimeFormat("en-CA", { timeZone: time_zone }).format());
    }
    const instructions = (at: number): string | undefined => sent(at)[0]?.content.replace(STAMP, "");
    expect(instructions(-1)).to.equal(instructions(-2));
    expect(sent()[1]).to.deep.equal({ role: "user", content: "now in Asia/Tokyo" });
    const transcript = await (await fetch(`${daemon.url}/-/sessions/s`)).text();
    expect(transcript).not.to.contain("It is");
  });

  it("takes the machine's zone for a prompt without one", async () => {
    await run({ message: "now" });
    expect(STAMP.exec(sent()[0]?.content ?? "")?.[3]).to.equal(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it("takes a zone on /chat, too", async () => {
    const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/chat`);
    await new Promise((resolve) => socket.once("open", resolve));
    const done = new Promise<void>((resolve) => {
      socket.on("message", (data) => String(data).includes('"done"') && resolve());
    });
    socket.send(JSON.stringify({ message: "now", time_zone: "Asia/Tokyo" }));
    await done;
    socket.close();
    expect(STAMP.exec(sent()[0]?.content ?? "")?.[3]).to.equal("Asia/Tokyo");
  });

  for (const time_zone of ["Mars/Olympus", "", 7, "+02:00"])
    it(`refuses the time zone ${JSON.stringify(time_zone)} by name`, async () => {
      const response = await run({ message: "now", time_zone });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.contain("time_zone");
    });

  it("takes a changed glossary with a reload", async () => {
    await daemon.reload({ ...config(), target: { glossary: { till: "door" } } });
    await run({ message: "hello" });
    expect(sent()[0]?.content).to.contain('- "till" is "door"').and.not.contain("POS terminal");
  });

  it("takes title and description from an OpenAPI description, as text and short", async () => {
    const dir = temporaryFolder("told");
    const info = {
      title: "The <b>shop</b>",
      version: "1",
      description: `Sells [bread](http://x.example). ${"y ".repeat(900)}`,
    };
    const paths = { "/a": { get: { operationId: "get_a", responses: {} } } };
    const location = join(dir, "openapi.json");
    writeFileSync(location, JSON.stringify({ openapi: "3.1.0", info, paths }));
    const { document } = await openapiSource.read({ location, baseUrl: "http://127.0.0.1:9" });
    expect(document["title"]).to.equal("The shop");
    expect(document["description"])
      .to.match(/^Sells bread\. y y/)
      .and.have.property("length")
      .that.is.at.most(240);
    expect(readFileSync(location, "utf8")).to.contain("<b>");
  });
});
