// The small labels for how dangerous a tool is and for the outcome of a call.
import type { Permission } from "../../src/domain/permission.js";
import type { Safety } from "../../src/domain/schema-document.js";
import type { CallStatus } from "../turn/call-status.js";
import { words } from "./format.js";
import { Icon, Spinner } from "./icons.js";

/** A safety class; the words matter more than the colour. */
export function SafetyTag({ safety }: { safety: Safety }) {
  return <span class={`tag safety-${safety}`}>{words(safety)}</span>;
}

/** What the operator says of a tool in config.json, with the rule that says it. */
export function PermissionTag({ permission: { is, rule } }: { permission: Permission }) {
  return (
    <span class={`tag permission-${is}`} title={`By ${rule} in config.json`}>
      {is}
    </span>
  );
}

const MEANING: Record<CallStatus, string> = {
  running: "In flight",
  ok: "Done",
  error: "The call failed",
  blocked: "Refused by a safety mode",
  denied: "Refused by a person, or nobody could be asked",
  dry_run: "Nothing was sent",
  held: "Waits for a person's yes",
  pending: "In flight",
  stopped: "Stopped by a person",
  interrupted: "The daemon stopped while it was in flight; the outcome is unknown",
};

function Glyph({ status }: { status: CallStatus }) {
  if (status === "running" || status === "pending") return <Spinner />;
  if (status === "ok") return <Icon name="check" />;
  if (status === "held") return <Icon name="clock" />;
  return <Icon name={status === "dry_run" || status === "stopped" ? "bar" : "cross"} />;
}

/** The outcome of a call. */
export function StatusTag({ status }: { status: CallStatus }) {
  return (
    <span class={`status status-${status}`} title={MEANING[status]}>
      <Glyph status={status} />
      {words(status)}
    </span>
  );
}
