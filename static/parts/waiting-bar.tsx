// Says in every view that a call waits which that view does not show, and leads to it.
import { openConfirmation } from "../state/alerts.js";
import { pendingConfirmations } from "../state/confirmations.js";
import { currentId } from "../state/conversations.js";
import { view } from "../state/route.js";
import { headlineLine } from "./headline.js";
import { Icon } from "./icons.js";
import { Revealed } from "./reveal.js";

/** "1 call waits: Delete product 4 · Open". */
export function WaitingBar() {
  const shown = view.value;
  if (shown.kind === "confirmations") return null;
  const elsewhere = pendingConfirmations.value.filter(
    ({ session_id }) => shown.kind !== "chat" || session_id !== currentId.value,
  );
  const [first] = elsewhere;
  if (first === undefined) return null;
  const count = elsewhere.length;
  return (
    <section class="waiting-bar" aria-label="Calls that wait">
      <Icon name="shield" />
      <span class="waiting-text">
        {count === 1 ? "1 call waits: " : `${count} calls wait, the first: `}
        <Revealed text={headlineLine(first)} />
      </span>
      <span class="spacer" />
      <button type="button" class="link" onClick={() => openConfirmation(first)}>
        Open
      </button>
    </section>
  );
}
