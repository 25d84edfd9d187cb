// Streamable HTTP of the older era as single servers have it: sessions that end, streams that break, and what is said then.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { allOnly } from "../../support/all.js";
import { type McpApplication, openApplication } from "../../support/mcp.js";
import { until } from "../../support/until.js";

type Message = { id?: number; method?: string; params?: { name?: string } };

/** A server with sessions whose tool `act` answers as the test wants it. */
async function startSessions(
  act: (message: Message, response: ServerResponse) => void,
  resume?: (last: string, response: ServerResponse) => void,
) {
  const sessions = new Set<string>();
  const came: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const session = String(request.headers["mcp-session-id"] ?? "");
      const message = (body === "" ? {} : JSON.parse(body)) as Message;
      came.push(`${request.method} ${message.method ?? (message.id === undefined ? "" : "answer")}`.trim());
      const answer = (result: object, headers: Record<string, string> = {}): void => {
        response.writeHead(200, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
      };
      if (message.method === "initialize") {
        const id = `session-${sessions.size + 1}`;
        sessions.add(id);
        const result = {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "sessions", version: "1" },
        };
        return answer(result, { "mcp-session-id": id });
      }
      const last = request.headers["last-event-id"];
      if (request.method === "GET" && last && resume) return resume(String(last), response);
      if (request.method === "GET") return response.writeHead(405).end();
      if (!sessions.has(session)) return response.writeHead(session === "" ? 400 : 404).end();
      if (request.method === "DELETE") return response.writeHead(204).end();
      if (message.method === "tools/list")
        return answer({ tools: [{ name: "act", inputSchema: { type: "object", properties: {} } }] });
      if (message.method === "tools/call") return act(message, response);
      return response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    came,
    sessions,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const done = (message: Message): string =>
  JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text: "done" }] } });
const reply = (message: Message, response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(done(message));
};
const messageOf = ({ value }: { value: JsonValue }): string => String((value as JsonObject)["message"]);

describe("MCP over HTTP with sessions", () => {
  let application: McpApplication | undefined;
  let server: Awaited<ReturnType<typeof startSessions>> | undefined;
  const open = async (...args: Parameters<typeof startSessions>): Promise<McpApplication> => {
    server = await startSessions(...args);
    application = await openApplication({ url: server.url });
    return application;
  };
  afterEach(async () => {
    await application?.close();
    server?.close();
  });

  it("begins a session once, says goodbye, and minds no missing stream", async () => {
    const { call, close } = await open(reply);
    for (let i = 0; i < 2; i++) expect((await call("act")).value).to.equal("done");
    await close();
    const begun = server?.came.filter((line) => line === "POST initialize");
    expect(begun).to.have.length(2);
    expect(server?.came.at(-1)).to.equal("DELETE");
  });

  it("offers to send a call again that an ended session refused, in a new session", async () => {
    const { call } = await open(reply);
    await call("act");
    server?.sessions.clear();
    const refused = await call("act");
    expect(refused.value).to.have.property("error", "session_expired");
    const next = await refused.renew?.();
    const sent = next && "send" in next ? await next.send() : undefined;
    expect(sent?.value).to.equal("done");
  });

  it("doubts the outcome of a call whose answer breaks off, and does not send it again", async () => {
    let calls = 0;
    const { call } = await open((_, response) => {
      calls++;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
      setTimeout(() => response.destroy(), 20);
    });
    const outcome = await call("act");
    expect(outcome.value).to.have.property("error", "connection_closed");
    expect(messageOf(outcome)).to.match(/The call may have been carried out: check before sending it again$/);
    expect(calls).to.equal(1);
  });

  it("takes a stream up again that says where, without sending the call again", async () => {
    let resumed = "";
    let pending: Message = {};
    const act = (message: Message, response: ServerResponse): void => {
      pending = message;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("id: one\nretry: 10\ndata:\n\n");
    };
    const { call } = await open(act, (last, response) => {
      resumed = last;
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`id: two\ndata: ${done(pending)}\n\n`);
    });
    expect((await call("act")).value).to.equal("done");
    expect(resumed).to.equal("one");
    expect(server?.came.filter((line) => line === "POST tools/call")).to.have.length(1);
  });

  it("says what an address is that is no MCP server", async () => {
    const page = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>"),
    );
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
    const refusal = await openApplication({ url }).catch((error: Error) => error.message);
    expect(refusal).to.match(
      /answered with text\/html, not with JSON or events; is this the address of an MCP server\?/,
    );
    page.close();
  });

  for (const status of [404, 405])
    it(`says the status ${status} of an address that answers nothing else${allOnly(status !== 404)}`, async () => {
      const page = createServer((_, response) => response.writeHead(status).end("<h1>Hi</h1>"));
      await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
      const host = `127.0.0.1:${(page.address() as AddressInfo).port}`;
      const refusal = await openApplication({ url: `http://${host}/` }).catch((error: Error) => error.message);
      expect(refusal).to.include(`${host} answered with ${status}; is this the address of an MCP server?`);
      page.close();
    });

  for (const [what, line] of [
    ["of notifications", 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'],
    ["of comments", ": nothing at all\n"],
  ] as const)
    it(`leaves a server that sends without end a stream ${what} @all`, async () => {
      const application = await open((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const burst = (): void => {
          if (!response.destroyed) response.write(line.repeat(10_000), () => setImmediate(burst));
        };
        burst();
      });
      application.target.timeoutMs = 20_000;
      const outcome = await application.call("act");
      expect(messageOf(outcome)).to.match(/more messages than anybody asked for/);
    });

  it("does not follow a stream for long behind its answer @all", async () => {
    let closed = false;
    const application = await open((message, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${done(message)}\n\n`);
      const timer = setInterval(() => response.write(": more\n"), 10);
      response.on("close", () => {
        clearInterval(timer);
        closed = true;
      });
    });
    expect((await application.call("act")).value).to.equal("done");
    await until(() => closed);
  });
});
