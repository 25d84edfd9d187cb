// The question before a call that changes something: what it does in plain words, what is now and what would be, its arguments with
// nothing hidden, the request folded, and Approve, Edit, Deny. After its expiry it is withdrawn. No key press alone approves: the focus is never put on Approve, and what has just
// appeared or moved under the pointer takes no click yet.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isObject, type JsonObject, parseJson } from "../../src/lib/json.js";
import { errorText } from "../state/api.js";
import type { TrackedConfirmation } from "../state/confirmations.js";
import { toolsByName } from "../state/daemon.js";
import { typedProof } from "../turn/headline.js";
import { rowsIn } from "../values/rows.js";
import { ApplicationTag } from "./applications.js";
import { ConfirmationFoot } from "./confirmation-foot.js";
import { TimeLeft, useDecision } from "./decision.js";
import { EffectView } from "./effect.js";
import { Headline, Importance } from "./headline.js";
import { Json } from "./json.js";
import { lazy } from "./lazy.js";
import { RequestView } from "./request.js";
import type { Tab } from "./result/tabs.js";
import { WithViews } from "./result/with-views.js";
import { escapedJson, Revealed } from "./reveal.js";
import { SafetyTag } from "./tags.js";

// Few applications ask anything in the middle of a call.
const QuestionCard = lazy(async () => (await import("./question-card.js")).QuestionCard);

/** Edited arguments: valid JSON or the reason why not. */
interface EditedArguments {
  value?: JsonObject;
  error: string;
}

function parseArguments(text: string): EditedArguments {
  try {
    const value = parseJson(text);
    return isObject(value) ? { value, error: "" } : { error: "Arguments are a JSON object: { … }" };
  } catch (error) {
    return { error: errorText(error) };
  }
}

/** The field in which the arguments are edited; it takes the focus, at its start. */
function ArgumentsField(props: { draft: string; error: string; onInput: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.setSelectionRange(0, 0);
    field.current?.focus();
  }, []);
  return (
    <>
      <textarea
        ref={field}
        class="edit"
        aria-label="Arguments as JSON"
        spellcheck={false}
        rows={Math.min(16, props.draft.split("\n").length + 1)}
        value={props.draft}
        aria-invalid={props.error !== ""}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      {props.error !== "" && <p class="error-text">{props.error}</p>}
    </>
  );
}

/** The arguments with nothing hidden; they can be looked at like a result. */
function Arguments({ value }: { value: JsonObject }) {
  const json = <Json value={value} whole label="Arguments" />;
  if (Object.keys(value).length === 0)
    return (
      <>
        <p class="label">Arguments</p>
        {json}
      </>
    );
  const views: Tab[] = rowsIn(value) === null ? ["fields"] : ["table", "fields"];
  return (
    <WithViews name="As sent" views={views} value={() => value} label="Arguments" isLabelled>
      {json}
    </WithViews>
  );
}

/** The request as it would be sent, folded: its line stands beside the buttons anyway. */
function Details({ request }: { request: JsonObject }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Details of the request</summary>
      {isOpen && <RequestView request={request} />}
    </details>
  );
}

/** A confirmation that is pending: a call, or what an application asks in the middle of one. */
export function ConfirmationCard({ confirmation }: { confirmation: TrackedConfirmation }) {
  const { input } = confirmation;
  if (input !== undefined) return <QuestionCard confirmation={confirmation} input={input} />;
  return <HeldCallCard confirmation={confirmation} />;
}

/** Edits that were begun, by the ids of their confirmations: a card moves into a table of several and out of it. */
const begun = new Map<string, string>();

/** The arguments as they are being edited; null while they are not. */
function useDraft(id: string): [string | null, (draft: string | null) => void] {
  const [draft, setDraft] = useState(begun.get(id) ?? null);
  const change = (next: string | null) => {
    if (next === null) begun.delete(id);
    else begun.set(id, next);
    setDraft(next);
  };
  return [draft, change];
}

function HeldCallCard({ confirmation }: { confirmation: TrackedConfirmation }) {
  const id = useId();
  const [draft, setDraft] = useDraft(confirmation.id);
  const { busy, error, decide } = useDecision(confirmation);
  const edited = draft === null ? undefined : parseArguments(draft);
  const isInvalid = edited !== undefined && edited.value === undefined;
  return (
    <section
      id={`confirmation-${confirmation.id}`}
      class={`confirmation confirmation-${confirmation.safety}`}
      aria-labelledby={`${id}-tool ${id} ${id}-short`}
      tabIndex={-1}
    >
      <header class="confirmation-head">
        <h2 id={id}>
          <Headline confirmation={confirmation} />
        </h2>
        <Importance safety={confirmation.safety} />
        <span class="spacer" />
        <TimeLeft id={confirmation.id} end={confirmation.expires_at} />
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
      <div class="confirmation-body">
        {confirmation.effect !== undefined && draft === null && (
          <EffectView effect={confirmation.effect} undo={confirmation.undo} status="held" />
        )}
        {draft === null ? (
          <>
            <Arguments value={confirmation.arguments} />
            <Details request={confirmation.request} />
          </>
        ) : (
          <>
            <p class="label">Arguments, edited</p>
            <ArgumentsField draft={draft} error={edited?.error ?? ""} onInput={setDraft} />
            <p class="faint">The request is made again from the edited arguments and checked as before.</p>
          </>
        )}
        <p class="error-text" role="alert">
          {error}
        </p>
      </div>
      <ConfirmationFoot
        request={confirmation.request}
        application={confirmation.application}
        safety={confirmation.safety}
        proof={typedProof(confirmation, toolsByName.value.get(confirmation.tool))}
        isEdited={draft !== null}
        isInvalid={isInvalid}
        busy={busy}
        onApprove={() => void decide({ decision: "approve", arguments: edited?.value })}
        onEdit={() => setDraft(draft === null ? escapedJson(confirmation.arguments) : null)}
        onDeny={(reason) => void decide({ decision: "deny", reason })}
      />
    </section>
  );
}
