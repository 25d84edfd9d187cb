// The foot of a question: the call itself in one short line of the page's own, and the buttons under it. It stays in view
// however long the arguments are, so that what is approved is always read beside the button that approves it.
import type { JsonObject } from "../../src/lib/json.js";
import { applicationName, isAmbiguous } from "../state/daemon.js";
import { type CallLine, callLine } from "../turn/call-line.js";
import { DecisionFoot } from "./decision.js";
import { Revealed } from "./reveal.js";

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

/** Application, method, address, Approve, Edit, Deny. */
export function ConfirmationFoot(props: FootProps) {
  const { request, application, isEdited, isInvalid, busy } = props;
  const line = callLine(request);
  const buttons = [
    {
      label: isEdited ? "Approve edited" : "Approve",
      action: props.onApprove,
      class: "approve",
      disabled: isInvalid,
    },
    { label: isEdited ? "Undo edit" : "Edit", action: props.onEdit },
    { label: "Deny", action: props.onDeny, class: "danger" },
  ];
  return (
    <DecisionFoot buttons={buttons} busy={busy} lineClass="confirmation-call">
      {isAmbiguous(application) && `${applicationName(application)}: `}
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
