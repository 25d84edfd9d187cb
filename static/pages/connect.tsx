// The page that connects an application.
import { ConnectApplication } from "../parts/connect-application.js";
import { PageHead } from "../parts/page-head.js";

/** The page. */
export function ConnectPage() {
  return (
    <div class="page">
      <PageHead title="Connect an application" />
      <div class="page-body">
        <div class="column wide">
          <ConnectApplication />
          <p class="faint">
            Databases and MCP servers are connected on the command line, with <code>agentd sync</code>.
          </p>
        </div>
      </div>
    </div>
  );
}
