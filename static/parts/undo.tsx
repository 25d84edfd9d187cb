// The button that takes a call back. It asks with the rows it would put back, as a confirmation of its own.
import { useEffect, useRef, useState } from "preact/hooks";
import type { UndoState } from "../../src/domain/undo-state.js";
import { showConfirmation } from "../state/alerts.js";
import { errorText } from "../state/api.js";
import { confirmations } from "../state/confirmations.js";
import { canUndo, undoCall } from "../state/undo.js";
import { ConfirmationCard } from "./confirmation-card.js";
import { useFocusBack } from "./focus-back.js";

/** Undo, beside a call that can be undone; then the question, where the page does not ask it anyway, and what became of it. */
export function Undo(props: { history_id: number; undo: UndoState | undefined; asks: boolean }) {
  const { history_id, undo, asks } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [isDone, setDone] = useState(false);
  // The question is of the undo's own call, whose arguments name this row.
  const asked = confirmations.value.findLast(
    ({ tool, arguments: args }) => tool === "undo" && args["history_id"] === history_id,
  );
  const isUndone = isDone || undo === "done" || asked?.status === "approved";
  const isPending = asked?.status === "pending";
  // The question may be asked far below: who asked for it is led there.
  const isAsking = useRef(false);
  useEffect(() => {
    if (!isPending || !isAsking.current) return;
    isAsking.current = false;
    showConfirmation(asked.id);
  }, [isPending]);
  const notice = useFocusBack<HTMLParagraphElement>(`${isUndone} ${isPending}`);
  const button = useFocusBack<HTMLButtonElement>(isPending);
  if (isUndone)
    return (
      <p ref={notice} class="notice" tabIndex={-1}>
        Undone.
      </p>
    );
  if (isPending && asks) return <ConfirmationCard confirmation={asked} />;
  if (isPending)
    return (
      <p ref={notice} class="notice" tabIndex={-1}>
        The undo waits for your yes, below.
      </p>
    );
  if (!canUndo(undo)) return null;
  const start = async () => {
    setBusy(true);
    setError("");
    isAsking.current = true;
    try {
      setDone((await undoCall(history_id)) === "done");
    } catch (failure) {
      setError(errorText(failure));
    }
    setBusy(false);
  };
  return (
    <div class="undo">
      <button ref={button} type="button" disabled={busy} onClick={() => void start()}>
        {undo === "partial" ? "Try to undo" : "Undo"}
      </button>
      <p class="error-text" role="alert">
        {error}
      </p>
    </div>
  );
}
