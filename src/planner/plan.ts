// The planner: from a prompt and the results so far to the next step. Reads first, at most one change at the end, and no change
// that the prompt does not command or that needs a guess.

import { ownName, type Tool } from "../domain/tool.js";
import { stepAfterCall } from "./after-call.js";
import {
  ABANDONED,
  cutText,
  declineText,
  introductionText,
  NOT_ENTERED,
  REPORTED,
  THANKS_TEXT,
  whichApplicationText,
  whichText,
} from "./answer/sentences.js";
import { isBesideAction, newRecord, ofSentence, withParameters } from "./changes/action-forms.js";
import { lookUp, lookUpCode } from "./changes/lookup.js";
import { actionFor } from "./changes/mark-as.js";
import { lookUpDescribed, stepToMissing } from "./changes/named-keys.js";
import { stepWithoutOldValue } from "./changes/old-value.js";
import { toldChange } from "./changes/told-change.js";
import { rowStep } from "./changes/told-rows.js";
import { isEntry } from "./checks/entry.js";
import { missingContent } from "./checks/missing-content.js";
import { objectionTo, oneOnlyText } from "./checks/objection.js";
import { smallTalk } from "./checks/small-talk.js";
import { printsOther } from "./checks/strange-command.js";
import { type CompletedCall, lastCollection, type Situation } from "./conversation.js";
import { danglingReferenceText, declinedText, isBareRead, isGeneralQuestion, isUnrelatedList } from "./decline.js";
import { stepOfOne } from "./follow-up/field-of-one.js";
import { answerQuestion } from "./follow-up/follow-up.js";
import { followUp, keptToShown } from "./follow-up/follow-up-read.js";
import { withReferent } from "./follow-up/pronouns.js";
import { withReferredKeys } from "./follow-up/referred-keys.js";
import { stepToShownField } from "./follow-up/shown-record.js";
import { openJoin } from "./join.js";
import { withRoutes } from "./kinds/routes.js";
import { toRealStep, withTables } from "./kinds/tables.js";
import { withCompounds } from "./lists/compound-nouns.js";
import { describedStep } from "./lists/described-list.js";
import { stepInOwnNouns } from "./lists/everyday-nouns.js";
import { withFieldNames } from "./lists/field-names.js";
import { stepOfMeant } from "./lists/misspellings.js";
import { withOwnNouns } from "./lists/other-nouns.js";
import { continueValues, openValues } from "./lists/row-values.js";
import { type Candidate, rankCandidates } from "./match/candidates.js";
import { withReferences } from "./match/references.js";
import { chooseTool } from "./match/tool-choice.js";
import { leavesNameOut } from "./named-records/left-out.js";
import { continueNames, openNames } from "./named-records/record-names.js";
import { forgetsCondition, isUnsettled, listsTheVerb, mayBeNamed } from "./named-records/unsettled.js";
import { withShown } from "./names/shown-records.js";
import { type PromptText, readPrompt } from "./prompt/prompt.js";
import { type Request, readRequest } from "./prompt/request.js";
import { isAbandoned, isForbidden, isReport, wishIn } from "./prompt/statement.js";
import { stepBeside } from "./related/beside.js";
import { ownedList } from "./related/owner-lists.js";
import { relatedTo } from "./related/related-lists.js";
import { lookUpRelated } from "./related/related-names.js";
import { withOwnership } from "./related/told-owners.js";
import { scopeOf } from "./scope.js";
import { pathNames } from "./slots/slot.js";
import { commit, isChange, offerRead, type Step, setsField, textStep } from "./step.js";
import { orToldChange } from "./told-records/step.js";
import { undoStep } from "./undo.js";

/** The next step of a conversation. A prompt that was cut changes nothing. */
export function plan(given: Situation): Step {
  const situation = withRoutes(withOwnership(given));
  return toRealStep(orToldChange(withShown(withTables(situation)), planned), situation.tools);
}

function planned(situation: Situation): Step {
  const step = stepOfMeant(situation, (meant) => stepInOwnNouns(meant, nextStep));
  const { cutAt } = situation.conversation;
  if (cutAt === undefined) return step;
  if (cutAt === 0) return textStep(declineText([], "The first word of this prompt is too long for me to read."));
  if (isChange(step, situation.tools))
    return textStep(`${cutText(cutAt)} What I do not read to its end changes nothing: say it in fewer words.`);
  return step.kind === "text" ? { ...step, text: `${step.text}\n\n${cutText(cutAt)}` } : step;
}

function nextStep(situation: Situation): Step {
  const { conversation, today } = situation;
  const last = conversation.turn.findLast(({ goal }) => goal?.step !== "refer");
  const answerTo = (one: CompletedCall): Step => {
    const text = (one.goal ?? conversation.question)?.prompt ?? conversation.prompt;
    return stepAfterCall(one, withCompounds(readPrompt(text, today), situation.tools), situation);
  };
  if (last?.goal?.step === "name") return stepWithNames(situation, answerTo);
  if (last?.goal?.step === "value") return continueValues(situation, planAgain(situation));
  const read = conversation.turn.findLast(({ goal }) => goal?.step === "do");
  if (last?.goal?.step === "beside") return stepBeside(situation) ?? answerTo(read ?? last);
  if (last) {
    const step = answerTo(last);
    const text = last.goal?.prompt ?? conversation.prompt;
    if (!isUnsettled(step, last, situation)) return step;
    return openNames(text, situation) ?? stepBeside(situation, step) ?? step;
  }
  const answer = conversation.question && answerQuestion(conversation.question, situation);
  const one = undoStep(conversation.prompt, situation.tools) ?? answer ?? stepOfOne(situation, nextStep);
  if (one) return one;
  if (isAbandoned(conversation.prompt)) return textStep(isReport(conversation.prompt) ? REPORTED : ABANDONED);
  const idle = smallTalk(conversation.prompt, situation.tools);
  if (idle !== undefined) return textStep(declineText([], `${idle}, so I called nothing.`));
  const again = ofSentence(conversation.prompt, situation.tools) ?? toldChange(conversation.prompt, situation.tools);
  if (again !== undefined) return nextStep({ ...situation, conversation: { ...conversation, prompt: again } });
  const shown = stepToShownField(situation);
  if (shown) return shown;
  const named = withReferent(situation);
  if (named && "step" in named)
    return named.step.kind === "text" && isReport(conversation.prompt) ? textStep(REPORTED) : named.step;
  if (named) {
    const plain = named.isChange ? stepInScope(situation) : undefined;
    if (plain?.kind === "call") return plain;
    const step = stepInScope({ ...situation, conversation: { ...conversation, prompt: named.prompt } });
    const isOfRecord = step.kind === "call" && situation.tools.find(({ name }) => name === step.tool)?.verb === "get";
    return isOfRecord && !named.isAnswered ? textStep(`I cannot tell what "${named.prompt}" asks for.`) : step;
  }
  const further = followUp(situation);
  if (further && "step" in further) return further.step;
  if (further) {
    const own = stepInScope({ ...situation, conversation: { ...conversation, prompt: further.prompt } });
    const step = keptToShown(own, further.prompt, situation);
    const isOpen = step.kind === "text" && mayBeNamed(step, further.prompt);
    // What was read may have been looked up for a change: "what about Smith?" asks for no other.
    if (!isChange(step, situation.tools)) return (isOpen ? openNames(further.prompt, situation) : undefined) ?? step;
  }
  const step = stepInScope(situation);
  if (!isChange(step, situation.tools) && isReport(conversation.prompt)) return textStep(REPORTED);
  if (listsTheVerb(step, situation)) return textStep("I cannot tell who does that: name the records that say it.");
  if (forgetsCondition(step, situation))
    return textStep("I cannot tell which records that is about: say it with what they have in common.");
  if (step.kind === "call") return isEntry(step, situation) ? step : textStep(NOT_ENTERED);
  const isOpen = mayBeNamed(step, conversation.prompt) || leavesNameOut(step, situation);
  const reading = isOpen ? openNames(conversation.prompt, situation) : undefined;
  return reading ?? (UNFIT.test(step.text) ? openValues(conversation.prompt, situation) : undefined) ?? step;
}

/** The first sentence of a decline that gives no other reason. */
const UNFIT = /^No tool clearly fits that[^.\n]*\.|^I could not place [^\n]*/;

/** The step after a list was read for the names of the prompt: without any, what the prompt led to before. */
function stepWithNames(situation: Situation, answerTo: (call: CompletedCall) => Step): Step {
  const before = situation.conversation.turn.findLast(({ goal }) => goal?.step !== "name");
  const { plan, otherwise } = planAgain(situation);
  const kept = before && answerTo(before);
  return continueNames(situation, { plan, otherwise: kept ? () => stepBeside(situation, kept) ?? kept : otherwise });
}

/** The steps for another prompt than that of the person, and for that one once it is known why it is not understood. */
function planAgain(situation: Situation): {
  plan: (prompt: string, only?: string) => Step;
  otherwise: (why: string) => Step;
} {
  const { conversation } = situation;
  const plan = (prompt: string, only?: string): Step => {
    const isMeant = ({ application, transport }: Tool): boolean =>
      only === undefined || application === only || transport.kind === "builtin";
    const tools = situation.tools.every(isMeant) ? situation.tools : situation.tools.filter(isMeant);
    return stepInScope({ ...situation, tools, conversation: { ...conversation, turn: [], prompt } });
  };
  const otherwise = (why: string): Step => {
    const step = plan(conversation.prompt);
    // What is offered, and which tools are near, is worth as much as before.
    return step.kind === "text" ? { ...step, text: step.text.replace(UNFIT, () => why) } : step;
  };
  return { plan, otherwise };
}

/** The first step for a prompt that may name an application: only that one is used, and no other is changed in its place. */
function stepInScope(situation: Situation): Step {
  const { conversation, tools, today } = situation;
  const join = openJoin(situation, (prompt, some) =>
    firstStep(readPrompt(prompt, today), { ...situation, tools: some }),
  );
  if (join) return join;
  const everywhere = (): Step => firstStep(readPrompt(conversation.prompt, today), situation);
  const scope = scopeOf(conversation.prompt, tools);
  if (!scope) return everywhere();
  if (scope.kind === "several") return textStep(scope.text);
  const step = firstStep(readPrompt(scope.prompt, today), { ...situation, tools: scope.tools }, scope.tool);
  // A question that waits for no value offers a guess.
  if (!scope.isWord || step.kind === "call" || (step.goal?.missing?.length ?? 0) > 0) return step;
  // The word may mean records of another application after all.
  const other = everywhere();
  return other.kind === "call" && !isChange(other, tools) ? other : step;
}

/** Whether a prompt begins with a tool as with a verb: "items_ship 5". */
const callsTool = ({ text }: PromptText, { howTo, negated }: Request, tool: Tool): boolean =>
  text.replace(/^please\s+/i, "").startsWith(ownName(tool)) && !howTo && !negated && !text.endsWith("?");

/** The first step for a prompt; `named` is the one tool that is meant, where it is named in full. */
function firstStep(prompt: PromptText, situation: Situation, named?: Tool): Step {
  const related = named ? undefined : relatedTo(prompt, situation.tools);
  if (related && "step" in related) return related.step;
  if (related) return firstStep(readPrompt(related.request, situation.today), situation);
  const looking = named ? undefined : lookUpRelated(prompt, situation.tools);
  if (looking) return looking;
  const given = withParameters(prompt.text, situation.tools);
  const acting = given === undefined ? undefined : stepFor(readPrompt(given, situation.today), situation, named);
  // What is to be reported is nothing to look for.
  if (acting && (isChange(acting, situation.tools) || newRecord(prompt.text, situation.tools) !== undefined))
    return acting;
  const wish = wishIn(prompt.text);
  const step = stepFor(prompt, situation, named);
  const bare = step.kind === "text" && !step.goal && !named && lookUpRelated(prompt, situation.tools, { isBare: true });
  const owned = bare || ownedList(step, prompt, situation.tools);
  if (owned) return owned;
  const change = isChange(step, situation.tools) && situation.tools.find(({ name }) => name === step.goal?.tool);
  if (change && isBesideAction(prompt.text, change, situation.tools))
    return textStep(
      "I cannot tell where all of that belongs, so I called nothing. Say it with the name of each value.",
    );
  // Where members are promoted by a tool of that verb, "promote member 3 to captain" sets no field in its place.
  if (wish?.hasVerb && isChange(step, situation.tools)) return step;
  const wished = wish && stepFor(readPrompt(wish.command, situation.today), situation, named);
  if (wished?.kind === "call" && setsField(wished, situation.tools)) return wished;
  const action = isChange(step, situation.tools) ? undefined : actionFor(prompt.text, situation.tools);
  const acts = action === undefined ? undefined : stepFor(readPrompt(action, situation.today), situation, named);
  if (acts && isChange(acts, situation.tools)) return acts;
  if (step.kind === "call") return step;
  const shorter = stepWithoutOldValue(prompt.text, (text) =>
    stepFor(readPrompt(text, situation.today), situation, named),
  );
  return shorter && setsField(shorter, situation.tools) ? shorter : step;
}

function stepFor(whole: PromptText, situation: Situation, named?: Tool): Step {
  const { tools } = situation;
  const prompt = withCompounds(withReferences(withOwnNouns(withFieldNames(whole, tools), tools), tools), tools);
  const request = readRequest(prompt);
  const declined = (): Step => textStep(declinedText(prompt, request, situation));
  if (request.thanks) return textStep(THANKS_TEXT);
  if (request.help || prompt.tokens.length === 0) return textStep(introductionText(tools));
  if (((request.howTo || request.negated) && request.changes) || isForbidden(prompt.text)) return declined();
  const dangling = request.refers && !request.changes ? danglingReferenceText(prompt, situation) : undefined;
  if (dangling !== undefined) return textStep(dangling);
  const about = request.refers ? lastCollection(situation) : undefined;
  const isIdleRead = (one: Candidate): boolean =>
    isBareRead(prompt, one) ||
    isUnrelatedList(prompt, one, about) ||
    (one.tool.transport.path !== undefined &&
      one.tool.safety === "read_only" &&
      (isGeneralQuestion(prompt) || printsOther(prompt, tools)));
  const called = named && callsTool(prompt, request, named) ? named : undefined;
  const choice = chooseTool(rankCandidates(named ? [named] : tools, { prompt, request, about, called }), request);
  const described = describedStep(choice, { prompt, request, tools });
  if (described) return described;
  switch (choice.kind) {
    case "call":
    case "ask":
      if (isIdleRead(choice.candidate)) return declined();
      return stepToward(choice.candidate, { prompt, request }, situation);
    case "which":
      return textStep(whichText(choice.candidates.map(({ tool }) => tool)));
    case "which application":
      return textStep(whichApplicationText(choice.candidates.map(({ tool }) => tool)));
    case "offer":
      if (isIdleRead(choice.candidate)) return declined();
      return offerRead(choice.candidate, { prompt: prompt.text, why: "No tool clearly fits that" });
    case "decline":
      return declined();
    default:
      return choice satisfies never;
  }
}

/** Completes a candidate's arguments from the conversation, or by looking the record up, or by asking. */
function stepToward(
  candidate: Candidate,
  { prompt, request }: { prompt: PromptText; request: Request },
  situation: Situation,
): Step {
  const { tool } = candidate;
  const row = rowStep(candidate, prompt, (text) => stepFor(readPrompt(text, situation.today), situation, tool));
  if (row) return row;
  const objection = objectionTo(candidate, prompt, { request, tools: situation.tools });
  if (objection) return (objection.goal ? undefined : lookUpDescribed(candidate, prompt, situation)) ?? objection;
  const args = structuredClone(candidate.filled.args);
  let { missing } = candidate.filled;
  if (request.refers) missing = withReferredKeys(tool, args, { missing, situation });
  const key = missing.slice(0, 1).find(({ name }) => pathNames(tool).has(name));
  if (missing.length === 1 && key) {
    const step = lookUp(tool, { args, key, prompt, rest: candidate.filled.rest }, situation);
    if (step) return step;
  }
  if (missing.length === 0) missing = missingContent(tool, args, prompt);
  const file = missing.find(({ format }) => format === "binary");
  if (file)
    return textStep(`\`${tool.name}\` sends a file as its ${file.name}, and I have none to send, so I called nothing.`);
  if (missing.length > 0 && request.everything && key) return textStep(oneOnlyText(tool));
  if (missing.length > 0) return stepToMissing(tool, { args, missing, prompt, used: candidate.filled.used }, situation);
  const byCode = tool.safety === "read_only" ? undefined : lookUpCode(tool, { args, prompt }, situation);
  if (byCode) return byCode;
  return commit(tool, { args, prompt: prompt.text }, situation.tools);
}
