// The foot of a question: the call itself in one short line of the page's own, and the buttons under it. It stays in view
// however long the arguments are, so that what is approved is always read beside the button that approves it.
import { useId, useRef } from "preact/hooks";
import type { JsonObject } from "../../src/lib/json.js";
import { pendingConfirmations } from "../state/confirmations.js";
import { applicationName, isAmbiguous } from "../state/daemon.js";
import { type CallLine, callLine } from "../turn/call-line.js";
import { Revealed } from "./reveal.js";
import { useSettled } from "./settled.js";

/** What the buttons do, and whether they can. */
interface FootProps {
  request: JsonObject;
  /** The application it goes to, "" for the one without a name. */
  application: string;
  isEdited: boolean;
  isInvalid: boolean;
  busy: boolean;
  onApprove(): void;
  onEdit(): void;
  onDeny(): void;
}

/** The address an edited call goes to is not known before it is made again; the host is the application's. */
function editedAddress({ address }: CallLine): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** A held-down key repeats itself; only one that was pressed for this button counts. */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

/** Application, method, address, Approve, Edit, Deny. */
export function ConfirmationFoot(props: FootProps) {
  const { request, application, isEdited, isInvalid, busy } = props;
  const id = useId();
  const foot = useRef<HTMLElement>(null);
  const { settled, isSettled } = useSettled(foot, pendingConfirmations.value.map((one) => one.id).join());
  const line = callLine(request);
  const button = (label: string, action: () => void, look: { class?: string; disabled?: boolean } = {}) => (
    <button
      type="button"
      class={look.class}
      disabled={busy || look.disabled}
      aria-disabled={!settled}
      aria-describedby={id}
      onKeyDown={ignoreRepeats}
      onClick={() => isSettled() && action()}
    >
      {label}
    </button>
  );
  return (
    <footer class="confirmation-foot" ref={foot}>
      <p class="confirmation-call" id={id}>
        {isAmbiguous(application) && `${applicationName(application)}: `}
        <strong>{line.method}</strong>{" "}
        {isEdited ? (
          <>
            <Revealed text={editedAddress(line)} />, the rest made again from the edited arguments
          </>
        ) : (
          <Revealed text={line.short} />
        )}
      </p>
      <div class="buttons">
        {button(isEdited ? "Approve edited" : "Approve", props.onApprove, { class: "approve", disabled: isInvalid })}
        {button(isEdited ? "Undo edit" : "Edit", props.onEdit)}
        {button("Deny", props.onDeny, { class: "danger" })}
      </div>
    </footer>
  );
}
