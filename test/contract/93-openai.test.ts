// The agent as a model: what the official library of OpenAI gets, and what it cannot get. The turns behind the answers are those of
// every other entry point. Source: docs/reference.md, "OpenAI-compatible routes".

import { expect } from "chai";
import { EventSource } from "eventsource";
import OpenAI, { APIError, BadRequestError, ConflictError, InternalServerError, NotFoundError } from "openai";
import type { ResponseInputItem, ResponseOutputItem, ResponseStreamEvent } from "openai/resources/responses/responses";
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor } from "../support/vendor.js";

type ChatParams = Partial<Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "messages">>;

const TURNS: DaemonOptions["turns"] = [
  {
    prompt: "create",
    replies: [
      { text: "Let me see.", calls: [{ id: "c1", name: "create_pet", arguments: { name: "Rex" } }] },
      { deltas: ["Ma", "de."], reasoning: "They want a pet.", usage: { input_tokens: 7, output_tokens: 3 } },
    ],
  },
  { prompt: "wait", replies: [{ deltas: ["so ", "very ", "long"], delay_ms: 150 }] },
  { prompt: "hang", replies: [{ deltas: ["half ", "a ", "never"], delay_ms: 60_000 }] },
  { prompt: "fail", replies: [{ deltas: ["half "], error: "the model broke" }] },
  { prompt: "cut", replies: [{ text: "half of", finish: "length" }] },
];

const types = (events: readonly ResponseStreamEvent[]): string[] => events.map(({ type }) => type);
const textOf = (item: ResponseOutputItem): string =>
  item.type === "message" ? item.content.map((part) => ("text" in part ? part.text : "")).join("") : "";
const TEXT = ["output_item.added", "content_part.added", "output_text.delta", "output_text.done", "content_part.done"];
const THOUGHT = TEXT.map((type) => `response.${type.replace("output_text", "reasoning_text")}`).concat(
  "response.output_item.done",
);
const MESSAGE = [...TEXT, "output_item.done"].map((type) => `response.${type}`);

/** Of the response resource in the OpenAPI document of Open Responses, 2026-04-24. */
const REQUIRED_FIELDS = [
  ...["id", "object", "created_at", "completed_at", "status", "incomplete_details", "model", "previous_response_id"],
  ...["instructions", "output", "error", "tools", "tool_choice", "truncation", "parallel_tool_calls", "text", "top_p"],
  ...["presence_penalty", "frequency_penalty", "top_logprobs", "temperature", "reasoning", "usage", "metadata"],
  ...["max_output_tokens", "max_tool_calls", "store", "background", "service_tier", "safety_identifier"],
  "prompt_cache_key",
];
/** Of its events. */
function requiredOf(type: string): string[] {
  if (type.includes("output_item")) return ["output_index", "item"];
  if (type.includes("content_part")) return ["item_id", "output_index", "content_index", "part"];
  if (type.includes("function_call_arguments"))
    return ["item_id", "output_index", type.endsWith("delta") ? "delta" : "arguments"];
  if (type.includes("_text"))
    return ["item_id", "output_index", "content_index", type.endsWith("delta") ? "delta" : "text"];
  return ["response"];
}

async function refusal(request: Promise<unknown>): Promise<InstanceType<typeof APIError>> {
  try {
    await request;
  } catch (error) {
    expect(error).to.be.instanceOf(APIError);
    return error as InstanceType<typeof APIError>;
  }
  throw new Error("it was not refused");
}

describe("OpenAI-compatible routes", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let client: OpenAI;
  const vendors: Vendor[] = [];

  const begin = async (options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, turns: TURNS, ...options });
    client = new OpenAI({ baseURL: `${daemon.url}/-/v1`, apiKey: "none", maxRetries: 0 });
  };
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }));
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
    for (const vendor of vendors.splice(0)) await vendor.close();
  });

  const messages = (text: string): OpenAI.ChatCompletionMessageParam[] => [{ role: "user", content: text }];
  const complete = (text: string, params: ChatParams = {}, headers: Record<string, string> = {}) =>
    client.chat.completions.create(
      { model: "agentd", messages: messages(text), ...params, stream: false },
      { headers },
    );
  const history = () => getJson<HistoryEntry[]>(`${daemon.url}/history`);
  const turnsOf = async (session: string): Promise<TranscriptTurn[]> =>
    (await getJson<{ turns: TranscriptTurn[] }>(`${daemon.url}/-/sessions/${session}`)).turns;
  const follow = async (id: string, starting_after?: number): Promise<ResponseStreamEvent[]> => {
    const stream = await client.responses.retrieve(id, {
      stream: true,
      ...(starting_after !== undefined && { starting_after }),
    });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    return events;
  };
  /** A daemon whose model is a fake vendor, which shows what it was sent. */
  const beginWithVendor = async (): Promise<Vendor> => {
    const vendor = await startVendor(() => ({ text: "Aye." }));
    vendors.push(vendor);
    const providers = { real: { type: "openai-compatible", base_url: vendor.url, model: "m", models: ["m", "m2"] } };
    await begin({ config: { default_provider: "real", providers } });
    return vendor;
  };
  const sent = (vendor: Vendor): JsonObject[] => vendor.requests.at(-1)?.body["messages"] as JsonObject[];

  it("lists the agent, and the agent with each provider, and knows the models of a provider", async () => {
    await beginWithVendor();
    const listed = await client.models.list();
    expect(listed.data.map(({ id }) => id)).to.deep.equal(["agentd", "agentd/real"]);
    expect((await client.models.retrieve("agentd/real")).id).to.equal("agentd/real");
    expect((await client.models.retrieve("agentd/real/m2")).object).to.equal("model");
    const unknown = await refusal(client.models.retrieve("gpt-5"));
    expect(unknown).to.be.instanceOf(NotFoundError);
    expect([unknown.code, unknown.param, unknown.type]).to.deep.equal([
      "model_not_found",
      "model",
      "invalid_request_error",
    ]);
  });

  it("answers with what the model said, counts its tokens, and runs the tools itself", async () => {
    await begin();
    const answer = await complete("create it");
    const [choice] = answer.choices;
    expect(choice?.message).to.deep.equal({
      role: "assistant",
      content: "Let me see.\n\nMade.",
      refusal: null,
      reasoning_content: "They want a pet.",
    });
    expect(choice?.finish_reason).to.equal("stop");
    expect(answer.usage).to.deep.include({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(target.requests.map(({ method }) => method)).to.deep.equal(["POST"]);
    expect((await history())[0]).to.deep.include({ tool: "create_pet", status: "ok", client: "openai" });
  });

  it("streams chunks of one id, the role first, the reason last, then the tokens", async () => {
    await begin();
    const stream = await client.chat.completions.create({
      model: "agentd",
      messages: messages("create it"),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).to.equal(1);
    expect(chunks.map(({ choices: [choice] }) => choice?.delta)).to.deep.equal([
      { role: "assistant", content: "" },
      { content: "Let me see." },
      { content: "\n\nMa" },
      { content: "de." },
      { reasoning_content: "They want a pet." },
      {},
      undefined,
    ]);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).to.equal("stop");
    expect(chunks.slice(0, -1).map(({ usage }) => usage)).to.deep.equal(Array(6).fill(null));
    expect(chunks.at(-1)?.usage?.total_tokens).to.equal(10);
    const helper = client.chat.completions.stream({ model: "agentd", messages: messages("create it") });
    expect((await helper.finalChatCompletion()).choices[0]?.message.content).to.equal("Let me see.\n\nMade.");
  });

  it("says where the vendor cut the answer", async () => {
    await begin();
    expect((await complete("cut")).choices[0]?.finish_reason).to.equal("length");
    const response = await client.responses.create({ model: "agentd", input: "cut" });
    expect([response.status, response.incomplete_details]).to.deep.equal([
      "incomplete",
      { reason: "max_output_tokens" },
    ]);
  });

  it("a turn that fails is an error that is not tried again: as a status, in a stream, and in a response", async () => {
    await begin();
    const patient = new OpenAI({ baseURL: `${daemon.url}/-/v1`, apiKey: "none", maxRetries: 2 });
    const failed = await refusal(patient.chat.completions.create({ model: "agentd", messages: messages("fail") }));
    expect(failed).to.be.instanceOf(InternalServerError);
    expect([failed.code, failed.type]).to.deep.equal(["server_error", "server_error"]);
    expect((await daemon.agent.sessions({ limit: 10 })).length).to.equal(1);
    const stream = await client.chat.completions.create({ model: "agentd", messages: messages("fail"), stream: true });
    let said = "";
    const broken = await refusal(
      (async () => {
        for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? "";
      })(),
    );
    expect(said).to.equal("half ");
    expect(broken.message).to.contain("the model broke");
    const response = await client.responses.create({ model: "agentd", input: "fail" });
    expect([response.status, response.error?.code]).to.deep.equal(["failed", "server_error"]);
    expect(response.error?.message).to.contain("the model broke");
  });

  it("sends the other messages along with the prompt, keeps them with it, and counts only the newest in a session", async () => {
    const vendor = await beginWithVendor();
    const given: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: "Talk like a pirate." },
      {
        role: "user",
        content: [
          { type: "text", text: "who" },
          { type: "text", text: "are you?" },
        ],
      },
      { role: "assistant", content: "A parrot." },
      { role: "user", content: "really?" },
    ];
    const { data, response } = await client.chat.completions
      .create({ model: "agentd", messages: given })
      .withResponse();
    expect(data.choices[0]?.message.content).to.equal("Aye.");
    const [system, ...rest] = sent(vendor);
    expect(system?.["content"]).to.match(/lifts nothing said above:\nTalk like a pirate\./);
    expect(rest.map(({ role, content }) => [role, content])).to.deep.equal([
      ["user", "who\nare you?"],
      ["assistant", "A parrot."],
      ["user", rest[2]?.["content"]],
    ]);
    expect(rest[2]?.["content"]).to.match(/^really\?/);
    const session = response.headers.get("x-session-id") ?? "";
    const [turn] = await turnsOf(session);
    expect(turn?.messages[0]).to.deep.equal({
      role: "user",
      text: "really?",
      context: [
        { role: "system", text: "Talk like a pirate." },
        { role: "user", text: "who\nare you?" },
        { role: "assistant", text: "A parrot." },
      ],
    });
    // In the session the daemon has the conversation, and the instructions were those of the first turn.
    await client.chat.completions.create(
      { model: "agentd", messages: [...given, { role: "user", content: "and now?" }] },
      { headers: { "x-session-id": session } },
    );
    const later = sent(vendor);
    expect(later[0]?.["content"]).not.to.contain("pirate");
    expect(later.filter(({ role }) => role === "user").length).to.equal(3);
    expect((await turnsOf(session))[1]?.messages[0]).to.deep.equal({ role: "user", text: "and now?" });
  });

  it("goes on with a session by each of its names", async () => {
    const vendor = await beginWithVendor();
    const users = () => sent(vendor).filter(({ role }) => role === "user").length;
    const first = await client.responses.create({ model: "agentd", input: "one" });
    const id = first.conversation?.id ?? "";
    await client.responses.create({ model: "agentd", input: "two", previous_response_id: first.id });
    expect(users()).to.equal(2);
    await client.responses.create({ model: "agentd", input: "three", conversation: id });
    await client.responses.create({ model: "agentd", input: "four", conversation: { id } });
    expect(users()).to.equal(4);
    await complete("five", {}, { "X-Session-Id": id });
    await complete("six", {}, { "X-OpenWebUI-Chat-Id": id });
    expect(users()).to.equal(6);
    expect((await turnsOf(id)).length).to.equal(6);
    const unknown = await refusal(
      client.responses.create({ model: "agentd", input: "x", previous_response_id: "resp_none" }),
    );
    expect([unknown.status, unknown.param]).to.deep.equal([404, "previous_response_id"]);
  });

  it("refuses by name what would be another answer, and ignores what it does not know", async () => {
    await begin();
    const tool = { type: "function", function: { name: "f" } };
    const refused: Record<string, unknown> = {
      tools: [tool],
      functions: [{ name: "f" }],
      tool_choice: "required",
      n: 2,
      response_format: { type: "json_object" },
      audio: { voice: "x", format: "mp3" },
      read_only: true,
      stream: "yes",
      "messages[0].content[0]": undefined,
    };
    for (const [param, value] of Object.entries(refused)) {
      const image = [{ type: "image_url", image_url: { url: "data:," } }];
      const content = param.startsWith("messages") ? image : "create it";
      const body = { model: "agentd", messages: [{ role: "user", content }], [param]: value };
      const response = await postJson(`${daemon.url}/-/v1/chat/completions`, body);
      const { error } = (await response.json()) as { error: JsonObject };
      expect([response.status, error["param"], error["type"]], param).to.deep.equal([
        400,
        param,
        "invalid_request_error",
      ]);
      expect(error).to.have.all.keys("message", "type", "param", "code");
    }
    const format = { format: { type: "json_object" as const } };
    const shaped = await refusal(client.responses.create({ model: "agentd", input: "create", text: format }));
    expect([shaped.param, shaped.code]).to.deep.equal(["text.format", "unsupported_parameter"]);
    expect(shaped).to.be.instanceOf(BadRequestError);
    expect(target.requests).to.deep.equal([]);
    const harmless = { tools: [], n: 1, temperature: 0.2, user: "u", tool_choice: "none", metadata: {}, whatever: 1 };
    expect((await complete("create it", harmless as ChatParams)).choices[0]?.message.content).to.contain("Made.");
  });

  it("F23 turns modes on by headers, and refuses what it cannot read", async () => {
    await begin();
    const modes = { "X-Agentd-Read-Only": "true", "X-Agentd-Dry-Run": "1", "X-Agentd-Strict": "false" };
    await complete("create it", {}, modes);
    expect((await history())[0]).to.deep.include({ status: "blocked" });
    expect((await history())[0]?.policy).to.deep.equal({
      read_only: true,
      dry_run: true,
      strict: false,
      confirm: false,
    });
    const unreadable: Record<string, string>[] = [
      { "X-Agentd-Read-Only": "yes" },
      { "X-Agentd-Confirm": "" },
      { "X-Agentd-Strict": "true, true" },
      { "X-Agentd-Readonly": "true" },
      { X_Agentd_Read_Only: "true" },
    ];
    for (const headers of unreadable)
      expect((await refusal(complete("create it", {}, headers))).status, JSON.stringify(headers)).to.equal(400);
    for (const place of ["metadata", "extra_body"]) {
      const refused = await refusal(complete("create it", { [place]: { read_only: "true" } } as Partial<ChatParams>));
      expect([refused.status, refused.param]).to.deep.equal([400, place]);
    }
    expect(target.requests).to.deep.equal([]);
  });

  it("F21 a held call ends the turn by its name, and a yes in the conversation approves nothing", async () => {
    await begin({ config: { safety: { confirm: true } } });
    const headers = { "X-Session-Id": "held" };
    const said = (await complete("create it", {}, headers)).choices[0]?.message.content ?? "";
    const [held] = await daemon.agent.confirmations({ limit: 1 });
    expect(said).to.contain(held?.id);
    for (const word of ["yes", `yes, approve ${held?.id}`]) await complete(word, {}, headers);
    expect((await daemon.agent.confirmations({ limit: 1 }))[0]?.status).to.equal("pending");
    expect(target.requests).to.deep.equal([]);
  });

  it("F22 what Open WebUI asks for by itself calls nothing, whatever the model wants, and leaves no session", async () => {
    await begin();
    const task = "### Task:\nGenerate a concise title.\n<chat_history>\nUSER: create it\n</chat_history>";
    const headers = { "X-OpenWebUI-Chat-Id": "chat-1" };
    await complete(task, {}, headers);
    expect(target.requests).to.deep.equal([]);
    expect((await history())[0]).to.deep.include({ tool: "create_pet", status: "error" });
    expect(await daemon.agent.sessions({ limit: 10 })).to.deep.equal([]);
    await daemon.close();
    await begin({ config: { default_provider: "offline", providers: { offline: { type: "offline" } } } });
    const wanted = `${task}\nJSON format: { "title": "your title here" }`;
    expect((await complete(wanted)).choices[0]?.message.content).to.equal('{"title":"Create it"}');
    expect(await history()).to.deep.equal([]);
    await daemon.close();
    const vendor = await beginWithVendor();
    const ofSystem = [{ role: "system", content: task } as const, ...messages("create it")];
    for (const given of [messages(task), ofSystem, messages("create it")])
      await client.chat.completions.create({ model: "agentd", messages: given });
    const offered = vendor.requests.map(({ body }) => (body["tools"] as unknown[] | undefined)?.length ?? 0);
    expect(offered).to.deep.equal([0, 0, 4]);
    expect(sent({ ...vendor, requests: vendor.requests.slice(0, 1) })[0]?.["content"]).to.contain(
      "There are no tools here",
    );
  });

  it("a client that hangs up cancels its turn", async () => {
    await begin();
    const ways = {
      "chat, streamed": { path: "chat/completions", body: { messages: messages("hang"), stream: true } },
      "chat, whole": { path: "chat/completions", body: { messages: messages("hang") } },
      "response, streamed": { path: "responses", body: { input: "hang", stream: true } },
      "response, whole": { path: "responses", body: { input: "hang" } },
    };
    for (const [way, { path, body }] of Object.entries(ways)) {
      const gone = new AbortController();
      const id = way.replace(/\W+/g, "-");
      const headers = { "X-Session-Id": id };
      const asked = postJson(`${daemon.url}/-/v1/${path}`, body, { headers, signal: gone.signal });
      asked.catch(() => {});
      await until(async () => (await transcriptOf(daemon.agent, id))?.length === 1);
      gone.abort();
      await until(async () => (await turnsOf(id))[0]?.status === "cancelled");
    }
  });

  it("a response has every event the library knows, with its tools as completed items", async () => {
    await begin();
    const stream = client.responses.stream({ model: "agentd", input: "create it" });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event as ResponseStreamEvent);
    const call = ["output_item.added", "function_call_arguments.delta", "function_call_arguments.done"];
    expect(types(events)).to.deep.equal([
      "response.created",
      "response.in_progress",
      ...MESSAGE,
      ...[...call, "output_item.done", "output_item.added", "output_item.done"].map((type) => `response.${type}`),
      ...MESSAGE.slice(0, 3),
      "response.output_text.delta",
      ...THOUGHT,
      ...MESSAGE.slice(3),
      "response.completed",
    ]);
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
    const final = await stream.finalResponse();
    expect(final.output.map(({ type }) => type as string)).to.deep.equal([
      "message",
      "function_call",
      "function_call_output",
      "message",
      "reasoning",
    ]);
    expect(final.usage?.total_tokens).to.equal(10);
    const again = await client.responses.retrieve(final.id);
    expect(again.created_at).to.equal(final.created_at);
    expect(again.output_text).to.equal("Let me see.Made.");
    expect(again.output.map(({ type }) => type)).to.have.members(final.output.map(({ type }) => type));
  });

  it("a background response goes on without its client, is followed from any event, and ends by cancel", async () => {
    await begin();
    const { id, status } = await client.responses.create({ model: "agentd", input: "wait", background: true });
    expect(status).to.be.oneOf(["queued", "in_progress"]);
    const live = await follow(id);
    expect(types(live).filter((type) => type === "response.output_text.delta").length).to.equal(3);
    const helper = client.responses.stream({ response_id: id, starting_after: live[3]?.sequence_number ?? 0 });
    expect((await helper.finalResponse()).output.map(textOf)).to.deep.equal(["so very long"]);
    const hanging = await client.responses.create({ model: "agentd", input: "hang", background: true });
    const cancelled = await client.responses.cancel(hanging.id);
    expect([cancelled.status, cancelled.id]).to.deep.equal(["cancelled", hanging.id]);
    expect(types(await follow(hanging.id)).at(-1)).to.equal("response.failed");
    expect((await client.responses.cancel(id)).status).to.equal("completed");
    expect((await refusal(client.responses.retrieve("resp_none"))).status).to.equal(404);
  });

  it("a stream of a background response may be left, and the turn goes on", async () => {
    await begin();
    const stream = await client.responses.create({ model: "agentd", input: "wait", background: true, stream: true });
    let had: ResponseStreamEvent | undefined;
    let id = "";
    for await (const event of stream) {
      had = event;
      if (event.type === "response.created") id = event.response.id;
      if (event.type === "response.output_text.delta") break;
    }
    const rest = await follow(id, had?.sequence_number ?? 0);
    const deltas = rest.flatMap((event) => (event.type === "response.output_text.delta" ? [event.delta] : []));
    expect(deltas).to.deep.equal(["very ", "long"]);
    expect(types(rest).slice(2)).to.deep.equal([...MESSAGE.slice(3), "response.completed"]);
  });

  it("a replay sends what is missing and nothing twice, wherever the client was", async () => {
    await begin();
    const { id } = await client.responses.create({ model: "agentd", input: "wait", background: true });
    const live = await follow(id);
    const whole = await follow(id);
    expect(types(whole)).to.deep.equal(["response.created", "response.in_progress", ...MESSAGE, "response.completed"]);
    for (const [at, { sequence_number }] of live.entries()) {
      const rest = await follow(id, sequence_number);
      for (const event of rest) expect(event.sequence_number).to.be.greaterThan(sequence_number);
      const had = live.slice(0, at + 1).some(({ type }) => type === "response.output_text.delta");
      expect(types(rest).includes("response.output_text.delta"), `after ${at}`).to.equal(!had);
      if (at < live.length - 1) expect(types(rest).at(-1)).to.equal("response.completed");
    }
  });

  it("the stream of a response is one that an EventSource reads, event by event, up to its end @all", async () => {
    await begin();
    const { id } = await client.responses.create({ model: "agentd", input: "wait", background: true });
    const live = await follow(id);
    const source = new EventSource(`${client.baseURL}/responses/${id}?stream=true`);
    const read: string[] = [];
    const kinds = new Set(types(live));
    for (const kind of kinds)
      source.addEventListener(kind, ({ data }) => read.push((JSON.parse(data) as ResponseStreamEvent).type));
    await new Promise<void>((resolve) => {
      source.addEventListener("message", ({ data }) => data === "[DONE]" && resolve());
    });
    source.close();
    expect(read).to.deep.equal(types(await follow(id)));
  });

  it("reads the texts of an input of items, and leaves out what is none", async () => {
    const vendor = await beginWithVendor();
    const input: ResponseInputItem[] = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "input_text", text: "one" }] },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "{}" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "two" }] } as ResponseInputItem,
      { role: "user", content: "three" },
    ];
    const answer = await client.responses.create({ model: "agentd/real", input, instructions: "Rhyme." });
    expect(answer.instructions).to.equal("Rhyme.");
    const [system, ...rest] = sent(vendor);
    expect(system?.["content"]).to.match(/Rhyme\.\n\nBe brief\.\n/);
    expect(rest.map(({ role }) => role)).to.deep.equal(["user", "assistant", "user"]);
    const asked: string[] = [];
    for await (const item of client.responses.inputItems.list(answer.id, { order: "asc" }))
      asked.push(item.type === "message" ? `${item.role}: ${JSON.stringify(item.content)}` : String(item.type));
    expect(asked.map((line) => line.replace(/\[.*"text":"(.*?)".*/, "$1"))).to.deep.equal([
      "system: Rhyme.",
      "system: Be brief.",
      "user: one",
      "assistant: two",
      "user: three",
    ]);
  });

  it("a response has every field that Open Responses requires, and its events those of theirs", async () => {
    await begin();
    const message = (role: string, content: string): object => ({ type: "message", role, content });
    const inputs = {
      basic: [message("user", "Say hello in exactly 3 words.")],
      system: [message("system", "You are a pirate."), message("user", "Say hello.")],
      turns: [message("user", "My name is Alice."), message("assistant", "Hello!"), message("user", "What is it?")],
    };
    for (const [name, input] of Object.entries(inputs)) {
      const answer = await postJson(`${daemon.url}/-/v1/responses`, { model: "agentd", input });
      const response = (await answer.json()) as JsonObject;
      expect(response, name).to.include.keys(...REQUIRED_FIELDS);
      expect([response["status"], response["output"]]).to.deep.equal([
        "completed",
        [
          {
            id: (response["output"] as JsonObject[])[0]?.["id"],
            type: "message",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text: "ok", annotations: [], logprobs: [] }],
          },
        ],
      ]);
    }
    const streamed = await postJson(`${daemon.url}/-/v1/responses`, { input: "create it", stream: true });
    const blocks = (await streamed.text()).trim().split("\n\n");
    expect(blocks.pop()).to.equal("data: [DONE]");
    for (const block of blocks) {
      const [, name = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      const event = JSON.parse(data) as JsonObject;
      expect(event["type"]).to.equal(name);
      expect(event, name).to.include.keys("sequence_number", ...requiredOf(name));
    }
  });

  it("an Idempotency-Key gives the same turn, and no second one", async () => {
    await begin();
    const headers = { "Idempotency-Key": "k" };
    const one = await complete("create it", {}, headers);
    const two = await complete("create it", {}, headers);
    expect(two).to.deep.equal(one);
    expect(target.requests.length).to.equal(1);
    expect((await refusal(complete("create another", {}, headers))).status).to.equal(422);
    expect(
      (await refusal(client.responses.create({ model: "agentd", input: "create it" }, { headers }))).status,
    ).to.equal(422);
  });

  it("a turn that another client cancels is a conflict that is not tried again", async () => {
    await begin();
    const patient = new OpenAI({ baseURL: `${daemon.url}/-/v1`, apiKey: "none", maxRetries: 2 });
    const asked = refusal(
      patient.chat.completions.create(
        { model: "agentd", messages: messages("hang") },
        { headers: { "X-Session-Id": "s" } },
      ),
    );
    await until(async () => (await transcriptOf(daemon.agent, "s"))?.length === 1);
    await postJson(`${daemon.url}/-/sessions/s/cancel`, {});
    const error = await asked;
    expect(error).to.be.instanceOf(ConflictError);
    expect(error.code).to.equal("cancelled");
    expect((await turnsOf("s")).length).to.equal(1);
  });
});
