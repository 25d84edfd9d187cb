// What of a growing log is in view. It follows its end until a person scrolls up or opens a card; a long answer that arrived at
// once, and a question, are displayed from their start.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../turn/turn.js";

/** An answer whose whole text arrived within this time cannot have been read while it arrived. */
const BURST_MS = 3000;
/** Space above what is scrolled into view, in pixels. */
const HEADROOM_PX = 12;
/** What stands above a turn that was linked to gets its real height within this time. */
const SETTLE_MS = 1000;
/** This close to the end, in pixels, counts as being there. */
const END_ZONE_PX = 40;

/** How far below the upper edge of the log an element is, in pixels. */
function topIn(log: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - log.getBoundingClientRect().top;
}

/** Scrolls a log up to an element that begins above it. False, without scrolling, when its start is in view. */
function scrollToStart(log: HTMLElement, element: Element | null | undefined): boolean {
  if (!element || topIn(log, element) >= 0) return false;
  log.scrollBy({ top: topIn(log, element) - HEADROOM_PX });
  return true;
}

/** Scrolls a log that is at its end up to the start of the newest answer, with its prompt where there is space for both. */
function scrollToAnswer(log: HTMLElement): boolean {
  const turn = Array.from(log.querySelectorAll(".turn")).at(-1);
  const answer = Array.from(turn?.querySelectorAll(":scope > .answer") ?? []).at(-1);
  if (turn === undefined || answer === undefined || topIn(log, answer) >= 0) return false;
  const both = topIn(log, answer) - topIn(log, turn) < log.clientHeight * (2 / 3);
  return scrollToStart(log, both ? turn : answer);
}

/** The element the address names, which is a turn; "" for none. */
export function linkedTurn(): string {
  return location.hash.startsWith("#turn-") ? location.hash.slice(1) : "";
}

/**
 * Keeps the right part of a log in view. `question` is the id of its first pending confirmation, "" for none. Returns the refs
 * of the scrolling box and of the column in it, and the handlers of the box.
 */
export function useFollowEnd(turns: readonly Turn[], question: string) {
  const box = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const height = useRef(0);
  const top = useRef(0);
  const linkedTo = useRef(linkedTurn());
  /** The turn that was linked to, until what stands above it has its height. */
  const pinned = useRef<Element | null>(null);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  const measure = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? document.body;
    following.current = scrollHeight - scrollTop - clientHeight < END_ZONE_PX;
    setAtEnd(following.current);
  };
  const readFromStart = (scroll: (log: HTMLElement) => boolean) => {
    if (!following.current) return;
    toEnd();
    if (box.current === null || !scroll(box.current)) return;
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
  // A prompt just sent, or a session just opened, is displayed from its end.
  useLayoutEffect(() => {
    if (turns.length === 0) return undefined;
    const linked = linkedTo.current === "" ? null : document.getElementById(linkedTo.current);
    linkedTo.current = "";
    if (linked !== null) {
      following.current = false;
      linked.scrollIntoView();
      measure();
      pinned.current = linked;
      const timer = setTimeout(() => (pinned.current = null), SETTLE_MS);
      return () => clearTimeout(timer);
    }
    pinned.current = null;
    following.current = true;
    toEnd();
    return undefined;
  }, [turns.length]);
  useLayoutEffect(() => {
    if (question === "" && isOver && performance.now() - began.current <= BURST_MS) readFromStart(scrollToAnswer);
  }, [isOver, turns.length]);
  // Not before the card is there: it is rendered after the log.
  useEffect(() => {
    if (question !== "") readFromStart((log) => scrollToStart(log, log.querySelector(".confirmation")));
  }, [question]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      height.current = box.current?.scrollHeight ?? 0;
      if (following.current) return toEnd();
      pinned.current?.scrollIntoView();
      measure();
    });
    if (column.current !== null) observer.observe(column.current);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollHeight, scrollTop } = box.current ?? document.body;
    // Where the content has just grown the observer will follow it; only a person's own scrolling counts here. Nothing but that
    // leads up while the content grows.
    if (scrollTop < top.current || scrollHeight === height.current) measure();
    top.current = scrollTop;
  };
  const onClick = ({ target }: MouseEvent) => {
    // What a person opens stays where it is, and so does a prompt that becomes a field; a number leads elsewhere.
    if (target instanceof Element && target.closest(".call, details, .turn-foot, .origin") !== null)
      following.current = false;
  };
  return { box, column, atEnd, toEnd, onScroll, onClick };
}
