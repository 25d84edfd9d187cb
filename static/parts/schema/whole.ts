// The whole of a schema as a form: where it stands, and the fields for it that is written as JSON. Pure.
import { type FormDraft, firstDraft, type PartPlace, partAnswer, toDraft } from "../../../src/domain/schema-form.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";

/** Where the whole of a schema stands. */
export const placeOfAll = (root: JsonObject): PartPlace => ({ name: "arguments", required: true, root, depth: 0 });

/** The fields for what is written as JSON; undefined where they cannot hold it. */
export function fieldsOfJson(schema: JsonObject, { json }: { json: string }, place: PartPlace): FormDraft | undefined {
  if (json.trim() === "") return firstDraft(schema, place);
  const answer = partAnswer(schema, { json }, place);
  const draft = "value" in answer ? toDraft(schema, answer.value as JsonValue, place) : undefined;
  return draft && "json" in draft ? undefined : draft;
}
