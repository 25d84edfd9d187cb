// What belongs to a record by the records that join the two: the singers of group 1 by its memberships. These are read first, then the list of
// what is wanted. Reads only.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { amount } from "../answer/list.js";
import { MAX_ROWS, markdownTable } from "../answer/markdown.js";
import { mayHaveMore } from "../answer/page.js";
import { idOf, readResultText } from "../answer/rows.js";
import { inRow } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { keyIn } from "../names/called-records.js";
import { wholeListArgs } from "../names/name-lists.js";
import { shownStep } from "../names/shown-records.js";
import { nounPhrase, resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Step, textStep } from "../step.js";
import type { Link } from "./links.js";

/** The first step to what is wanted of a record with a key. */
export function throughStep(wanted: Tool, link: Link, { key, prompt }: { key: JsonValue; prompt: string }): Step {
  const slot = slotsOf(link.list).find(({ name, path }) => name === link.owner && path.length === 1);
  const value = slot && toSlotValue(slot, key);
  const filter: JsonObject = value === undefined ? {} : { [link.owner]: value };
  const goal: Goal = { step: "through", tool: wanted.name, args: { [link.owner]: key }, slot: link.wanted, prompt };
  return { kind: "call", tool: link.list.name, args: { ...wholeListArgs(link.list), ...filter }, goal };
}

/** Fields that say that a record which joins others is over, and those that may say so. */
const OVER = /^(?:left|ended|end|until|to|removed|returned|expired|expires)(?:_?(?:at|on|date))?$/i;
const MAY_BE_OVER = /^(?:status|state|(?:is_)?active|(?:is_)?cancelled)$/i;

/** The records of a list that join others to the one with the key. */
function joinsOf(rows: readonly JsonObject[], { args }: Goal, today: string): JsonObject[] {
  const [[field, key] = ["", null]] = Object.entries(args);
  const isOver = ([name, value]: [string, JsonValue | undefined]): boolean =>
    OVER.test(name) && typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && value.slice(0, 10) < today;
  return rows.filter((row) => String(row[field]) === String(key) && !Object.entries(row).some(isOver));
}

/** What records that join others have beside their keys. */
const detailsOf = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !/^(?:id|name)$|ids?$|uuid$/i.test(name)));

/** The records that are wanted, each with what joins it, as text. */
function answer(last: CompletedCall, list: Tool, { first, goal, situation }: Joined): Step {
  const { tools, today } = situation;
  const [[field, key] = ["", null]] = Object.entries(goal.args);
  const owner = `${words(field).slice(0, -1).join(" ")} ${String(key)}`;
  const link = tools.find(({ name }) => name === first.call.name);
  const joins = joinsOf(readResultText(first.text).rows ?? [], goal, today.date);
  const rows = readResultText(last.text).rows ?? [];
  const found = joins.flatMap((join) => {
    const id = String(join[goal.slot ?? ""]);
    const row = rows.find((one) => String(keyIn(one, list, tools) ?? idOf(one, "id")) === id);
    return row ? [{ row, shown: { ...detailsOf(join), ...row } }] : [];
  });
  const noun = resourceNoun(list);
  const by = link ? ` by ${pluralOf(nounPhrase(link))}` : "";
  const states = [...new Set(joins.flatMap((one) => Object.keys(one)))].filter(
    (name) => MAY_BE_OVER.test(name) && new Set(joins.map((one) => String(one[name]))).size > 1,
  );
  const whatever = states.length > 0 ? `, whatever their ${inRow(states, "or")}` : "";
  const lost = joins.length - found.length;
  const note = lost > 0 ? `I was not shown ${lost} of them.\n\n` : "";
  const records = [...new Set(found.map(({ row }) => row))];
  const more = found.length > MAX_ROWS ? `\n\n… and ${found.length - MAX_ROWS} more.` : "";
  const table = markdownTable(
    found.map(({ shown }) => shown),
    new Set(states),
  );
  if (records.length === 0) return textStep(`${note}No ${pluralOf(noun)} of ${owner}${by}.`);
  const text = `${note}${amount(records.length, noun)} of ${owner}${by}${whatever}:\n\n${table}${more}`;
  return shownStep(text, { list, rows: records, prompt: goal.prompt ?? "" }, tools);
}

interface Joined {
  /** The call that read what joins. */
  first: CompletedCall;
  goal: Goal;
  situation: Situation;
}

/** Goes on after one of the two lists was read. */
export function continueThrough(last: CompletedCall, goal: Goal, situation: Situation): Step {
  const { conversation, tools, today, readsLeft } = situation;
  const wanted = tools.find(({ name }) => name === goal.tool);
  const tool = tools.find(({ name }) => name === last.call.name);
  if (!wanted || !tool) return textStep("A list that this needs is gone, so I went no further.");
  const first = conversation.turn.findLast(
    ({ call, goal: one }) => one?.step === "through" && call.name !== wanted.name,
  );
  if (tool === wanted && first) return answer(last, wanted, { first, goal, situation });
  const result = readResultText(last.text);
  const nouns = pluralOf(resourceNoun(tool));
  if (mayHaveMore(tool, last.call.arguments, result) || readsLeft < 0)
    return textStep(
      `I was shown only ${result.rows?.length ?? 0} ${nouns}, and there may be more, so I went no further.`,
    );
  if (joinsOf(result.rows ?? [], goal, today.date).length === 0)
    return answer({ ...last, text: "[]" }, wanted, { first: last, goal, situation });
  return { kind: "call", tool: wanted.name, args: wholeListArgs(wanted), goal };
}
