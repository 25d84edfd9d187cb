// A question over two applications: "which products under 20 have fewer than 10 in the warehouse". The records of the first part are
// read, then those of the other application, and the ones that share a key are the answer. Reads only.
import type { Tool } from "../domain/tool.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import { pluralOf } from "../lib/plural.js";
import { createMentions } from "../tools/search/application-mentions.js";
import { amount, displayedRows, sentWith } from "./answer/list.js";
import { MAX_ROWS, markdownTable } from "./answer/markdown.js";
import { readResultText } from "./answer/rows.js";
import { quoted } from "./answer/sentences.js";
import type { CompletedCall, Situation } from "./conversation.js";
import type { Goal } from "./goal.js";
import { fillSlots } from "./match/fill.js";
import { comparisonsIn } from "./prompt/comparison.js";
import type { Today } from "./prompt/entities.js";
import { negationsIn } from "./prompt/negation.js";
import { type PromptText, readPrompt } from "./prompt/prompt.js";
import { readRequest } from "./prompt/request.js";
import { resourceNoun } from "./resource-noun.js";
import { boundOf } from "./slots/bounds.js";
import { slotsOf } from "./slots/slot.js";
import { type Step, textStep } from "./step.js";

/** Where the second part of such a question begins. */
const SECOND_PART = /\s(?:that\s+|which\s+|who\s+|and\s+)?(?:have|has|having|with|are|is)\s+/gi;
const PLACE = /\s*\b(?:in|inside|within|on|of|from|at)\s+(?:the\s+|our\s+|my\s+)?$/i;

/** The two parts, and the application of the second. */
interface Parts {
  first: string;
  second: string;
  application: string;
}

function partsOf(prompt: string, tools: readonly Tool[]): Parts | undefined {
  const applications = new Set(
    tools.filter(({ transport }) => transport.kind !== "builtin").map(({ application }) => application),
  );
  if (applications.size < 2) return undefined;
  const [mention, ...more] = createMentions(applications)(prompt);
  if (!mention || more.length > 0) return undefined;
  const split = [...prompt.matchAll(SECOND_PART)].findLast(({ index }) => index < mention.start);
  if (!split) return undefined;
  const before = prompt.slice(split.index + split[0].length, mention.start);
  const place = PLACE.exec(before);
  if (!place) return undefined;
  const second = `${before.slice(0, place.index)}${prompt.slice(mention.end)}`.replace(/[\s?.!]+$/, "");
  return { first: prompt.slice(0, split.index), second, application: mention.application };
}

/** The first step of such a question; undefined for any other prompt. `plan` gives the step for a prompt and some of the tools. */
export function openJoin(
  { conversation, tools, today }: Situation,
  plan: (prompt: string, tools: readonly Tool[]) => Step,
): Step | undefined {
  const parts = partsOf(conversation.prompt, tools);
  if (!parts) return undefined;
  const { first, second, application } = parts;
  const whole = readPrompt(conversation.prompt, today);
  if (readRequest(whole).commands.some(({ intents }) => intents.size > 0)) return undefined;
  const said = readPrompt(second, today);
  if (negationsIn(whole).length > 0 || (comparisonsIn(said).length === 0 && said.entities.length === 0))
    return undefined;
  const others = tools.filter((tool) => tool.application !== application);
  const step = plan(first, others);
  const list = step.kind === "call" && others.find(({ name, verb }) => name === step.tool && verb === "list");
  if (step.kind !== "call" || !list) return undefined;
  // "products under 20 in the shop": where it has products of its own, these are meant.
  const isOwn = (tool: Tool): boolean => tool.application === application && resourceNoun(tool) === resourceNoun(list);
  if (tools.some(isOwn)) return undefined;
  return {
    ...step,
    goal: { step: "join", tool: list.name, args: step.args, prompt: first, phrase: second, slot: application },
  };
}

/** Fields by which records of two applications can be the same: keys that people give things. */
const SHARED_KEY = /^(?:sku|ean|isbn|upc|email|uuid|guid|vin)$|(?:_|[a-z])(?:id|sku|code|number|no|Id)$/i;

/** The fields of two lists that hold the same key; undefined when there are none. */
function sharedKey(
  one: { fields: readonly string[]; noun: string },
  other: { fields: readonly string[]; noun: string },
): [string, string] | undefined {
  const same = one.fields.find((field) => SHARED_KEY.test(field) && other.fields.includes(field));
  if (same !== undefined) return [same, same];
  const refers = (fields: readonly string[], noun: string): string | undefined =>
    fields.find((field) => field.toLowerCase().replaceAll("_", "") === `${noun}id`);
  const there = refers(other.fields, one.noun);
  if (there !== undefined && one.fields.includes("id")) return ["id", there];
  const here = refers(one.fields, other.noun);
  return here !== undefined && other.fields.includes("id") ? [here, "id"] : undefined;
}

/** What the second part asks of the records of a list. */
const secondPrompt = (tool: Tool, second: string, today: Today): PromptText =>
  readPrompt(`list ${pluralOf(resourceNoun(tool))} with ${second}`, today);

/** The list of the other application that has most of what the second part asks for, with its arguments. */
function secondCall(
  fields: readonly string[],
  { goal, first, tools, today }: { goal: Goal; first: Tool; tools: readonly Tool[]; today: Today },
): { tool: Tool; args: JsonObject } | undefined {
  const fitting = tools.flatMap((tool) => {
    if (tool.application !== goal.slot || tool.verb !== "list") return [];
    const columns = slotsOf(tool).filter(({ name }) => boundOf(name) === undefined);
    const other = { fields: columns.map(({ name }) => name), noun: resourceNoun(tool) };
    if (!sharedKey({ fields, noun: resourceNoun(first) }, other)) return [];
    const filled = fillSlots(tool, secondPrompt(tool, goal.phrase ?? "", today), { guess: false });
    return filled.missing.length > 0 ? [] : [{ tool, args: filled.args, used: filled.used.size }];
  });
  const most = Math.max(...fitting.map(({ used }) => used));
  const best = fitting.filter(({ used }) => used === most);
  return best.length === 1 ? best[0] : undefined;
}

/** The records of both parts that share a key, as text. */
function joined(first: CompletedCall, second: CompletedCall, { tools, today }: Situation): string {
  const { goal } = second;
  const [one, other] = [first, second].map(({ call }) => tools.find(({ name }) => name === call.name));
  const left = readResultText(first.text);
  const right = readResultText(second.text);
  if (!one || !other || !left.rows || !right.rows) return "I could not compare the answers of the two applications.";
  const said = secondPrompt(other, goal?.phrase ?? "", today);
  const here = displayedRows(
    left.rows,
    { tool: one, args: first.call.arguments },
    readPrompt(goal?.prompt ?? "", today),
  );
  const there = displayedRows(right.rows, { tool: other, args: second.call.arguments }, said);
  const fieldsOf = (rows: readonly JsonObject[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const keys = sharedKey(
    { fields: fieldsOf(left.rows), noun: resourceNoun(one) },
    { fields: fieldsOf(right.rows), noun: resourceNoun(other) },
  );
  const filters = Object.keys(second.call.arguments).map((name) => boundOf(name)?.column ?? name);
  const conditions = sentWith(other, second.call.arguments) || ` with ${there.conditions.join(" and ")}`;
  const where = `${conditions} in ${other.application}`;
  const noun = resourceNoun(one);
  const byKey = new Map(keys ? there.rows.map((row): [JsonValue, JsonObject] => [String(row[keys[1]]), row]) : []);
  const wanted = new Set([...here.fields, ...filters, ...there.fields]);
  const rows = here.rows.flatMap((row) => {
    const match = keys && byKey.get(String(row[keys[0]]));
    if (!match) return [];
    const added = Object.entries(match).filter(([name]) => wanted.has(name));
    return [{ ...row, ...Object.fromEntries(added) }];
  });
  const open = comparisonsIn(said).filter(({ entity }) => !conditions.includes(String(entity.value)));
  const note =
    open.length > 0
      ? `I could not narrow this by ${quoted(
          open.map(({ text }) => text),
          "or",
        )}.\n\n`
      : "";
  const partial = left.partial || right.partial ? " among those that were returned" : "";
  if (rows.length === 0) return `${note}No ${pluralOf(noun)}${where}${partial}.`;
  const more = rows.length > MAX_ROWS ? `\n\n… and ${rows.length - MAX_ROWS} more.` : "";
  return `${note}${amount(rows.length, noun)}${where}${partial}:\n\n${markdownTable(rows, wanted)}${more}`;
}

/** Goes on with such a question after one of its calls. */
export function continueJoin(last: CompletedCall, goal: Goal, situation: Situation): Step {
  const { conversation, tools, today } = situation;
  const tool = tools.find(({ name }) => name === last.call.name);
  if (tool && tool.application === goal.slot) {
    const first = conversation.turn.at(-2);
    return textStep(first ? joined(first, last, situation) : "I could not compare the answers.");
  }
  const { rows = [] } = readResultText(last.text);
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const next = tool && secondCall(fields, { goal, first: tool, tools, today });
  if (next) return { kind: "call", tool: next.tool.name, args: next.args, goal };
  const noun = tool ? pluralOf(resourceNoun(tool)) : "records";
  return textStep(
    rows.length === 0
      ? `No ${noun} found.`
      : `I found ${amount(rows.length, tool ? resourceNoun(tool) : "record")}, but nothing in ${goal.slot} by which they can be told there, so I went no further.`,
  );
}
