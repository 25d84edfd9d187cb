// Which of OpenAI's two APIs an entry speaks: chat completions, which every compatible server has, or responses.
import { isObject } from "../lib/json.js";

/** The values of the setting `api`. */
export const OPENAI_APIS = ["chat", "responses"] as const;
export type OpenAiApi = (typeof OPENAI_APIS)[number];

/** Where OpenAI itself is reached. */
export const OPENAI_URL = "https://api.openai.com/v1";

function isOpenAi(address: string): boolean {
  return URL.canParse(address) && new URL(address).hostname === new URL(OPENAI_URL).hostname;
}

/**
 * The API of an entry of `providers`: what it says, else responses at OpenAI's own address, whose newer models refuse tools
 * elsewhere, and chat completions at any other. Undefined for types with an API of their own.
 */
export function openAiApiOf(entry: unknown): OpenAiApi | undefined {
  const { type, api, base_url: address } = isObject(entry) ? entry : {};
  if (type !== "openai" && type !== "openai-compatible") return undefined;
  if (api === "chat" || api === "responses") return api;
  const isOwn = typeof address === "string" && address !== "" ? isOpenAi(address) : type === "openai";
  return isOwn ? "responses" : "chat";
}
