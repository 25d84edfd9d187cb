// Several held calls that wait at once: one table, in which some, all or none are approved. Each row opens to its card, and each decision is
// one of its own: what was decided elsewhere meanwhile says so in its row.
import { useState } from "preact/hooks";
import { errorText } from "../state/api.js";
import { decideConfirmation, loadConfirmations, type TrackedConfirmation } from "../state/confirmations.js";
import { toolsByName } from "../state/daemon.js";
import { focusNext } from "../state/focus.js";
import { callLine } from "../turn/call-line.js";
import { typedProof } from "../turn/headline.js";
import { unsaidInLine } from "../turn/said.js";
import { editedIds } from "./begun-edits.js";
import { ConfirmationCard } from "./confirmation-card.js";
import { DecisionFoot, TimeLeft } from "./decision.js";
import { EffectLine, lineFields } from "./effect.js";
import { counted } from "./format.js";
import { Headline, headlineLine, Importance } from "./headline.js";
import { Icon } from "./icons.js";
import { Revealed } from "./reveal.js";
import { argumentsLine } from "./summary.js";

/** Whether a row can be decided together with others: what asks for more than a yes cannot, nor what is being edited. */
function isPlain(confirmation: TrackedConfirmation): boolean {
  const proof = typedProof(confirmation, toolsByName.value.get(confirmation.tool));
  return confirmation.input === undefined && proof === undefined && !editedIds.value.has(confirmation.id);
}

interface RowProps {
  confirmation: TrackedConfirmation;
  isChosen: boolean;
  error: string;
  onChoose(isChosen: boolean): void;
}

/** The call itself in one line, as beside the buttons of a card: method, address, the beginning of the arguments not said above it. */
function RowLine({ confirmation }: { confirmation: TrackedConfirmation }) {
  const { request, effect } = confirmation;
  const { method, short } = callLine(request);
  const args = unsaidInLine(confirmation.arguments, effect, lineFields(effect));
  return (
    <p class="confirmation-call group-call">
      <strong>{method}</strong> <Revealed text={short} />{" "}
      <span class="faint">{Object.keys(args).length > 0 && <Revealed text={argumentsLine(args)} />}</span>
    </p>
  );
}

function GroupRow({ confirmation, isChosen, error, onChoose }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const plain = isPlain(confirmation);
  const isEdited = editedIds.value.has(confirmation.id);
  return (
    <li>
      <div class="group-row">
        <label class="group-choose">
          <input
            type="checkbox"
            aria-label={`Choose: ${headlineLine(confirmation)}`}
            title={plain ? "" : "It is decided by itself: open it"}
            disabled={!plain}
            checked={isChosen && plain}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        </label>
        <button type="button" class="group-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class={isOpen ? "disclosure disclosure-open" : "disclosure"}>
            <Icon name="chevron" />
          </span>
          <span>{confirmation.input ? headlineLine(confirmation) : <Headline confirmation={confirmation} />}</span>
        </button>
        <Importance safety={confirmation.safety} />
        <TimeLeft id={confirmation.id} end={confirmation.expires_at} />
      </div>
      {!isOpen && <EffectLine effect={confirmation.effect} />}
      {!confirmation.input && !isOpen && <RowLine confirmation={confirmation} />}
      {isEdited && !isOpen && <p class="group-call faint">Its arguments are being edited: open it to decide.</p>}
      {error !== "" && (
        <p class="error-text" role="alert">
          {error}
        </p>
      )}
      {isOpen && <ConfirmationCard confirmation={confirmation} isInRow />}
    </li>
  );
}

/** Decides on several, one after the other; what went wrong, by their ids. */
async function decideAll(
  chosen: readonly TrackedConfirmation[],
  decision: "approve" | "deny",
): Promise<Map<string, string>> {
  const errors = new Map<string, string>();
  for (const { id } of chosen)
    await decideConfirmation(id, { decision }).catch((failure: unknown) => errors.set(id, errorText(failure)));
  if (errors.size > 0) await loadConfirmations().catch(() => {});
  return errors;
}

/** A table of held calls. */
function ConfirmationGroup({ confirmations }: { confirmations: readonly TrackedConfirmation[] }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const chosen = confirmations.filter((one) => isPlain(one) && !left.has(one.id));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeft(next);
  };
  const decide = (decision: "approve" | "deny") => {
    setBusy(true);
    void decideAll(chosen, decision).then((found) => {
      setErrors(found);
      setBusy(false);
      if (found.size === 0) focusNext();
    });
  };
  const isDestructive = chosen.some(({ safety }) => safety === "destructive");
  const all = chosen.length === confirmations.length ? "all" : "";
  const what = `${all} ${chosen.length}`.trim();
  const buttons = [
    {
      label: isDestructive ? `Hold to approve ${what}` : `Approve ${what}`,
      heldLabel: isDestructive ? `Yes, approve ${what}` : undefined,
      action: () => decide("approve"),
      class: isDestructive ? "approve destroys" : "approve",
      disabled: chosen.length === 0,
    },
    { label: `Deny ${what}`, action: () => decide("deny"), class: "danger", disabled: chosen.length === 0 },
  ];
  return (
    <section
      class="confirmation-group"
      aria-label={`${counted(confirmations.length, "call")} wait for a decision`}
      tabIndex={-1}
    >
      <header class="group-head">
        <h2>{counted(confirmations.length, "call")} wait for your decision</h2>
      </header>
      <ul class="group-rows">
        {confirmations.map((one) => (
          <GroupRow
            key={one.id}
            confirmation={one}
            isChosen={!left.has(one.id)}
            error={errors.get(one.id) ?? ""}
            onChoose={(isChosen) => choose(one.id, isChosen)}
          />
        ))}
      </ul>
      <div class="group-foot">
        <DecisionFoot buttons={buttons} busy={busy} lineClass="faint">
          {`${chosen.length} of ${confirmations.length} chosen; each is decided by itself. Open a row for all of its arguments.`}
        </DecisionFoot>
      </div>
    </section>
  );
}

/** Those of one conversation: the card of a single one, a table of several. */
export function WaitingCalls({ confirmations }: { confirmations: readonly TrackedConfirmation[] }) {
  const [only, ...others] = confirmations;
  if (only === undefined) return null;
  return others.length === 0 ? (
    <ConfirmationCard key={only.id} confirmation={only} />
  ) : (
    <ConfirmationGroup confirmations={confirmations} />
  );
}
