// What of a growing log is in view. It follows its end until a person scrolls up or opens a card; an answer that arrived at once
// is displayed whole where it fits, and else from its start, as a question is.
import type { RefObject } from "preact";
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

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < END_ZONE_PX;
}

/** Whether a log is higher than last time. What is opened may grow little at first, and is not followed for being near the end then. */
function hasGrown(log: Element | null, height: { current: number }): boolean {
  const before = height.current;
  height.current = log?.scrollHeight ?? 0;
  return height.current > before;
}

/** Scrolls a log up to an element that begins above it. False, without scrolling, when its start is in view. */
function scrollToStart(log: HTMLElement, element: Element | null | undefined): boolean {
  if (!element || topIn(log, element) >= 0) return false;
  log.scrollBy({ top: topIn(log, element) - HEADROOM_PX });
  return true;
}

/**
 * Scrolls a log to the newest answer: to its end with the line under it; up to its start, with its prompt where there is space for
 * both, when it does not fit. False when it is at the end.
 */
function scrollToAnswer(log: HTMLElement): boolean {
  log.scrollTo({ top: log.scrollHeight });
  const turn = Array.from(log.querySelectorAll(".turn")).at(-1);
  const answer = Array.from(turn?.querySelectorAll(":scope > .answer") ?? []).at(-1);
  if (turn === undefined || answer === undefined || topIn(log, answer) >= 0) return false;
  const spare = log.clientHeight - (turn.getBoundingClientRect().bottom - answer.getBoundingClientRect().top);
  if (spare >= 0) {
    log.scrollBy({ top: topIn(log, answer) - Math.min(spare, HEADROOM_PX) });
    return true;
  }
  const both = topIn(log, answer) - topIn(log, turn) < log.clientHeight * (2 / 3);
  return scrollToStart(log, both ? turn : answer);
}

/** The element the address names, which is a turn; "" for none. */
export function linkedTurn(): string {
  return location.hash.startsWith("#turn-") ? location.hash.slice(1) : "";
}

/** Calls back when the newest turn is over and its answer arrived at once. */
function useBurst(turns: readonly Turn[], onBurst: () => void): void {
  const newest = turns.at(-1);
  const isOver = newest !== undefined && newest.status !== "running";
  const began = useRef(0);
  const answer = newest?.items.at(-1)?.kind === "text" ? `${newest.key} ${newest.items.length}` : "";
  useLayoutEffect(() => {
    began.current = performance.now();
  }, [answer]);
  useLayoutEffect(() => {
    if (isOver && performance.now() - began.current <= BURST_MS) onBurst();
  }, [isOver, turns.length]);
}

/** Calls back when the size of a log or of the column in it changed; `isColumn` tells which. */
function useResize(
  log: RefObject<HTMLElement | null>,
  column: RefObject<HTMLElement | null>,
  onResize: (isColumn: boolean) => void,
): void {
  useEffect(() => {
    const observer = new ResizeObserver((entries) => onResize(entries.some(({ target }) => target === column.current)));
    if (column.current !== null) observer.observe(column.current);
    if (log.current !== null) observer.observe(log.current);
    return () => observer.disconnect();
  }, []);
}

/**
 * Keeps the right part of a log in view. `question` is the id of its first pending confirmation, "" for none. Returns the refs
 * of the scrolling box and of the column in it, and the handlers of the box.
 */
export function useFollowEnd(turns: readonly Turn[], question: string) {
  const box = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  /** Where the log was scrolled to for an answer that arrived at once; undefined as soon as a person does anything there. */
  const placed = useRef<number>(undefined);
  const height = useRef(0);
  const top = useRef(0);
  const linkedTo = useRef(linkedTurn());
  /** The turn that was linked to, until what stands above it has its height. */
  const pinned = useRef<Element | null>(null);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  const measure = (isOpened = false) => {
    following.current = !isOpened && isAtEnd(box.current ?? document.body);
    setAtEnd(isAtEnd(box.current ?? document.body));
  };
  const place = (log: HTMLElement) => {
    const isFollowed = !scrollToAnswer(log);
    placed.current = log.scrollTop;
    measure();
    following.current = isFollowed;
  };
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
    placed.current = undefined;
    following.current = true;
    toEnd();
    return undefined;
  }, [turns.length]);
  useBurst(turns, () => {
    if (question === "" && following.current && box.current !== null) place(box.current);
  });
  // Not before the card is there: it is rendered after the log.
  useEffect(() => {
    const log = box.current;
    if (question === "" || log === null || !following.current) return;
    placed.current = undefined;
    toEnd();
    if (!scrollToStart(log, log.querySelector(".confirmation"))) return;
    following.current = false;
    setAtEnd(false);
  }, [question]);
  useResize(box, column, (isColumn) => {
    const isHigher = hasGrown(box.current, height);
    // An answer is rendered after it arrived: whether it fits may have changed.
    if (isColumn && placed.current !== undefined && box.current !== null) return place(box.current);
    if (following.current) return toEnd();
    pinned.current?.scrollIntoView();
    measure(isHigher);
  });
  const onScroll = () => {
    const { scrollHeight, scrollTop } = box.current ?? document.body;
    // Where the content has just grown the observer will follow it; only a person's own scrolling counts here. Nothing but that
    // leads up while the content grows.
    const isOwn = scrollTop < top.current || scrollHeight === height.current;
    if (isOwn && scrollTop !== placed.current) placed.current = undefined;
    if (isOwn) measure();
    top.current = scrollTop;
  };
  const onClick = ({ target }: MouseEvent) => {
    placed.current = undefined;
    // What a person opens stays where it is, and so does a prompt that becomes a field; a number leads elsewhere.
    if (target instanceof Element && target.closest(".call, details, .turn-foot, .origin") !== null)
      following.current = false;
  };
  return { box, column, atEnd, toEnd, onScroll, onClick };
}
