// What a model thinks aloud, in each form that servers of this API have for it, apart from its text; and the same on its way back.
// Sources: DeepSeek (`reasoning_content`), OpenRouter (`reasoning`, `reasoning_details`), Mistral (parts of type `thinking`), tags.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, stringOf, toJson } from "../../lib/json.js";
import { createThinkTags } from "./think-tags.js";

/** Reads the thoughts of one reply. */
interface ReasoningReader {
  /** Takes a piece of the message, returns the text in it that is no thought. */
  take(piece: JsonObject): string;
  /** At the end: text that was held back. */
  rest(): string;
  /** What a person reads of the thoughts that came since this was last asked. */
  more(): string;
  /** The thoughts as a person reads them, "" when there are none. */
  text(): string;
  /** What is kept with the message and sent back; undefined when there is nothing. */
  meta(): JsonObject | undefined;
}

/** The texts of a list of parts, of those of this type or without one. */
function partsText(parts: JsonValue | undefined, isThought: boolean): string {
  if (typeof parts === "string") return isThought ? "" : parts;
  return listOf(parts)
    .map((part) => {
      if (!isObject(part) || (part["type"] === "thinking") !== isThought) return "";
      return isThought
        ? listOf(part["thinking"])
            .map((one) => stringOf(objectOf(one)["text"]))
            .join("")
        : stringOf(part["text"]);
    })
    .join("");
}

/** What the pieces of one detail have in common; undefined for one that is whole: an encrypted one without a number. */
function detailKey({ type, index, id }: JsonObject): string | undefined {
  if (typeof index === "number") return toJson([type ?? null, index]);
  return type === "reasoning.encrypted" ? undefined : toJson([type ?? null, index ?? null, id ?? null]);
}

/** Adds a piece of a detail to the one it belongs to: texts grow, of everything else what comes later counts. */
function addDetail(details: JsonObject[], piece: JsonObject, byKey: Map<string, JsonObject>): void {
  const key = detailKey(piece);
  const own = key === undefined ? undefined : byKey.get(key);
  if (!own) {
    const detail = { ...piece };
    details.push(detail);
    if (key !== undefined) byKey.set(key, detail);
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const isGrowing = name === "text" || name === "summary" || name === "data";
    if (isGrowing) own[name] = stringOf(own[name]) + stringOf(value);
    else if (value !== null) own[name] = value;
  }
}

/** A reader for one reply. */
export function createReasoningReader(): ReasoningReader {
  const tags = createThinkTags();
  const details: JsonObject[] = [];
  const byKey = new Map<string, JsonObject>();
  let content = "";
  let reasoning = "";
  let thinking = "";
  let fresh = "";

  const detailText = (one: JsonObject): string => stringOf(one["text"]) || stringOf(one["summary"]);
  const text = (): string => {
    const inDetails = details.map(detailText).join("");
    return content || reasoning || inDetails || thinking || (tags.thought()?.text ?? "");
  };
  return {
    take(piece) {
      const [inContent, inReasoning] = [stringOf(piece["reasoning_content"]), stringOf(piece["reasoning"])];
      content += inContent;
      reasoning += inReasoning;
      const given = listOf(piece["reasoning_details"]).filter(isObject);
      for (const one of given) addDetail(details, one, byKey);
      const inParts = Array.isArray(piece["content"]) ? partsText(piece["content"], true) : "";
      thinking += inParts;
      const rest = tags.push(partsText(piece["content"], false) || partsText(piece["refusal"], false));
      fresh += inContent || inReasoning || given.map(detailText).join("") || inParts || tags.more();
      return rest;
    },
    rest() {
      const rest = tags.rest();
      fresh += tags.more();
      return rest;
    },
    more() {
      const more = fresh;
      fresh = "";
      return more;
    },
    text,
    meta(): JsonObject | undefined {
      // One form is enough: servers that send several send the same thoughts in each.
      if (details.length > 0) return { reasoning_details: details };
      if (content) return { reasoning_content: content };
      if (reasoning) return { reasoning };
      if (thinking) return { thinking };
      const tagged = tags.thought();
      return tagged ? { tagged: { ...tagged } } : undefined;
    },
  };
}

/** The fields of an assistant's message that carry its thoughts back. */
export function reasoningFields(meta: JsonObject | undefined): JsonObject {
  for (const key of ["reasoning_details", "reasoning_content", "reasoning"]) {
    const value = meta?.[key];
    // The packages of other vendors keep a list of their own under one of these names.
    if (key === "reasoning" ? typeof value === "string" : value !== undefined) return { [key]: value as JsonValue };
  }
  return {};
}

/** The content of an assistant's message with the thoughts that came in it. */
export function contentWithThoughts(text: string, meta: JsonObject | undefined): JsonValue {
  const thinking = meta?.["thinking"];
  if (typeof thinking === "string") {
    const thought = { type: "thinking", thinking: [{ type: "text", text: thinking }] };
    return text === "" ? [thought] : [thought, { type: "text", text }];
  }
  const tagged = meta?.["tagged"];
  if (isObject(tagged))
    return `<${stringOf(tagged["tag"])}>\n${stringOf(tagged["text"])}\n</${stringOf(tagged["tag"])}>\n\n${text}`;
  return text || null;
}
