// The foot of a question: the call itself in one short line of the page's own, and the buttons under it. It stays in view
// however long the arguments are, so that what is approved is always read beside the button that approves it.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Safety } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { nameBeside } from "../state/daemon.js";
import { type CallLine, callLine } from "../turn/call-line.js";
import { DecisionFoot } from "./decision.js";
import { Revealed } from "./reveal.js";

/** The longest reason that the daemon takes. */
const MAX_REASON = 2000;

/** What the buttons do, and whether they can. */
interface FootProps {
  request: JsonObject;
  /** The application it goes to, "" for the one without a name. */
  application: string;
  safety: Safety;
  /** What is typed before it can be approved; undefined where a button is enough. */
  proof: string | undefined;
  isEdited: boolean;
  isInvalid: boolean;
  busy: boolean;
  onApprove(): void;
  onEdit(): void;
  /** With the reason that was written, "" for none. */
  onDeny(reason: string): void;
}

/** The address an edited call goes to is not known before it is made again; the host is the application's. */
function editedAddress({ address }: CallLine): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** The buttons: Approve, which is held where something is destroyed, Edit, Say why, Deny. */
function buttonsOf(props: FootProps, isProven: boolean, reason: { isOpen: boolean; text: string; open(): void }) {
  const { isEdited, isInvalid, proof, safety } = props;
  const isHeld = safety === "destructive" && proof === undefined;
  const approve = isEdited ? "Approve edited" : "Approve";
  return [
    {
      label: isHeld ? `Hold to ${approve.toLowerCase()}` : approve,
      heldLabel: isHeld ? `Yes, ${approve.toLowerCase()}` : undefined,
      action: props.onApprove,
      class: safety === "destructive" ? "approve destroys" : "approve",
      disabled: isInvalid || !isProven,
    },
    { label: isEdited ? "Undo edit" : "Edit", slot: "edit", action: props.onEdit },
    ...(reason.isOpen ? [] : [{ label: "Say why…", action: reason.open, class: "say-why" }]),
    { label: "Deny", action: () => props.onDeny(reason.text), class: "danger" },
  ];
}

/** The field of a reason, which takes the focus: what is typed goes into it. */
function ReasonField({ reason, onInput }: { reason: string; onInput(reason: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <label class="foot-field">
      <span>Why not, for the model</span>
      <input
        ref={field}
        type="text"
        maxLength={MAX_REASON}
        value={reason}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** Application, method, address, Approve, Edit, Deny. */
export function ConfirmationFoot(props: FootProps) {
  const { request, application, isEdited, busy, proof } = props;
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState<string | null>(null);
  const line = callLine(request);
  const name = nameBeside(line.short, application);
  const isProven = proof === undefined || typed.trim() === proof;
  const buttons = buttonsOf(props, isProven, {
    isOpen: reason !== null,
    text: (reason ?? "").trim(),
    open: () => setReason(""),
  });
  const fields = (
    <>
      {proof !== undefined && (
        <label class="foot-field">
          <span>
            Type <strong>{proof}</strong> to approve
          </span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      {reason !== null && <ReasonField reason={reason} onInput={setReason} />}
    </>
  );
  return (
    <DecisionFoot buttons={buttons} busy={busy} lineClass="confirmation-call" fields={fields}>
      {name && `${name}: `}
      <strong>{line.method}</strong>{" "}
      {isEdited ? (
        <>
          <Revealed text={editedAddress(line)} />, the rest made again from the edited arguments
        </>
      ) : (
        <Revealed text={line.short} />
      )}
    </DecisionFoot>
  );
}
