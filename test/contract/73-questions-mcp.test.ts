// What a real MCP server of either era asks in the middle of a call: an elicitation becomes a confirmation with a form, its answer
// reaches the server, and its progress the turn. Source: docs/reference.md, "Questions of an application".
import { expect } from "chai";
import type { Confirmation } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { fixtureProgram } from "../support/mcp.js";
import { ERAS, mcpClient, textOf } from "../support/mcp-client.js";
import { type ChatClient, openChat } from "../support/raw.js";
import { agentd } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Questions of an MCP server", function () {
  this.timeout(60_000);
  let dir: string;
  let daemon: Daemon;
  let client: ChatClient | undefined;

  afterEach(async () => {
    client?.close();
    client = undefined;
    await daemon.close();
  });

  /** A daemon with the server as its application; its model calls this tool. */
  const open = async (era: string, name: string, args: JsonObject = {}): Promise<void> => {
    dir = temporaryFolder("mcp-questions");
    const { command, folder } = fixtureProgram("--era", era);
    const sync = ["sync", "mcp", "--name", "fixture", "--data-dir", dir, "--", ...command];
    const synced = await agentd(sync, { cwd: folder });
    expect(synced.code, synced.stderr).to.equal(0);
    const replies = [{ calls: [{ id: "c", name: `fixture_${name}`, arguments: args }] }, { text: "done" }];
    daemon = await startDaemon({ dataDir: dir, turns: [{ prompt: "go", replies }] });
  };

  /** Calls a tool in a turn, and answers its questions in order; the result as text. */
  const play = async (era: string, name: string, args: JsonObject, ...decisions: object[]) => {
    await open(era, name, args);
    const chat = await openChat(`${daemon.url}/chat?events=extended`);
    client = chat;
    chat.send({ message: "go" });
    const asked: (Confirmation & { kind: string })[] = [];
    for (const decision of decisions) {
      const find = () => chat.frames.filter(({ kind }) => kind === "confirmation_required")[asked.length];
      await chat.until(() => find() !== undefined);
      const held = find() as unknown as (typeof asked)[number];
      asked.push(held);
      const response = await postJson(`${daemon.url}/-/confirmations/${held.id}`, decision);
      expect(response.status, await response.clone().text()).to.equal(200);
    }
    await chat.until(() => chat.frames.at(-1)?.kind === "done");
    const result = JSON.stringify(chat.frames.find(({ kind }) => kind === "tool_result"));
    return { asked, result };
  };

  it("of the legacy era are answered while the connection waits, and stand in the history with the answer @all", async () => {
    const values = { username: "ann", email: "ann@example.com" };
    const { asked, result } = await play(
      "legacy",
      "test_elicitation",
      { message: "Who are you?" },
      { decision: "approve", arguments: values },
    );
    expect(asked[0]).to.deep.include({ tool: "fixture_test_elicitation", application: "fixture", call_id: "c" });
    expect(asked[0]?.input?.message).to.equal("Who are you?");
    expect(Object.keys((asked[0]?.input?.fields?.["properties"] ?? {}) as object)).to.deep.equal(["username", "email"]);
    expect(result).to.contain("action=accept").and.to.contain("ann@example.com");
    const rows = await getJson<{ result: unknown; status: string }[]>(`${daemon.url}/history`);
    expect(rows.map(({ status }) => status)).to.deep.equal(["ok", "ok"]);
    expect(rows[0]?.result).to.deep.equal(values);
  });

  it("of the modern era are answered round by round @all", async () => {
    const { result } = await play(
      "modern",
      "test_input_required_result_multi_round",
      {},
      { decision: "approve", arguments: { name: "Ann" } },
      { decision: "approve", arguments: { color: "green" } },
    );
    expect(result).to.contain("Ann likes green");
  });

  it("are declined, and a page is visited @all", async () => {
    const { result } = await play("modern", "visit", {}, { decision: "deny" });
    expect(result).to.contain("the person said decline");
  });

  it("come with every kind of choice, and progress with them @all", async () => {
    const choices = { untitledSingle: "option2", titledSingle: "value3", titledMulti: ["value1", "value2"] };
    const { result } = await play(
      "legacy",
      "test_elicitation_sep1330_enums",
      {},
      { decision: "approve", arguments: choices },
    );
    expect(result).to.contain("value3");
  });

  for (const ours of ERAS)
    for (const theirs of ["legacy", "modern"])
      it(`of the ${theirs} era reach a client of /-/mcp of ${ours}, and its answer reaches them @all`, async () => {
        const tool = theirs === "legacy" ? "test_elicitation" : "test_input_required_result_elicitation";
        await open(theirs, tool);
        const asked: string[] = [];
        const values = { username: "ann", email: "ann@example.com" };
        const client = await mcpClient(daemon.url, ours, {
          answer: ({ message, requestedSchema }) => {
            asked.push(message);
            const content = requestedSchema && "name" in requestedSchema.properties ? { name: "Ann" } : values;
            return { action: "accept", content };
          },
        });
        const args = theirs === "legacy" ? { message: "Who are you?" } : {};
        const result = textOf(await client.callTool({ name: `fixture_${tool}`, arguments: args }));
        await client.close();
        expect(asked).to.have.length(1);
        expect(asked[0]).to.match(theirs === "legacy" ? /Who are you\?/ : /What is your name\?/);
        expect(result).to.contain(theirs === "legacy" ? "ann@example.com" : "Hello, Ann!");
      });
});
