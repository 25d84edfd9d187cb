// What a server wants of a person in the middle of a call, in both eras: a form or a page. A form that asks for secrets is refused,
// as a server must not ask for them so. Source: Model Context Protocol, "Elicitation".
import type { InputAnswer, InputRequest } from "../../domain/input.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { isSensitiveKey } from "../../lib/redact/sensitive-key.js";
import { cleanSchema, cleanText } from "./clean.js";

const MAX_WORDS = 2_000;
const MAX_FIELDS = 50;

/** What a server is answered. */
export type ElicitationAnswer = { action: "accept"; content?: JsonObject } | { action: "decline" | "cancel" };

/** A request that a person can be asked, or why nobody is. */
type ReadRequest = { request: InputRequest } | { refused: string };

/** What a server asks, as a person is asked it. */
export function readElicitation(params: JsonValue): ReadRequest {
  const { message = "", mode = "form", url, requestedSchema } = objectOf(params);
  const words = cleanText(String(message), MAX_WORDS);
  if (mode === "url") {
    const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
    const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
    if (!address || !isWeb || address.username !== "" || address.password !== "")
      return { refused: "it names no page of the web" };
    return { request: { message: words, url: address.href } };
  }
  if (mode !== "form") return { refused: `it asks in a way that is not known: ${cleanText(String(mode), 40)}` };
  if (!isObject(requestedSchema) || !isObject(requestedSchema["properties"]))
    return { refused: "its form has no fields" };
  const fields = Object.entries(requestedSchema["properties"]);
  if (fields.length > MAX_FIELDS) return { refused: `its form has more than ${MAX_FIELDS} fields` };
  const secret = fields.find(([name, field]) =>
    [name, objectOf(field)["title"]].some((text) => typeof text === "string" && isSensitiveKey(text)),
  );
  if (secret) return { refused: `it asks for a secret, ${cleanText(secret[0], 40)}, which no form is for` };
  return { request: { message: words, fields: cleanSchema(requestedSchema) as JsonObject } };
}

/** A person's answer as the server gets it: the fields of its form and no others, those left out with their defaults. */
export function answerElicitation({ fields }: InputRequest, answer: InputAnswer): ElicitationAnswer {
  if (answer.action !== "accept") return { action: answer.action };
  if (!fields) return { action: "accept" };
  const content: JsonObject = {};
  for (const [name, field] of Object.entries(objectOf(fields["properties"]))) {
    const value = Object.hasOwn(answer.values, name) ? answer.values[name] : objectOf(field)["default"];
    if (value !== undefined) content[name] = value;
  }
  return { action: "accept", content };
}
