// What every question to a person shares: sending the decision, the time left, and buttons that take no click before they have been where they
// are for long enough to be meant.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../src/lib/json.js";
import { ApiError, errorText } from "../state/api.js";
import { msUntil } from "../state/clock.js";
import {
  decideConfirmation,
  loadConfirmations,
  pendingConfirmations,
  type TrackedConfirmation,
} from "../state/confirmations.js";
import { reloadConversation } from "../state/conversations.js";
import { focusPrompt } from "../state/focus.js";
import { countdown } from "./format.js";
import { Icon } from "./icons.js";
import { useSettled } from "./settled.js";

type Decision = "approve" | "deny";

/** Sends the decision on a confirmation. `busy` stays true once it is accepted: the card is about to vanish. */
export function useDecision({ id, session_id }: TrackedConfirmation) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const decide = async (decision: Decision, edited?: JsonObject) => {
    setBusy(true);
    setError("");
    try {
      await decideConfirmation(id, decision, edited);
      reloadConversation(session_id);
      // The button that had the focus is gone; the keyboard goes on at the prompt.
      focusPrompt();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
      // Decided elsewhere, or expired: display the outcome.
      if (failure instanceof ApiError && failure.status !== 400) loadConfirmations().catch(() => {});
    }
  };
  return { busy, error, decide };
}

/** How long a question still waits. */
export function TimeLeft({ end }: { end: string }) {
  const [left, setLeft] = useState(msUntil(end));
  useEffect(() => {
    const timer = setInterval(() => setLeft(msUntil(end)), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <span
      class="faint confirmation-time"
      title={`Denied by itself at ${new Date(Date.now() + left).toLocaleTimeString()}`}
    >
      <Icon name="clock" /> {countdown(left)}
    </span>
  );
}

/** A button of a question. */
interface DecisionButton {
  label: string;
  action(): void;
  class?: string;
  disabled?: boolean;
}

/** A held-down key repeats itself; only one that was pressed for this button counts. */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

/** The foot of a question, which stays in view: a line of the page's own that says what the buttons are about, and the buttons. */
export function DecisionFoot(props: {
  buttons: readonly DecisionButton[];
  busy: boolean;
  lineClass: string;
  children: ComponentChildren;
}) {
  const id = useId();
  const foot = useRef<HTMLElement>(null);
  const { settled, isSettled } = useSettled(foot, pendingConfirmations.value.map((one) => one.id).join());
  return (
    <footer class="confirmation-foot" ref={foot}>
      <p class={props.lineClass} id={id}>
        {props.children}
      </p>
      <div class="buttons">
        {props.buttons.map(({ label, action, ...look }) => (
          <button
            key={label}
            type="button"
            class={look.class}
            disabled={props.busy || look.disabled}
            aria-disabled={!settled}
            aria-describedby={id}
            onKeyDown={ignoreRepeats}
            onClick={() => isSettled() && action()}
          >
            {label}
          </button>
        ))}
      </div>
    </footer>
  );
}
