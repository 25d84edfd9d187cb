// What became of a call by hand: its answer, or the confirmation that it waits for.
import type { CallAnswer } from "../../../src/domain/agent.js";
import { confirmations } from "../../state/confirmations.js";
import { ConfirmationCard } from "../confirmation-card.js";
import { StatusTag } from "../tags.js";
import { Value } from "../value.js";

/** What became of a call of a tool. */
export function CallOutcome({ answer, tool }: { answer: CallAnswer; tool: string }) {
  const held = confirmations.value.find(({ id }) => id === answer.confirmation?.id);
  if (held?.status === "pending") return <ConfirmationCard confirmation={held} />;
  if (answer.confirmation)
    return (
      <p role="status">
        {held ? `This call was ${held.status}. Its row is below.` : "This call was decided. Its row is below."}
      </p>
    );
  return (
    <div role="status">
      <p class="tool-about">
        <StatusTag status={answer.status} /> <span class="faint">{Math.round(answer.duration_ms)} ms</span>
      </p>
      <Value value={answer.result} label="Result" history_id={answer.history_id} tool={tool} />
    </div>
  );
}
