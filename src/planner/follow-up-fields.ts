// A prompt that asks what was read before for one of its fields: "what are they worth?" behind a list, "and their credit limit?" behind a
// record. Read as the whole prompt that it stands for.

import type { Tool } from "../domain/tool.js";
import { isObject } from "../lib/json.js";
import { words } from "../tools/search/terms.js";
import { idOf, readResultText } from "./answer/rows.js";
import type { CompletedCall } from "./conversation.js";
import type { PromptText } from "./prompt/prompt.js";
import { resourceNoun } from "./resource-noun.js";

const WORTH =
  /^\s*(?:and\s+|so\s+)?(?:(?:what|how much)\s+(?:are|were)\s+(?:they|those|these)(?:\s+all)?\s+worth|how much\s+(?:do|did)\s+(?:they|those|these)(?:\s+all)?\s+cost)(?:\s+(?:together|altogether|in total|all together))?[\s?.!]*$/i;
/** Names of fields that hold what something is worth, the likeliest first. */
const WORTHS = [/(?:^|_)(?:value|worth)(?:_|$)/i, /(?:^|_)price(?:_|$)/i, /(?:^|_)(?:cost|amount|total)(?:_|$)/i];
const THEIR =
  /^\s*(?:and|also|then|what about|how about|and what about|(?:and\s+)?what(?:['’]s|\s+is|\s+are))\s+(?:their|its|his|her)\s+(?<field>\p{L}[\p{L}\s_-]{0,60}?)[\s?.!]*$/iu;

interface Read {
  tool: Tool;
  last: CompletedCall;
  base: PromptText;
}

/** The total of what the records of a list are worth. */
function totalPrompt({ last, base }: Read): string | undefined {
  const [row = {}] = readResultText(last.text).rows ?? [];
  const fields = Object.keys(row).filter((name) => /^-?\d/.test(String(row[name])));
  const name = WORTHS.map((pattern) => fields.filter((field) => pattern.test(field))).find((some) => some.length > 0);
  const [field, ...others] = name ?? [];
  if (field === undefined || others.length > 0) return undefined;
  return `${base.text.replace(/[\s?.!]+$/, "")}, total ${words(field).join(" ")}`;
}

/** The field of the one record that was read, by its key or by the name that it was asked for by. */
function fieldPrompt(field: string, { tool, last, base }: Read): string | undefined {
  const { value, rows } = readResultText(last.text);
  const [named, ...others] = base.entities.filter(({ kind }) => kind === "name");
  if (last.goal?.step === "name") return named && others.length === 0 ? `${field} of ${named.text}` : undefined;
  if (tool.verb !== "get" || rows || !isObject(value)) return undefined;
  const key = idOf(value, "id") ?? Object.values(last.call.arguments)[0];
  return key === undefined || isObject(key) ? undefined : `${field} of ${resourceNoun(tool)} ${String(key)}`;
}

/** The whole prompt for such a one; undefined for any other. */
export function fieldOfRead({ text }: PromptText, read: Read): string | undefined {
  if (WORTH.test(text)) return read.tool.verb === "list" ? totalPrompt(read) : undefined;
  const field = THEIR.exec(text)?.groups?.["field"];
  return field === undefined ? undefined : fieldPrompt(field, read);
}
