// The button that stops one call while it runs. The turn goes on, with what became of the call.
import { useState } from "preact/hooks";
import { cancelCall } from "../state/cancel-call.js";
import "../style/cancel-call.css";

/** Beside the line of a call that runs. */
export function CancelCall({ turn_id, call_id, name }: { turn_id: string; call_id: string; name: string }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    if (!(await cancelCall(turn_id, call_id))) setBusy(false);
  };
  const label = busy ? "Cancelling…" : "Cancel call";
  return (
    <button
      type="button"
      class="cancel-call"
      title="Stops this call only; the answer goes on"
      aria-label={`${label} ${name}`}
      disabled={busy}
      onClick={() => void cancel()}
    >
      {label}
    </button>
  );
}
