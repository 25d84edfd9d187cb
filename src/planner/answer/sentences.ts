// The planner's own sentences: what it is, what it can do, what it asks for. It never passes for a language model.
import type { Tool } from "../../domain/tool.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { UNNAMED_APPLICATION } from "../../tools/search/application-mentions.js";
import type { Slot } from "../slots/slot.js";

const SELF =
  "I am agentd's offline planner, not a language model: I match plain English words to tools by fixed rules.";
const ADVICE = "Name the thing and its values plainly, or set up a model provider for free conversation.";

/** Parameters named in one question. */
const MOST_NAMED = 12;

function line(tool: Tool): string {
  const what = tool.description.replace(/\s+/g, " ").split(/(?<=[.!?])\s/)[0] ?? "";
  return `- \`${tool.name}\`${what ? `: ${what.length > 100 ? `${what.slice(0, 99).toWellFormed()}…` : what}` : ""}`;
}

/** Each tool once: the list of a table stands for the reading of one row, too. */
export function eachOnce(tools: readonly Tool[]): Tool[] {
  const keyOf = ({ name, application, resource, transport: { kind, operation } }: Tool): string =>
    kind === "sql" ? [application, resource, operation].join(" ") : name;
  const seen = new Set<string>();
  return tools.filter((tool) => seen.size < seen.add(keyOf(tool)).size);
}

/** Greeting and help. */
export function introductionText(tools: readonly Tool[]): string {
  const own = eachOnce(tools.filter(({ transport }) => transport.kind !== "builtin"));
  if (own.length === 0) return `${SELF} There are no tools here yet: import an API description with \`agentd sync\`.`;
  const some = own.slice(0, 10).map(line).join("\n");
  const more = own.length > 10 ? `\n- … and ${own.length - 10} more` : "";
  return `${SELF} I can call these tools:\n\n${some}${more}\n\nSay what you want done, such as "list …", "create … named …" or "delete … 7".`;
}

/** The answer to thanks. */
export const THANKS_TEXT = "You are welcome.";

/** The answer to a prompt that takes back what it was going to say. */
export const ABANDONED =
  "You were not going to do that after all, so I called nothing. Say what you want in one plain sentence.";

/** The answer to a report. */
export const REPORTED =
  "That tells what happened, and asks for nothing, so I called nothing. Say what you want in one plain sentence.";

/** The answer to what is to be put on record and was not placed. */
export const NOT_ENTERED =
  "You want that on record, and I could not place it with certainty, so I entered nothing. Say which record is to be changed, and each field with its value.";

/** Texts named in one sentence, and how much of each. */
const MOST_QUOTED = 4;
const MAX_QUOTED = 60;

/** Words of the prompt, quoted in a sentence. */
export function quoted(texts: readonly string[], joint: string): string {
  const clip = (text: string): string =>
    text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  const some = texts.slice(0, MOST_QUOTED).map((text) => `"${clip(text)}"`);
  if (texts.length > MOST_QUOTED) some.push("more");
  return some.join(` ${joint} `);
}

/** Words in a row: "boats, berths and sailors". */
export const inRow = (all: readonly string[], joint: string): string =>
  all.join(", ").replace(/, ([^,]*)$/, ` ${joint} $1`);

/** Notes that only so many words of a prompt were read. */
export function cutText(words: number): string {
  return `I read only the beginning of this prompt: its first ${words === 1 ? "word" : `${words} words`}.`;
}

/** Declines, because no tool fits well enough, and names the nearest. */
export function declineText(near: readonly Tool[], note = ""): string {
  const head = note || "No tool clearly fits that, so I called none.";
  if (near.length === 0) return `${head} ${SELF} ${ADVICE}`;
  return `${head} The nearest are:\n\n${near.map(line).join("\n")}\n\n${SELF} ${ADVICE}`;
}

/** Says why a prompt that reads calls no tool of an MCP server that nobody has judged. */
export function unjudgedText(tool: Tool): string {
  const { application } = tool;
  const [whose, file] =
    application === "" ? ["", "overrides.json"] : [` for ${application}`, `overrides/${application}.json`];
  return `No tool that only reads fits that, so I called none. \`${tool.name}\` counts as destructive, as every tool of an MCP server does until somebody says otherwise: "trust_annotations": true${whose} in config.json and another agentd sync believe the server, ${file} says it tool by tool.`;
}

/** Explains what a tool needs, instead of calling it. */
export function howToText(tool: Tool, needed: readonly Slot[]): string {
  const names = needed.map(({ name }) => `\`${name}\``).join(", ");
  return `That is done by \`${tool.name}\`${names ? `, which needs ${names}` : ""}. I have not called it; tell me to and I will. ${SELF}`;
}

function slotText(slot: Slot): string {
  const options = slot.options.length > 0 ? ` (one of ${slot.options.slice(0, 12).join(", ")})` : "";
  return `${slot.path.join(".")}${options}`;
}

/** Asks for missing values by name. */
export function askText(tool: Tool, missing: readonly Slot[]): string {
  const [first] = missing;
  const names = missing.map(slotText);
  const what = missing.length === 1 && first ? `Which ${names[0]}?` : `Which values for ${names.join(", ")}?`;
  return `${what} \`${tool.name}\` needs ${missing.length === 1 ? "it" : "them"}; answer with ${missing.length === 1 ? "the value" : "`name: value`"} or say "cancel".`;
}

/** Offers a call that only reads, and says why it was not made at once. */
export function offerText(why: string, tool: Tool, args: JsonObject): string {
  const given = Object.keys(args).length > 0 ? ` with ${toJson(args)}` : "";
  return `${why}, so I called nothing. Say "yes" to call \`${tool.name}\`${given}, or say it in one plain sentence.`;
}

/** Asks for parameters that were given an invalid value. */
export function askAgainText(slots: readonly Slot[]): string {
  const form = slots.length === 1 ? "the value" : "`name: value`";
  return `Which ${slots.map(slotText).join(", which ")}? Answer with ${form} or say "cancel".`;
}

/** Asks what is to change, when the prompt does not mention it. */
export function askChangeText(tool: Tool, slots: readonly Slot[]): string {
  const names = slots.slice(0, MOST_NAMED).map(slotText).join(", ");
  return `What should change? \`${tool.name}\` takes ${names}${slots.length > MOST_NAMED ? ", …" : ""}; answer with \`name: value\` or say "cancel".`;
}

/** Asks whose tool is meant, where several applications have one. */
export function whichApplicationText(tools: readonly Tool[]): string {
  const names = tools.map(({ application }) => `in ${application || UNNAMED_APPLICATION}`);
  return `More than one application can do that, so I did nothing. Say it again with the name of the one you mean (${names.join(", ")}) or of the tool:\n\n${tools.map(line).join("\n")}`;
}

/** Asks which of two changes is meant. */
export function whichText(tools: readonly Tool[]): string {
  return `That could be more than one thing, so I did nothing. Which is it?\n\n${tools.map(line).join("\n")}`;
}
