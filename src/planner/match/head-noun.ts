// What a command is about: the noun right behind its verb. "Create an issue in project web" creates no project, "delete guest 9's
// booking" deletes no guest, and "add tag beta to subscriber kim" adds no subscriber.

import { ownName, type Tool } from "../../domain/tool.js";
import { isStopWord, stem, terms } from "../../tools/search/terms.js";
import { type Entity, isInside } from "../prompt/entities.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { commandsTerm, type Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { keyNounsOf } from "./key-placement.js";
import { intentOfTool } from "./tool-intent.js";

const RELATION = /^(?:of|from|for|in|on|at|to|by|with|into|onto)$/;

const isLiteral = ({ kind }: Entity): boolean => kind !== "name";

/** The key right behind a noun: "9" in "guest 9". */
function keyBehind({ end }: Token, { text, entities }: PromptText): Entity | undefined {
  return entities.find((one) => one.start >= end && /^\s+["“'‘#]?$/.test(text.slice(end, one.start)));
}

/** Whether what stands there owns what follows: "guest 9's", "bob's". */
function isOwner(token: Token, prompt: PromptText): boolean {
  const key = keyBehind(token, prompt);
  return (
    /['’]s?$/.test(prompt.text.slice(token.start, token.end)) ||
    /^['’]s?\s/.test(prompt.text.slice(key?.end ?? token.end))
  );
}

/** The noun that the first command of a prompt is about; of an owner and what it owns the latter. */
export function headNoun(prompt: PromptText, request: Request): Token | undefined {
  const verb = prompt.tokens.findIndex(({ term }) => request.commands[0]?.term === term);
  if (verb < 0) return undefined;
  const literal = prompt.entities.filter(isLiteral);
  const content = prompt.tokens
    .slice(verb + 1)
    .filter(({ word, start }) => (RELATION.test(word) || !isStopWord(word)) && !isInside(start, literal));
  const [first] = content;
  if (!first || RELATION.test(first.word)) return undefined;
  const at = content.findIndex((token) => !isOwner(token, prompt));
  return content.slice(0, at + 1).some(({ word }) => RELATION.test(word)) ? undefined : content[at];
}

/** Whether the noun of a new record only stands for an existing one: "… to subscriber kim", "… of patient 2". */
function isExisting(tool: Tool, prompt: PromptText): boolean {
  const noun = stem(resourceNoun(tool));
  const at = prompt.tokens.findIndex(({ term }) => term === noun);
  const token = prompt.tokens[at];
  if (!token || keyBehind(token, prompt) === undefined) return false;
  return prompt.tokens.slice(0, at).some(({ word }) => RELATION.test(word));
}

/** Whether a change creates or deletes something else than what its command is about. */
export function isBesideHead(
  tool: Tool,
  { prompt, request }: { prompt: PromptText; request: Request },
  nouns: ReadonlySet<string>,
): boolean {
  const intent = intentOfTool(tool);
  if ((intent !== "create" && intent !== "delete") || commandsTerm(request, resourceNoun(tool))) return false;
  if (intent === "create" && isExisting(tool, prompt)) return true;
  const head = headNoun(prompt, request);
  if (!head || !nouns.has(head.term)) return false;
  // What is put somewhere is there already: "put order 7 on hold".
  const isPut = request.commands[0]?.term === "put" && head.term === stem(resourceNoun(tool));
  if (intent === "create" && isPut && keyBehind(head, prompt)) return true;
  const own = new Set([
    stem(resourceNoun(tool)),
    ...terms(ownName(tool)),
    ...terms(tool.resource),
    ...terms(tool.transport.path ?? ""),
    ...(intent === "create" ? keyNounsOf(tool) : []),
  ]);
  return !own.has(head.term);
}
