// docs/models.md: each vendor's configuration, as it stands there, against a server with that vendor's rules.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openAiApiOf } from "../../src/config/openai-api.js";
import { loadSettings } from "../../src/config/settings.js";
import type { Message } from "../../src/domain/message.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject, listOf, objectOf, toJson } from "../../src/lib/json.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import type { Reply } from "../../src/providers/provider.js";
import { blocks, read as page } from "../support/docs.js";
import { callsOf, event, messagesOf, startStrictVendor, type VendorRules } from "../support/strict-vendor.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const KEY = "key-4f1d2c-canary";
const BEARER: [string, string] = ["authorization", "Bearer "];
const openai = (path: string, more: Partial<VendorRules> = {}): VendorRules => ({
  wire: "openai",
  path: `${path}/chat/completions`,
  auth: BEARER,
  ...more,
});
const responses = (path: string, more: Partial<VendorRules> = {}): VendorRules => ({
  wire: "responses",
  path: `${path}/responses`,
  auth: BEARER,
  ...more,
});
/** What an API that keeps nothing has to be told, and the items it knows. */
function responsesRefuses(body: JsonObject): [number, string] | undefined {
  const kinds = listOf(body["input"]).map((item) => objectOf(item)["type"]);
  const isKnown = kinds.every((kind) => ["message", "function_call", "function_call_output"].includes(String(kind)));
  const isStateless = body["store"] === false && body["messages"] === undefined && body["max_tokens"] === undefined;
  return isKnown && isStateless ? undefined : [400, '{"error":{"code":"invalid_request_error"}}'];
}
const local = openai("/v1", { auth: undefined });

/** Azure's filter reports come as chunks without a choice, and as choices without a delta. */
const withFilterReports = (events: string[]): string[] => [
  event({ id: "", object: "", choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
  ...events.slice(0, -1),
  event({ id: "", choices: [{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 1 } }] }),
  ...events.slice(-1),
];

function mistralRefuses(body: JsonObject): [number, string] | undefined {
  const extra = ["stream_options", "max_completion_tokens"].find((name) => body[name] !== undefined);
  if (extra)
    return [422, toJson({ object: "error", message: { detail: [{ type: "extra_forbidden", loc: ["body", extra] }] } })];
  const ids = [
    ...callsOf(body).map(({ id }) => id),
    ...messagesOf(body).flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
  ];
  const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id)));
  if (bad !== undefined) return [400, toJson({ object: "error", message: `Tool call id was ${bad}` })];
  const roles = messagesOf(body).map(({ role }) => role);
  const isUnexpected = roles.some((role, at) => role === "user" && roles[at - 1] === "tool");
  return isUnexpected
    ? [400, toJson({ object: "error", message: "Unexpected role 'user' after role 'tool'", code: "3230" })]
    : undefined;
}

/** Magistral's content is a list with its thoughts in it. */
const asList = (events: string[]): string[] =>
  events.map((text) =>
    text.replace(
      /"content":"(Two pets.)"/,
      '"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"$1"}]',
    ),
  );

/** The usage in a field of its own, as without `stream_options`. */
const groqUsage = (events: string[]): string[] =>
  events.map((text) =>
    text.includes('"usage"') ? text.replace('"usage":', '"x_groq":{"usage":').replace(/}\n\n$/, "}}\n\n") : text,
  );

/** By heading of docs/models.md, in the order of its blocks. */
const RULES: Readonly<Record<string, readonly VendorRules[]>> = {
  OpenAI: [
    responses("/v1", { refuses: responsesRefuses }),
    openai("/v1", {
      refuses: (body) =>
        body["max_tokens"] === undefined ? undefined : [400, '{"error":{"code":"unsupported_parameter"}}'],
    }),
  ],
  Anthropic: [
    { wire: "anthropic", path: "/v1/messages", auth: ["x-api-key", ""] },
    { wire: "anthropic", path: "/anthropic/v1/messages", auth: ["x-api-key", ""] },
  ],
  Google: [
    {
      wire: "google",
      path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
      auth: ["x-goog-api-key", ""],
    },
  ],
  "Azure OpenAI": [
    openai("/openai/v1", { stream: withFilterReports }),
    responses("/openai/v1", { refuses: responsesRefuses }),
    {
      wire: "openai",
      path: "/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21",
      auth: ["api-key", ""],
      stream: withFilterReports,
    },
  ],
  "Amazon Bedrock": [openai("/openai/v1")],
  "Vertex AI": [openai("/v1/projects/my-project/locations/global/endpoints/openapi")],
  OpenRouter: [
    openai("/api/v1", {
      refuses: (body) =>
        objectOf(body["provider"])["require_parameters"] === true ? undefined : [400, '{"error":{"code":400}}'],
      stream: (events) => [": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", ...events],
    }),
  ],
  Mistral: [openai("/v1", { refuses: mistralRefuses, stream: asList })],
  Groq: [openai("/openai/v1", { stream: groqUsage })],
  DeepSeek: [
    openai("", {
      refuses(body) {
        const isBare = messagesOf(body).some((one) => one["tool_calls"] && one["reasoning_content"] !== "I look.");
        return isBare
          ? [400, '{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back."}}']
          : undefined;
      },
      stream: (events, isFirst) => [
        ": keep-alive\n\n\n\n",
        ...(isFirst
          ? [event({ choices: [{ index: 0, delta: { content: null, reasoning_content: "I look." } }] })]
          : []),
        ...events,
      ],
    }),
  ],
  xAI: [openai("/v1")],
  // Every call has the index 0.
  Ollama: [
    {
      ...local,
      stream: (events) => events.map((text) => text.replace('"tool_calls":[{"index":1', '"tool_calls":[{"index":0')),
    },
  ],
  "LM Studio": [local],
  "llama.cpp": [local],
  vLLM: [local],
  LiteLLM: [openai("")],
};

/** The blocks of each section of the page. */
const SECTIONS = page("docs/models.md")
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ heading: text.split("\n")[0] ?? "", configs: blocks(text).map((block) => block.text) }))
  .filter(({ configs }) => configs.length > 0);

const tool = (name: string): Tool => ({
  name,
  application: "",
  description: "Reads.",
  input_schema: { type: "object", properties: { n: { type: "integer" } } },
  resource: "pets",
  verb: "get",
  safety: "read_only",
  provenance: "declared",
  transport: { kind: "http", method: "GET", path: "/pets" },
});
const TOOLS = [tool("list_pets"), tool("get_pet")];

describe("docs/models.md", () => {
  let dir: string;
  before(() => {
    dir = temporaryFolder("vendors");
    writeFileSync(join(dir, "vertex-token"), KEY);
  });

  it("has a section and rules for each vendor, and a configuration for each rule", () => {
    const rules = Object.entries(RULES).map(([heading, list]) => [heading, list.length]);
    expect(SECTIONS.map(({ heading, configs }) => [heading, configs.length])).to.deep.equal(rules);
  });

  /** The configuration as it stands on the page, with the server's origin in place of the vendor's. */
  async function open(config: string, rules: VendorRules, origin: string) {
    const file = JSON.parse(config) as { providers: Record<string, JsonObject> };
    for (const entry of Object.values(file.providers)) {
      const { base_url: address } = entry;
      // Decided by the vendor's address, which the server's takes the place of.
      const api = openAiApiOf(entry);
      if (api !== undefined) entry["api"] = api;
      const usual = { openai: "/v1", responses: "/v1", anthropic: "/v1", google: "/v1beta" }[rules.wire];
      entry["base_url"] = typeof address === "string" ? address.replace(/^https?:\/\/[^/]+/, origin) : origin + usual;
      entry["max_retries"] = 0;
    }
    writeFileSync(join(dir, "config.json"), toJson(file));
    const variables = [...config.matchAll(/env:(\w+)/g)].map(([, name = ""]) => [name, KEY]);
    const settings = await loadSettings({ dataDir: dir, flags: {}, env: Object.fromEntries(variables) });
    expect(settings.warnings).to.deep.equal([]);
    const { configured } = settings.provider;
    if (!configured) throw new Error("no provider");
    const provider = await createProvider(configured.type, providerOptions(configured));
    return async (messages: Message[]): Promise<Reply> => {
      const replies = provider.reply({ system: "Be brief.", messages, tools: TOOLS }, new AbortController().signal);
      for (;;) {
        const step = await replies.next();
        if (step.done) return step.value;
      }
    };
  }

  for (const { heading, configs } of SECTIONS)
    for (const [at, config] of configs.entries())
      it(`${heading}: its ${at === 0 ? "" : "other "}configuration holds a conversation with tools`, async () => {
        const rules = RULES[heading]?.[at];
        if (!rules) throw new Error(`no rules for ${heading}`);
        const vendor = await startStrictVendor(rules, KEY);
        try {
          const ask = await open(config, rules, vendor.origin);
          const conversation: Message[] = [{ role: "user", text: "which pets?" }];
          const { text, calls, meta } = await ask(conversation);
          expect(calls.map((call) => [call.name, call.arguments])).to.deep.equal([
            ["list_pets", { n: 0 }],
            ["get_pet", { n: 1 }],
          ]);
          conversation.push({ role: "assistant", text, calls, meta });
          for (const { id, name } of calls)
            conversation.push({ role: "tool", call_id: id, name, text: "[]", is_error: false });
          // The turn was cancelled here; the next prompt follows its tools.
          conversation.push({ role: "user", text: "how many?" });
          const reply = await ask(conversation);
          expect(reply).to.deep.include({ text: "Two pets.", calls: [], finish: "stop" });
          expect(reply.usage).to.include({ input_tokens: 10, output_tokens: 5 });
          const [, sent] = vendor.bodies;
          if (rules.wire === "openai" && isObject(sent)) {
            const answered = messagesOf(sent).flatMap(({ tool_call_id: id }) => id ?? []);
            expect(answered).to.deep.equal(callsOf(sent).map(({ id }) => id));
            expect(new Set(answered).size).to.equal(2);
          }
        } finally {
          await vendor.close();
        }
      });
});
