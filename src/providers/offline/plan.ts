// The planner: from a prompt and the answers so far to the next step. Reads first, at most one change at the end, and no
// change that the prompt does not command or that needs a guess.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../json.js";
import { type Intent, intentsOf } from "../../rank/synonyms.js";
import type { Tool } from "../../tool.js";
import { type Candidate, choose, indexOf, intentOfTool, pathTerms } from "./choose.js";
import { type Conversation, type Done, spokenOf } from "./conversation.js";
import { decide } from "./decide.js";
import { fill } from "./fill.js";
import type { Goal } from "./goal.js";
import { type Request, readRequest } from "./intent.js";
import { identifying, textAfterThing, textBeforeThing } from "./phrase.js";
import { type PromptText, readPrompt } from "./prompt.js";
import { render, thingOf } from "./render.js";
import { findRows, idOf, readResult } from "./rows.js";
import { fit, pathNames, place, type Slot, slotsOf } from "./slots.js";
import { askText, declineText, helpText, howToText, whichText } from "./speak.js";
import { table } from "./table.js";

/** What to do next: one call, or something to say. `goal` is kept with the message. */
export type Step =
  | { kind: "call"; tool: string; args: JsonObject; goal: Goal }
  | { kind: "say"; text: string; goal?: Goal };

/** What a plan is made from. */
export interface Situation {
  conversation: Conversation;
  tools: readonly Tool[];
  /** ISO date. */
  today: string;
}

const CANCEL = /^\s*(?:cancel|never ?mind|stop|no|nope|forget it|nothing|abort|quit|skip(?: it)?)[\s.!]*$/i;
const TEXT_SLOT = /^(?:title|name|text|content|subject|summary|label|message|body|description|desc|task|todo|note)$/i;

/** The next step of a conversation. */
export function plan(situation: Situation): Step {
  const { conversation, today } = situation;
  const last = conversation.turn.at(-1);
  const text = (last?.goal ?? conversation.asked)?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  if (last) return afterCall(last, prompt, situation);
  if (conversation.asked) {
    const step = answerQuestion(conversation.asked, situation);
    if (step) return step;
  }
  return start(readPrompt(conversation.prompt, today), situation);
}

const say = (text: string): Step => ({ kind: "say", text });

function start(prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const request = readRequest(prompt);
  if (request.help || prompt.tokens.length === 0) return say(helpText(tools));
  if ((request.howTo || request.negated) && request.changes) return say(declined(prompt, request, situation));
  const candidates = choose(tools, prompt, request);
  const decision = decide(candidates, request);
  switch (decision.kind) {
    case "call":
    case "ask":
      return toward(decision.candidate, prompt, request, situation);
    case "which":
      return say(whichText(decision.candidates.map(({ tool }) => tool)));
    case "decline":
      return say(declined(prompt, request, situation));
    default:
      return decision satisfies never;
  }
}

function declined(prompt: PromptText, request: Request, { tools }: Situation): string {
  const ranked = indexOf(tools)
    .search(prompt.text, 12)
    .map(({ tool }) => tool);
  const near = ranked.slice(0, 3);
  const said = new Set(prompt.tokens.flatMap(({ term }) => [...intentsOf(term)]));
  const first =
    ranked.find((tool) => said.has(intentOfTool(tool) as Intent) && intentOfTool(tool) !== "read") ?? near[0];
  if (request.negated && first) return declineText(near, "You said not to, so I called nothing.");
  if (request.howTo && first)
    return howToText(
      first,
      slotsOf(first).filter(({ required }) => required),
    );
  return declineText(near);
}

/** Completes a candidate's arguments from the conversation, or by looking the record up, or by asking. */
function toward(candidate: Candidate, prompt: PromptText, request: Request, situation: Situation): Step {
  const { tool } = candidate;
  const args = structuredClone(candidate.filled.args);
  let missing = candidate.filled.missing;
  const [only] = missing;
  const key = only && pathNames(tool).has(only.name) ? only : undefined;
  if (missing.length === 1 && key) {
    const found = request.refers ? spokenOf(situation.conversation, tool, situation.tools) : undefined;
    const id = found && fit(key, idOf(found, key.name) ?? null);
    if (id !== undefined && id !== null) {
      place(args, key.path, id);
      missing = [];
    } else {
      const step = lookUp(tool, args, key, prompt, situation);
      if (step) return step;
    }
  }
  if (missing.length === 0) missing = missingContent(tool, args, prompt);
  if (missing.length > 0 && request.everything && key)
    return say(
      `\`${tool.name}\` works on one ${thingOf(tool)} at a time, so I called nothing. Say which one by its ${key.name} or name.`,
    );
  if (missing.length > 0) return ask(tool, args, missing, prompt.text);
  return commit(tool, args, prompt.text, situation);
}

/** A new record needs something in it, and a change something that changes. The prompt's free text may be it. */
function missingContent(tool: Tool, args: JsonObject, prompt: PromptText): Slot[] {
  const kind = intentOfTool(tool);
  if (kind !== "create" && kind !== "update") return [];
  const own = slotsOf(tool).filter(({ name }) => !pathNames(tool).has(name));
  const last = pathTerms(tool).at(-1) ?? "";
  if (own.length === 0 || (intentsOf(last).size > 0 && prompt.terms.has(last))) return [];
  const main = own.find(({ name, type }) => TEXT_SLOT.test(name) && (type === "string" || type === "any"));
  if (kind === "create" && main && args[main.name] === undefined && main.path.length === 1) {
    const text = textBeforeThing(prompt, tool) ?? textAfterThing(prompt, tool);
    const value = text === undefined ? undefined : fit(main, text);
    if (value !== undefined) place(args, main.path, value);
    else return [main];
  }
  const set = own.filter(({ path }) => path[0] !== undefined && args[path[0]] !== undefined);
  return set.length > 0 ? [] : [main ?? own[0]].filter((slot) => slot !== undefined);
}

function ask(tool: Tool, args: JsonObject, missing: readonly Slot[], prompt: string): Step {
  const names = missing.map(({ path }) => path.join("."));
  return {
    kind: "say",
    text: askText(tool, missing),
    goal: { step: "ask", tool: tool.name, args, missing: names, prompt },
  };
}

/** The call itself; a change that replaces the whole record reads the record first. */
function commit(tool: Tool, args: JsonObject, prompt: string, { tools }: Situation): Step {
  const goal: Goal = { step: "do", tool: tool.name, args, prompt };
  // Only a path that ends in the record's key replaces a record; /pulls/{number}/merge does something to it.
  if (tool.transport.method !== "PUT" || !tool.transport.path?.endsWith("}"))
    return { kind: "call", tool: tool.name, args, goal };
  const reader = tools.find(
    ({ transport, safety }) => transport.path === tool.transport.path && safety === "read_only",
  );
  const own = slotsOf(tool).filter(({ name, path }) => path.length === 1 && !pathNames(tool).has(name));
  if (!reader || own.every(({ name }) => args[name] !== undefined))
    return { kind: "call", tool: tool.name, args, goal };
  const keys = Object.fromEntries(Object.entries(args).filter(([name]) => pathNames(tool).has(name)));
  return { kind: "call", tool: reader.name, args: keys, goal: { ...goal, step: "read" } };
}

/** Looks for the record the prompt names, in the list its collection has. */
function lookUp(tool: Tool, args: JsonObject, key: Slot, prompt: PromptText, situation: Situation): Step | undefined {
  const value = identifying(prompt);
  const phrase = value?.text ?? textAfterThing(prompt, tool);
  if (phrase === undefined) return undefined;
  const path = (tool.transport.path ?? "").split(`/{${key.name}}`)[0] ?? "";
  const lister = situation.tools.find(
    (other) => other.safety === "read_only" && other.transport.path === path && path !== "",
  );
  if (!lister) return undefined;
  const found = fill(lister, prompt, { guess: false });
  const needed = Object.fromEntries(Object.entries(args).filter(([name]) => pathNames(lister).has(name)));
  if (slotsOf(lister).some(({ required, name }) => required && needed[name] === undefined)) return undefined;
  const search = slotsOf(lister).find(
    ({ name, path: place }) => place.length === 1 && /^(?:q|query|search|name|title)$/i.test(name),
  );
  const listing: JsonObject = {
    ...needed,
    ...(search && found.args[search.name] !== undefined && { [search.name]: phrase }),
  };
  // What says which record it is does not also say what to change.
  const kept = Object.fromEntries(
    Object.entries(args).filter(([, held]) => typeof held !== "string" || held.toLowerCase() !== phrase.toLowerCase()),
  );
  const goal: Goal = { step: "find", tool: tool.name, args: kept, slot: key.name, phrase, prompt: prompt.text };
  return { kind: "call", tool: lister.name, args: listing, goal };
}

function afterCall(last: Done, prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const called = tools.find(({ name }) => name === last.call.name);
  const target = tools.find(({ name }) => name === last.goal?.tool);
  const context = { prompt, request: readRequest(prompt) };
  if (!called) return say(`\`${last.call.name}\` answered:\n\n${last.text.slice(0, 2000)}`);
  const answered = { tool: called, args: last.call.arguments, text: last.text, isError: last.isError };
  if (last.isError || !last.goal || !target || last.goal.step === "do" || changedAlready(situation))
    return say(render(answered, context));
  const { value } = readResult(last.text);
  if (isObject(value) && value["dry_run"] === true)
    return say(
      `${render(answered, context)}\n\nWhat follows depends on its answer, so \`${target.name}\` was not tried.`,
    );
  return last.goal.step === "find" ? found(last, last.goal, target, situation) : replace(last.goal, target, value);
}

function changedAlready({ conversation, tools }: Situation): boolean {
  return conversation.turn.some(({ call }) => tools.find(({ name }) => name === call.name)?.safety !== "read_only");
}

function found(last: Done, goal: Goal, tool: Tool, situation: Situation): Step {
  const { phrase = "", slot = "" } = goal;
  const thing = thingOf(tool);
  const result = readResult(last.text);
  const { rows, exact } = findRows(result.rows ?? [], phrase);
  const [row] = rows;
  if (!row) {
    const where = result.partial ? " among those I was shown" : "";
    return say(`I found no ${thing} called "${phrase}"${where}, so nothing was changed.`);
  }
  if (rows.length > 1)
    return say(
      `${rows.length} records fit "${phrase}", so nothing was changed. Say which one by its id:\n\n${table(rows)}`,
    );
  if (!exact && tool.safety === "destructive")
    return say(`No ${thing} is called exactly "${phrase}", so nothing was changed. The nearest is:\n\n${table(rows)}`);
  const key = slotsOf(tool).find(({ name }) => name === slot);
  const id = key && fit(key, idOf(row, slot) ?? null);
  if (!key || id === undefined || id === null)
    return say(`I found the ${thing} but no ${slot} in it:\n\n${table(rows)}`);
  const args = structuredClone(goal.args);
  place(args, key.path, id);
  const prompt = readPrompt(goal.prompt ?? "", situation.today);
  const missing = intentOfTool(tool) === "update" ? missingContent(tool, args, prompt) : [];
  if (missing.length > 0) return ask(tool, args, missing, prompt.text);
  // The record itself is at hand: a replacement need not read it again.
  if (tool.transport.method === "PUT") return replace({ ...goal, args }, tool, row);
  return { kind: "call", tool: tool.name, args, goal: { step: "do", tool: tool.name, args, prompt: prompt.text } };
}

/** The whole record with the change in it. */
function replace(goal: Goal, tool: Tool, current: JsonValue): Step {
  const args: JsonObject = {};
  const path = pathNames(tool);
  for (const slot of slotsOf(tool)) {
    const [name] = slot.path;
    if (name === undefined || path.has(name) || slot.schema["readOnly"] === true) continue;
    if (isObject(current) && current[name] !== undefined && current[name] !== null) args[name] = current[name];
  }
  Object.assign(args, goal.args);
  const done: Goal = { step: "do", tool: tool.name, args, ...(goal.prompt !== undefined && { prompt: goal.prompt }) };
  return { kind: "call", tool: tool.name, args, goal: done };
}

/** The prompt as the answer to what was asked; undefined when it is something new. */
function answerQuestion(asked: Goal, situation: Situation): Step | undefined {
  const { conversation, tools, today } = situation;
  if (CANCEL.test(conversation.prompt)) return say("All right, nothing was called.");
  const tool = tools.find(({ name }) => name === asked.tool);
  if (!tool) return undefined;
  const prompt = readPrompt(conversation.prompt, today);
  const slots = slotsOf(tool).filter(({ path }) => asked.missing?.includes(path.join(".")));
  const request = readRequest(prompt);
  const [only] = slots;
  const answer = fill(tool, prompt, { guess: true });
  const given = slots.filter((slot) => answer.filled.has(slot));
  if (!given.some((slot) => answer.certain.has(slot)) && isNewPrompt(prompt, request, tools)) return undefined;
  const args = structuredClone(asked.args);
  if (slots.length === 1 && only) {
    const literal = bare(conversation.prompt);
    const value =
      (answer.certain.has(only) ? at(answer.args, only.path) : undefined) ??
      fit(only, literal) ??
      at(answer.args, only.path);
    if (value === undefined)
      return request.reads && prompt.tokens.length > 4 ? undefined : ask(tool, args, slots, asked.prompt ?? "");
    place(args, only.path, value);
  } else {
    if (given.length === 0) return undefined;
    for (const slot of given) place(args, slot.path, at(answer.args, slot.path) ?? null);
  }
  const missing = slots.filter(({ path }) => at(args, path) === undefined);
  return missing.length > 0
    ? ask(tool, args, missing, asked.prompt ?? "")
    : commit(tool, args, asked.prompt ?? conversation.prompt, situation);
}

/** Whether the words after a question are a prompt of their own. A word or two are an answer, and so is what fits no tool. */
function isNewPrompt(prompt: PromptText, request: Request, tools: readonly Tool[]): boolean {
  if (request.help) return true;
  if (prompt.tokens.length < 2) return false;
  const decision = decide(choose(tools, prompt, request), request);
  return decision.kind === "call" || decision.kind === "ask" || decision.kind === "which";
}

function at(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** An answer without its wrapping: quotes, "it is", a final stop. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(?:it(?:['’]s| is)|that(?:['’]s| is)|the (?:id|name|number) is|use|take|number|id|#)\s*/i, "")
    .replace(/^["“'‘`](.*)["”'’`][.!]?$/, "$1")
    .replace(/[.!]$/, "");
}

/** A text that tells two calls apart; the planner never makes a failed one again. */
export function keyOf(tool: string, args: JsonObject): string {
  return `${tool} ${toJson(args)}`;
}
