// What became of a call by hand: its answer, or the confirmation that it waits for, and once that is decided the outcome in its place.
import type { CallAnswer } from "../../../src/domain/agent.js";
import { confirmations, type TrackedConfirmation } from "../../state/confirmations.js";
import { CallReason, CallResultView } from "../call-reason.js";
import { ConfirmationCard } from "../confirmation-card.js";
import { Verdict } from "../decided.js";
import { EffectView } from "../effect.js";
import { useFocusBack } from "../focus-back.js";
import { duration } from "../format.js";
import { Spinner } from "../icons.js";
import { StatusTag } from "../tags.js";
import { Undo } from "../undo.js";
import { useCallRow, useHistoryVersion } from "../use-call-row.js";

/** The row of a call that was held: how it ended, and until it did that it has not. */
function DecidedCall({ id, held }: { id: number; held: TrackedConfirmation | undefined }) {
  const version = useHistoryVersion();
  const { row, error } = useCallRow(id, `${version} ${held?.status}`);
  const isOver = row !== undefined && row.status !== "held" && row.status !== "pending";
  return (
    <>
      <p class="tool-about">
        {isOver ? <StatusTag status={row.status} /> : error === "" && <Spinner />}
        {held !== undefined && <Verdict of={held} />}
        {isOver && row.duration_ms !== null && <span class="faint">{duration(row.duration_ms)}</span>}
      </p>
      {error !== "" && <p class="failure">{error}</p>}
      {isOver && (
        <>
          <CallReason {...row} isOwn={true} />
          {row.effect !== undefined && <EffectView effect={row.effect} undo={row.undo} status={row.status} />}
          <Undo history_id={id} undo={row.undo} asks={true} />
          {row.status !== "denied" && <CallResultView {...row} />}
        </>
      )}
    </>
  );
}

/** A call that was held: the question, then what became of it. */
function HeldCall({ history_id, confirmation }: CallAnswer) {
  const held = confirmations.value.find(({ id }) => id === confirmation?.id);
  const isPending = held?.status === "pending";
  const outcome = useFocusBack<HTMLDivElement>(isPending);
  if (isPending) return <ConfirmationCard confirmation={held} />;
  return (
    <div ref={outcome} class="call-decided" role="status" tabIndex={-1}>
      {history_id !== undefined && <DecidedCall id={history_id} held={held} />}
      {history_id === undefined && held !== undefined && <Verdict of={held} />}
    </div>
  );
}

/** What became of a call of a tool. */
export function CallOutcome({ answer, tool }: { answer: CallAnswer; tool: string }) {
  if (answer.confirmation !== undefined) return <HeldCall {...answer} />;
  const { status, result, history_id, duration_ms } = answer;
  return (
    <div role="status">
      <p class="tool-about">
        <StatusTag status={status} /> <span class="faint">{Math.round(duration_ms)} ms</span>
      </p>
      <CallReason status={status} result={result} isOwn={true} />
      <CallResultView status={status} result={result} id={history_id} tool={tool} />
    </div>
  );
}
