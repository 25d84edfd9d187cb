// agentd as an MCP server, with the official client of either era. Source: docs/mcp.md, "agentd as an MCP server".

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { type ClientOptions, ERAS, type Era, mcpClient, textOf } from "../support/mcp-client.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";

const LONG = "12345678901234567890";

describe("agentd as an MCP server", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  const clients: Client[] = [];

  before(async () => {
    target = await startTarget(() => json({ ok: true }));
  });
  beforeEach(() => {
    target.requests.length = 0;
    target.answer(() => json({ ok: true }));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await daemon.close();
  });
  after(() => target.close());

  const start = async (options: DaemonOptions = {}): Promise<Daemon> => {
    daemon = await startDaemon({ target: target.url, ...options });
    return daemon;
  };
  const connect = async (era: Era, options: ClientOptions = {}): Promise<Client> => {
    const client = await mcpClient(daemon.url, era, options);
    clients.push(client);
    return client;
  };
  const history = () => getJson<HistoryEntry[]>(`${daemon.url}/history`);
  const confirm = { config: { safety: { confirm: true } } };

  for (const era of ERAS) {
    describe(era, () => {
      it("offers the tools of the applications with their safety, and ask", async () => {
        await start({ schema: { ...petShop(target.url), title: "Pets of ours" } });
        const client = await connect(era);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).to.deep.equal([
          "list_pets",
          "get_pet",
          "create_pet",
          "delete_pet",
          "ask",
        ]);
        const [list, get, create, del] = tools;
        expect(get).to.deep.include({ title: "Get pet", description: "get_pet of the shop" });
        expect(get?.inputSchema).to.deep.include({ type: "object", required: ["id"] });
        expect(list?.annotations).to.include({ readOnlyHint: true, destructiveHint: false });
        expect(create?.annotations).to.include({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
        expect(del?.annotations).to.include({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
        expect(client.getServerVersion()).to.include({ name: "agentd" });
        expect(client.getInstructions()).to.match(/^Tools of Pets of ours, .*"ask"/);
      });

      it("I9 J8 a call is made, answered in text and structure with every digit, and recorded", async () => {
        await start();
        target.answer(() => json(`{"id":${LONG}}`));
        const client = await connect(era, { headers: { "X-Session-Id": "talk" } });
        const result = await client.callTool({ name: "get_pet", arguments: { id: 7 } });
        expect(result.isError).to.not.equal(true);
        expect(textOf(result)).to.equal(`{"id":${LONG}}`);
        expect(result.structuredContent).to.deep.equal({ id: Number(LONG) });
        expect(target.requests.map(({ path }) => path)).to.deep.equal(["/pets/7"]);
        const [row] = await history();
        expect(row).to.deep.include({ tool: "get_pet", status: "ok", session_id: "talk", turn_id: "" });
        expect(row).to.deep.include({ client: "contract/1", provider: "", model: "" });
      });

      it("a picture is an image, and its description text and structure", async () => {
        await start();
        const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]);
        target.answer(() => response(200, { "Content-Type": "image/png" }, bytes));
        const client = await connect(era);
        const { content, structuredContent } = await client.callTool({ name: "get_pet", arguments: { id: 7 } });
        expect(structuredContent)
          .to.include({ binary: true, type: "image/png", bytes: 5 })
          .and.not.have.property("data");
        expect(content).to.deep.equal([
          { type: "text", text: JSON.stringify(structuredContent) },
          { type: "image", data: bytes.toString("base64"), mimeType: "image/png" },
        ]);
        expect((await history())[0]?.result).to.have.property(
          "data",
          `data:image/png;base64,${bytes.toString("base64")}`,
        );
      });

      it("a list is text and structure, and what a call cannot be made with is a result the model can read", async () => {
        await start();
        target.answer(() => json([{ id: 1 }]));
        const client = await connect(era);
        const list = await client.callTool({ name: "list_pets", arguments: {} });
        expect(textOf(list)).to.equal('[{"id":1}]');
        expect(list.structuredContent).to.deep.equal(era === "2025-11-25" ? { result: [{ id: 1 }] } : [{ id: 1 }]);
        const wrong = await client.callTool({ name: "get_pet", arguments: { id: "x" } });
        expect(wrong.isError).to.equal(true);
        expect(textOf(wrong)).to.contain("id");
        expect(target.requests).to.have.length(1);
        expect((await history()).map(({ status }) => status)).to.deep.equal(["error", "ok"]);
      });

      it("ask runs a whole turn, tells what goes on, and goes on in its session", async () => {
        const replies = [{ calls: [{ id: "c", name: "list_pets", arguments: {} }] }, { text: "One pet." }];
        await start({ turns: [{ prompt: "how many", replies }] });
        const client = await connect(era);
        const progress: string[] = [];
        const result = await client.callTool(
          { name: "ask", arguments: { prompt: "how many pets?", session_id: "s1" } },
          { onprogress: ({ message = "" }) => progress.push(message) },
        );
        expect(textOf(result)).to.equal("One pet.");
        expect(result.structuredContent).to.include({ session_id: "s1", text: "One pet." });
        expect(progress).to.deep.equal(["calling list_pets", "answered"]);
        const [row] = await history();
        expect(row).to.include({ session_id: "s1", client: "contract/1" });
        expect(row?.turn_id).to.equal((result.structuredContent as { turn_id: string }).turn_id);
      });

      it(`ask tells of a call that is held that it waits, not that it failed${allOnly(era !== ERAS[1])}`, async () => {
        const replies = [
          { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] },
          { text: "It waits." },
        ];
        await start({ turns: [{ prompt: "create", replies }], ...confirm });
        const client = await connect(era);
        const progress: string[] = [];
        await client.callTool(
          { name: "ask", arguments: { prompt: "create Rex" } },
          { onprogress: ({ message = "" }) => progress.push(message) },
        );
        expect(progress).to.deep.equal(["calling create_pet", "waits for a yes"]);
        expect(target.requests).to.have.length(0);
      });

      it("a call that needs a yes asks for it in the client, and is made once", async () => {
        await start(confirm);
        const asked: string[] = [];
        const client = await connect(era, {
          answer: ({ message }) => {
            asked.push(message);
            return { action: "accept", content: { approve: true } };
          },
        });
        const result = await client.callTool({ name: "create_pet", arguments: { name: "Rex" } });
        expect(textOf(result)).to.equal('{"ok":true}');
        expect(asked).to.have.length(1);
        expect(asked[0]).to.contain("create_pet").and.contain('"Rex"').and.contain(`POST ${target.url}/pets`);
        expect(target.requests).to.have.length(1);
        expect((await history()).map(({ status }) => status)).to.deep.equal(["ok"]);
      });

      it("a call of ask that would do something else by the time of the yes is asked about anew, and made once", async () => {
        const calls = [{ id: "c", name: "delete_pet", arguments: { id: 1 } }];
        await start({ turns: [{ prompt: "delete", replies: [{ calls }, { text: "Gone." }] }], ...confirm });
        const asked: string[] = [];
        target.answer(() => json({ id: 1, name: "Rex" }));
        const client = await connect(era, {
          answer: ({ message }) => {
            asked.push(message);
            target.answer(() => json({ id: 1, name: "Bella" }));
            return { action: "accept", content: { approve: true } };
          },
        });
        const result = await client.callTool({ name: "ask", arguments: { prompt: "delete pet 1" } });
        expect(textOf(result)).to.equal("Gone.");
        expect(asked.map((message) => /Rex|Bella/.exec(message)?.[0])).to.deep.equal(["Rex", "Bella"]);
        expect(target.requests.filter(({ method }) => method === "DELETE")).to.have.length(1);
      });

      it("a prompt to ask with several changes asks about one at a time, and each is made once @all", async () => {
        const names = ["Ada", "Bob", "Cleo"];
        const calls = names.map((name) => ({ id: name, name: "create_pet", arguments: { name } }));
        await start({ turns: [{ prompt: "three", replies: [{ calls }, { text: "Done." }] }], ...confirm });
        const open = new Set<string>();
        const asked: string[] = [];
        const client = await connect(era, {
          answer: async ({ message }) => {
            expect([...open]).to.deep.equal([]);
            open.add(message);
            asked.push(message);
            await sleep(50);
            open.delete(message);
            return { action: "accept", content: { approve: !message.includes("Bob") } };
          },
        });
        const result = await client.callTool({ name: "ask", arguments: { prompt: "three pets" } });
        expect(textOf(result)).to.equal("Done.");
        expect(asked.map((message) => names.find((name) => message.includes(name)))).to.deep.equal(names);
        expect(target.requests.map(({ body }) => String(body))).to.deep.equal(['{"name":"Ada"}', '{"name":"Cleo"}']);
      });

      for (const [words, answer] of [
        ["an unticked box", { action: "accept", content: { approve: false, reason: "not today" } }],
        ["a closed form", { action: "decline" }],
      ] as const)
        it(`${words} is a no: nothing is sent, and the model reads why`, async () => {
          await start(confirm);
          const client = await connect(era, { answer: () => answer });
          const result = await client.callTool({ name: "create_pet", arguments: { name: "Rex" } });
          expect(result.isError).to.equal(true);
          expect(textOf(result)).to.contain(answer.action === "accept" ? "not today" : "declined");
          expect(target.requests).to.have.length(0);
          expect((await history()).map(({ status }) => status)).to.deep.equal(["denied"]);
        });

      it("a dialog that is dismissed decides nothing: the call stays held, under its id and page", async () => {
        await start(confirm);
        const client = await connect(era, { answer: () => ({ action: "cancel" }) });
        const result = await client.callTool({ name: "create_pet", arguments: { name: "Rex" } });
        expect(result.isError).to.equal(true);
        expect(textOf(result)).to.contain("confirmation_required").and.contain(`${daemon.url}/browse/approvals`);
        expect((await history()).map(({ status }) => status)).to.deep.equal(["held"]);
      });

      it("a client that cannot ask gets the id and the page, and no argument confirms", async () => {
        await start(confirm);
        const client = await connect(era);
        const result = await client.callTool({ name: "delete_pet", arguments: { id: 1 } });
        expect(result.isError).to.equal(true);
        const said = JSON.parse(textOf(result)) as { error: string; confirmation_id: string; page: string };
        expect(said).to.include({ error: "confirmation_required", page: `${daemon.url}/browse/approvals` });
        for (const extra of [{ confirm: true }, { approve: true }, { confirmation_id: said.confirmation_id }])
          expect((await client.callTool({ name: "delete_pet", arguments: { id: 1, ...extra } })).isError).to.equal(
            true,
          );
        const sent = () => target.requests.map(({ method }) => method);
        // The record is read to show what would change, and again before it is.
        expect(sent()).to.deep.equal(["GET"]);
        const decided = await postJson(`${daemon.url}/-/confirmations/${said.confirmation_id}`, {
          decision: "approve",
        });
        expect(decided.status).to.equal(200);
        expect(sent()).to.deep.equal(["GET", "GET", "DELETE"]);
      });

      it(`hears that the tools have become others${allOnly(era !== ERAS[1])}`, async () => {
        await start();
        let changes = 0;
        const client = await connect(era, { onToolsChanged: () => void changes++ });
        await client.listTools();
        const { writeFile } = await import("node:fs/promises");
        const shop = JSON.stringify(petShop(target.url)).replaceAll("list_pets", "every_pet");
        await writeFile(`${daemon.dataDir}/schema.json`, shop);
        for (let i = 0; i < 60 && changes === 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
        expect(changes).to.be.greaterThan(0);
      });
    });
  }
});
