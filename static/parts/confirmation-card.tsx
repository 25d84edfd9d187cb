// The question before a call that changes something: what it does in plain words, what is now and what would be, the arguments that this does
// not say, with nothing hidden, all of them and the request folded, and Approve, Edit, Deny. After its expiry it is withdrawn. No key press
// alone approves: the focus is never put on Approve, and what has just appeared or moved under the pointer takes no click yet.
import { useId, useState } from "preact/hooks";
import { canonicalJson, type JsonObject } from "../../src/lib/json.js";
import type { TrackedConfirmation } from "../state/confirmations.js";
import { toolsByName } from "../state/daemon.js";
import { typedProof } from "../turn/headline.js";
import { unsaidArguments } from "../turn/said.js";
import { rowsIn } from "../values/rows.js";
import { ApplicationTag } from "./applications.js";
import { editOf, keepEdit } from "./begun-edits.js";
import { ConfirmationFoot } from "./confirmation-foot.js";
import { TimeLeft, useDecision } from "./decision.js";
import type { ArgumentsEdit } from "./edit-arguments.js";
import { EffectView } from "./effect.js";
import { Headline, Importance } from "./headline.js";
import { Json } from "./json.js";
import { lazy } from "./lazy.js";
import { RequestView } from "./request.js";
import type { Tab } from "./result/tabs.js";
import { WithViews } from "./result/with-views.js";
import { Revealed } from "./reveal.js";
import { SafetyTag } from "./tags.js";

const EditArguments = lazy(async () => (await import("./edit-arguments.js")).EditArguments);

// Few applications ask anything in the middle of a call.
const QuestionCard = lazy(async () => (await import("./question-card.js")).QuestionCard);

/** Arguments with nothing hidden; they can be looked at like a result. */
function Arguments({ value, isPart = false }: { value: JsonObject; isPart?: boolean }) {
  const label = isPart ? "Further arguments" : "Arguments";
  const json = <Json value={value} whole label={label} />;
  if (Object.keys(value).length === 0)
    return (
      <>
        <p class="label">{label}</p>
        {json}
      </>
    );
  const views: Tab[] = rowsIn(value) === null ? ["fields"] : ["table", "fields"];
  return (
    <WithViews name={isPart ? "JSON" : "As sent"} views={views} value={() => value} label={label} isLabelled>
      {json}
    </WithViews>
  );
}

/**
 * What the call is made of. What the difference above says already is not said again in the open; nor is the request, whose line
 * stands beside the buttons.
 */
function Details({ confirmation }: { confirmation: TrackedConfirmation }) {
  const { arguments: args, effect, request } = confirmation;
  const [isOpen, setOpen] = useState(false);
  const unsaid = unsaidArguments(args, effect);
  const isPart = canonicalJson(unsaid) !== canonicalJson(args);
  return (
    <>
      {(Object.keys(unsaid).length > 0 || !isPart) && <Arguments value={unsaid} isPart={isPart} />}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{isPart ? "All arguments, and details of the request" : "Details of the request"}</summary>
        {isOpen && (
          <>
            {isPart && <Arguments value={args} />}
            <RequestView request={request} />
          </>
        )}
      </details>
    </>
  );
}

/** A confirmation that is pending: a call, or what an application asks in the middle of one; in a row, which has its headline. */
export function ConfirmationCard(props: { confirmation: TrackedConfirmation; isInRow?: boolean }) {
  const { confirmation, isInRow = false } = props;
  const { input } = confirmation;
  if (input !== undefined) return <QuestionCard confirmation={confirmation} input={input} />;
  return <HeldCallCard confirmation={confirmation} isInRow={isInRow} />;
}

/** What stands above the question: the headline, unless it is that of the row around it, the tool, and the time that is left. */
function CardHead({ confirmation, id, isInRow }: { confirmation: TrackedConfirmation; id: string; isInRow: boolean }) {
  return (
    <header class="confirmation-head">
      {!isInRow && (
        <>
          <h2 id={id}>
            <Headline confirmation={confirmation} />
          </h2>
          <Importance safety={confirmation.safety} />
          <span class="spacer" />
          <TimeLeft id={confirmation.id} end={confirmation.expires_at} />
        </>
      )}
      <p class="confirmation-tool">
        <span id={`${id}-tool`}>
          Approve this call? <Revealed text={confirmation.tool} />
        </span>
        <span id={`${id}-short`} class="visually-hidden">
          {confirmation.id.slice(0, 8)}
        </span>
        <ApplicationTag name={confirmation.application} />
        <SafetyTag safety={confirmation.safety} />
      </p>
    </header>
  );
}

function HeldCallCard({ confirmation, isInRow }: { confirmation: TrackedConfirmation; isInRow: boolean }) {
  const id = useId();
  const edit = editOf(confirmation.id);
  const setEdit = (next: ArgumentsEdit | null) => keepEdit(confirmation.id, next);
  const { busy, error, decide } = useDecision(confirmation);
  const { arguments: args, effect, undo, tool: name } = confirmation;
  const tool = toolsByName.value.get(name);
  return (
    <section
      id={`confirmation-${confirmation.id}`}
      class={`confirmation confirmation-${confirmation.safety}`}
      aria-labelledby={isInRow ? `${id}-tool ${id}-short` : `${id}-tool ${id} ${id}-short`}
      tabIndex={-1}
    >
      <CardHead confirmation={confirmation} id={id} isInRow={isInRow} />
      <div class="confirmation-body">
        {edit === null ? (
          <>
            {effect !== undefined && <EffectView effect={effect} undo={undo} status="held" />}
            <Details confirmation={confirmation} />
          </>
        ) : (
          <EditArguments schema={tool?.input_schema} args={args} edit={edit} onEdit={setEdit} />
        )}
        <p class="error-text" role="alert">
          {error}
        </p>
      </div>
      <ConfirmationFoot
        request={confirmation.request}
        application={confirmation.application}
        safety={confirmation.safety}
        proof={typedProof(confirmation, tool)}
        isEdited={edit !== null}
        isInvalid={edit !== null && edit.value === undefined}
        busy={busy}
        onApprove={() => void decide({ decision: "approve", arguments: edit?.value })}
        onEdit={() => setEdit(edit === null ? { value: args } : null)}
        onDeny={(reason) => void decide({ decision: "deny", reason })}
      />
    </section>
  );
}
