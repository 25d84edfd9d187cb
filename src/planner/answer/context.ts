// What an answer is made from: the completed call, and the prompt it was made for.
import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";

/** A completed call. */
export interface AnsweredCall {
  tool: Tool;
  args: JsonObject;
  /** The text of its result. */
  text: string;
  isError: boolean;
}

/** The prompt that is answered. */
export interface AnswerContext {
  prompt: PromptText;
  request: Request;
  /** The name a record was looked up by, for this call. */
  lookupPhrase: string;
}
