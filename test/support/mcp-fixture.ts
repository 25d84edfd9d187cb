// An MCP server of both eras, with the tools that the conformance suite names and a few of our own; a program and a function.
// `node --import=tsx/esm test/support/mcp-fixture.ts [--era legacy|modern|both] [--tools FILE] [--name NAME]` speaks over stdio, with
// `--http` over Streamable HTTP at a free port, which it prints. FILE, a JSON object, replaces members of tools by their names;
// null takes one away, and what is not there is added. It is read at each list.
import { existsSync, readFileSync, watchFile } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

type Arguments = Record<string, unknown>;
type Answer = CallToolResult | InputRequiredResult;

interface Tool {
  description: string;
  inputSchema?: Arguments;
  annotations?: Arguments;
  outputSchema?: Arguments;
  run(args: Arguments, ctx: ServerContext): Answer | Promise<Answer>;
}

/** One red pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** No sound at all, with its header. */
export const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const form = (properties: Arguments, required: string[] = []): Arguments => ({ type: "object", properties, required });

/** Asks for a form, and says what came of it. */
async function elicit(ctx: ServerContext, message: string, requestedSchema: Arguments): Promise<CallToolResult> {
  const params = { message, requestedSchema } as Parameters<ServerContext["mcpReq"]["elicitInput"]>[0];
  const { action, content } = await ctx.mcpReq.elicitInput(params);
  return text(`action=${action}, content=${JSON.stringify(content ?? {})}`);
}

/** The form that is asked for in a round of its own; the answer to it in the next. */
function round(
  ctx: ServerContext,
  key: string,
  { message, properties, state }: { message: string; properties: Arguments; state?: string },
): { content: Arguments } | { ask: InputRequiredResult } {
  const content = acceptedContent(ctx.mcpReq.inputResponses, key);
  if (content) return { content };
  const given = ctx.mcpReq.inputResponses?.[key];
  if (given) return { content: { declined: (given as { action?: string }).action } };
  const requestedSchema = form(properties, Object.keys(properties)) as never;
  const inputRequests = { [key]: inputRequired.elicit({ message, requestedSchema }) };
  return { ask: inputRequired(state === undefined ? { inputRequests } : { inputRequests, requestState: state }) };
}

const CONFORMANCE: Record<string, Tool> = {
  test_simple_text: {
    description: "Says a simple text",
    run: () => text("This is a simple text response for testing."),
  },
  test_image_content: {
    description: "Gives an image",
    run: () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
  },
  test_audio_content: {
    description: "Gives a sound",
    run: () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    description: "Gives a resource within its answer",
    run: () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    description: "Gives a text, an image and a resource",
    run: () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  test_tool_with_progress: {
    description: "Says how far it is",
    async run(_, ctx) {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await ctx.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 100, message: `${progress} of 100` },
          });
        await sleep(20);
      }
      return text("The progress is complete.");
    },
  },
  test_tool_with_logging: {
    description: "Logs what it does",
    async run(_, ctx) {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await ctx.mcpReq.log("info", data);
        await sleep(50);
      }
      return text("Everything is logged.");
    },
  },
  test_error_handling: {
    description: "Always fails",
    run: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  },
  test_elicitation: {
    description: "Asks the person for a name and an address",
    inputSchema: form({ message: { type: "string" } }, ["message"]),
    async run({ message }, ctx) {
      const fields = { username: { type: "string" }, email: { type: "string" } };
      const { content } = await elicit(ctx, String(message), form(fields, ["username", "email"]));
      return {
        content: content.map((block) => ({
          ...block,
          text: `User response: ${(block as { text: string }).text}`,
        })) as never,
      };
    },
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks with defaults for all that a form can hold",
    run: (_, ctx) =>
      elicit(
        ctx,
        "Please review the form",
        form({
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        }),
      ).then(({ content }) => text(`Elicitation completed: ${(content[0] as { text: string }).text}`)),
  },
  test_elicitation_sep1330_enums: {
    description: "Asks with every kind of choice",
    run: (_, ctx) =>
      elicit(
        ctx,
        "Please choose",
        form({
          untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
          titledSingle: { type: "string", oneOf: [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` })) },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
          titledMulti: {
            type: "array",
            items: { anyOf: [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Choice ${n}` })) },
          },
        }),
      ).then(({ content }) => text(`Elicitation completed: ${(content[0] as { text: string }).text}`)),
  },
  test_streaming_elicitation: {
    description: "Asks for a colour, whatever the client sees of that on the way",
    run(_, ctx) {
      const step = round(ctx, "color", { message: "Which color?", properties: { color: { type: "string" } } });
      return "ask" in step ? step.ask : text(String(step.content["color"]));
    },
  },
  test_logging_tool: {
    description: "Logs, for those who asked for a level",
    async run(_, ctx) {
      await ctx.mcpReq.log("info", "It runs");
      return text("It ran.");
    },
  },
  test_input_required_result_elicitation: {
    description: "Asks for a name in a round of its own",
    run(_, ctx) {
      const step = round(ctx, "user_name", { message: "What is your name?", properties: { name: { type: "string" } } });
      return "ask" in step
        ? step.ask
        : text(`Hello, ${step.content["name"] ?? `nobody (${step.content["declined"]})`}!`);
    },
  },
  test_input_required_result_request_state: {
    description: "Hands out a state and wants it back",
    run(_, ctx) {
      const step = round(ctx, "confirm", {
        message: "Please confirm",
        properties: { ok: { type: "boolean" } },
        state: "state-1",
      });
      return "ask" in step
        ? step.ask
        : text(ctx.mcpReq.requestState<string>() === "state-1" ? "state-ok" : "state-lost");
    },
  },
  test_input_required_result_tampered_state: {
    description: "Hands out a state that nobody may change",
    run(_, ctx) {
      const step = round(ctx, "confirm", {
        message: "Please confirm",
        properties: { ok: { type: "boolean" } },
        state: "sealed",
      });
      if ("ask" in step) return step.ask;
      if (ctx.mcpReq.requestState<string>() !== "sealed") throw new Error("the state was changed");
      return text("state-ok");
    },
  },
  test_input_required_result_multi_round: {
    description: "Asks twice, one after the other",
    run(_, ctx) {
      const state = ctx.mcpReq.requestState<string>();
      if (state === undefined || state === "round-1") {
        const name = {
          message: "Step 1: What is your name?",
          properties: { name: { type: "string" } },
          state: "round-1",
        };
        const step = round(ctx, "step1", name);
        if ("ask" in step) return step.ask;
        const color = { message: "Step 2: What is your favorite color?", properties: { color: { type: "string" } } };
        const next = round(ctx, "step2", { ...color, state: `round-2:${String(step.content["name"])}` });
        return "ask" in next ? next.ask : text("no second round");
      }
      const color = acceptedContent<{ color?: string }>(ctx.mcpReq.inputResponses, "step2")?.color;
      return text(`${state.slice("round-2:".length)} likes ${color ?? "nothing"}`);
    },
  },
};

const OWN: Record<string, Tool> = {
  echo: {
    description: "Gives its arguments back",
    inputSchema: { type: "object", properties: { value: {} }, additionalProperties: true },
    annotations: { readOnlyHint: true },
    run: (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }], structuredContent: args }),
  },
  environment: {
    description: "Prints the environment of the server",
    annotations: { readOnlyHint: true },
    run: () => text(JSON.stringify(process.env)),
  },
  wait: {
    description: "Answers after some milliseconds, or when it is cancelled",
    inputSchema: form({ ms: { type: "integer" } }, ["ms"]),
    annotations: { readOnlyHint: true },
    async run({ ms }, ctx) {
      await sleep(Number(ms), undefined, { signal: ctx.mcpReq.signal }).catch(() =>
        console.error("wait was cancelled"),
      );
      return text("waited");
    },
  },
  visit: {
    description: "Sends the person to a page",
    run(_, ctx) {
      const given = ctx.mcpReq.inputResponses?.["page"] as { action?: string } | undefined;
      if (given) return text(`the person said ${given.action}`);
      const page = inputRequired.elicitUrl({ message: "Sign in there", url: "https://example.com/sign-in" });
      return inputRequired({ inputRequests: { page } });
    },
  },
  ask_secret: {
    description: "Asks for a password, which no server should",
    run(_, ctx) {
      const step = round(ctx, "secret", { message: "Your password?", properties: { password: { type: "string" } } });
      return "ask" in step ? step.ask : text(JSON.stringify(step.content));
    },
  },
};

const TOOLS: Readonly<Record<string, Tool>> = { ...CONFORMANCE, ...OWN };

/** What differs from the tools above. */
export interface FixtureOptions {
  name?: string;
  /** Members of tools by their names; null takes one away. */
  changes?(): Record<string, Arguments | null>;
}

/** A server of either era, for `serveStdio` or `createMcpHandler`. */
export function createFixtureServer({ name = "agentd-fixture", changes = () => ({}) }: FixtureOptions = {}): Server {
  const server = new Server(
    { name, version: "1.0.0" },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.setRequestHandler("tools/list", () => {
    const own = Object.entries(TOOLS).map(
      ([tool, { run: _, ...about }]) => [tool, { inputSchema: form({}), ...about }] as const,
    );
    const listed = new Map<string, Arguments>(own);
    for (const [tool, members] of Object.entries(changes()))
      if (members === null) listed.delete(tool);
      else listed.set(tool, { inputSchema: form({}), ...listed.get(tool), ...members });
    return { tools: [...listed].map(([tool, about]) => ({ name: tool, ...about })) as never };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const tool = TOOLS[params.name];
    return tool
      ? ((await tool.run(params.arguments ?? {}, ctx)) as CallToolResult)
      : { ...text(`no ${params.name}`), isError: true };
  });
  return server;
}

/** A server over Streamable HTTP at a free port of this process. */
export async function serveFixture(
  options: FixtureOptions & { legacy?: "stateless" | "reject"; onRequest?(request: IncomingMessage): void } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const handler = createMcpHandler(() => createFixtureServer(options), { legacy: options.legacy ?? "stateless" });
  const http = createServer((request, response) => {
    options.onRequest?.(request);
    const { method = "GET", headers, url = "/" } = request;
    const body = method === "POST" ? { body: Readable.toWeb(request) as never, duplex: "half" as const } : {};
    const flat = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const asked = new Request(`http://${headers.host}${url}`, { method, headers: flat, signal: gone.signal, ...body });
    void handler.fetch(asked).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
  const file = option("--tools");
  const changes = (): Record<string, Arguments | null> =>
    file !== undefined && existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Arguments | null>)
      : {};
  const name = option("--name") ?? "agentd-fixture";
  const servers = new Set<Server>();
  const factory = (): Server => {
    const server = createFixtureServer({ name, changes });
    servers.add(server);
    return server;
  };
  const era = option("--era") ?? "both";
  if (argv.includes("--http")) {
    const legacy = era === "modern" ? "reject" : "stateless";
    console.log((await serveFixture({ name, changes, legacy })).url);
    return;
  }
  const tell = (): void => {
    for (const server of servers) void server.sendToolListChanged().catch(() => {});
  };
  if (file !== undefined) watchFile(file, { interval: 50 }, tell);
  if (era === "legacy") return factory().connect(new StdioServerTransport());
  serveStdio(factory, { legacy: era === "modern" ? "reject" : "serve" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
