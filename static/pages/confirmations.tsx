// Every pending confirmation, from every session, and the outcome of those decided while the page was open.
import { ConfirmationCard } from "../parts/confirmation-card.js";
import { fullTime } from "../parts/format.js";
import { PageHead } from "../parts/page-head.js";
import { Revealed } from "../parts/reveal.js";
import { confirmations, pendingConfirmations } from "../state/confirmations.js";
import { navigate } from "../state/route.js";

/** What became of a question of an application. */
const ANSWERS = { pending: "waiting", approved: "was answered", denied: "got no answer", expired: "got no answer" };

/** The confirmations page. */
export function ConfirmationsPage() {
  const resolved = confirmations.value.filter((one) => one.status !== "pending").reverse();
  return (
    <div class="page">
      <PageHead title="Approvals" />
      <div class="page-body">
        <div class="column">
          {pendingConfirmations.value.length === 0 && <p class="faint">Nothing waits for you.</p>}
          {pendingConfirmations.value.map((one) => (
            <div key={one.id}>
              <ConfirmationCard confirmation={one} />
              <button type="button" class="link" onClick={() => navigate({ kind: "chat", session: one.session_id })}>
                Open its session
              </button>
            </div>
          ))}
          <ul class="resolved">
            {resolved.map((one) => (
              <li key={one.id}>
                {one.input !== undefined && "A question of "}
                <Revealed text={one.tool} /> {one.input ? ANSWERS[one.status] : `was ${one.status}`}, asked{" "}
                {fullTime(one.created_at)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
