// A person's answer to a question that an application asked in the middle of a call: checked against the fields, kept without its
// secrets, and handed to the call that waits.
// Source: docs/reference.md, "Questions of an application".
import type { Decided } from "../domain/agent.js";
import type { Caller } from "../domain/caller.js";
import type { Decision } from "../domain/decision.js";
import { AppError } from "../domain/error.js";
import type { InputRequest } from "../domain/input.js";
import type { Action } from "../domain/schema-document.js";
import type { JsonObject } from "../lib/json.js";
import { shownReason } from "./calls/prepare-call.js";
import { redactArguments } from "./calls/redact-arguments.js";
import type { AgentContext } from "./context.js";

/** Why a question was denied by a person who gave no reason. */
const DECLINED = "a person declined to answer";

/** The form as a tool, so that an answer is checked and redacted like the arguments of one. A page that was visited gives no values. */
function formOf({ fields, url }: InputRequest): Action {
  const parameters: JsonObject = url === undefined ? { ...fields, type: "object" } : { type: "object", properties: {} };
  return {
    name: "the form",
    application: "",
    description: "",
    resource: "",
    verb: "action",
    safety: "read_only",
    provenance: "declared",
    parameters,
    transport: { kind: "" },
  };
}

/** Decides a question. Throws AppError invalid_body for values that do not fit, and conflict. */
export async function decideQuestion(
  { confirmations, argumentChecks, redactor }: AgentContext,
  { id, input }: { id: string; input: InputRequest },
  { decision, caller }: { decision: Decision; caller: Caller },
): Promise<Decided> {
  const { reason } = decision;
  const decided_by = caller.name;
  if (decision.decision === "deny") {
    const denial = { decision: "deny" as const, reason: reason || DECLINED, decided_by };
    return (await confirmations.decide(id, denial)).confirmation;
  }
  const form = formOf(input);
  const checked = await argumentChecks.check(form, decision.arguments ?? {}, true);
  if (checked.kind === "invalid")
    throw new AppError("invalid_body", `The answer was refused: ${shownReason(checked.reason, redactor)}.`);
  const values = checked.arguments;
  const shownValues = redactArguments(values, form, redactor);
  return confirmations.answer(id, { values, shownValues, reason, decided_by });
}
