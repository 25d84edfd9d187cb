// A prompt that no tool clearly fits may call a record by its name: "School Patch is now open access", "inspections of hive H-17",
// "who is Ada Holm". The lists whose records have names are read, the name gives way to the key of the record that is called so, and
// the prompt is planned again, or answered with that record. Reads only; what is called so twice, or not at all, is no record.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { pluralOf } from "../../lib/plural.js";
import { markdownTable } from "../answer/markdown.js";
import { fieldNamesOf, textsOfField } from "../answer/narrowed.js";
import { readResultText } from "../answer/rows.js";
import { inRow, quoted } from "../answer/sentences.js";
import { keptNoun, strangeCommand } from "../checks/strange-command.js";
import type { Situation } from "../conversation.js";
import { fieldQuestionIn } from "../lists/field-question.js";
import { fitsCodes, hasCode, isCode, sendsCode } from "../match/codes.js";
import { codeFieldsOf, keyIn, type NamedRecord } from "../names/called-records.js";
import { isWholeList, listsFor, nameEntities, wholeListArgs } from "../names/name-lists.js";
import { askForPart, partNote, withNote } from "../names/name-parts.js";
import type { ReadFields } from "../names/owners.js";
import { isAskedOfAny, isBehindNoun, isPlainName } from "../names/plain-names.js";
import { recordQuestion } from "../names/record-question.js";
import { shownStep } from "../names/shown-records.js";
import { nextPage } from "../pages.js";
import type { Entity } from "../prompt/entities.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { stepToNames } from "../related/named-references.js";
import { stepBeyond } from "../related/reference.js";
import { relatedTo } from "../related/related-lists.js";
import { withDoerField } from "../related/role-fields.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { textsIn } from "../slots/slot.js";
import { isChange, type Step, textStep } from "../step.js";
import { asksForRecord, namedRecordText } from "./asked-record.js";
import { heldText } from "./held-values.js";
import { isMeant } from "./meant-read.js";
import { readsOnly, recordsMeant } from "./meant-records.js";
import { isNameCall, listsOf, listsRead, shownText } from "./names-read.js";

/** What goes on with an earlier prompt asks for the same of another record, or for something that is not here. */
const GOES_ON = /^\s*(?:and|or|also|(?:what|how) about)\b/i;

/** What is no matter of any record: it is asked of no list where no tool knows it. */
const OUTSIDE = /^\s*(?:what time is it\b|(?:what(?:['’]s|\s+is)\s+)?(?:the\s+)?(?:weather|temperature)\b)/i;

/** The fields of the records that were read for a prompt. */
const fieldsRead = ({ conversation, tools }: Situation): ReadFields =>
  new Map(
    conversation.turn.flatMap(({ call, text, isError }): [string, readonly string[]][] => {
      const list = tools.find(({ name }) => name === call.name);
      const { rows = [] } = readResultText(text);
      return isError || !list || rows.length === 0 ? [] : [[collectionOf(list), fieldNamesOf(rows)]];
    }),
  );

/** The lists that are still to be read for the names of a prompt. */
function openLists(prompt: PromptText, situation: Situation): Tool[] {
  const { conversation, tools } = situation;
  // What was left out of a list by a code in one of its filters may be the record of that code.
  const whole = new Set(tools.filter(isWholeList).map(({ name }) => name));
  const filtered = conversation.turn.find(({ call }) => whole.has(call.name) && sendsCode(call.arguments, prompt));
  const done = new Set(conversation.turn.filter((one) => one !== filtered).map(({ call }) => call.name));
  const read = new Set(conversation.turn.filter(isNameCall).map(({ call }) => call.name));
  const names = nameEntities(prompt, tools);
  const isMarked = names.some((name) => !isPlainName(name, prompt));
  // A list that was read for the prompt itself has no such record, unless it was only its first page, or its name may be a part: "boat vesta".
  const isOpen = (list: Tool): boolean =>
    !read.has(list.name) &&
    (!done.has(list.name) ||
      (isMarked
        ? Object.keys(wholeListArgs(list)).length > 0
        : names.some((name) => isBehindNoun(name, list, prompt))));
  const lists = listsFor(prompt, tools, fieldsRead(situation));
  return lists.filter((list) => isOpen(list) && (filtered === undefined || filtered.call.name === list.name));
}

/** Whether the names of a prompt may stand on a further page of a list: not a code that was found, or that is of another kind. */
function mayGoOnFor(prompt: PromptText, { list, text }: { list: Tool; text: string }, tools: readonly Tool[]): boolean {
  const { rows = [] } = readResultText(text);
  const fields = codeFieldsOf(list, rows, tools);
  return nameEntities(prompt, tools).some(
    (name) =>
      !isCode(name) || (fitsCodes(rows, fields, name.text) && !rows.some((row) => hasCode(row, fields, name.text))),
  );
}

/** The next call that reads for the names of a prompt: a list to its end, then the next one; undefined when there is none left. */
function nextRead(prompt: PromptText, situation: Situation): Step | undefined {
  const { conversation, tools, readsLeft } = situation;
  const lists = openLists(prompt, situation);
  const last = conversation.turn.findLast(isNameCall);
  const tool = tools.find(({ name }) => name === last?.call.name);
  // Each of the others is read, too.
  const isOpen = last !== undefined && tool !== undefined && mayGoOnFor(prompt, { list: tool, text: last.text }, tools);
  const page = isOpen ? nextPage(last, tool, { prompt, readsLeft: readsLeft - lists.length }) : undefined;
  const [list] = lists;
  if (page || !list) return page;
  const goal = { step: "name" as const, tool: list.name, args: {}, prompt: prompt.text };
  return { kind: "call", tool: list.name, args: wholeListArgs(list), goal };
}

/** Whether a prompt begins with a name and what that has: "ada holm's badge", "ada holm phone". */
const isBegunByOwner = (prompt: PromptText, tools: readonly Tool[]): boolean =>
  nameEntities(prompt, tools).some(
    (name) =>
      name.start === prompt.tokens[0]?.start &&
      ((/\s/.test(name.text) && /^['’]s?\s+\p{L}/u.test(prompt.text.slice(name.end))) ||
        isAskedOfAny(name, { prompt, tools })),
  );

/** The first list to be read for the names of a prompt that is not understood as it is; undefined where it names nothing. */
export function openNames(text: string, situation: Situation): Step | undefined {
  if (situation.conversation.turn.some(isNameCall)) return undefined;
  const prompt = readPrompt(text, situation.today);
  // "whose certificate expires before 2027" names a field, and no record.
  if (fieldQuestionIn(prompt)) return undefined;
  const { howTo, negated, help, thanks } = readRequest(prompt);
  const isTooMuch = openLists(prompt, situation).length > situation.readsLeft;
  if (howTo || negated || help || thanks || isTooMuch || GOES_ON.test(text) || OUTSIDE.test(text)) return undefined;
  const step = nextRead(prompt, situation);
  if (!step) return undefined;
  const kept = keptNoun(prompt, situation.tools);
  if (kept !== undefined) return textStep(`No tool here deletes a ${kept}, so I called nothing.`);
  const verb = strangeCommand(prompt, situation.tools);
  return verb === undefined || isBegunByOwner(prompt, situation.tools)
    ? step
    : textStep(`I did not understand "${verb}", so I called nothing.`);
}

/** The prompt with keys in place of some names. */
function withKeys({ text }: PromptText, records: readonly NamedRecord[]): string {
  let out = text;
  for (const { start, end, key, list } of records.toSorted((a, b) => b.start - a.start)) {
    // "the boat called Osprey" is "boat 3".
    const lead = new RegExp(
      `\\b(?:(?:the|our|my|an?)\\s+)?(?:(?:${resourceNoun(list)}\\s+)?(?:called|named|titled)\\s+)?$`,
      "i",
    );
    out = out.slice(0, start).replace(lead, "") + key + out.slice(end);
  }
  return out;
}

/** The step from a record that a prompt names to what the prompt asks for by it. */
function stepBeyondNamed(prompt: PromptText, named: NamedRecord, { tools, today }: Situation): Step | undefined {
  const key = keyIn(named.row, named.list, tools);
  if (key === undefined) return undefined;
  return stepBeyond(
    { record: named.row, key, tool: named.list },
    { prompt: readPrompt(withKeys(prompt, [named]), today), tools },
  );
}

/** Whether no text that a call takes has one of the keys in it: it would stand for a name that was meant as it is. */
const keepsKeysOut = (args: JsonObject, records: readonly NamedRecord[]): boolean =>
  !textsIn(args).some((text) => records.some(({ key }) => text.includes(key.toLowerCase())));

/** Whether a step goes on with the records: a call, or a question for what else a change of one needs. */
function isUsable(step: Step, records: readonly NamedRecord[]): boolean {
  const { args = {}, missing = [] } = step.goal ?? {};
  const given = textsIn(args);
  const asks = missing.length > 0 && records.some(({ id }) => given.includes(id.toLowerCase()));
  const called = step.kind === "call" ? step.args : {};
  return (step.kind === "call" || asks) && keepsKeysOut({ ...called, ...args }, records);
}

/** What says that several records are called as a prompt says; an id alone does not tell those of several applications apart. */
function severalStep(
  records: readonly NamedRecord[],
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step {
  const applications = new Set(records.map(({ list }) => list.application));
  const table = markdownTable(
    records.map(({ row, list }) => (applications.size > 1 ? { application: list.application, ...row } : row)),
    new Set(["application"]),
  );
  const by = applications.size > 1 ? "its id and its application" : "its id";
  const text = `${records.length} records are called so, so I went no further. Say which by ${by}:\n\n${table}`;
  const [first] = records;
  if (!first || records.some(({ list }) => list !== first.list)) return textStep(text);
  return shownStep(text, { list: first.list, rows: records.map(({ row }) => row), prompt: prompt.text }, tools);
}

const WHO = /^\s*who(?:['’]s|\s+(?:is|are))\s+(?:there\s+)?/i;

/** The list of the only records that have what was taken for a name in a field: "who is on duty at hartmoor". */
function stepByValue(
  prompt: PromptText,
  names: readonly Entity[],
  { situation, plan }: { situation: Situation; plan: (prompt: string, application?: string) => Step },
): Step | undefined {
  const [name, ...others] = names;
  if (!name || others.length > 0 || !WHO.test(prompt.text)) return undefined;
  const said = name.text.toLowerCase();
  const [found, ...more] = listsOf(name, prompt, situation).filter(({ rows }) =>
    rows.some((row) => Object.values(row).some((value) => textsOfField(value).includes(said))),
  );
  if (!found || more.length > 0) return undefined;
  const step = plan(prompt.text.replace(WHO, `${pluralOf(resourceNoun(found.list))} `), found.list.application);
  return step.kind === "call" && step.tool === found.list.name ? step : undefined;
}

/** What says where the names of a prompt were looked for, if that may not be all, and that nothing is called so there. */
function searchedText(
  prompt: PromptText,
  names: readonly Entity[],
  situation: Situation,
): { shown: string | undefined; why: string } {
  const { conversation, tools } = situation;
  const lists = new Set(listsFor(prompt, tools, fieldsRead(situation)).map((list) => pluralOf(resourceNoun(list))));
  const isUnread = conversation.turn.some((one) => isNameCall(one) && one.isError);
  const read = names.flatMap((name) => listsOf(name, prompt, situation));
  const shown =
    shownText(read.filter(({ list }, at, all) => all.findIndex((one) => one.list === list) === at)) ??
    (isUnread ? "as far as the lists could be read" : undefined);
  const said = quoted(
    names.map(({ text }) => text),
    "or",
  );
  return {
    shown,
    why: `I found nothing called ${said} ${shown ?? `among the ${inRow([...lists], "and")}`}, so I went no further.`,
  };
}

/**
 * Goes on after a list was read for the names of a prompt. `plan` gives the step for another prompt, where it is of one application by
 * the tools of that, `otherwise` the one without.
 */
export function continueNames(
  situation: Situation,
  { plan, otherwise }: { plan: (prompt: string, application?: string) => Step; otherwise: (why: string) => Step },
): Step {
  const { conversation, tools, today } = situation;
  const text = conversation.turn.findLast(isNameCall)?.goal?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  const next = nextRead(prompt, situation);
  if (next) return next;
  const names = nameEntities(prompt, tools);
  const nouns = new Set(tools.filter(isWholeList).map(resourceNoun));
  const called = names.map((name) =>
    recordsMeant({ name, prompt, lists: listsOf(name, prompt, situation), tools }, nouns),
  );
  const several = called.find((some) => some.length > 1);
  if (several) return severalStep(several, { prompt, tools });
  const records = called.flat().filter((one, at, all) => all.findIndex(({ start }) => start === one.start) === at);
  const { shown, why } = searchedText(prompt, names, situation);
  const [first, ...others] = records;
  if (!first) {
    const held = heldText(prompt, { names, lists: listsRead(situation), tools });
    const step = stepByValue(prompt, names, { situation, plan });
    return step ?? (held?.answer === undefined ? otherwise(held?.why ?? why) : textStep(held.answer));
  }
  // Of "feed Rex's puppies" only the name is known.
  const verb = strangeCommand(prompt, tools);
  if (verb !== undefined && first.start > (prompt.tokens[0]?.start ?? 0))
    return textStep(`I did not understand "${verb}", so I called nothing further.`);
  const beyond = others.length === 0 && names.length === 1 ? stepBeyondNamed(prompt, first, situation) : undefined;
  if (beyond) return withNote(beyond, partNote(first, text));
  const steps = [records, ...(others.length > 0 ? records.map((one) => [one]) : [])].flatMap((some) => {
    const keyed = withDoerField(withKeys(prompt, some), some, tools);
    // "agent BLUE" was called by its key, and is what was not understood.
    if (keyed === prompt.text) return [];
    const [application, ...more] = new Set(some.map(({ list }) => list.application));
    const step = plan(keyed, more.length > 0 ? undefined : application);
    if (!isUsable(step, some) || !isMeant(step, some, situation)) return [];
    const list = tools.find((tool) => step.kind === "call" && tool.name === step.tool && isWholeList(tool));
    // What belongs to a record may stand on any page.
    const whole = step.kind === "call" && list ? { ...step, args: { ...wholeListArgs(list), ...step.args } } : step;
    return [{ step: whole, isCertain: some.every((one) => one.isCertain) }];
  });
  const part = records.find(({ whole }) => whole !== undefined);
  const isRelated = relatedTo(readPrompt(withKeys(prompt, [first]), today), tools) !== undefined;
  const isAsked = !isRelated && asksForRecord(prompt, first, nouns);
  const { step, isCertain = false } =
    steps.find((one) => one.step.kind === "call") ??
    // "ada's phone" has no new value: it asks for the one that is there.
    (isAsked && readsOnly(prompt) ? {} : (steps[0] ?? {}));
  const name = `"${text.slice(first.start, first.end)}"`;
  if (step && isChange(step, tools)) {
    if (part)
      return askForPart(step, { said: text.slice(part.start, part.end), key: part.key, whole: part.whole ?? "" });
    if (shown === undefined || isCertain) return step;
    return textStep(`${name} is ${first.key} ${shown}. Nothing was changed: say "${first.key}" if you mean that one.`);
  }
  const isOnly = names.every((name, at) => called[at]?.includes(first) || isPlainName(name, prompt));
  if (others.length === 0 && isOnly && !isRelated && (isAsked || recordQuestion(prompt)?.asks === "who")) {
    const { list, row } = first;
    const said = `${partNote(first, text)}${namedRecordText(prompt, first, tools)}`;
    const named = stepToNames({ rows: [row], tool: list, text: said }, prompt, situation);
    if (named || isAsked) return named ?? shownStep(said, { list, rows: [row], prompt: text }, tools);
  }
  const known = `${name} is ${first.key}, and I did not understand what is wanted of it`;
  return (
    (step && withNote(step, records.map((one) => partNote(one, text)).join(""))) ??
    otherwise(`${known}, so I called nothing further.`)
  );
}
