// "mark invoice 7 as paid" where no field says so, and a tool pays invoices: the state is what the action leads to.

import type { Tool } from "../../domain/tool.js";
import { stem } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { plainForm } from "../prompt/verb-forms.js";

const MARKED =
  /^\s*(?:please\s+)?(?:mark|flag|record|log|set)\s+(?<record>\S.*?)\s+(?:as|to)\s+(?<state>\p{L}+)\s*[.!]*$/iu;
/** The command of an action whose outcome a prompt says; undefined where no tool does that. */
export function actionFor(text: string, tools: readonly Tool[]): string | undefined {
  const groups = MARKED.exec(text)?.groups;
  const state = groups?.["state"]?.toLowerCase() ?? "";
  const done = state === "done" ? "complete" : plainForm(state);
  const verb = done ?? (state.endsWith("ed") ? state : "");
  if (verb === "") return undefined;
  const action = tools.map(actionOf).find((one) => one !== undefined && one === stem(verb));
  return action === undefined ? undefined : `${baseOf(verb, action, tools)} ${groups?.["record"] ?? ""}`;
}

/** The plain form of a verb, as the path of the tool has it. */
const baseOf = (verb: string, action: string, tools: readonly Tool[]): string =>
  tools
    .flatMap(({ transport: { path = "" } }) => /\}\/([^/{}-]+)$/.exec(path)?.[1] ?? [])
    .find((one) => stem(one) === action) ?? verb;
