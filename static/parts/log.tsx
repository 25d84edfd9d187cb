// The log of a conversation and what of it is in view. It follows what grows at its end, until a person reads further up or
// opens something; a long answer that was there at once, and a question, are shown from their start.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Approval, waiting } from "../state/confirmations.js";
import type { Conversation } from "../state/conversation.js";
import type { Turn } from "../turn/turn.js";
import { ApprovalCard } from "./confirmation-card.js";
import { Icon } from "./icons.js";
import { TurnView } from "./turn-view.js";

/** Turns shown at first; a long session must not take a long time to open. */
const TURNS_FIRST = 30;
/** An answer whose whole text came within this time was read by nobody while it came. */
const BURST_MS = 3000;
/** Room above what is brought into view, in pixels. */
const HEADROOM = 12;
/** This close to the end, in pixels, counts as being there. */
const END_ZONE = 40;

/** Held calls that no card in the log shows, such as those of a turn too old to be on the screen. */
function Orphans({ questions, turns }: { questions: readonly Approval[]; turns: readonly Turn[] }) {
  const shown = new Set(
    turns.flatMap((turn) => turn.items.map((item) => (item.kind === "call" ? `${turn.turn_id} ${item.id}` : ""))),
  );
  return questions
    .filter((one) => !shown.has(`${one.turn_id} ${one.call_id}`))
    .map((one) => <ApprovalCard key={one.id} approval={one} />);
}

/** How far below the upper edge of the log a part of it is, in pixels. */
function topIn(log: HTMLElement, part: Element): number {
  return part.getBoundingClientRect().top - log.getBoundingClientRect().top;
}

/** Scrolls a log back to a part that begins above it, with some room. False, and nothing done, when its start is in view. */
function showStart(log: HTMLElement, part: Element | null | undefined): boolean {
  if (!part || topIn(log, part) >= 0) return false;
  log.scrollBy({ top: topIn(log, part) - HEADROOM });
  return true;
}

/** Scrolls a log that is at its end up to the start of the newest answer, with its prompt where there is room for both. */
function showAnswer(log: HTMLElement): boolean {
  const turn = Array.from(log.querySelectorAll(".turn")).at(-1);
  const answer = Array.from(turn?.querySelectorAll(":scope > .answer") ?? []).at(-1);
  if (turn === undefined || answer === undefined || topIn(log, answer) >= 0) return false;
  const both = topIn(log, answer) - topIn(log, turn) < log.clientHeight / 2;
  return showStart(log, both ? turn : answer);
}

/** Keeps the right part of the log in view. `question` is the id of the first call that waits for a person, "" for none. */
function useFollowing(turns: readonly Turn[], question: string) {
  const box = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const height = useRef(0);
  const top = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  const look = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? document.body;
    following.current = scrollHeight - scrollTop - clientHeight < END_ZONE;
    setAtEnd(following.current);
  };
  const readFromStart = (show: (log: HTMLElement) => boolean) => {
    if (!following.current) return;
    toEnd();
    if (box.current === null || !show(box.current)) return;
    following.current = false;
    setAtEnd(false);
  };
  const newest = turns.at(-1);
  const isOver = newest !== undefined && newest.status !== "running";
  const began = useRef(0);
  const answer = newest?.items.at(-1)?.kind === "text" ? `${newest.key} ${newest.items.length}` : "";
  useLayoutEffect(() => {
    began.current = performance.now();
  }, [answer]);
  // A prompt just sent, or a session just opened, is looked at from its end.
  useLayoutEffect(() => {
    if (turns.length === 0) return;
    following.current = true;
    toEnd();
  }, [turns.length]);
  useLayoutEffect(() => {
    if (question === "" && isOver && performance.now() - began.current <= BURST_MS) readFromStart(showAnswer);
  }, [isOver, turns.length]);
  // Not before the card is there: it is drawn after the log.
  useEffect(() => {
    if (question !== "") readFromStart((log) => showStart(log, log.querySelector(".approval")));
  }, [question]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      height.current = box.current?.scrollHeight ?? 0;
      if (following.current) toEnd();
      else look();
    });
    if (column.current !== null) observer.observe(column.current);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollHeight, scrollTop } = box.current ?? document.body;
    // Where the content has just grown the observer will follow it; only a person's own scrolling counts here. Nothing but that
    // leads up while something grows.
    if (scrollTop < top.current || scrollHeight === height.current) look();
    top.current = scrollTop;
  };
  const onClick = ({ target }: MouseEvent) => {
    // What somebody opens stays where it is.
    if (target instanceof Element && target.closest(".call, details") !== null) following.current = false;
  };
  return { box, column, atEnd, toEnd, onScroll, onClick };
}

/** The log of a conversation. */
export function Log({ conversation }: { conversation: Conversation }) {
  const [shown, setShown] = useState(TURNS_FIRST);
  const turns = conversation.turns.value;
  const hidden = Math.max(0, turns.length - shown);
  const questions = waiting.value.filter((one) => one.session_id === conversation.id);
  const { box, column, atEnd, toEnd, ...handlers } = useFollowing(turns, questions[0]?.id ?? "");
  return (
    <div class="log-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable from the keyboard */}
      <div class="log" ref={box} role="log" aria-label="Conversation" aria-live="off" tabIndex={0} {...handlers}>
        <div class="column" ref={column}>
          {hidden > 0 && (
            <button type="button" class="link" onClick={() => setShown(shown + TURNS_FIRST)}>
              Show earlier ({hidden})
            </button>
          )}
          {turns.slice(hidden).map((turn) => (
            <TurnView key={turn.key} turn={turn} />
          ))}
          <Orphans questions={questions} turns={turns.slice(hidden)} />
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
