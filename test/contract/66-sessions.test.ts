// Many sessions side by side: who may continue them, that none is lost, that none reads another, that all are recorded.
// Source: docs/reference.md, "Sessions and turns".

import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonValue } from "../../src/lib/json.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { echo, json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { startVendor, type Vendor, type VendorRequest } from "../support/vendor.js";

/** More than a daemon keeps in memory. */
const SESSIONS = 230;

const messagesOf = ({ body }: VendorRequest): { role: string; content?: JsonValue }[] =>
  (body["messages"] as unknown as { role: string; content?: JsonValue }[]).filter(({ role }) => role !== "system");
const lastOf = (request: VendorRequest): string => JSON.stringify(messagesOf(request).at(-1)?.content ?? "");

describe("Sessions and turns: side by side", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon;

  before(async () => {
    vendor = await startVendor();
    target = await startTarget(echo);
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m", result_budget: 2_000 };
    daemon = await startDaemon({
      target: target.url,
      config: { default_provider: "fake", providers: { fake }, max_turns: 16 },
    });
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
    await target.close();
  });

  const run = async (message: string, session_id?: string, client = "one"): Promise<string> => {
    const answer = await postJson(
      `${daemon.url}/run`,
      { message, session_id },
      { headers: { "x-agentd-client": client } },
    );
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { session_id: string }).session_id;
  };

  it("E1 continue for every caller that names them; ids that the daemon makes cannot be guessed", async () => {
    vendor.script(() => ({ text: "noted" }));
    const id = await run("my word is Rumpelstilzchen");
    const other = await run("hello");
    for (const made of [id, other])
      expect(made).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    vendor.script(() => ({ text: "Rumpelstilzchen" }));
    expect(await run("what is it?", id, "another")).to.equal(id);
    const chat = await openChat(`${daemon.url}/chat?session_id=${id}`);
    chat.send("and over here?");
    await chat.turns();
    chat.close();
    for (const request of vendor.requests) expect(request.text).to.contain("my word is");
    expect((await transcriptOf(daemon.agent, id))?.map(({ client }) => client)).to.have.members([
      "one",
      "another",
      "websocket",
    ]);
  });

  it("E4 keep their messages when there are more of them than memory keeps @all", async function () {
    this.timeout(60_000);
    vendor.script(() => ({ text: "noted" }));
    const numbers = Array.from({ length: SESSIONS }, (_, n) => n);
    for (let at = 0; at < SESSIONS; at += 8)
      await Promise.all(numbers.slice(at, at + 8).map((n) => run(`the word of ${n} is w${n}w`, `many-${n}`)));
    vendor.requests.length = 0;
    for (const n of [0, 1, SESSIONS - 1]) await run("what is it?", `many-${n}`);
    expect(vendor.requests.map((request) => messagesOf(request).map(({ role }) => role))).to.deep.equal(
      Array(3).fill(["user", "assistant", "user"]),
    );
    for (const [at, n] of [0, 1, SESSIONS - 1].entries())
      expect(vendor.requests[at]?.text).to.contain(`the word of ${n} is w${n}w`);
  });

  it("E7 read nothing of one another, not even in the results of calls", async () => {
    const secrets = Array.from({ length: 6 }, (_, n) => `secret-word-${n}-`);
    const owner = (request: VendorRequest): string =>
      /secret-word-\d-/.exec(JSON.stringify(messagesOf(request)[0]))?.[0] ?? "";
    target.answer(({ body }) => json({ echo: body.toString("utf8"), rows: Array(300).fill(body.toString("utf8")) }));
    vendor.script((request) => {
      const last = messagesOf(request).at(-1);
      const makes = last?.role === "user" && lastOf(request).includes("create");
      if (makes) return { calls: [{ id: "same", name: "create_pet", arguments: { name: `${owner(request)}pet` } }] };
      if (last?.role === "user" && lastOf(request).includes("again"))
        return { calls: [{ id: "again", name: "read_result", arguments: { call_id: "same" } }] };
      return { text: "fine" };
    });
    for (const verb of ["create", "read it again", "go on"])
      await Promise.all(secrets.map((secret, n) => run(`${verb} ${secret}`, `own-${n}`)));
    expect(vendor.requests.length).to.be.at.least(5 * secrets.length);
    for (const request of vendor.requests) {
      const words = new Set(request.text.match(/secret-word-\d-/g));
      expect([...words]).to.deep.equal([owner(request)]);
    }
    target.answer(echo);
  });

  it("J8 are recorded from the command line as over the network, in process and through a daemon @all", async function () {
    this.timeout(60_000);
    const CREATE = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
    const home = dataDir({
      target: target.url,
      turns: [{ prompt: "create", replies: [CREATE, { text: "Created." }] }],
    });
    const rows = async (): Promise<HistoryEntry[]> =>
      JSON.parse((await agentd(["history", "--json", "--data-dir", home.dir])).stdout);
    target.requests.length = 0;
    const args = ["run", "create one", "--data-dir", home.dir];
    expect((await agentd(args)).code).to.equal(0);
    expect((await agentd(["chat", "--data-dir", home.dir], { input: "create one\n" })).code).to.equal(0);
    expect(target.requests).to.have.length(2);
    expect((await rows()).map(({ status, tool }) => `${status} ${tool}`)).to.deep.equal(Array(2).fill("ok create_pet"));
    const served = await serve(["--data-dir", home.dir]);
    expect((await agentd(args)).code).to.equal(0);
    expect(target.requests).to.have.length(3);
    expect(await rows()).to.have.length(3);
    await served.stop();
    await stopAll();
  });
});
