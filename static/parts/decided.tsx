// What became of a held call: the decision, whose it was, when, and the reason that was given.
import type { Confirmation } from "../../src/domain/record.js";
import { TURN_CANCELLED } from "../../src/domain/stopped-call.js";
import { failureOf, type TrackedConfirmation } from "../state/confirmations.js";
import { moment } from "./format.js";
import { Icon } from "./icons.js";
import { Revealed } from "./reveal.js";

/** The reasons that the daemon writes where a person gave none. */
const OWN_REASONS = new Set(["a person refused the call", "nobody answered in time", TURN_CANCELLED]);

type Decided = Pick<TrackedConfirmation, "id" | "input"> &
  Partial<Pick<Confirmation, "decided_at" | "decided_by" | "reason">> & { status: Confirmation["status"] };

function wordsOf({ status, input, reason }: Decided): string {
  if (status === "pending") return "Waiting";
  if (reason === TURN_CANCELLED) return "Not sent: the turn was stopped";
  if (status === "expired") return input ? "Nobody answered in time" : "Expired: nobody decided in time";
  if (input) return status === "approved" ? "Answered" : "Declined";
  return status === "approved" ? "Approved" : "Refused by a person";
}

const ICONS = { pending: "clock", approved: "check", denied: "cross", expired: "clock" } as const;

/** "Refused by a person, anna, 10:41: not today". */
export function Verdict({ of }: { of: Decided }) {
  const { id, status, decided_by, decided_at, reason = "" } = of;
  const failure = failureOf(id);
  const isPersons = status === "approved" || status === "denied";
  return (
    <span class={`verdict verdict-${status}`}>
      <Icon name={ICONS[status]} />
      <span>
        {wordsOf(of)}
        {isPersons && decided_by !== undefined && decided_by !== "" && (
          <>
            {" "}
            (<Revealed text={decided_by} />)
          </>
        )}
        {typeof decided_at === "string" && `, ${moment(decided_at)}`}
        {reason !== "" && !OWN_REASONS.has(reason) && (
          <>
            : <Revealed text={reason} />
          </>
        )}
        {failure !== undefined && (
          <>
            : <Revealed text={failure} />
          </>
        )}
      </span>
    </span>
  );
}
