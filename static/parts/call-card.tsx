// The card of one tool call: its name and arguments, its result, its duration. Closed, it is one line; an error opens by
// itself. While the call waits for a confirmation, the card is the question.
import { useState } from "preact/hooks";
import { confirmationOf, questionsOf } from "../state/confirmations.js";
import { currentId } from "../state/conversations.js";
import { toolsByName } from "../state/daemon.js";
import { loadRowResult, loadTranscriptResult } from "../state/results.js";
import type { CallItem, Turn } from "../turn/turn.js";
import { ApplicationTag } from "./applications.js";
import { ConfirmationCard } from "./confirmation-card.js";
import { EffectView } from "./effect.js";
import { duration, size } from "./format.js";
import { Icon } from "./icons.js";
import { Json } from "./json.js";
import { LoadedValue } from "./loaded-value.js";
import { Revealed } from "./reveal.js";
import { argumentsLine, summaryOf } from "./summary.js";
import { SafetyTag, StatusTag } from "./tags.js";
import { Undo } from "./undo.js";
import { Value } from "./value.js";

/** A tool call in the log. */
export function CallCard({ call, turn }: { call: CallItem; turn: Turn }) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const confirmation = confirmationOf(turn.turn_id, call.id);
  if (confirmation?.status === "pending") return <ConfirmationCard confirmation={confirmation} />;
  const status = call.status ?? (turn.status === "running" ? "running" : "interrupted");
  const open = toggled ?? status === "error";
  const tool = toolsByName.value.get(call.name);
  const safety = call.safety ?? tool?.safety;
  const summary = call.omitted ? size(call.omitted.size) : call.result === undefined ? "" : summaryOf(call.result);
  const load = () =>
    call.omitted?.history_id === undefined
      ? loadTranscriptResult(currentId.peek() ?? "", turn.turn_id, call.id)
      : loadRowResult(call.omitted.history_id);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form */}
      <div class={`call call-${status}`} role="group" aria-label={`Tool call ${call.name}`}>
        <button type="button" class="call-head" aria-expanded={open} onClick={() => setToggled(!open)}>
          <span class={open ? "disclosure disclosure-open" : "disclosure"}>
            <Icon name="chevron" />
          </span>
          <ApplicationTag name={call.application ?? tool?.application} />
          <code class="call-name">
            <Revealed text={call.name} />
          </code>
          {safety !== undefined && <SafetyTag safety={safety} />}
          <span class="call-arguments">
            <Revealed text={argumentsLine(call.arguments)} />
          </span>
          <span class="call-outcome">
            {status === "running" && call.progress !== undefined && (
              <span class="call-summary">
                <Revealed text={call.progress} />
              </span>
            )}
            {summary !== "" && <span class="call-summary">{summary}</span>}
            {typeof call.duration_ms === "number" && <span class="faint">{duration(call.duration_ms)}</span>}
            <StatusTag status={status} />
          </span>
        </button>
        {open && (
          <div class="call-body">
            {confirmation !== undefined && <p class="notice">{`The call was ${confirmation.status}.`}</p>}
            <p class="label">Arguments</p>
            <Json value={call.arguments} label="Arguments" />
            {call.effect !== undefined && <EffectView effect={call.effect} undo={call.undo} label="What changed" />}
            {call.result !== undefined && <Value value={call.result} label="Result" />}
            {call.omitted !== undefined && <LoadedValue load={load} length={call.omitted.size} label="Result" />}
          </div>
        )}
        {call.history_id !== undefined && <Undo history_id={call.history_id} undo={call.undo} asks={false} />}
      </div>
      {questionsOf(turn.turn_id, call.id).map((one) => (
        <ConfirmationCard key={one.id} confirmation={one} />
      ))}
    </>
  );
}
