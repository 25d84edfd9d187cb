// A conversation on the screen: the log of its turns, what waits for a decision, and the composer.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApprovalCard } from "./approval.js";
import { approvals } from "./approvals.js";
import { CallCard } from "./call-card.js";
import { Composer } from "./composer.js";
import type { Conversation } from "./conversation.js";
import { sessions } from "./daemon.js";
import { Icon, Spinner } from "./icons.js";
import { Markdown } from "./markdown.js";
import { PageHead } from "./sidebar.js";
import type { Item, Turn } from "./turn.js";
import { Welcome } from "./welcome.js";

/** Turns shown at first; a long session must not take a long time to open. */
const TURNS_FIRST = 30;
/** Characters of a notice shown before it is opened: what the model is told can be long. */
const NOTICE_SHOWN = 120;
/** An answer whose whole text came within this time was read by nobody while it came. */
const BURST_MS = 3000;
/** Room above what is brought into view, in pixels. */
const HEADROOM = 12;
/** This close to the end, in pixels, counts as being there. */
const END_ZONE = 40;

function Notice({ text }: { text: string }) {
  if (text.length <= NOTICE_SHOWN) return <p class="notice">{text}</p>;
  return (
    <details class="notice">
      <summary>{text.slice(0, NOTICE_SHOWN)}…</summary>
      {text}
    </details>
  );
}

function ItemView({ item, turn }: { item: Item; turn: Turn }) {
  switch (item.kind) {
    case "text":
      return (
        <div class={item.streaming ? "answer streaming" : "answer"} aria-busy={item.streaming}>
          <Markdown text={item.text} />
        </div>
      );
    case "call":
      return <CallCard call={item} turn={turn} />;
    case "notice":
      return <Notice text={item.text} />;
    case "error":
      return turn.status === "cancelled" ? (
        <p class="notice">{item.text.replace(/^cancelled/, "Stopped")}.</p>
      ) : (
        <p class="failure">{item.text}</p>
      );
    default: {
      const unknown: never = item;
      return unknown;
    }
  }
}

function Thinking({ turn }: { turn: Turn }) {
  const last = turn.items.at(-1);
  if (turn.status !== "running" || (last?.kind === "text" && last.streaming)) return null;
  if (last?.kind === "call" && last.status === undefined) return null;
  return (
    <p class="thinking">
      <Spinner /> Working…
    </p>
  );
}

function TurnView({ turn }: { turn: Turn }) {
  const silent = turn.status === "done" && turn.items.every((item) => item.kind === "notice");
  return (
    <article class="turn" aria-label={`Prompt: ${turn.prompt.slice(0, 80)}`}>
      <div class="prompt">{turn.prompt}</div>
      {turn.items.map((item, i) => (
        <ItemView key={item.kind === "call" ? `call-${item.id}-${i}` : i} item={item} turn={turn} />
      ))}
      <Thinking turn={turn} />
      {silent && <p class="notice">No answer.</p>}
      {turn.status === "interrupted" && turn.items.every((item) => item.kind !== "error") && (
        <p class="failure">This turn was interrupted before it ended.</p>
      )}
      {turn.usage !== undefined && turn.status !== "running" && (
        <p class="usage">
          {turn.usage.model} · {turn.usage.input.toLocaleString()} tokens in, {turn.usage.output.toLocaleString()} out
        </p>
      )}
    </article>
  );
}

/** Turns are immutable: one that did not change is not drawn again while another streams. */
function KeptTurn({ turn }: { turn: Turn }) {
  return useMemo(() => <TurnView turn={turn} />, [turn]);
}

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

/** Held calls of this session that no card in the log shows, such as those of a turn too old to be on the screen. */
function Orphans({ conversation, turns }: { conversation: Conversation; turns: readonly Turn[] }) {
  const shown = new Set(
    turns.flatMap((turn) => turn.items.map((item) => (item.kind === "call" ? `${turn.turn_id} ${item.id}` : ""))),
  );
  return approvals.value
    .filter((one) => one.session_id === conversation.id && one.status === "pending")
    .filter((one) => !shown.has(`${one.turn_id} ${one.call_id}`))
    .map((one) => <ApprovalCard key={one.id} approval={one} />);
}

/**
 * Scrolls a log that is at its end up to the start of the newest answer, with its prompt where there is room for both. False,
 * and nothing done, when that start is in view, or when a call below waits for a decision.
 */
function showStart(log: HTMLElement): boolean {
  const turn = Array.from(log.querySelectorAll(".turn")).at(-1);
  const answer = Array.from(turn?.querySelectorAll(":scope > .answer") ?? []).at(-1);
  if (turn === undefined || answer === undefined || log.querySelector(".approval") !== null) return false;
  const top = (node: Element): number => node.getBoundingClientRect().top - log.getBoundingClientRect().top;
  if (top(answer) >= 0) return false;
  const both = top(answer) - top(turn) < log.clientHeight / 2;
  log.scrollBy({ top: top(both ? turn : answer) - HEADROOM });
  return true;
}

function Log({ conversation }: { conversation: Conversation }) {
  const box = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const height = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const [shown, setShown] = useState(TURNS_FIRST);
  const turns = conversation.turns.value;
  const hidden = Math.max(0, turns.length - shown);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  const count = turns.length;
  const newest = turns.at(-1);
  const isOver = newest !== undefined && newest.status !== "running";
  const began = useRef(0);
  const answer = newest?.items.at(-1)?.kind === "text" ? `${newest.key} ${newest.items.length}` : "";
  useLayoutEffect(() => {
    began.current = performance.now();
  }, [answer]);
  // A prompt just sent, or a session just opened, is looked at from its end.
  useLayoutEffect(() => {
    if (count === 0) return;
    following.current = true;
    toEnd();
  }, [count]);
  // An answer that was there at once, and is longer than the screen, is read from its start; the button leads to its end.
  useLayoutEffect(() => {
    if (!isOver || !following.current || performance.now() - began.current > BURST_MS) return;
    toEnd();
    if (box.current === null || !showStart(box.current)) return;
    following.current = false;
    setAtEnd(false);
  }, [isOver, count]);
  // Follows whatever grows, unless the person has scrolled up to read.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      height.current = box.current?.scrollHeight ?? 0;
      if (following.current) toEnd();
    });
    if (column.current !== null) observer.observe(column.current);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? document.body;
    // The content has just changed its height: the observer will follow it. Only a person's own scrolling counts here.
    if (scrollHeight !== height.current) return;
    following.current = scrollHeight - scrollTop - clientHeight < END_ZONE;
    setAtEnd(following.current);
  };
  return (
    <div class="log-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable from the keyboard */}
      <div class="log" ref={box} onScroll={onScroll} role="log" aria-label="Conversation" aria-live="off" tabIndex={0}>
        <div class="column" ref={column}>
          {hidden > 0 && (
            <button type="button" class="link" onClick={() => setShown(shown + TURNS_FIRST)}>
              Show earlier ({hidden})
            </button>
          )}
          {turns.slice(hidden).map((turn) => (
            <KeptTurn key={turn.key} turn={turn} />
          ))}
          <Orphans conversation={conversation} turns={turns.slice(hidden)} />
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="to-end" aria-label="To the newest message" onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
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
