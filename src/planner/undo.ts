// "Undo that": the daemon's own tool that takes a change back, called for a prompt that asks for nothing else.
import { BUILTIN_KIND } from "../domain/builtin-kind.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";
import { type Step, textStep } from "./step.js";

const WHAT =
  "(?:that|it|this|the (?:last|latest|newest|previous|most recent) (?:change|call|one|action|step)|(?:my|your) last (?:change|call|action)|what you (?:just )?did|the change)";
const PROMPT = new RegExp(
  String.raw`^\s*(?:please\s+|now\s+)*(?:(?:undo|revert|reverse|roll\s?back)(?:\s+${WHAT})?|(?:take|roll|put)\s+${WHAT}\s+back|(?:undo|revert|take back)\s+(?:the\s+)?(?:call\s+|change\s+|history\s+(?:entry\s+|row\s+)?)?(?:no\.?\s*|number\s+|#)?(?<id>\d{1,15}))(?:\s+again)?(?:,?\s+please)?\s*[.!]*\s*$`,
  "i",
);

/** The step for a prompt that asks to take a change back; undefined for any other. */
export function undoStep(prompt: string, tools: readonly Tool[]): Step | undefined {
  const found = PROMPT.exec(prompt);
  if (!found) return undefined;
  const tool = tools.find(({ name, transport }) => name === "undo" && transport.kind === BUILTIN_KIND);
  if (!tool) return textStep("There is no change of this conversation that I could take back.");
  const id = found.groups?.["id"];
  const args: JsonObject = id === undefined ? {} : { history_id: Number(id) };
  return { kind: "call", tool: tool.name, args, goal: { step: "do", tool: tool.name, args, prompt } };
}
