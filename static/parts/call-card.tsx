// The card of one tool call: what was called with what, what came back, how long it took. Closed, it is one line; an error
// opens by itself. While the call waits for a person, the card is the question.
import { useState } from "preact/hooks";
import { approvalOf } from "../state/confirmations.js";
import { toolNamed } from "../state/daemon.js";
import type { CallItem, Turn } from "../turn/turn.js";
import { ApprovalCard } from "./confirmation-card.js";
import { duration } from "./format.js";
import { Icon } from "./icons.js";
import { Revealed } from "./reveal.js";
import { SafetyTag, StatusTag } from "./tags.js";
import { argumentsLine, gist, Json, Value } from "./value.js";

/** A tool call in the log. */
export function CallCard({ call, turn }: { call: CallItem; turn: Turn }) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const approval = approvalOf(turn.turn_id, call.id);
  if (approval?.status === "pending") return <ApprovalCard approval={approval} />;
  const over = turn.status !== "running";
  const status = call.status ?? (over ? "interrupted" : "running");
  const open = toggled ?? status === "error";
  const safety = call.safety ?? toolNamed.value.get(call.name)?.safety;
  const summary = call.result === undefined ? "" : gist(call.result);
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form
    <div class={`call call-${status}`} role="group" aria-label={`Tool call ${call.name}`}>
      <button type="button" class="call-head" aria-expanded={open} onClick={() => setToggled(!open)}>
        <span class={open ? "twist twisted" : "twist"}>
          <Icon name="chevron" />
        </span>
        <code class="call-name">
          <Revealed text={call.name} />
        </code>
        {safety !== undefined && <SafetyTag safety={safety} />}
        <span class="call-arguments">
          <Revealed text={argumentsLine(call.arguments)} />
        </span>
        <span class="call-outcome">
          {summary !== "" && <span class="call-gist">{summary}</span>}
          {typeof call.duration_ms === "number" && <span class="faint">{duration(call.duration_ms)}</span>}
          <StatusTag status={status} />
        </span>
      </button>
      {open && (
        <div class="call-body">
          {approval !== undefined && <p class="notice">{`The call was ${approval.status}.`}</p>}
          <p class="label">Arguments</p>
          <Json value={call.arguments} label="Arguments" />
          {call.result !== undefined && <Value value={call.result} label="Result" />}
        </div>
      )}
    </div>
  );
}
