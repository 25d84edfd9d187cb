// The question before a call that changes something: the whole of what would be sent, with nothing hidden, and Approve, Edit,
// Deny. When its time is over it is withdrawn. No key press alone approves: the focus is never put on Approve, and what has just
// come under the pointer cannot be approved by the second click of a double click.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isObject, type JsonObject, parseJson } from "../../src/lib/json.js";
import { ApiError, sayError } from "../state/api.js";
import { until } from "../state/clock.js";
import { type Approval, decide, loadApprovals, waiting } from "../state/confirmations.js";
import { reloadOpen } from "../state/conversations.js";
import { focusPrompt } from "../state/focus.js";
import { countdown } from "./format.js";
import { Icon } from "./icons.js";
import { RequestView } from "./request.js";
import { plainJson, Revealed } from "./reveal.js";
import { SafetyTag } from "./tags.js";
import { Json } from "./value.js";

/** After the questions on the screen have changed, none is approved for this long: longer than a double click takes. */
const PAUSE_MS = 500;

/** Whether the questions have been the same for long enough to have been read at all. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  const count = waiting.value.length;
  useLayoutEffect(() => {
    setSettled(false);
    const timer = setTimeout(() => setSettled(true), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return settled;
}

function TimeLeft({ end }: { end: string }) {
  const [left, setLeft] = useState(until(end));
  useEffect(() => {
    const timer = setInterval(() => setLeft(until(end)), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <span class="faint approval-time" title={`Denied by itself at ${new Date(Date.now() + left).toLocaleTimeString()}`}>
      <Icon name="clock" /> {countdown(left)}
    </span>
  );
}

function read(text: string): { value?: JsonObject; trouble: string } {
  try {
    const value = parseJson(text);
    return isObject(value) ? { value, trouble: "" } : { trouble: "Arguments are a JSON object: { … }" };
  } catch (error) {
    return { trouble: sayError(error) };
  }
}

/** A call that waits for a person's yes. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const settled = useSettled();
  const [trouble, setTrouble] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const editing = draft !== null;
  useEffect(() => {
    field.current?.setSelectionRange(0, 0);
    field.current?.focus();
  }, [editing]);
  const edited = draft === null ? undefined : read(draft);

  const answer = async (decision: "approve" | "deny") => {
    setBusy(true);
    setTrouble("");
    try {
      await decide(approval.id, decision, decision === "approve" ? edited?.value : undefined);
      reloadOpen(approval.session_id);
      // The button that had the focus is gone; the keyboard goes on at the prompt.
      focusPrompt();
    } catch (error) {
      setTrouble(sayError(error));
      setBusy(false);
      // Somebody else was faster, or the time is over: show what became of it.
      if (error instanceof ApiError && error.status !== 400) loadApprovals().catch(() => {});
    }
  };

  return (
    <section class="approval" aria-labelledby={id}>
      <header class="approval-head">
        <h2 id={id}>
          Approve this call? <Revealed text={approval.tool} />
        </h2>
        <SafetyTag safety={approval.safety} />
        <span class="spring" />
        <TimeLeft end={approval.expires_at} />
      </header>
      <div class="approval-body">
        <p class="label">{draft === null ? "Arguments" : "Arguments, edited"}</p>
        {draft === null ? (
          <Json value={approval.arguments} whole label="Arguments" />
        ) : (
          <>
            <textarea
              ref={field}
              class="edit"
              aria-label="Arguments as JSON"
              spellcheck={false}
              rows={Math.min(16, draft.split("\n").length + 1)}
              value={draft}
              aria-invalid={edited?.trouble !== ""}
              onInput={(event) => setDraft(event.currentTarget.value)}
            />
            {edited?.trouble !== "" && <p class="trouble">{edited?.trouble}</p>}
          </>
        )}
        {draft === null && <RequestView request={approval.request} />}
        {draft !== null && (
          <p class="faint">The request is made again from the edited arguments and checked as before.</p>
        )}
        <p class="trouble" role="alert">
          {trouble}
        </p>
      </div>
      <div class="buttons">
        <button
          type="button"
          class="approve"
          disabled={busy || !settled || (edited !== undefined && edited.value === undefined)}
          onClick={() => void answer("approve")}
        >
          {draft === null ? "Approve" : "Approve edited"}
        </button>
        {draft === null ? (
          <button type="button" disabled={busy} onClick={() => setDraft(plainJson(approval.arguments))}>
            Edit
          </button>
        ) : (
          <button type="button" disabled={busy} onClick={() => setDraft(null)}>
            Undo edit
          </button>
        )}
        <button type="button" class="danger" disabled={busy} onClick={() => void answer("deny")}>
          Deny
        </button>
      </div>
    </section>
  );
}
