// Sessions that are named, searched and exported. Source: docs/reference.md, "Sessions and turns".

import { expect } from "chai";
import type { SessionSummary } from "../../src/domain/record.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { transcriptOf } from "../support/transcript.js";

describe("Sessions and turns: names and search", () => {
  let daemon: Daemon;
  const list = (query = ""): Promise<SessionSummary[]> => getJson(`${daemon.url}/-/sessions${query}`);
  const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ session_id }) => session_id);
  const rename = (id: string, title: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${daemon.url}/-/sessions/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ title }),
    });

  before(async () => {
    const call = { calls: [{ id: "c1", name: "list_pets", arguments: { note: "quagga" } }], text: "Looking." };
    daemon = await startDaemon({
      turns: [
        { prompt: "weather", replies: [{ text: `${"Long before. ".repeat(20)}It is SUNNY in Zürich today.` }] },
        { prompt: "pets", replies: [call, { text: "There are `none`." }] },
      ],
    });
    for (const message of ["weather please", "pets please", "something else"])
      await postJson(`${daemon.url}/run`, { message, session_id: message.split(" ")[0] });
  });
  after(() => daemon.close());

  it("have the title they are given, until it is taken away", async () => {
    const named = await rename("pets", "  My\n animals ");
    expect(named.status).to.equal(200);
    expect(await named.json()).to.deep.include({ session_id: "pets", title: "My animals" });
    expect((await list()).map(({ title }) => title)).to.include("My animals");
    expect(((await (await rename("pets", "")).json()) as SessionSummary).title).to.equal("pets please");
    expect((await rename("unknown", "x")).status).to.equal(404);
    for (const wrong of ["x".repeat(201), 7]) expect((await rename("pets", wrong)).status).to.equal(400);
  });

  it("are found by words in their titles, prompts and answers, whatever the case, with the words around them", async () => {
    const [found, ...others] = await list("?q=sunny in z%C3%9Crich");
    expect(others).to.deep.equal([]);
    const [turn] = (await transcriptOf(daemon.agent, "weather")) ?? [];
    expect(found?.match?.turn_id).to.equal(turn?.turn_id);
    expect(found?.match?.text).to.match(/^….*It is SUNNY in Zürich today\.$/);
    expect(await ids("?q=please")).to.deep.equal(["pets", "weather"]);
    expect(await ids("?q=please&limit=1")).to.deep.equal(["pets"]);
    expect(await ids("?q=please&before=pets")).to.deep.equal(["weather"]);
    // Neither what calls were made with nor what they answered, nor a part of a pattern.
    expect(await ids("?q=quagga")).to.deep.equal([]);
    expect(await ids("?q=%25")).to.deep.equal([]);
    await rename("something", "Grüße");
    expect(await ids("?q=GR%C3%9CSSE")).to.deep.equal([]);
    expect(await ids("?q=gr%C3%BC")).to.deep.equal(["something"]);
  });

  it("are Markdown for a client that takes that, with nothing in it that ends a quotation or code", async () => {
    const answer = await fetch(`${daemon.url}/-/sessions/pets`, {
      headers: { accept: "text/Markdown; charset=utf-8" },
    });
    expect(answer.headers.get("content-type")).to.equal("text/markdown; charset=utf-8");
    expect(answer.headers.get("content-disposition")).to.equal('attachment; filename="conversation.md"');
    const text = await answer.text();
    expect(text).to.match(/^# pets please\n/);
    for (const part of ["> pets please", "Looking.", "Call: **list\\_pets**", "There are `none`."])
      expect(text).to.contain(part);
    expect(await (await fetch(`${daemon.url}/-/sessions/pets`)).json()).to.include({ title: "pets please" });
  });
});

describe("Sessions and turns: a long record", () => {
  it("is searched to its end, in several steps @all", async function () {
    this.timeout(60_000);
    const long = "word ".repeat(200);
    const daemon = await startDaemon({ turns: [{ prompt: "p", replies: [{ text: long }] }] });
    for (let n = 0; n < 40; n++)
      await Promise.all(
        Array.from({ length: 10 }, (_, i) => postJson(`${daemon.url}/run`, { message: `p${n}`, session_id: `s${i}` })),
      );
    const found = await getJson<SessionSummary[]>(`${daemon.url}/-/sessions?q=nowhere`);
    expect(found).to.deep.equal([]);
    expect(await getJson<SessionSummary[]>(`${daemon.url}/-/sessions?q=word`)).to.have.length(10);
    await daemon.close();
  });
});
