// Calls that a person saved: kept without secrets, and displayed with whether their tools are there. Running one is a direct call.
// Source: docs/reference.md, "Saved actions".
import { randomUUID } from "node:crypto";
import type { Caller } from "../domain/caller.js";
import { AppError } from "../domain/error.js";
import {
  type ActionContent,
  MAX_ACTION_ARGUMENTS,
  MAX_SAVED_ACTIONS,
  type SavedAction,
  type SavedActions,
  type StoredAction,
} from "../domain/saved-action.js";
import { canonicalJson, type JsonObject, toJson } from "../lib/json.js";
import { builtinAction } from "../tools/builtin-tools.js";
import { redactArguments } from "./calls/redact-arguments.js";
import type { AgentContext } from "./context.js";

type ActionsContext = Pick<AgentContext, "store" | "applications" | "redactor">;

const actionOf = ({ applications }: Pick<AgentContext, "applications">, tool: string) =>
  applications.current().catalogue.action(tool) ?? builtinAction(tool);

function toPublic(context: ActionsContext, stored: StoredAction): SavedAction {
  const action = actionOf(context, stored.tool);
  return {
    ...stored,
    arguments: context.redactor.known(stored.arguments),
    application: action?.application ?? "",
    available: action !== undefined && action.permission?.is !== "deny",
  };
}

/** What a row may hold. Throws AppError invalid_body. */
function checkArguments(context: ActionsContext, tool: string, args: JsonObject): void {
  if (toJson(args).length > MAX_ACTION_ARGUMENTS)
    throw new AppError("invalid_body", `arguments are over ${MAX_ACTION_ARGUMENTS} characters of JSON.`);
  const shown = redactArguments(args, actionOf(context, tool), context.redactor);
  if (canonicalJson(shown) !== canonicalJson(args))
    throw new AppError("invalid_body", "arguments hold a secret, which an action does not keep. Leave it out.");
}

async function saveAction(context: ActionsContext, content: ActionContent, { name }: Caller): Promise<SavedAction> {
  if (!actionOf(context, content.tool))
    throw new AppError("invalid_body", `There is no tool ${JSON.stringify(content.tool)}; GET /tools lists them.`);
  checkArguments(context, content.tool, content.arguments);
  const title = context.redactor.text(content.title);
  const stored = { ...content, title, id: randomUUID(), created_at: new Date().toISOString() };
  if (!(await context.store.addAction({ ...stored, created_by: name })))
    throw new AppError("conflict", `There are ${MAX_SAVED_ACTIONS} saved actions already; delete one first.`);
  return toPublic(context, stored);
}

async function changeAction(
  context: ActionsContext,
  id: string,
  change: Partial<Omit<ActionContent, "tool">>,
): Promise<SavedAction | undefined> {
  if (change.arguments) {
    const before = (await context.store.actions()).find((one) => one.id === id);
    if (before) checkArguments(context, before.tool, change.arguments);
  }
  const { title } = change;
  const kept = title === undefined ? change : { ...change, title: context.redactor.text(title) };
  const changed = await context.store.changeAction(id, kept);
  return changed && toPublic(context, changed);
}

/** The saved actions of an agent, and what may be one. */
export function actionMethods(context: ActionsContext): SavedActions {
  return {
    canCall: (name) => actionOf(context, name) !== undefined,
    savedActions: async () => (await context.store.actions()).map((stored) => toPublic(context, stored)),
    saveAction: (content, caller) => saveAction(context, content, caller),
    changeAction: (id, change) => changeAction(context, id, change),
    deleteAction: (id) => context.store.deleteAction(id),
  };
}
