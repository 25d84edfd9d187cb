// The chat view: the state of the connection, the log or what stands in its place, and the composer.

import { Composer } from "../parts/composer.js";
import { Spinner } from "../parts/icons.js";
import { Log } from "../parts/log.js";
import { PageHead } from "../parts/sidebar.js";
import { Welcome } from "../parts/welcome.js";
import { approvals } from "../state/confirmations.js";
import type { Conversation } from "../state/conversation.js";
import { sessions } from "../state/daemon.js";

function LinkState({ conversation }: { conversation: Conversation }) {
  const { link } = conversation.connection;
  if (link.value === "open" || link.value === "connecting") return null;
  return (
    <div class="link-state" role="status">
      <span class="dot dot-waiting" />
      {link.value === "lost" ? "Connection lost. Reconnecting…" : "Disconnected."}
      <button type="button" class="link" onClick={() => conversation.connection.retry()}>
        Try now
      </button>
    </div>
  );
}

function Body({ conversation }: { conversation: Conversation }) {
  const trouble = conversation.trouble.value;
  if (conversation.turns.value.length > 0 || approvals.value.some((one) => one.session_id === conversation.id))
    return <Log conversation={conversation} />;
  if (trouble === "") return <Welcome conversation={conversation} />;
  if (trouble === "loading")
    return (
      <div class="empty">
        <Spinner />
      </div>
    );
  return (
    <div class="empty" role="alert">
      <p class="failure">{trouble}</p>
      <button type="button" onClick={() => void conversation.reload()}>
        Try again
      </button>
    </div>
  );
}

/** The chat view. */
export function Chat({ conversation }: { conversation: Conversation }) {
  const summary = sessions.value.find((session) => session.session_id === conversation.id);
  const first = conversation.turns.value[0]?.prompt;
  return (
    <div class="chat">
      <PageHead title={summary?.title || first || "New chat"} />
      <LinkState conversation={conversation} />
      <Body conversation={conversation} />
      <Composer conversation={conversation} />
    </div>
  );
}
