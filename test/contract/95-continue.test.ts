// A prompt that goes on from an earlier turn in a new session. Source: docs/reference.md, "Going on from an earlier prompt".

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { TranscriptTurn } from "../../src/domain/record.js";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { startVendor, type Vendor } from "../support/vendor.js";

/** More than stands with the events of a turn. */
const LONG = "x".repeat(3000);

interface Answer {
  session_id: string;
  result: string;
  events: { kind: string }[];
}

describe("Going on from an earlier prompt", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon;
  let dataDir: string;
  const start = async (): Promise<void> => {
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m" };
    daemon = await startDaemon({
      dataDir,
      target: target.url,
      config: { default_provider: "fake", providers: { fake } },
    });
  };

  before(async () => {
    vendor = await startVendor();
    target = await startTarget(() => json([{ id: 1, name: LONG }]));
    dataDir = temporaryFolder("test");
    await start();
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
    await target.close();
  });

  const run = async (body: object, status = 200): Promise<Answer> => {
    const answer = await postJson(`${daemon.url}/run`, body);
    const text = await answer.text();
    expect(answer.status, text).to.equal(status);
    return JSON.parse(text) as Answer;
  };
  const transcript = async (session_id: string): Promise<TranscriptTurn[]> =>
    (await transcriptOf(daemon.agent, session_id)) ?? [];
  const replayed = async (turn_id: string): Promise<Answer & { turn_id: string }> =>
    (await (await fetch(`${daemon.url}/-/turns/${turn_id}/events`)).json()) as Answer & { turn_id: string };
  /** A session of three turns, the first with a call. */
  const conversation = async (): Promise<{ session_id: string; turns: TranscriptTurn[] }> => {
    const replies = [
      { calls: [{ id: "c1", name: "list_pets", arguments: {} }] },
      { text: "one pet" },
      { text: "second answer" },
      { text: "third answer" },
    ];
    vendor.script(() => replies.shift() ?? { text: "ok" });
    const { session_id } = await run({ message: "list the pets" });
    await run({ message: "second", session_id });
    await run({ message: "third", session_id });
    return { session_id, turns: await transcript(session_id) };
  };

  it("begins a session with the turns before it, which the model, the transcript and replays have, also after a restart", async () => {
    const { session_id, turns } = await conversation();
    const rows = await daemon.agent.history({ limit: 100 });
    vendor.requests.length = 0;
    vendor.script(() => ({ text: "another answer" }));
    const next = await run({ message: "second, otherwise", continue_from: turns[1]?.turn_id });
    expect(next.session_id).to.not.equal(session_id);
    expect(vendor.requests[0]?.text).to.contain("list the pets").and.to.contain("one pet");
    expect(vendor.requests[0]?.text).to.not.contain("third");
    expect((await transcript(next.session_id)).map(({ prompt }) => prompt)).to.deep.equal([
      "list the pets",
      "second, otherwise",
    ]);
    const [copy] = await transcript(next.session_id);
    const [original] = turns;
    expect(copy?.messages).to.deep.equal(original?.messages);
    expect(copy?.turn_id).to.not.equal(original?.turn_id);
    // The original is what it was, and no call stands in the history twice.
    expect(await transcript(session_id)).to.deep.equal(turns);
    expect(await daemon.agent.history({ limit: 100 })).to.deep.equal(rows);
    const [summary] = await daemon.agent.sessions({ limit: 1 });
    expect(summary).to.deep.include({
      session_id: next.session_id,
      turns: 2,
      title: "list the pets",
      continues: { session_id, turn_id: turns[1]?.turn_id },
    });
    const events = (await replayed(copy?.turn_id ?? "")).events;
    const before = (await replayed(original?.turn_id ?? "")).events;
    const named = { session_id: next.session_id, turn_id: copy?.turn_id };
    expect(events).to.deep.equal(before.map((event) => (event.kind === "session" ? { ...event, ...named } : event)));
    expect(JSON.stringify(events)).to.contain(LONG);

    // Without the original, and after a restart.
    await fetch(`${daemon.url}/-/sessions/${session_id}`, { method: "DELETE" });
    await daemon.close();
    await start();
    expect((await replayed(copy?.turn_id ?? "")).events).to.deep.equal(events);
    vendor.requests.length = 0;
    await run({ message: "go on", session_id: next.session_id });
    expect(vendor.requests[0]?.text).to.contain("one pet").and.to.contain("second, otherwise");
    const [gone] = await daemon.agent.sessions({ limit: 1 });
    expect(gone?.continues).to.deep.equal({ turn_id: turns[1]?.turn_id });
  });

  it("goes on from the first turn, which copies none, and over /chat in a session of its own", async () => {
    vendor.script(() => ({ text: "hello" }));
    const { session_id } = await run({ message: "hi" });
    const [first] = await transcript(session_id);
    const chat = await openChat(`${daemon.url}/chat?session_id=${session_id}`);
    chat.send({ message: "hi there", continue_from: first?.turn_id });
    await chat.turns();
    chat.close();
    const [newest] = await daemon.agent.sessions({ limit: 1 });
    expect(newest).to.include({ turns: 1, title: "hi there" });
    expect(newest?.session_id).to.not.equal(session_id);
    expect(await transcript(session_id)).to.have.length(1);
  });

  it("is refused for a turn that is not there and for a session that is", async () => {
    vendor.script(() => ({ text: "hello" }));
    const { session_id } = await run({ message: "hi" });
    const [first] = await transcript(session_id);
    await run({ message: "again", continue_from: "unknown" }, 400);
    await run({ message: "again", continue_from: first?.turn_id, session_id }, 400);
    expect(await transcript(session_id)).to.have.length(1);
  });
});

describe("Running a prompt: the application it may use", () => {
  let vendor: Vendor;
  let dataDir: string;
  let daemon: Daemon;
  before(async () => {
    vendor = await startVendor();
    dataDir = temporaryFolder("test");
    await mkdir(join(dataDir, "schemas"));
    await writeFile(join(dataDir, "schemas", "shop.json"), JSON.stringify(petShop("http://127.0.0.1:9")));
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m" };
    daemon = await startDaemon({ dataDir, config: { default_provider: "fake", providers: { fake } } });
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
  });

  const offered = async (application?: string): Promise<string[]> => {
    vendor.script(() => ({ text: "ok" }));
    expect((await postJson(`${daemon.url}/run`, { message: "list pets", application })).status).to.equal(200);
    const tools = (vendor.requests[0]?.body["tools"] ?? []) as unknown as { function: { name: string } }[];
    return tools.map(({ function: { name } }) => name).filter((name) => name.includes("list_pets"));
  };

  it("is all that the model is offered tools of, for that prompt alone", async () => {
    expect(await offered("shop")).to.deep.equal(["shop_list_pets"]);
    expect(await offered("")).to.deep.equal(["list_pets"]);
    expect(await offered()).to.have.members(["list_pets", "shop_list_pets"]);
    const answer = await postJson(`${daemon.url}/run`, { message: "list pets", application: "shp" });
    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.contain("shop");
  });
});
