// Whether the database of an application answers: one row of one of its tables is asked for.
import { createTransports } from "../../applications/kinds.js";
import type { Target } from "../../applications/transport.js";
import type { Settings } from "../../config/settings.js";
import type { Action } from "../../domain/schema-document.js";
import { isObject } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { type Check, failed, ok } from "./check.js";

/** Asks the database of a target for one row; `actions` are those of its application that may be called. */
export async function checkDatabase(
  check: string,
  {
    actions,
    target,
    ...context
  }: { actions: readonly Action[]; target: Target; settings: Settings; redactor: Redactor; log: Log },
): Promise<Check> {
  const { dataDir } = context.settings;
  const place = target.baseUrl;
  const advice = "see that it is there and may be read, or give agentd sync sql its location again";
  if (target.location === undefined)
    return failed(check, target.locationFault ?? `where ${place} is was not kept`, advice);
  const action = actions.find(({ transport }) => transport["operation"] === "list");
  if (!action) return ok(check, `${actions.length} tools, none of which lists a table`);
  const transports = createTransports({ redact: context.redactor, spoolFolder: dataDir, dataDir, log: context.log });
  try {
    const transport = await transports.get(action.transport.kind);
    const args = { limit: 1 };
    const outcome = await transport?.execute(transport.prepare(action, { sent: args, shown: args }, target), target);
    await outcome?.rows?.close();
    if (outcome?.status === "ok") return ok(check, `${actions.length} tools; ${place} answers ${action.name}`);
    const reason = isObject(outcome?.value) ? String(outcome.value["message"]) : "no answer";
    return failed(check, `${place}: ${context.redactor.text(reason)}`, advice);
  } finally {
    await transports.close();
  }
}
