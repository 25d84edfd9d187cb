// A prompt that was not understood may say a change of records that it names: "JB-104 is urgent now", "move Dusty to Red Dune". Their lists
// are read, and it is made where all of it is told. A situation and the step without it in, a step out.

import type { Tool } from "../../domain/tool.js";
import { mayHaveMore } from "../answer/page.js";
import { readResultText } from "../answer/rows.js";
import { offerText } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { ReadList } from "../names/called-records.js";
import { wholeListArgs } from "../names/name-lists.js";
import { nextPage } from "../pages.js";
import { readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { commit, isChange, type Step } from "../step.js";
import { calledAs } from "./linked.js";
import { listsTold } from "./possible.js";
import { type ToldChange, toldChangeOf } from "./told.js";

const MAX_LENGTH = 200;
/** What asks, doubts, reports, denies or lists; and signs that stand for records here. */
const NO_CHANGE =
  /[?\n§¶]|^\s*(?:(?:is|are|was|were|has|have|had|do|does|did|should|shall|would|will|may|might|must|am|who|whose|what|which|when|where|why|how|if|list|show|find|count|search|get|tell|display|give\s+me|don['’]?t|do\s+not|never|please\s+don['’]?t)(?!\p{L}))|(?<!\p{L})(?:if|unless|until|whether|maybe|perhaps|probably|might|could(?!\s+you)|would|should(?!\s+be)|said|says|told|asked|wrote|thinks?|hopes?|never|all|every|each|both|or|but|except|n['’]t|was|were|will|last\s+(?:week|month|year)|yesterday)(?!\p{L})/iu;
/** What only tells how something is may be a report: it commands by its first word, or says that this is so from now on. */
const COMMANDS =
  /^\s*(?:(?:please|pls|plz|can you|could you|ok|okay|now|so)\s+)*(?:set|put|change|make|update|mark|move|switch|turn|give|flag|correct|fix|edit|adjust|bring|transfer|relocate|assign|reassign|allocate|hand|use|raise|lower|increase|decrease|reduce|drop|cut|extend|shift|push|write|note|add|enter|record|rename|call|take|sign|place|postpone|delay|subtract|remove|deduct|(?:de|re|in|un)?activate|retire|insure|cancel|open|close|\p{L}+(?:ise|ize|ish|ive|ate)|new)(?!\p{L})/iu;
const COMMANDED =
  /[:=]|(?<!\p{L})(?:now|again|instead|no\s+longer|any\s*more|from\s+(?:now|today)\s+on|to|takes|gets|goes|wants|used|sold|more|left|gone|(?:should|must|has\s+to|needs\s+to)\s+be)(?!\p{L})/iu;
/** What tells that nothing was understood, or that a list has no such record. */
const UNREAD =
  /^(?:No tool clearly fits|I (?:could not (?:place|narrow|put)|did not understand|found (?:nothing|no)|cannot tell)|No [^\n]* found with |What should change|Which |"[^"\n]+" is [^\n]*I did not understand)/;
const isTold = ({ goal }: CompletedCall): boolean => goal?.step === "told";

/** Whether a text says that a prompt was not understood. */
const isOpen = (step: Step): boolean =>
  step.kind === "text" && UNREAD.test(step.text) && step.goal?.phrase === undefined;

/** What was read of a list as a whole in this turn. */
function readList(list: Tool, { conversation }: Situation): (ReadList & { last: CompletedCall }) | undefined {
  const whole = wholeListArgs(list);
  const last = conversation.turn.findLast(
    ({ call, isError }) =>
      call.name === list.name &&
      !isError &&
      Object.keys(call.arguments).every(
        (name) => name in whole || /^(?:page|offset|limit|cursor|after|skip)$/i.test(name),
      ),
  );
  if (!last) return undefined;
  const result = readResultText(last.text);
  return { list, rows: result.rows ?? [], mayGoOn: mayHaveMore(list, last.call.arguments, result), last };
}

/** The call of a change, or the question where the prompt has only a part of what a record is called. */
function stepOf({ tool, args, records }: ToldChange, prompt: string, tools: readonly Tool[]): Step {
  const step = commit(tool, { args, prompt }, tools);
  const isSure = tool.verb !== "update" || COMMANDS.test(prompt) || COMMANDED.test(prompt);
  const parts = records.filter(({ whole }) => whole !== undefined);
  if (parts.length === 0 && isSure) return step;
  if (parts.length === 0)
    return {
      kind: "text",
      text: offerText("No tool clearly fits that", tool, args),
      goal: { ...step.goal, step: "ask", tool: tool.name, args, missing: [] },
    };
  const named = parts.map(
    (one) => `"${prompt.slice(one.start, one.end)}" is not the whole name of ${calledAs(one)}, "${one.whole ?? ""}"`,
  );
  const [first] = parts;
  return {
    kind: "text",
    text: `${named.join(", and ")}. Nothing was changed: say "yes" if you mean that.`,
    goal: { ...step.goal, step: "ask", tool: tool.name, args, missing: [], phrase: first && calledAs(first) },
  };
}

/** The change that a prompt says of records, where `plan` makes nothing of it; the step of that otherwise. */
export function orToldChange(situation: Situation, plan: (situation: Situation) => Step): Step {
  const { conversation, tools, today } = situation;
  const { turn, prompt, cutAt } = conversation;
  const before = plan({ ...situation, conversation: { ...conversation, turn: turn.filter((one) => !isTold(one)) } });
  const hasChanged = turn.some(
    ({ goal }) =>
      goal?.step === "read" ||
      (goal?.step === "do" && isChange({ kind: "call", tool: goal.tool, args: {}, goal }, tools)),
  );
  if (!isOpen(before) || hasChanged || cutAt !== undefined || prompt.length > MAX_LENGTH || NO_CHANGE.test(prompt))
    return before;
  const { howTo, help, thanks } = readRequest(readPrompt(prompt, today));
  if (howTo || help || thanks) return before;
  const read = new Set(turn.map(({ call }) => call.name));
  const lists = listsTold(prompt, situation);
  if (lists.filter(({ name }) => !read.has(name)).length > situation.readsLeft) return before;
  const known: ReadList[] = [];
  for (const list of lists) {
    const own = readList(list, situation);
    if (!own && turn.some((one) => isTold(one) && one.call.name === list.name)) return before;
    const goal = { step: "told" as const, tool: list.name, args: {}, prompt };
    if (!own) return { kind: "call", tool: list.name, args: wholeListArgs(list), goal };
    const page = own.mayGoOn
      ? nextPage({ ...own.last, goal }, list, { prompt: readPrompt(prompt, today), readsLeft: situation.readsLeft })
      : undefined;
    if (page) return page;
    if (own.mayGoOn) return before;
    known.push(own);
  }
  const change = known.length === 0 ? undefined : toldChangeOf(prompt, { lists: known, tools, today });
  return change ? stepOf(change, prompt, tools) : before;
}
