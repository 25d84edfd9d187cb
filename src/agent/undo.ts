// Undoes a call for a person: a call of the tool `undo`, judged, shown, confirmed and recorded like any other.
// Source: docs/reference.md, "Undo".
import type { UndoAnswer, UndoRequest } from "../domain/agent.js";
import { readOnlyRefusal } from "../domain/caller.js";
import { AppError } from "../domain/error.js";
import { objectOf, toJson } from "../lib/json.js";
import { UNDO } from "../tools/builtin-tools.js";
import { findUndone, historyRow } from "./calls/undone.js";
import type { AgentContext } from "./context.js";
import { directCall } from "./direct-call.js";
import { tellSession } from "./tell-session.js";

/** Undoes the call of a history row. Throws as `Agent.undo`. */
export async function undo(
  context: AgentContext,
  { history_id, policy, client, caller }: UndoRequest,
  signal: AbortSignal,
): Promise<UndoAnswer> {
  const { store } = context;
  if (caller.readOnly) throw readOnlyRefusal(caller, "undo calls");
  const entry = await historyRow(store, history_id);
  if (!entry) throw new AppError("not_found", `There is no call ${history_id} on record; GET /history lists them.`);
  const found = await findUndone(history_id, context.contextNow());
  if ("reason" in found) throw new AppError("conflict", `${found.reason[0]?.toUpperCase()}${found.reason.slice(1)}.`);
  const request = { tool: UNDO.name, arguments: { history_id }, session_id: entry.session_id, policy, client, caller };
  const events = directCall(context, request, { signal, interactive: false });
  let step = await events.next();
  while (!step.done) step = await events.next();
  const { history_id: id = 0, result, status, confirmation } = step.value;
  const { error, message } = objectOf(result);
  if (error === "conflict") throw new AppError("conflict", String(message), { details: [toJson(result)] });
  const row = await historyRow(store, id);
  if (row?.status === "ok") {
    const extent =
      "left" in objectOf(result) ? "in part: something of it is left" : "what it changed is as it was before";
    const text = `The call ${entry.tool} ${toJson(entry.arguments)} was undone by a person; ${extent}`;
    await tellSession(context, entry.session_id, text);
  }
  const answer: UndoAnswer = { history_id: id, status: row?.status ?? status, result };
  return confirmation ? { ...answer, confirmation } : answer;
}
