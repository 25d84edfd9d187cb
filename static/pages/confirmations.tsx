// Every call that waits for a person, from every session, and what became of those decided while the page was open.
import { ApprovalCard } from "../parts/confirmation-card.js";
import { fullTime } from "../parts/format.js";
import { Revealed } from "../parts/reveal.js";
import { PageHead } from "../parts/sidebar.js";
import { approvals, waiting } from "../state/confirmations.js";
import { go } from "../state/route.js";

/** The approvals page. */
export function ApprovalsPage() {
  const settled = approvals.value.filter((one) => one.status !== "pending").reverse();
  return (
    <div class="page">
      <PageHead title="Approvals" />
      <div class="page-body">
        <div class="column">
          {waiting.value.length === 0 && <p class="faint">Nothing waits for you.</p>}
          {waiting.value.map((one) => (
            <div key={one.id}>
              <ApprovalCard approval={one} />
              <button type="button" class="link" onClick={() => go({ kind: "chat", session: one.session_id })}>
                Open its session
              </button>
            </div>
          ))}
          <ul class="settled">
            {settled.map((one) => (
              <li key={one.id}>
                <Revealed text={one.tool} /> was {one.status}, asked {fullTime(one.created_at)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
