// Which fields of a request to a model `extra_body` may hold: all that agentd does not write itself. Those are refused by name,
// so that a field never has two meanings and nothing decides silently which one counts.
import { StartError } from "../domain/error.js";
import { isObject, type JsonObject } from "../lib/json.js";
import { openAiApiOf } from "./openai-api.js";
import type { Found } from "./setting.js";

/** The settings that write a field of their own. */
const SETTINGS = { temperature: "temperature", max_tokens: "max_tokens", effort: "reasoning_effort" } as const;

/** What every interface in OpenAI's form has. */
const OPENAI_FORM = {
  model: "model",
  messages: "",
  tools: "",
  stream: "",
  stream_options: "stream_options",
  temperature: SETTINGS.temperature,
  reasoning_effort: SETTINGS.effort,
} as const;

/** By type, or by the API where a type has another: the path of each field agentd writes, with the setting it is made from, "" where there is none. */
const WRITTEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { ...OPENAI_FORM, max_completion_tokens: SETTINGS.max_tokens },
  "openai-compatible": { ...OPENAI_FORM, max_tokens: SETTINGS.max_tokens },
  responses: {
    model: "model",
    input: "",
    messages: "",
    instructions: "system",
    tools: "",
    stream: "",
    store: "",
    include: "",
    temperature: SETTINGS.temperature,
    max_output_tokens: SETTINGS.max_tokens,
    "reasoning.effort": SETTINGS.effort,
  },
  anthropic: {
    model: "model",
    messages: "",
    system: "system",
    tools: "",
    stream: "",
    temperature: SETTINGS.temperature,
    max_tokens: SETTINGS.max_tokens,
    "output_config.effort": SETTINGS.effort,
  },
  google: {
    contents: "",
    systemInstruction: "system",
    tools: "",
    "generationConfig.temperature": SETTINGS.temperature,
    "generationConfig.maxOutputTokens": SETTINGS.max_tokens,
    "generationConfig.thinkingConfig.thinkingLevel": SETTINGS.effort,
  },
};

function has(body: JsonObject, path: string): boolean {
  const [key = "", ...rest] = path.split(".");
  if (!Object.hasOwn(body, key)) return false;
  if (rest.length === 0) return true;
  const inner = body[key];
  // What is no object would take the place of the object agentd writes into.
  return !isObject(inner) || has(inner, rest.join("."));
}

/** The fields, unless agentd writes one of them for such an entry itself. Throws StartError naming it. */
export function checkExtraBody({ value, place }: Found<JsonObject>, entry: JsonObject): JsonObject {
  const form = openAiApiOf(entry) === "responses" ? "responses" : String(entry["type"]);
  for (const [path, row] of Object.entries(WRITTEN[form] ?? {}))
    if (has(value, path))
      throw new StartError(
        `${place}.${path}: agentd writes this field itself. ${row ? `Use the setting ${row}.` : "Take it out."}`,
      );
  return value;
}
