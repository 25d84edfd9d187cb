// GET /-/v1/responses/{id}/input_items: what was asked, as the transcript has it: the prompt and what came along with it.
// Source: docs/reference.md, "OpenAI-compatible routes".

import type { TranscriptTurn } from "../../domain/record.js";
import type { JsonObject } from "../../lib/json.js";

/** The items of a turn, in the order they were said or the other way round; none before it began. */
export function inputItems(turn_id: string, turn: TranscriptTurn | undefined, order: "asc" | "desc"): JsonObject {
  const prompt = turn?.messages.find(({ role }) => role === "user");
  const said = prompt?.role === "user" ? [...(prompt.context ?? []), { role: prompt.role, text: prompt.text }] : [];
  const items = said.map(({ role, text }, at): JsonObject => {
    const type = role === "assistant" ? "output_text" : "input_text";
    const part: JsonObject = role === "assistant" ? { type, text, annotations: [] } : { type, text };
    return { id: `msg_${turn_id}_in_${at}`, type: "message", role, status: "completed", content: [part] };
  });
  if (order === "desc") items.reverse();
  const idOf = (item: JsonObject | undefined): string | null => (item ? String(item["id"]) : null);
  return { object: "list", data: items, first_id: idOf(items[0]), last_id: idOf(items.at(-1)), has_more: false };
}
