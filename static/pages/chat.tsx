// The chat view: the state of the connection, the log or what replaces it, and the composer.
import { useEffect, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/domain/record.js";
import { addUsage, type ModelUsage } from "../../src/domain/usage.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { Composer } from "../parts/composer.js";
import { tokens } from "../parts/format.js";
import { Spinner } from "../parts/icons.js";
import { lazy } from "../parts/lazy.js";
import { PageHead } from "../parts/page-head.js";
import { TitleField } from "../parts/title-field.js";
import { ViewLink } from "../parts/view-link.js";
import { Welcome } from "../parts/welcome.js";
import { confirmations } from "../state/confirmations.js";
import type { Connection } from "../state/connection.js";
import type { Conversation } from "../state/conversation.js";
import { sessions } from "../state/daemon.js";
import { view } from "../state/route.js";
import type { Turn } from "../turn/turn.js";

// The first page is a prompt to write; what is said to it comes later.
const Log = lazy(async () => (await import("../parts/log.js")).Log);
/** After this long the log is loaded although nothing was said yet, in milliseconds: the first answer does not wait for it. */
const LOG_AFTER_MS = 500;

function useLoadedLog(): void {
  useEffect(() => {
    const timer = setTimeout(() => void Log.load(), LOG_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

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

/** Says of an address that names a conversation that there is none. */
function NoSuchConversation() {
  const { value } = view;
  if (value.kind !== "chat" || value.session === null) return null;
  return (
    <p class="continues faint" role="status">
      There is no conversation at this address yet: the next prompt begins it.
    </p>
  );
}

function Body({ conversation }: { conversation: Conversation }) {
  const error = conversation.loadError.value;
  if (conversation.deleted.value)
    return (
      <div class="empty" role="alert">
        <p>This session was deleted elsewhere. Its calls stay in the history; the next prompt starts a new session.</p>
      </div>
    );
  if (conversation.turns.value.length > 0 || confirmations.value.some((one) => one.session_id === conversation.id))
    return <Log key={conversation.id} conversation={conversation} />;
  if (conversation.loading.value)
    return (
      <div class="empty">
        <Spinner />
      </div>
    );
  if (error === "")
    return (
      <>
        <NoSuchConversation />
        <Welcome conversation={conversation} />
      </>
    );
  return (
    <div class="empty" role="alert">
      <p class="failure">{error}</p>
      <button type="button" onClick={() => void conversation.reload()}>
        Try again
      </button>
    </div>
  );
}

/** What the model calls of the whole session took, where vendors say so. */
function SessionUsage({ turns }: { turns: readonly Turn[] }) {
  const usage = turns.reduce<ModelUsage | undefined>(
    (sum, turn) => (turn.usage ? addUsage(sum, turn.usage) : sum),
    undefined,
  );
  return usage === undefined ? null : <span class="session-usage faint">{tokens(usage)}</span>;
}

/** A button that makes a field of the title. */
function Rename({ session }: { session: SessionSummary }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <TitleField session_id={session.session_id} title={session.title} onEnd={() => setOpen(false)} />;
  return (
    <button type="button" class="link" onClick={() => setOpen(true)}>
      Rename
    </button>
  );
}

/** Where a conversation comes from that goes on from another one. */
function Continues({ continues: { session_id } }: { continues: NonNullable<SessionSummary["continues"]> }) {
  return (
    <p class="continues faint">
      {session_id === undefined ? (
        "Goes on from a conversation that was deleted."
      ) : (
        <>
          Goes on from{" "}
          <ViewLink view={{ kind: "chat", session: session_id }} current={false}>
            another conversation
          </ViewLink>
          , which stays as it was.
        </>
      )}
    </p>
  );
}

/** The chat view. */
export function ChatPage({ conversation }: { conversation: Conversation }) {
  const summary = sessions.value.find((session) => session.session_id === conversation.id);
  const first = conversation.turns.value[0]?.prompt;
  useLoadedLog();
  return (
    <div class="chat">
      <PageHead title={inItsOrder(summary?.title || first || "New chat")}>
        {summary !== undefined && <Rename key={summary.session_id} session={summary} />}
        <SessionUsage turns={conversation.turns.value} />
      </PageHead>
      {summary?.continues !== undefined && <Continues continues={summary.continues} />}
      {!conversation.deleted.value && <ConnectionStatus connection={conversation.connection} />}
      <Body conversation={conversation} />
      <Composer conversation={conversation} />
    </div>
  );
}
