// Calls of tools of MCP servers: both eras, over standard streams and over HTTP; what they answer, ask, say and do when they are stopped.
import { expect } from "chai";
import type { InputAnswer, InputRequest } from "../../../src/domain/input.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { fixtureProgram, hostileProgram, type McpApplication, openApplication } from "../../support/mcp.js";
import { PIXEL, SILENCE, serveFixture } from "../../support/mcp-fixture.js";

const ways: { title: string; era: string; open(): Promise<McpApplication> }[] = [
  { title: "2026-07-28 over HTTP", era: "modern", open: () => overHttp("reject") },
  {
    title: "2025-11-25 over standard streams",
    era: "legacy",
    open: () => openApplication({ program: fixtureProgram("--era", "legacy") }),
  },
  {
    title: "2026-07-28 over standard streams @all",
    era: "modern",
    open: () => openApplication({ program: fixtureProgram("--era", "modern") }),
  },
];

async function overHttp(legacy: "reject" | "stateless"): Promise<McpApplication> {
  const server = await serveFixture({ legacy });
  const application = await openApplication({ url: server.url });
  return {
    ...application,
    async close() {
      await application.close();
      await server.close();
    },
  };
}

describe("Calls of MCP servers", () => {
  for (const { title, era, open } of ways)
    describe(title, () => {
      let application: McpApplication;
      before(async () => {
        application = await open();
      });
      after(() => application.close());

      it("keep the era that was found at sync", () => {
        expect(application.action("echo").transport["era"]).to.equal(era);
      });

      it("answer with a text, or with what one text of JSON says", async () => {
        expect(await application.call("test_simple_text")).to.deep.equal({
          status: "ok",
          value: "This is a simple text response for testing.",
        });
        const { value } = await application.call("echo", { value: [1, "two"] });
        expect(value).to.deep.equal({ value: [1, "two"] });
      });

      it("pass on images, sounds and resources as they are", async () => {
        const image = await application.call("test_image_content");
        expect(image.value).to.deep.equal({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] });
        const sound = await application.call("test_audio_content");
        expect(sound.value).to.deep.equal({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] });
        const several = (await application.call("test_multiple_content_types")).value as { content: JsonObject[] };
        expect(several.content.map(({ type }) => type)).to.deep.equal(["text", "image", "resource"]);
      });

      it("fail with what the tool says", async () => {
        expect(await application.call("test_error_handling")).to.deep.equal({
          status: "error",
          value: { error: "tool_error", message: "This tool intentionally returns an error for testing" },
        });
      });

      it("say how far they are", async () => {
        const said: string[] = [];
        await application.call("test_tool_with_progress", {}, { onProgress: (message) => said.push(message) });
        expect(said).to.deep.equal(["0 of 100", "50 of 100", "100 of 100"]);
      });

      it("ask a person twice, and go on with the answers", async () => {
        const asked: InputRequest[] = [];
        const ask = async (request: InputRequest): Promise<InputAnswer> => {
          asked.push(request);
          return { action: "accept", values: asked.length === 1 ? { name: "Ann" } : { color: "red", other: "x" } };
        };
        const { value } = await application.call("test_input_required_result_multi_round", {}, { ask });
        expect(value).to.equal("Ann likes red");
        expect(asked.map(({ message }) => message)).to.deep.equal([
          "Step 1: What is your name?",
          "Step 2: What is your favorite color?",
        ]);
        expect(asked[0]?.fields?.["required"]).to.deep.equal(["name"]);
      });

      it("tell a no from no answer, and send a person to a page", async () => {
        const ask = (answer: InputAnswer) => async () => answer;
        const declined = await application.call("visit", {}, { ask: ask({ action: "decline" }) });
        expect(declined.value).to.equal("the person said decline");
        const pages: InputRequest[] = [];
        const accepted = await application.call(
          "visit",
          {},
          {
            ask: async (request) => {
              pages.push(request);
              return { action: "accept", values: {} };
            },
          },
        );
        expect(pages).to.deep.equal([{ message: "Sign in there", url: "https://example.com/sign-in" }]);
        expect(accepted.value).to.equal("the person said accept");
      });

      it("refuse a form that asks for a secret, and say so", async () => {
        const said: string[] = [];
        let isAsked = false;
        await application.call(
          "ask_secret",
          {},
          {
            onProgress: (message) => said.push(message),
            ask: async () => {
              isAsked = true;
              return { action: "cancel" };
            },
          },
        );
        expect(isAsked).to.equal(false);
        expect(said.join()).to.match(/was refused: it asks for a secret, password/);
      });

      it("end after their time, which stands still while a person is asked", async () => {
        const slow = { ...application.target, timeoutMs: 150 };
        const call = (tool: string, args: JsonObject, ask?: () => Promise<InputAnswer>) => {
          const { transport } = application;
          const prepared = transport.prepare(application.action(tool), { sent: args, shown: args }, slow);
          return transport.execute(prepared, slow, ask ? { ask } : {});
        };
        const late = await call("wait", { ms: 5_000 });
        expect(late.value).to.deep.equal({
          error: "timeout",
          message:
            "the server did not answer within 150 ms. The call may have been carried out: check before sending it again",
        });
        const answered = await call("test_input_required_result_elicitation", {}, async () => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { action: "accept", values: { name: "Bo" } };
        });
        expect(answered.value).to.equal("Hello, Bo!");
      });

      it("are ended by their caller when they only read, and awaited otherwise", async () => {
        const cancelled = AbortSignal.timeout(50);
        const action = { ...application.action("wait"), safety: "read_only" as const };
        const { transport, target } = application;
        const reading = transport.prepare(action, { sent: { ms: 3_000 }, shown: { ms: 3_000 } }, target);
        const start = performance.now();
        const { value } = await transport.execute(reading, target, { signal: cancelled });
        expect((value as JsonObject)["error"]).to.equal("cancelled");
        expect(performance.now() - start).to.be.below(1_500);
        const { value: waited } = await application.call("wait", { ms: 200 }, { signal: AbortSignal.timeout(20) });
        expect(waited).to.equal("waited");
      });

      it("are ended by a person who stops them, whatever they do, and say what is not known", async () => {
        const stop = AbortSignal.timeout(50);
        const { status, value } = await application.call("wait", { ms: 60_000 }, { stop });
        expect({ status, value }).to.deep.equal({
          status: "error",
          value: {
            error: "cancelled",
            message:
              "a person stopped this call before its answer. The call may have been carried out: check before sending it again",
          },
        });
      });

      it("show server, tool and arguments in advance", () => {
        const { transport, target } = application;
        const args = { value: "x" };
        const { request, preview } = transport.prepare(application.action("echo"), { sent: args, shown: args }, target);
        expect(request).to.deep.equal({ server: target.baseUrl, tool: "echo" });
        expect(preview).to.deep.equal({ server: target.baseUrl, tool: "echo", arguments: args });
      });
    });

  it("keep every digit, in what they send and in what they answer", async () => {
    const application = await openApplication({ program: hostileProgram("digits") });
    try {
      expect((await application.call("act")).value).to.deep.equal({ id: 12345678901234567890n });
    } finally {
      await application.close();
    }
    const http = await overHttp("stateless");
    try {
      const { transport, target } = http;
      const args = { value: 12345678901234567890n };
      const { preview } = transport.prepare(http.action("echo"), { sent: args, shown: args }, target);
      expect(preview["arguments"]).to.deep.equal(args);
      // The server's own JSON.parse rounds it; that a number comes back says that one was sent.
      expect((await http.call("echo", args)).value).to.deep.equal({ value: 12345678901234567000n });
    } finally {
      await http.close();
    }
  });
});
