// The records of a list that have none of another: "plants with no sponsor", where sponsors hang on sponsorships, and "members without bookings".
// The list that holds their keys is read, too, and those that stand in it are left out. Reads only.

import type { Tool } from "../../domain/tool.js";
import { toJson } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { displayedRows } from "../answer/list.js";
import { fieldNamesOf } from "../answer/narrowed.js";
import { mayHaveMore } from "../answer/page.js";
import { renderAnswer } from "../answer/render.js";
import { readResultText } from "../answer/rows.js";
import { inRow } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { keyIn } from "../names/called-records.js";
import { isWholeList, wholeListArgs } from "../names/name-lists.js";
import { shownStep } from "../names/shown-records.js";
import { type Negation, negationsIn } from "../prompt/negation.js";
import { contentTokens, type PromptText, readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { nounPhrase, resourceNoun } from "../resource-noun.js";
import { type Step, textStep } from "../step.js";
import { keyFieldOf, linkBetween, ownLists } from "./links.js";

/** What is lacking says no more than that it is. */
const KNOWN = /^(?:known|recorded|registered|listed|assigned|single|any)$/;
/** What stands before "no sponsor", and is taken out with it. */
const LEAD = /\s(?:(?:that|which|who)\s+)?(?:have|has|had|are|is|with)(?:\s+(?:still|currently|as\s+yet))?\s$/i;

/** The noun of what a prompt says is lacking, and nothing else with it. */
function lackingIn(prompt: PromptText): { noun: string; negation: Negation } | undefined {
  const [negation, ...others] = negationsIn(prompt);
  if (!negation?.absence || others.length > 0) return undefined;
  const said = contentTokens(prompt).filter(
    ({ start, word }) => start >= negation.start && start < negation.end && !KNOWN.test(word),
  );
  const [noun, ...more] = said.filter(({ word }) => !/^(?:no|without|lacking)$/.test(word));
  return noun &&
    more.length === 0 &&
    prompt.entities.every(({ start }) => start < negation.start || start >= negation.end)
    ? { noun: singularOf(noun.word), negation }
    : undefined;
}

/** The only list that holds the keys of records of a list, of what they lack: of that itself, or of what joins the two. */
function holderOf(list: Tool, noun: string, tools: readonly Tool[]): { holder: Tool; field: string } | undefined {
  const [found, ...others] = ownLists(tools).flatMap((one) => {
    if (resourceNoun(one) !== noun) return [];
    const field = keyFieldOf(one, list, tools);
    if (field !== undefined) return [{ holder: one, field }];
    const link = linkBetween(list, one, tools);
    return link ? [{ holder: link.list, field: link.wanted }] : [];
  });
  return others.length === 0 ? found : undefined;
}

/** The step that reads what records of a list lack, where the records do not say it; undefined for any other prompt. */
export function stepToLacking(
  { call, goal, text }: CompletedCall,
  list: Tool,
  { prompt, situation: { tools, readsLeft } }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  const { rows = [] } = readResultText(text);
  const lacking = goal?.step === "do" && isWholeList(list) && rows.length > 0 ? lackingIn(prompt) : undefined;
  const { commands, howTo } = readRequest(prompt);
  if (!lacking || readsLeft < 0 || howTo || commands.some(({ intents }) => intents.size > 0)) return undefined;
  // What they have a field for they say themselves.
  if (fieldNamesOf(rows).some((field) => words(field).map(singularOf).includes(lacking.noun))) return undefined;
  const found = holderOf(list, lacking.noun, tools);
  if (!found) return undefined;
  const { holder, field } = found;
  const next: Goal = { step: "lacking", tool: list.name, args: call.arguments, slot: field, prompt: prompt.text };
  return { kind: "call", tool: holder.name, args: wholeListArgs(holder), goal: next };
}

/** Fields that may say that what stands there counts no more. */
const MAY_BE_OVER =
  /^(?:status|state|(?:is_)?active|(?:is_)?cancelled|(?:left|ended|end|until|returned|cancelled)(?:_?(?:at|on|date))?)$/i;

/** Goes on after that list was read. */
export function continueLacking(last: CompletedCall, goal: Goal, situation: Situation): Step {
  const { conversation, tools, today } = situation;
  const list = tools.find(({ name }) => name === goal.tool);
  const holder = tools.find(({ name }) => name === last.call.name);
  const first = conversation.turn.findLast(({ call }) => call.name === goal.tool);
  const prompt = readPrompt(goal.prompt ?? "", today);
  const lacking = lackingIn(prompt);
  if (!list || !holder || !first || !lacking) return textStep("A list that this needs is gone, so I went no further.");
  const held = readResultText(last.text);
  const nouns = pluralOf(nounPhrase(holder));
  if (!held.rows || mayHaveMore(holder, last.call.arguments, held))
    return textStep(
      `I was shown only ${held.rows?.length ?? 0} ${nouns}, and there may be more, so I cannot tell which ${pluralOf(resourceNoun(list))} have none.`,
    );
  const keys = new Set(held.rows.map((row) => String(row[goal.slot ?? ""])));
  const { rows = [], ...result } = readResultText(first.text);
  const left = rows.filter((row) => !keys.has(String(keyIn(row, list, tools))));
  const { start, end } = lacking.negation;
  const before = prompt.text.slice(0, start).replace(LEAD, " ");
  const rest = readPrompt(`${before}${prompt.text.slice(end)}`, today);
  const answered = { tool: list, args: first.call.arguments, text: toJson(left), isError: false };
  const over = fieldNamesOf(held.rows).filter((field) => MAY_BE_OVER.test(field));
  const whatever = over.length > 0 ? `, whatever their ${inRow(over, "or")}` : "";
  const some = mayHaveMore(list, first.call.arguments, { rows, ...result }) ? ` of the first ${rows.length}` : "";
  const note = `Left out${some} are those with any ${nouns}${whatever}.\n\n`;
  if (left.length === 0) return textStep(`${note}No ${pluralOf(resourceNoun(list))} are left.`);
  const { text, offers } = renderAnswer(answered, { prompt: rest, request: readRequest(rest), lookupPhrase: "" });
  // What else is open keeps them back, and a yes would show all.
  if (offers !== undefined) return textStep(text.replace(/\n*Say "yes"[^\n]*$/, ""));
  return shownStep(
    `${note}${text}`,
    { list, rows: displayedRows(left, answered, rest).rows, prompt: rest.text },
    tools,
  );
}
