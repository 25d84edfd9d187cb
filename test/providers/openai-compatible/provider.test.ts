// What servers that call themselves OpenAI-compatible get wrong, byte for byte over HTTP.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { StartError } from "../../../src/domain/error.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { providerOptions } from "../../../src/providers/create.js";
import { createBodyText } from "../../../src/providers/openai-compatible/body.js";
import { createOpenAiCompatible } from "../../../src/providers/openai-compatible/provider.js";
import { MAX_CALLS, type Reply } from "../../../src/providers/provider.js";

const SSE = "text/event-stream; charset=utf-8";

const bodyText = createBodyText(providerOptions({ type: "openai-compatible", name: "acme", model: "m" }), "max_tokens");

describe("Models: servers that are almost OpenAI", () => {
  let server: Server;
  let answer: { type: string; body: string };
  let headers: NodeJS.Dict<string | string[]>;
  let url: string;

  const read = async (baseUrl = url): Promise<Reply & { deltas: string[] }> => {
    const options = providerOptions({ type: "openai-compatible", name: "acme", model: "m", baseUrl });
    const deltas: string[] = [];
    const replies = createOpenAiCompatible(options).reply(
      { system: "", messages: [{ role: "user", text: "hi" }], tools: [] },
      new AbortController().signal,
    );
    for (;;) {
      const step = await replies.next();
      if (step.done) return { ...step.value, deltas };
      deltas.push(step.value.text);
    }
  };
  const stream = (...chunks: (JsonObject | string)[]): void => {
    const body = chunks
      .map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`)
      .join("");
    answer = { type: SSE, body };
  };
  const delta = (value: JsonObject, finish_reason: string | null = null): JsonObject => ({
    choices: [{ index: 0, delta: value, finish_reason }],
  });
  const calling = (...tool_calls: JsonObject[]): JsonObject => delta({ tool_calls });
  const message = async (): Promise<string> => {
    try {
      await read();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("the call was expected to fail");
  };

  before(async () => {
    server = createServer((request, response) => {
      headers = request.headers;
      request.resume().on("end", () => response.writeHead(200, { "content-type": answer.type }).end(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("are sent no authorization without a key, and base_url may end in slashes", async () => {
    stream(delta({ content: "ok" }, "stop"), "[DONE]");
    expect((await read(`${url}//`)).text).to.equal("ok");
    expect(headers).not.to.have.property("authorization");
  });

  it("may leave out [DONE], or the finish reason, but not both", async () => {
    stream(delta({ content: "a" }, "stop"));
    expect((await read()).text).to.equal("a");
    stream(delta({ content: "b" }), "[DONE]");
    expect(await read()).to.deep.include({ text: "b", finish: "stop" });
    stream(delta({ content: "c" }));
    expect(await message()).to.match(/before it was complete/);
  });

  it("may hold the stream open after [DONE], which ends the answer", async () => {
    const first = delta({ content: "hi" }, "stop");
    const text = `data: ${JSON.stringify(first)}\n\ndata: [DONE]\n\n`;
    let sockets = 0;
    const holding = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(200, { "content-type": SSE }).write(text));
    });
    holding.on("connection", (socket) => {
      sockets++;
      socket.on("close", () => sockets--);
    });
    await new Promise<void>((resolve) => holding.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = holding.address() as AddressInfo;
      const reply = await Promise.race([
        read(`http://127.0.0.1:${port}/v1`),
        new Promise<undefined>((resolve) => setTimeout(resolve, 5000, undefined)),
      ]);
      expect(reply).to.deep.include({ text: "hi", finish: "stop" });
      while (sockets > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    } finally {
      holding.closeAllConnections();
      holding.close();
    }
  });

  it("reuse their connections", async () => {
    const ports = new Set<number | undefined>();
    const note = (request: { socket: { remotePort?: number | undefined } }): void =>
      void ports.add(request.socket.remotePort);
    server.on("request", note);
    stream(delta({ content: "ok" }, "stop"), "[DONE]");
    for (let n = 0; n < 10; n++) await read();
    server.off("request", note);
    // A pool may keep a spare one.
    expect(ports.size).to.be.at.most(2);
  });

  it("may answer with one JSON document instead of a stream", async () => {
    const tool_calls = [
      { id: "c", type: "function", function: { name: "a", arguments: '{"id":12345678901234567890}' } },
    ];
    const choices = [{ message: { content: "Hi.", tool_calls }, finish_reason: "tool_calls" }];
    answer = {
      type: "application/json",
      body: JSON.stringify({ choices, usage: { prompt_tokens: 3, completion_tokens: 4 } }),
    };
    const reply = await read();
    expect(reply).to.deep.include({ text: "Hi.", deltas: ["Hi."], finish: "tool_calls" });
    expect(reply.calls).to.deep.equal([{ id: "c", name: "a", arguments: { id: 12345678901234567890n } }]);
    expect(reply.usage).to.deep.equal({ input_tokens: 3, output_tokens: 4 });
  });

  it("may give that document any other type, or none", async () => {
    const body = JSON.stringify({ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] });
    for (const type of ["text/plain; charset=utf-8", SSE, ""]) {
      answer = { type, body: `\n${body}` };
      expect(await read(), type).to.deep.include({ text: "Hi.", finish: "stop" });
    }
    answer = { type: "text/html", body: "<html><body>a page</body></html>" };
    expect(await message()).to.contain("something this wire does not know");
  });

  it("may give a stream the type of a document, and send a whole answer as its event", async () => {
    stream(delta({ content: "a" }, "stop"), "[DONE]");
    answer.type = "application/json";
    expect(await read()).to.deep.include({ text: "a", finish: "stop" });
    stream({ choices: [{ index: 0, message: { content: "Hi." }, finish_reason: "stop" }] }, "[DONE]");
    expect((await read()).text).to.equal("Hi.");
  });

  it("may send events that say nothing, blanks around [DONE], and answers that nobody asked for", async () => {
    const other = { choices: [{ index: 1, delta: { content: "another" }, finish_reason: null }] };
    stream("", other, delta({ content: "a" }, "stop"), " [DONE] ");
    expect(await read()).to.deep.include({ text: "a", finish: "stop" });
  });

  it("may lose the connection behind the finish reason", async () => {
    const text = `data: ${JSON.stringify(delta({ content: "whole" }, "stop"))}\n\n`;
    const breaking = createServer((_request, response) => {
      response.writeHead(200, { "content-type": SSE }).write(text, () => response.destroy());
    });
    await new Promise<void>((resolve) => breaking.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = breaking.address() as AddressInfo;
      expect(await read(`http://127.0.0.1:${port}/v1`)).to.deep.include({ text: "whole", finish: "stop" });
    } finally {
      breaking.closeAllConnections();
      breaking.close();
    }
  });

  it("may report an error beside a choice, as the reason it ended, or in a field of the stream", async () => {
    const choice = { index: 0, delta: { content: "" }, finish_reason: "error" };
    stream({ choices: [{ ...choice, error: { code: 502, message: "upstream broke off" } }] }, "[DONE]");
    expect(await message()).to.contain("upstream broke off");
    stream({ choices: [choice] }, "[DONE]");
    expect(await message()).to.contain("reported an error");
    answer = { type: SSE, body: 'error: {"code":500,"message":"slot is gone","type":"server_error"}\n\n' };
    expect(await message()).to.contain("slot is gone");
  });

  it("may report an error with status 200, as a document or in the stream, as an object or a text", async () => {
    answer = { type: "application/json", body: '{"error":{"message":"model is loading"}}' };
    expect(await message()).to.contain("model is loading");
    stream({ error: "out of memory" });
    expect(await message()).to.contain("out of memory");
  });

  it("may send calls whole, without an index or all under index 0", async () => {
    stream(
      calling({ id: "x", function: { name: "a", arguments: '{"n":1}' } }),
      calling({ id: "y", function: { name: "b", arguments: "" } }),
      delta({}, "stop"),
    );
    const expected = [
      { id: "x", name: "a", arguments: { n: 1 } },
      { id: "y", name: "b", arguments: {} },
    ];
    expect(await read()).to.deep.include({ calls: expected, finish: "tool_calls" });
    stream(
      calling({ index: 0, id: "x", function: { name: "a", arguments: '{"n":1}' } }),
      calling({ index: 0, id: "y", function: { name: "b", arguments: "{}" } }),
      delta({}, "tool_calls"),
    );
    expect((await read()).calls).to.deep.equal(expected);
  });

  it("may mix the pieces of parallel calls", async () => {
    stream(
      calling(
        { index: 1, id: "y", function: { name: "b", arguments: '{"m"' } },
        { index: 0, id: "x", function: { name: "a" } },
      ),
      calling({ index: 0, function: { arguments: '{"n":' } }, { index: 1, function: { arguments: ":2}" } }),
      calling({ index: 0, id: "x", function: { name: "a", arguments: "1}" } }),
      delta({}, "tool_calls"),
    );
    expect((await read()).calls.map((call) => [call.id, call.name, call.arguments])).to.deep.equal([
      ["y", "b", { m: 2 }],
      ["x", "a", { n: 1 }],
    ]);
  });

  it("may forget ids or repeat one: every call gets its own", async () => {
    stream(
      calling({ index: 0, function: { name: "a", arguments: "{}" } }),
      calling({ index: 1, id: "", function: { name: "a", arguments: "{}" } }),
      calling({ index: 2, id: "z", function: { name: "a", arguments: "{}" } }),
      calling({ index: 3, id: "z", function: { name: "a", arguments: "{}" } }),
      delta({}, "tool_calls"),
    );
    const ids = (await read()).calls.map((call) => call.id);
    expect(new Set(ids).size).to.equal(4);
    expect(ids[2]).to.equal("z");
    for (const id of ids) expect(id).to.match(/^.{1,40}$/);
  });

  it("may number all calls 0 and give no ids, and may send a name in pieces", async () => {
    const call = (name: string, args: string): JsonObject => ({ index: 0, function: { name, arguments: args } });
    stream(calling(call("a", '{"id":1}')), calling(call("a", '{"id"')), calling(call("", ":2}")), "[DONE]");
    const made = async (): Promise<unknown[]> => (await read()).calls.map((one) => [one.name, one.arguments]);
    expect(await made()).to.deep.equal([
      ["a", { id: 1 }],
      ["a", { id: 2 }],
    ]);
    const first = { ...call("list_", ""), id: "c" };
    stream(calling(first), calling(call("pets", "{}")), "[DONE]");
    expect(await made()).to.deep.equal([["list_pets", {}]]);
    const again = { ...call("list_pets", ""), id: "c" };
    stream(calling(again), calling({ ...again, function: { name: "list_pets", arguments: "{}" } }), "[DONE]");
    expect(await made()).to.deep.equal([["list_pets", {}]]);
  });

  it("may send calls without end, of which one more is kept than are made", async () => {
    const at = (index: number) => ({ index, function: { name: "a", arguments: `{"n":${index}` } });
    stream(
      calling(...Array.from({ length: 5_000 }, (_, index) => at(index))),
      calling(...Array.from({ length: 5_000 }, (_, index) => ({ index, function: { arguments: "}" } }))),
      delta({}, "stop"),
    );
    const { calls } = await read();
    expect(calls.map((call) => call.arguments)).to.deep.equal(Array.from({ length: MAX_CALLS + 1 }, (_, n) => ({ n })));
  });

  it("may number its calls as it likes", async () => {
    const indexes = [1e9, -1, 0.5, 1e300, Number.MAX_SAFE_INTEGER];
    stream(
      calling(...indexes.map((index) => ({ index, id: `i${index}`, function: { name: "a", arguments: "{" } }))),
      calling(...indexes.toReversed().map((index) => ({ index, function: { arguments: '"n":1}' } }))),
      `{"choices":[{"delta":{"tool_calls":[{"index":12345678901234567890,"function":{"name":"b"}}]}}]}`,
      delta({}, "stop"),
    );
    const { calls } = await read();
    expect(calls.map(({ name }) => name)).to.deep.equal(["a", "a", "a", "a", "a", "b"]);
    expect(calls[0]).to.deep.include({ id: "i1000000000", arguments: { n: 1 } });
  });

  it("may send arguments as an object, whose long integers keep their digits", async () => {
    stream(
      `{"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"a","arguments":{"id":12345678901234567890}}}]}}]}`,
      delta({}, "stop"),
    );
    expect((await read()).calls[0]?.arguments).to.deep.equal({ id: 12345678901234567890n });
  });

  it("may send content as parts, null or a refusal", async () => {
    stream(
      delta({ content: [{ type: "text", text: "a" }] }),
      delta({ content: null }),
      delta({ refusal: "b" }),
      delta({}, "stop"),
    );
    expect(await read()).to.deep.include({ text: "ab", deltas: ["a", "b"] });
  });

  it("are distinguished from other servers", async () => {
    for (const body of ["<html>Welcome</html>", "", "data: [1]\n\n", "data: 7\n\n"]) {
      answer = { type: "text/html", body };
      expect(await message()).to.match(/acme.*(does not know|before it was complete)/);
    }
    answer = { type: "application/json", body: '{"hello":"world"}' };
    expect(await message()).to.match(/does not know.*base_url/);
  });

  it("get their reasoning and extra content back with the calls they belong to, and nowhere else", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    stream(
      delta({ reasoning_content: "Let me " }),
      delta({ reasoning_content: "look." }),
      calling({ index: 0, id: "x", function: { name: "a", arguments: "{}" }, extra_content }),
      delta({}, "tool_calls"),
    );
    const { text, calls, meta } = await read();
    const body = (fields: object): string =>
      bodyText({
        system: "",
        messages: [
          { role: "user", text: "hi" },
          { role: "assistant", text, calls, ...fields },
        ],
        tools: [],
      });
    expect(body({ meta })).to.contain('"reasoning_content":"Let me look."').and.contain(JSON.stringify(extra_content));
    expect(body({ calls: [], meta })).not.to.contain("reasoning_content");
  });

  it("get each tool serialised once, with the digits of its schema", () => {
    let read = 0;
    const input_schema: JsonObject = {
      type: "object",
      properties: { id: { type: "integer", maximum: 18446744073709551615n } },
    };
    const one = {
      name: "a",
      description: "A.",
      resource: "r",
      verb: "get",
      safety: "read_only",
      provenance: "declared",
      transport: { kind: "http" },
      get input_schema() {
        read++;
        return input_schema;
      },
    } as Tool;
    const request = { system: "s", messages: [{ role: "user", text: "hi \ud800 \u2028" } as const], tools: [one] };
    const first = bodyText(request);
    expect(bodyText({ ...request, tools: [one] })).to.equal(first);
    expect(read).to.equal(1);
    expect(first).to.contain('"maximum":18446744073709551615');
    expect(JSON.parse(first)).to.deep.include({ model: "m", stream: true, stream_options: { include_usage: true } });
    expect(bodyText({ ...request, tools: [] })).not.to.contain('"tools"');
  });

  it("need an http address: anything else is refused at the start, by the provider's name", () => {
    for (const baseUrl of ["", "ftp://x", "nonsense", "file:///etc/passwd"]) {
      const options = providerOptions({ type: "openai-compatible", name: "acme", baseUrl });
      expect(() => createOpenAiCompatible(options)).to.throw(StartError, /acme.*base_url|base_url.*acme/);
    }
  });
});
