// The card of one tool call: its name and arguments, its result, its duration. Closed, it is one line; an error opens by
// itself, with the application's own reason first. While the call waits for a confirmation, the card is the question.
import { useEffect, useRef, useState } from "preact/hooks";
import { stoppedCallText, TURN_CANCELLED } from "../../src/domain/stopped-call.js";
import { confirmationOf, questionsOf, type TrackedConfirmation } from "../state/confirmations.js";
import { currentId } from "../state/conversations.js";
import { toolsByName } from "../state/daemon.js";
import { type MarkedCell, markedCell } from "../state/marked-cell.js";
import { loadRowResult, loadTranscriptResult } from "../state/results.js";
import { callStatus } from "../turn/call-status.js";
import { whyNotSent } from "../turn/not-sent.js";
import { failureOf } from "../turn/reason.js";
import type { CallItem, Turn } from "../turn/turn.js";
import { ApplicationTag } from "./applications.js";
import { CallFailure } from "./call-reason.js";
import { CancelCall } from "./cancel-call.js";
import { ConfirmationCard } from "./confirmation-card.js";
import { Verdict } from "./decided.js";
import { EffectView } from "./effect.js";
import { Folded } from "./folded.js";
import { duration } from "./format.js";
import { Icon } from "./icons.js";
import { Json } from "./json.js";
import { LoadedValue } from "./loaded-value.js";
import { Revealed } from "./reveal.js";
import { Seconds } from "./seconds.js";
import { argumentsLine } from "./summary.js";
import { SafetyTag, StatusTag } from "./tags.js";
import { Undo } from "./undo.js";
import { useSummary } from "./use-summary.js";
import { Value } from "./value.js";

/** One that a person stopped, in the line of its card; what is known of it stands below. */
const STOPPED = "You stopped this call";

/** A result that is here, folded below the reason that was found in it, or one that is loaded now. */
function CallResult(props: { call: CallItem; turn: Turn; isFolded: boolean; marked: MarkedCell | undefined }) {
  const { call, turn, isFolded, marked } = props;
  const { history_id, name: tool, result, omitted } = call;
  if (omitted !== undefined) {
    const load = async () =>
      omitted.history_id === undefined
        ? { value: await loadTranscriptResult(currentId.peek() ?? "", turn.turn_id, call.id) }
        : loadRowResult(omitted.history_id);
    const where = { history_id: omitted.history_id, tool, marked };
    return <LoadedValue load={load} length={omitted.size} label="Result" {...where} />;
  }
  if (result === undefined) return null;
  const where = { history_id, tool, marked };
  const value = <Value value={result} label={isFolded ? "Answer" : "Result"} {...where} />;
  return isFolded ? <Folded label="Answer as it came">{value}</Folded> : value;
}

/** What a call was made with, if anything. */
function Arguments({ of: { arguments: given } }: { of: CallItem }) {
  if (Object.keys(given).length === 0) return null;
  return (
    <>
      <p class="label">Arguments</p>
      <Json value={given} label="Arguments" />
    </>
  );
}

/** Whether the verdict on a call that was not made says more than the line of its card: that of a stopped turn does not. */
const isVerdictNews = ({ status, reason }: Pick<TrackedConfirmation, "status" | "reason">): boolean =>
  (status === "denied" || status === "expired") && reason !== TURN_CANCELLED;

/** Whether a person opened or closed a card, and the cell of its result that was followed to, which opens it. */
function useOpening(call: CallItem, turn: Turn) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const { value } = markedCell;
  const marked = value?.turn === turn.key && value.call_id === call.id ? value : undefined;
  useEffect(() => {
    if (marked !== undefined) setToggled(true);
  }, [marked]);
  return { marked, toggled, setToggled };
}

/** A tool call in the log. */
export function CallCard({ call, turn }: { call: CallItem; turn: Turn }) {
  const { marked, toggled, setToggled } = useOpening(call, turn);
  const box = useRef<HTMLDivElement>(null);
  const short = useSummary(call, box);
  const confirmation = confirmationOf(turn.turn_id, call.id);
  if (confirmation?.status === "pending") return <ConfirmationCard confirmation={confirmation} />;
  const status = callStatus(call, turn);
  const stopped = status === "stopped" ? stoppedCallText(call.result) : undefined;
  const tool = toolsByName.value.get(call.name);
  const safety = call.safety ?? tool?.safety;
  // What is known of a change that was stopped must not be missed.
  const open = toggled ?? (status === "error" || (stopped !== undefined && safety !== "read_only"));
  const failure = stopped === undefined ? failureOf(call) : "";
  const theirs = stopped === undefined ? whyNotSent(call.status, call.result) || failure : STOPPED;
  const summary = theirs ? { theirs, own: "" } : short;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form */}
      <div ref={box} class={`call call-${status}`} role="group" aria-label={`Tool call ${call.name}`}>
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
            <Revealed text={argumentsLine(call.arguments)} lines="mark" />
          </span>
          <span class="call-outcome">
            {status === "running" && call.progress !== undefined && (
              <span class="call-summary">
                <Revealed text={call.progress} lines="mark" />
              </span>
            )}
            {(summary.theirs !== "" || summary.own !== "") && !(open && failure !== "") && (
              <span class="call-summary">
                <Revealed text={summary.theirs} lines="mark" />
                {summary.own}
              </span>
            )}
            {status === "running" && call.since !== undefined && <Seconds since={call.since} />}
            {typeof call.duration_ms === "number" && <span class="faint">{duration(call.duration_ms)}</span>}
            <StatusTag status={status} />
          </span>
        </button>
        {status === "running" && <CancelCall turn_id={turn.turn_id} call_id={call.id} name={call.name} />}
        {confirmation && isVerdictNews(confirmation) && (
          <p class="call-verdict">
            <Verdict of={confirmation} />
          </p>
        )}
        {open && (
          <div class="call-body">
            {failure !== "" && <CallFailure text={failure} />}
            {stopped !== undefined && stopped !== STOPPED && (
              <p class="call-stopped">
                <Revealed text={stopped} lines="break" />
              </p>
            )}
            {confirmation?.status === "approved" && <Verdict of={confirmation} />}
            <Arguments of={call} />
            {call.effect !== undefined && <EffectView effect={call.effect} undo={call.undo} status={status} />}
            <CallResult call={call} turn={turn} isFolded={failure !== "" || stopped !== undefined} marked={marked} />
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
