// What every question to a person shares: sending the decision, the time left, and buttons that take no click before they have been where they
// are for long enough to be meant.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiError, errorText } from "../state/api.js";
import { msUntil } from "../state/clock.js";
import {
  decideConfirmation,
  extendConfirmation,
  loadConfirmations,
  type PersonsDecision,
  pendingConfirmations,
  type TrackedConfirmation,
} from "../state/confirmations.js";
import { reloadConversation } from "../state/conversations.js";
import { focusNext } from "../state/focus.js";
import { countdown } from "./format.js";
import { type DecisionButton, HoldButton } from "./hold-button.js";
import { Icon } from "./icons.js";
import { useSettled } from "./settled.js";

/** Sends the decision on a confirmation. `busy` stays true once it is accepted: the card is about to vanish. */
export function useDecision({ id, session_id }: TrackedConfirmation) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const decide = async (decision: PersonsDecision) => {
    setBusy(true);
    setError("");
    try {
      await decideConfirmation(id, decision);
      reloadConversation(session_id);
      // The button that had the focus is gone; the keyboard goes on at what waits next.
      focusNext();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
      // Decided elsewhere, or expired: display the outcome.
      if (failure instanceof ApiError && failure.status !== 400) loadConfirmations().catch(() => {});
    }
  };
  return { busy, error, decide };
}

/** What a question is given more of, in seconds. */
const EXTENSIONS = [
  { label: "+5 min", name: "+5 min: five minutes more", seconds: 300 },
  { label: "+1 h", name: "+1 h: one hour more", seconds: 3600 },
] as const;

/** Buttons that put the expiry of a question off. */
function MoreTime({ id }: { id: string }) {
  const [error, setError] = useState("");
  const extend = (seconds: number) =>
    extendConfirmation(id, seconds).then(
      () => setError(""),
      (failure: unknown) => setError(errorText(failure)),
    );
  return (
    <span class="more-time">
      {EXTENSIONS.map(({ label, name, seconds }) => (
        <button
          key={label}
          type="button"
          class="link"
          aria-label={name}
          title={name}
          onClick={() => void extend(seconds)}
        >
          {label}
        </button>
      ))}
      {error !== "" && <span class="error-text">{error}</span>}
    </span>
  );
}

/** When a question is about to expire. */
const SOON_MS = 60_000;

/** How long a question still waits, and what gives it more. */
export function TimeLeft({ id, end }: { id: string; end: string }) {
  const [left, setLeft] = useState(msUntil(end));
  useEffect(() => {
    const timer = setInterval(() => setLeft(msUntil(end)), 1000);
    return () => clearInterval(timer);
  }, [end]);
  const until = new Date(Date.now() + left).toLocaleTimeString();
  return (
    <span class="time-left">
      <span class={`confirmation-time ${left < SOON_MS ? "soon" : "faint"}`} title={`Denied by itself at ${until}`}>
        <Icon name="clock" /> {countdown(left)}
      </span>
      <MoreTime id={id} />
    </span>
  );
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
  /** What stands between the line and the buttons. */
  fields?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  const foot = useRef<HTMLElement>(null);
  // The button that asks once more stands where it was pressed: it counts as one that has just appeared.
  const [isSecond, setSecond] = useState(false);
  const ids = pendingConfirmations.value.map((one) => one.id).join();
  const { settled, isSettled } = useSettled(foot, `${ids} ${isSecond}`);
  return (
    <footer class="confirmation-foot" ref={foot}>
      <p class={props.lineClass} id={id}>
        {props.children}
      </p>
      {props.fields}
      <div class="buttons">
        {props.buttons.map((button) => {
          const { label, action, heldLabel, slot } = button;
          const disabled = props.busy || button.disabled === true;
          if (heldLabel !== undefined)
            return (
              <HoldButton
                key="held"
                {...button}
                {...{ disabled, settled, isSettled, isSecond }}
                describedBy={id}
                onShort={() => setSecond(true)}
              />
            );
          return (
            <button
              key={slot ?? label}
              type="button"
              class={button.class}
              disabled={disabled}
              aria-disabled={!settled}
              aria-describedby={id}
              onKeyDown={ignoreRepeats}
              onClick={() => isSettled() && action()}
            >
              {label}
            </button>
          );
        })}
      </div>
    </footer>
  );
}
