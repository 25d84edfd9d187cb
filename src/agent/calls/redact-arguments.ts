// The arguments of a call as they are stored and displayed: for its events, its row, and the request that is made of them; and its
// result, which may repeat them. The one place that decides what is hidden.
import type { CallArguments } from "../../applications/transport.js";
import type { ToolCall } from "../../domain/message.js";
import type { Action } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { createRedactor, hidesAll, REDACTED, type Redactor } from "../../lib/redact/redact.js";
import { sensitivityOf } from "../../lib/redact/sensitive-key.js";
import { MAX_MALFORMED_CHARS } from "../../providers/calls.js";
import type { Catalogue } from "../../tools/catalogue.js";
import { describedSecrets } from "./described-secrets.js";

/** What is needed to find the tool of a call, and to hide what is secret in its arguments. */
export interface RedactContext {
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
}

/** Arguments without secrets: those known by value, and what is secret by its name, its description or the name it has in the request. */
export function redactArguments(args: JsonObject, action: Action | undefined, redactor: Redactor): JsonObject {
  const described = action?.parameters["properties"];
  return redactor.members(describedSecrets(action).hide(args), {
    otherNames: action?.wireNames ?? {},
    isPublic: (name) => isObject(described) && Object.hasOwn(described, name),
  });
}

/**
 * Hidden texts that a result is searched for, and their characters: a list of a few hundred passwords, a few certificates. Each is
 * searched for in some twenty spellings.
 */
const MAX_SEARCHED = 500;
const MAX_SEARCHED_CHARS = 64 * 1024;

/**
 * The texts and numbers in place of which only a placeholder is shown; undefined when they are too many to be searched for, or cannot
 * be told because names are hidden, too, and have become the same.
 */
function hiddenTexts(hiding: readonly CallArguments[]): Set<string> | undefined {
  const texts = new Set<string>();
  let chars = 0;
  /** False when there are too many, or when they cannot be told. */
  const add = (sent: JsonValue, shown: JsonValue | undefined): boolean => {
    if (sent === shown || sent === null || typeof sent === "boolean") return true;
    if (typeof sent !== "object") {
      const text = String(sent);
      if (shown !== REDACTED || texts.has(text)) return true;
      texts.add(text);
      chars += text.length;
      return texts.size <= MAX_SEARCHED && chars <= MAX_SEARCHED_CHARS;
    }
    const [inner, counterparts] = [sent, isObject(shown) || Array.isArray(shown) ? shown : {}] as [
      JsonObject,
      JsonObject,
    ];
    // A name may be hidden, too; the order is the same, but for names that are numbers.
    const names = Object.keys(counterparts);
    return Object.keys(inner).every((name, i) => {
      const counterpart = names[i];
      if (counterpart === undefined || (counterpart !== name && !counterpart.includes(REDACTED))) return false;
      return add(inner[name] as JsonValue, counterparts[counterpart]);
    });
  };
  return hiding.every(({ sent, shown }) => add(sent, shown)) ? texts : undefined;
}

/**
 * For the result of a call: an application that repeats what the arguments hide, or what the answers to its questions hide, must not
 * bring it back. Where the arguments hide too much to be searched for, nothing of the result but its shape is shown.
 */
export function resultRedactor(
  args: CallArguments,
  redactor: Redactor,
  answers: readonly CallArguments[] = [],
): Pick<Redactor, "text" | "value"> {
  const hiding = [args, ...answers].filter(({ sent, shown }) => sent !== shown);
  if (hiding.length === 0) return redactor;
  const texts = hiddenTexts(hiding);
  if (!texts) return hidesAll;
  const own = createRedactor(texts);
  return {
    text: (text) => own.text(redactor.text(text)),
    value: (value) => own.known(redactor.value(value)),
  };
}

/**
 * A name before a colon or an equals sign, in quotes of any kind or in none. Looked for where a run of its characters begins, not at
 * each of them: that would take the square of its length.
 */
const NAME = /(?<![\p{L}\p{N}_$.-])[.-]*([\p{L}\p{N}_$.-]+)[\\"'`]*\s*[:=]/gu;

/** Arguments that are no JSON object: from the first name on that tells of a secret nothing is kept, as its end cannot be told. */
export function redactMalformed(text: string, action: Action | undefined, redactor: Redactor): string {
  const { wireNames = {} } = action ?? {};
  const described = describedSecrets(action);
  const isSecret = (name: string): boolean =>
    sensitivityOf(name) !== "none" ||
    described.mayTell(name) ||
    (Object.hasOwn(wireNames, name) && sensitivityOf(wireNames[name] ?? "") !== "none");
  for (const match of text.matchAll(NAME))
    if (isSecret(match[1] ?? "")) return `${redactor.text(text.slice(0, match.index + match[0].length))} ${REDACTED}`;
  // Of what was cut off there, the beginning may be left: it is held back as that of a piece that goes on.
  return text.length < MAX_MALFORMED_CHARS ? redactor.text(text) : redactor.pieces().push(text);
}

/** The arguments of a call of the model, also of one whose tool is unknown. */
export function redactCall(
  { name, arguments: args }: Pick<ToolCall, "name" | "arguments">,
  context: RedactContext,
): JsonObject {
  return redactArguments(args, context.catalogue.action(name), context.redactor);
}
