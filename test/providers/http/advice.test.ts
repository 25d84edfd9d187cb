// Each vendor's own words for what goes wrong, and the advice that belongs to it.
import { expect } from "chai";
import { providerOptions } from "../../../src/providers/create.js";
import { createFailures } from "../../../src/providers/http/failure.js";

const options = providerOptions({
  type: "openai-compatible",
  name: "acme",
  model: "m-1",
  baseUrl: "https://api.example/v1",
});
const failures = createFailures(options, new URL("https://api.example/v1"));

const TOO_LONG = /longer than its context: start a new session/;
const NO_TOOLS = /"m-1" cannot use tools here/;
const NO_MODEL = /has no model "m-1"/;
const NO_CREDIT = /no credit left/;
const QUEUE = /queue is full/;
const MISWRITTEN = /wrote a call that cannot be read/;

const CASES: [vendor: string, status: number, body: object | string, advice: RegExp, retryable?: true][] = [
  [
    "OpenAI",
    400,
    { error: { message: "This model's maximum context length is 128000 tokens.", code: "context_length_exceeded" } },
    TOO_LONG,
  ],
  ["OpenAI, newer", 400, { error: { message: "Your input exceeds the context window of this model." } }, TOO_LONG],
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    TOO_LONG,
  ],
  [
    "Groq, whose model wrote a call wrong",
    400,
    { error: { message: "Failed to call a function.", type: "invalid_request_error", code: "tool_use_failed" } },
    MISWRITTEN,
    true,
  ],
  [
    "Anthropic with max_tokens",
    400,
    { error: { message: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000" } },
    TOO_LONG,
  ],
  [
    "Google",
    400,
    {
      error: {
        code: 400,
        message: "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
        status: "INVALID_ARGUMENT",
      },
    },
    TOO_LONG,
  ],
  [
    "Mistral",
    400,
    { object: "error", message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" },
    TOO_LONG,
  ],
  [
    "Groq",
    413,
    { error: { message: "Please reduce the length of the messages or completion.", code: "context_length_exceeded" } },
    TOO_LONG,
  ],
  [
    "xAI",
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." },
    TOO_LONG,
  ],
  ["Bedrock", 400, { message: "Input is too long for requested model." }, TOO_LONG],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size.",
        type: "exceed_context_size_error",
      },
    },
    TOO_LONG,
  ],
  ["LiteLLM", 400, { error: { message: "litellm.ContextWindowExceededError: 9000 > 8192" } }, TOO_LONG],
  [
    "SGLang",
    400,
    { object: "error", message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
    TOO_LONG,
  ],
  [
    "Text Generation Inference",
    422,
    { error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000" },
    TOO_LONG,
  ],
  ["FastAPI's list", 422, { detail: [{ loc: ["body", "model"], msg: "invalid model name" }] }, NO_MODEL],
  ["LM Studio", 400, { error: "Trying to keep the first 15857 tokens when context the overflows." }, TOO_LONG],
  [
    "Ollama without tools",
    400,
    { error: { message: "registry.ollama.ai/library/gemma:2b does not support tools" } },
    NO_TOOLS,
  ],
  ["llama.cpp without tools", 500, { error: { code: 500, message: "tools param requires --jinja flag" } }, NO_TOOLS],
  [
    "vLLM without tools",
    400,
    {
      object: "error",
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
    NO_TOOLS,
  ],
  [
    "OpenRouter without tools",
    404,
    { error: { message: "No endpoints found that support tool use.", code: 404 } },
    NO_TOOLS,
  ],
  ["Groq without tools", 400, { error: { message: "`tool calling` is not supported with this model" } }, NO_TOOLS],
  [
    "OpenAI's model",
    404,
    { error: { message: "The model `m-1` does not exist or you do not have access to it.", code: "model_not_found" } },
    NO_MODEL,
  ],
  ["Anthropic's model", 404, { type: "error", error: { type: "not_found_error", message: "model: m-1" } }, NO_MODEL],
  ["Ollama's model", 404, { error: { message: 'model "m-1" not found, try pulling it first' } }, NO_MODEL],
  [
    "Mistral's model",
    400,
    { object: "error", message: "Invalid model: m-1", type: "invalid_model", code: "1500" },
    NO_MODEL,
  ],
  ["OpenRouter's model", 400, { error: { message: "m-1 is not a valid model ID", code: 400 } }, NO_MODEL],
  [
    "Azure's deployment",
    404,
    { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
    NO_MODEL,
  ],
  ["Google's model", 404, { error: { message: "models/m-1 is not found for API version v1beta" } }, NO_MODEL],
  ["Bedrock's model", 400, { message: "The provided model identifier is invalid." }, NO_MODEL],
  [
    "OpenAI's quota",
    429,
    { error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
    NO_CREDIT,
  ],
  [
    "Anthropic's credit",
    400,
    { error: { message: "Your credit balance is too low to access the Anthropic API." } },
    NO_CREDIT,
  ],
  ["OpenRouter's credit", 402, { error: { message: "Insufficient credits", code: 402 } }, NO_CREDIT],
  ["DeepSeek's credit", 402, { error: { message: "Insufficient Balance" } }, NO_CREDIT],
  ["Ollama's queue", 503, { error: "server busy, please try again.  maximum pending requests exceeded" }, QUEUE, true],
  [
    "llama.cpp while it loads",
    503,
    { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    /still loading the model/,
    true,
  ],
  ["Google's key", 400, { error: { code: 400, message: "API key not valid. Please pass one." } }, /Check its api_key/],
  ["a key", 401, { error: { message: "model_not_found: wrong key" } }, /Check its api_key/],
  ["what has no words of its own", 404, "<html>Not Found</html>", /Check the model name "m-1" and base_url/],
];

describe("Models: failures in each vendor's words", () => {
  for (const [vendor, status, body, advice, retryable = false] of CASES)
    it(`${vendor}: ${String(advice)}`, () => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const error = failures.status(status, {}, text);
      expect(error.message)
        .to.match(advice)
        .and.contain(`status ${status}`)
        .and.match(/^Provider "acme" \(api\.example\) /);
      expect(error.retryable).to.equal(retryable || status >= 500);
    });

  it("gives the same advice for an error inside a stream", () => {
    const error = failures.reported({ code: 400, message: "This endpoint's maximum context length is 8192 tokens." });
    expect(error.message).to.match(TOO_LONG);
    expect(failures.reported({ code: 502, message: "Provider returned error" }).retryable).to.equal(true);
    expect(failures.reported({ code: 402, message: "Insufficient credits" }).retryable).to.equal(false);
  });

  it("names NODE_EXTRA_CA_CERTS for a certificate that is not trusted, and does not try again", () => {
    for (const code of ["DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "CERT_HAS_EXPIRED"]) {
      const error = failures.from(Object.assign(new Error("tls"), { code }));
      expect(error.message).to.match(/certificate of https:\/\/api\.example is not trusted.*NODE_EXTRA_CA_CERTS/);
      expect(error.retryable).to.equal(false);
    }
  });
});
