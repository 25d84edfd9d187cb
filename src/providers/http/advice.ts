// What to do about a failed model call, by what its status means and by the words vendors have for what a status does not say.
// Pure: the status and the words come in, one sentence goes out.

interface Advice {
  /** In the vendor's message, type or code. */
  words: RegExp;
  advice(model: string): string;
}

/** A conversation that is longer than the context: each alternative is a vendor's or a server's own wording. */
const TOO_LONG = new RegExp(
  [
    // OpenAI, Azure, vLLM, OpenRouter, DeepSeek; xAI; LiteLLM.
    "context.?length.?exceeded|maximum (context|model|prompt) length|context.?window",
    // Anthropic.
    "prompt is too long|exceed context limit",
    // Google.
    "input token count .*exceeds",
    // Mistral; Groq.
    "too large for model with|reduce the length of the messages",
    // Bedrock.
    "input is too long for requested model",
    // llama.cpp.
    "exceed_context_size|exceeds? the available context size|context size has been exceeded",
    // SGLang; Text Generation Inference.
    "longer than the model's context|`max_new_tokens` must be <=",
    // LM Studio.
    "trying to keep the first|greater than the context length",
    // Ollama, which cuts without a word unless it is told not to.
    "input (length )?exceeds (the )?(maximum )?context length|exceeds? the context length",
  ].join("|"),
  "i",
);

/** Whether a failure with this status and these words means that the conversation is too long for the model. */
export function isOverflow(status: number, words: string): boolean {
  return status === 413 || (status !== 401 && status !== 429 && TOO_LONG.test(words));
}

/** The first whose words are there counts. Each alternative is a vendor's or a server's own wording. */
const BY_WORDS: readonly Advice[] = [
  {
    words: TOO_LONG,
    advice: () =>
      "The conversation is longer than its context: start a new session, lower history_limit, tool_tokens or result_budget, or give a model of your own a larger context.",
  },
  {
    // OpenAI, Azure: newer models use tools, and some models do anything at all, in one of the two APIs only.
    words:
      /use \/?v1\/responses|only (supported|available) in (the )?\/?v1\/responses|not supported (with|in) the responses api/i,
    advice: (model) =>
      `The model "${model}" wants the other of OpenAI's APIs: set "api" of this provider to "responses", or to "chat".`,
  },
  {
    // Ollama; llama.cpp; vLLM; OpenRouter; Groq; DeepSeek.
    words: new RegExp(
      [
        "does not support (tools|function calling|tool)",
        "tools param requires --jinja|unsupported param: tools",
        "tool choice requires --enable-auto-tool-choice",
        "no endpoints found that support tool use",
        "tool (calling|use|choice)\\W? (is|are) not supported",
      ].join("|"),
      "i",
    ),
    advice: (model) =>
      `The model "${model}" cannot use tools here: choose one that can, or start its server with tools (docs/models.md).`,
  },
  {
    // Groq; Ollama.
    words: /tool_use_failed|error parsing tool call/i,
    advice: () => "The model wrote a call that cannot be read: send the prompt again, or choose another model.",
  },
  {
    // OpenAI, xAI, LM Studio; vLLM; Ollama; Mistral; OpenRouter; Azure; Google; Bedrock; LiteLLM; Anthropic.
    words: new RegExp(
      [
        "model_not_found|no models? loaded",
        "model \\S+ (does not exist|not found)|not a valid model|invalid.model|invalid model name",
        "DeploymentNotFound|deployment for this resource does not exist",
        "models/\\S+ is not found|model identifier is invalid|^model: ",
      ].join("|"),
      "im",
    ),
    advice: (model) => `It has no model "${model}": correct "model" of this provider, or --model.`,
  },
  {
    // Google, whose status for it is 400; xAI.
    words: /API key not valid|incorrect API key/i,
    advice: () => "Check its api_key.",
  },
  {
    words: /insufficient_quota|credit balance|insufficient (credits|balance)|billing/i,
    advice: () => "Its account has no credit left: waiting does not help.",
  },
  {
    // Ollama; text-generation servers; gateways.
    words: /maximum pending requests|queue is full|server (is )?busy|too many (pending|queued) requests/i,
    advice: () => "Its queue is full: try again in a moment, or let it take more at once.",
  },
  {
    words: /loading model|model is (still )?loading/i,
    advice: () => "It is still loading the model: try again in a moment.",
  },
];

function byStatus(status: number, model: string): string {
  if (status === 401 || status === 403) return "Check its api_key.";
  if (status === 402) return "Its account has no credit left: waiting does not help.";
  if (status === 404 || status === 405) return `Check the model name "${model}" and base_url.`;
  if (status === 413) return "The conversation is too long for it: start a new session or lower history_limit.";
  if (status === 429) return "Wait a little, or check the plan and its limits.";
  if (status >= 300 && status < 400) return "It points elsewhere: correct base_url.";
  if (status >= 500) return "The trouble is on its side: try again later.";
  return "Check the model name and the provider's settings.";
}

/** The advice that the vendor's own words ask for; undefined without such words. */
export function adviceByWords(words: string, model: string): string | undefined {
  return BY_WORDS.find((one) => one.words.test(words))?.advice(model);
}

/** What to do about a status with this message and code. */
export function adviceFor(status: number, words: string, model: string): string {
  // A refused key says nothing else, whatever words it comes with.
  if (status === 401) return byStatus(status, model);
  return adviceByWords(words, model) ?? byStatus(status, model);
}
