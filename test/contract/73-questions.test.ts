// What an application asks in the middle of a call, through public entry points only: the application is played, the rest is real.
// Source: docs/reference.md, "Questions of an application".
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { InputAnswer, InputRequest } from "../../src/domain/input.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import { type AskingOptions, startAsking } from "../support/asking-agent.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { type ChatClient, kinds, openChat } from "../support/raw.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const SEATS: InputRequest = {
  message: "How many seats?",
  fields: { type: "object", properties: { seats: { type: "integer" }, note: { type: "string" } }, required: ["seats"] },
};

describe("Questions of an application", () => {
  let dir: string;
  let asking: Awaited<ReturnType<typeof startAsking>>;
  const answers: InputAnswer[] = [];
  const clients: ChatClient[] = [];

  beforeEach(() => {
    dir = temporaryFolder("questions");
    answers.length = 0;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await asking.close();
  });

  const open = async (options: AskingOptions = {}): Promise<void> => {
    asking = await startAsking(
      dir,
      async ({ ask: askPerson, onProgress }) => {
        onProgress("on it");
        answers.push(await askPerson(SEATS));
        return answers.at(-1)?.action ?? null;
      },
      options,
    );
  };
  const pending = () => getJson<Confirmation[]>(`${asking.url}/-/confirmations?status=pending`);
  const question = async (): Promise<Confirmation> => {
    await until(async () => (await pending()).length === 1);
    const [one] = await pending();
    if (!one) throw new Error("nothing is asked");
    return one;
  };
  const decide = async (id: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await postJson(`${asking.url}/-/confirmations/${id}`, body);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const startChat = async (): Promise<ChatClient> => {
    const client = await openChat(`${asking.url}/chat?events=extended`);
    clients.push(client);
    client.send({ message: "go" });
    await client.until(() => client.frames.some(({ kind }) => kind === "confirmation_required"));
    return client;
  };
  const detach = async (): Promise<string> => {
    const response = await postJson(`${asking.url}/run`, { message: "go", session_id: "s", detach: true });
    expect(response.status).to.equal(202);
    return ((await response.json()) as { turn_id: string }).turn_id;
  };
  const replay = async (turn_id: string): Promise<TurnEvent[]> => {
    const response = await fetch(`${asking.url}/-/turns/${turn_id}/events`, {
      headers: { accept: "application/json" },
    });
    return ((await response.json()) as { events: TurnEvent[] }).events;
  };

  it("are answered on /chat, where the turn waits for it", async () => {
    await open();
    const client = await startChat();
    const { id } = await question();
    client.send({ type: "confirm", id, decision: "approve", arguments: { seats: 2 } });
    await client.until(() => client.frames.at(-1)?.kind === "done");
    expect(kinds(client.frames)).to.deep.equal([
      "user_prompt",
      "session",
      "tool_call",
      "notice",
      "confirmation_required",
      "confirmation_resolved",
      "tool_result",
      "assistant_message",
      "done",
    ]);
    expect(answers).to.deep.equal([{ action: "accept", values: { seats: 2 } }]);
  });

  it("wait in a detached turn for anyone; an answer that does not fit is 400 and names the field, the first that does counts", async () => {
    await open();
    const turn_id = await detach();
    const { id, input, request, arguments: args, history_id } = await question();
    expect({ input, request, args }).to.deep.equal({ input: SEATS, request: { asks: SEATS.message }, args: {} });
    const refused = await decide(id, { decision: "approve", arguments: { seats: "two" } });
    expect(refused.status).to.equal(400);
    expect(refused.body).to.have.nested.property("error.code", "invalid_body");
    expect(JSON.stringify(refused.body)).to.contain("seats");
    const decided = await decide(id, { decision: "approve", arguments: { seats: 2 } });
    expect(decided.status).to.equal(200);
    expect(decided.body)
      .to.deep.include({ status: "approved", arguments: { seats: 2 } })
      .and.not.to.have.property("outcome");
    expect((await decide(id, { decision: "deny" })).status).to.equal(409);
    await until(() => answers.length === 1);
    const rows = await getJson<HistoryEntry[]>(`${asking.url}/history`);
    expect(rows.find((row) => row.id === history_id)).to.deep.include({
      status: "ok",
      result: { seats: 2 },
      arguments: {},
    });
    // Also from the record alone, by another daemon.
    const live = await replay(turn_id);
    await asking.close();
    await open();
    expect(await replay(turn_id)).to.deep.equal(live);
    expect(kinds(live)).to.include("confirmation_required");
  });

  it("of a turn whose client goes away end with it, and answering them then is 409", async () => {
    await open();
    const client = await startChat();
    const { id } = await question();
    client.close();
    await until(async () => (await pending()).length === 0);
    expect((await decide(id, { decision: "approve", arguments: { seats: 2 } })).status).to.equal(409);
    expect(answers).to.deep.equal([{ action: "cancel" }]);
  });

  it("that expire are answered by nobody, and the call goes on", async () => {
    await open({ ttlMs: 50 });
    const events = await replay(await detach());
    expect(events.find(({ kind }) => kind === "confirmation_resolved")).to.have.property("decision", "expired");
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(kinds(events).at(-1)).to.equal("done");
  });

  it("are put to nobody by POST /run, whose model reads what was asked", async () => {
    const sent: string[] = [];
    await open({ onReply: (messages) => sent.push(JSON.stringify(messages)) });
    const events = await ask(asking.url, { message: "go" });
    expect(kinds(events)).to.deep.equal(["user_prompt", "tool_call", "tool_result", "assistant_message", "done"]);
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(sent.at(-1)).to.contain("How many seats?").and.to.contain("nobody can be asked here");
    expect(await pending()).to.deep.equal([]);
  });
});
