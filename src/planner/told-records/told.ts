// The change that a prompt says of the records in it: its first clause has the record, or two of them, and those behind it go on with the
// same one. A prompt and lists with their records in, the call out; undefined where any word is left over, or two changes can be meant.

import type { Tool } from "../../domain/tool.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { valueAt } from "../../lib/json-pointer.js";
import { stem } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import type { ReadList } from "../names/called-records.js";
import type { Today } from "../prompt/entities.js";
import { collectionOf } from "../resource-noun.js";
import { pathNames, type Slot, setValueAt, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { joinIn, referenceIn } from "./between.js";
import { assignmentsOf } from "./clause.js";
import { fittedValue } from "./fitted.js";
import { type Linked, linkedRecords } from "./linked.js";

/** A call that a prompt says, and the records that it is of. */
export interface ToldChange {
  tool: Tool;
  args: JsonObject;
  records: Linked[];
}

interface Context {
  lists: readonly ReadList[];
  tools: readonly Tool[];
  today: Today;
}

/** What comes behind a change and says no more of it. */
const ONLY_SO =
  /[,;]\s*(?:please\s+)?(?:(?:take|book)\s+(?:them|it|that)\s+off(?:\s+(?:the\s+)?(?:stock|list))?|(?:change|update|fix|correct|note|enter|record)\s+(?:that|it|this))(?:\s+please)?$/iu;

const ACTION = /^(?:please\s+)?(?<verb>\p{L}+)\s+§\s+(?:to|in|into|on|at|with|for|by)\s+(?<value>\S.*?)[\s.!]*$/iu;

/** The only tool of the collection of a list that does something, and takes one key. */
export function toolFor(list: Tool, tools: readonly Tool[], does: (tool: Tool) => boolean): Tool | undefined {
  const [tool, ...others] = tools.filter(
    (one) => one.safety !== "read_only" && collectionOf(one) === collectionOf(list) && does(one),
  );
  return tool && others.length === 0 && pathNames(tool).size === 1 ? tool : undefined;
}

/** The key of a record in the path of a tool. */
function keyArgs(tool: Tool, record: Linked): JsonObject | undefined {
  const [name = ""] = pathNames(tool);
  const slot = slotsOf(tool).find((one) => one.name === name);
  const value = slot && toSlotValue(slot, record.id);
  return value === undefined ? undefined : { [name]: value };
}

export const settableOf = (tool: Tool): Slot[] => {
  const keys = pathNames(tool);
  return slotsOf(tool).filter(
    ({ name, schema, path, enclosing }) =>
      !keys.has(name) && name !== "id" && schema["readOnly"] !== true && (path.length === 1 || enclosing.length === 0),
  );
};

/** A text with a sign in place of each record. */
function marked(text: string, signs: readonly [record: Linked, sign: string][]): string {
  let out = text;
  for (const [{ start, end }, sign] of signs.toSorted(([a], [b]) => b.start - a.start))
    out = out.slice(0, start) + sign + out.slice(end);
  return out;
}

/** The stems of what is done to the records of a list by actions of their own. */
export const actsOn = (list: Tool, tools: readonly Tool[]): Set<string> =>
  new Set(tools.flatMap((tool) => (collectionOf(tool) === collectionOf(list) ? (actionOf(tool) ?? []) : [])));

/** The update of a record by what the text says of its fields. */
function updateOf(text: string, record: Linked, context: Context): ToldChange | undefined {
  const tool = toolFor(record.list, context.tools, ({ verb }) => verb === "update");
  const args = tool && keyArgs(tool, record);
  const rows = context.lists.find(({ list }) => list === record.list)?.rows ?? [];
  const acts = actsOn(record.list, context.tools);
  const told = tool && { slots: settableOf(tool), row: record.row, rows, acts, today: context.today };
  const said = told && assignmentsOf(marked(text, [[record, "§"]]), told);
  if (!args || !said) return undefined;
  for (const { slot, value } of said) setValueAt(args, slot.path, value);
  return { tool, args, records: [record] };
}

/** The action that a text with a record in it begins with, and what it takes behind the record: "admit § to W3". */
export function actionIn(
  said: string,
  list: Tool,
  { tools, today }: Omit<Context, "lists">,
): { tool: Tool; slot: Slot; value: JsonValue } | undefined {
  const { verb = "", value = "" } = ACTION.exec(said)?.groups ?? {};
  const term = stem(verb.toLowerCase());
  const tool = verb === "" ? undefined : toolFor(list, tools, (one) => actionOf(one) === term);
  const slots = tool ? settableOf(tool) : [];
  const needed = slots.filter(({ required }) => required);
  const [slot, ...others] = needed.length > 0 ? needed : slots;
  const taken = slot && fittedValue(slot, value, { today, isMarked: false });
  return tool && slot && others.length === 0 && taken !== undefined ? { tool, slot, value: taken } : undefined;
}

function actionOn(text: string, record: Linked, context: Context): ToldChange | undefined {
  const action = actionIn(marked(text, [[record, "§"]]), record.list, context);
  const args = action && keyArgs(action.tool, record);
  if (!args) return undefined;
  setValueAt(args, action.slot.path, action.value);
  return { tool: action.tool, args, records: [record] };
}

/** The update of one record by the key of another. */
function referenceOf(text: string, [one, other]: readonly [Linked, Linked], context: Context): ToldChange | undefined {
  const tool = toolFor(one.list, context.tools, ({ verb }) => verb === "update");
  const said = marked(text, [
    [one, "§"],
    [other, "¶"],
  ]);
  const slot = tool && referenceIn(said, { update: tool, other: other.list }, context.tools);
  const args = slot && keyArgs(tool, one);
  const value = slot && toSlotValue(slot, other.id);
  if (!args || value === undefined) return undefined;
  setValueAt(args, slot.path, value);
  return { tool, args, records: [one, other] };
}

/** The new record that joins two, with what further clauses say of it. */
function joinOf(text: string, [one, other]: readonly [Linked, Linked], context: Context): ToldChange | undefined {
  const said = marked(text, [
    [one, "§"],
    [other, "¶"],
  ]);
  const [first = "", ...more] = said.split(/\s*[,;]\s+/u);
  const join = joinIn(first, { one: one.list, other: other.list }, context.tools);
  if (!join) return undefined;
  const { tool, slots } = join;
  const args: JsonObject = {};
  for (const [slot, record] of [
    [slots[0], one],
    [slots[1], other],
  ] as const) {
    const value = toSlotValue(slot, record.id);
    if (value === undefined) return undefined;
    setValueAt(args, slot.path, value);
  }
  const free = settableOf(tool).filter((slot) => !slots.includes(slot));
  for (const clause of more) {
    const told = { slots: free, row: {}, rows: [], acts: new Set<string>(), today: context.today, goesOn: true };
    const [set, ...others] = assignmentsOf(clause, told) ?? [];
    if (!set || others.length > 0 || valueAt(args, set.slot.path) !== undefined) return undefined;
    setValueAt(args, set.slot.path, set.value);
  }
  const isWhole = slotsOf(tool).every(({ required, path }) => !required || valueAt(args, path) !== undefined);
  return isWhole ? { tool, args, records: [one, other] } : undefined;
}

/** The change that a text says with these records in it. */
function changesOf(text: string, records: readonly Linked[], context: Context): ToldChange[] {
  if (records.length === 2) {
    const [a, b] = records as [Linked, Linked];
    const both = [
      referenceOf(text, [a, b], context),
      referenceOf(text, [b, a], context),
      joinOf(text, [a, b], context),
    ];
    const found = both.filter((one) => one !== undefined);
    if (found.length > 0) return found;
  }
  return records.flatMap((record) =>
    [updateOf(text, record, context) ?? actionOn(text, record, context)].filter((one) => one !== undefined),
  );
}

/** A prompt without what comes behind a change and says no more of it. */
export const toldText = (prompt: string): string => prompt.replace(/[\s.!]+$/, "").replace(ONLY_SO, "");

/** The only change that a text says; undefined where there is none, or the record is so already. */
export function toldChangeOf(prompt: string, context: Context): ToldChange | undefined {
  const text = toldText(prompt);
  for (const parts of [false, true]) {
    const records = linkedRecords(text, { ...context, parts });
    if (records.length === 0 || records.length > 3) continue;
    const found = changesOf(text, records, context);
    const [change, ...others] = new Map(found.map((one) => [`${one.tool.name} ${toJson(one.args)}`, one])).values();
    if (change) return others.length === 0 && !isSo(change) ? change : undefined;
  }
  return undefined;
}

/** Whether a record has all that an update would set. */
function isSo({ tool, args, records: [record] }: ToldChange): boolean {
  if (tool.verb !== "update" || !record) return false;
  return settableOf(tool).every((slot) => {
    const value = valueAt(args, slot.path);
    return value === undefined || isSame(record.row[slot.name], value);
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  typeof other === "boolean" ? (one === true || one === 1) === other && one !== null : String(one) === String(other);
