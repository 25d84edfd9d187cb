// The chat view: the state of the connection, the log or what replaces it, and the composer.
import { Composer } from "../parts/composer.js";
import { Spinner } from "../parts/icons.js";
import { Log } from "../parts/log.js";
import { PageHead } from "../parts/page-head.js";
import { Welcome } from "../parts/welcome.js";
import { confirmations } from "../state/confirmations.js";
import type { Connection } from "../state/connection.js";
import type { Conversation } from "../state/conversation.js";
import { sessions } from "../state/daemon.js";

function ConnectionStatus({ connection }: { connection: Connection }) {
  const state = connection.state.value;
  if (state === "open" || state === "connecting") return null;
  return (
    <div class="connection-status" role="status">
      <span class="dot dot-waiting" />
      {state === "lost" ? "Connection lost. Reconnecting…" : "Disconnected."}
      <button type="button" class="link" onClick={() => connection.retry()}>
        Try now
      </button>
    </div>
  );
}

function Body({ conversation }: { conversation: Conversation }) {
  const error = conversation.loadError.value;
  if (conversation.turns.value.length > 0 || confirmations.value.some((one) => one.session_id === conversation.id))
    return <Log conversation={conversation} />;
  if (conversation.loading.value)
    return (
      <div class="empty">
        <Spinner />
      </div>
    );
  if (error === "") return <Welcome conversation={conversation} />;
  return (
    <div class="empty" role="alert">
      <p class="failure">{error}</p>
      <button type="button" onClick={() => void conversation.reload()}>
        Try again
      </button>
    </div>
  );
}

/** The chat view. */
export function ChatPage({ conversation }: { conversation: Conversation }) {
  const summary = sessions.value.find((session) => session.session_id === conversation.id);
  const first = conversation.turns.value[0]?.prompt;
  return (
    <div class="chat">
      <PageHead title={summary?.title || first || "New chat"} />
      <ConnectionStatus connection={conversation.connection} />
      <Body conversation={conversation} />
      <Composer conversation={conversation} />
    </div>
  );
}
