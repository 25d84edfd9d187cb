// Which turns of a long session are on the page: the last ones at first, and those before them as a person scrolls up. What is in
// view stays where it is.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../turn/turn.js";

/** Turns rendered at first, and added each time; a long session must not take a long time to open. */
const STEP = 30;
/** This close to the start, in heights of the log, the turns before it are added. */
const ZONE = 1.5;

/** What is in view, and where. */
interface Anchor {
  element: Element;
  top: number;
}

function anchorIn(log: HTMLElement): Anchor | undefined {
  const edge = log.getBoundingClientRect().top;
  for (const element of log.querySelectorAll(".turn")) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge) return { element, top };
  }
  return undefined;
}

/**
 * How many turns at the start of a session are not on the page, with what adds some of them; `linked` is the id of an element that
 * must be there, "" for none. `onScroll` is for the scrolling box.
 */
export function useEarlierTurns(box: RefObject<HTMLElement | null>, turns: readonly Turn[], linked: string) {
  const first = useRef<number>(undefined);
  const anchor = useRef<Anchor>(undefined);
  const [, setVersion] = useState(0);
  if (first.current === undefined && turns.length > 0) {
    const at = turns.findIndex((turn) => `turn-${turn.turn_id}` === linked);
    first.current = Math.max(0, Math.min(turns.length - STEP, at < 0 ? turns.length : at));
  }
  const hidden = Math.min(first.current ?? 0, turns.length);
  const showEarlier = () => {
    if (hidden === 0 || anchor.current !== undefined) return;
    anchor.current = box.current === null ? undefined : anchorIn(box.current);
    first.current = Math.max(0, hidden - STEP);
    setVersion((version) => version + 1);
  };
  useLayoutEffect(() => {
    const { current } = anchor;
    anchor.current = undefined;
    if (current !== undefined && box.current !== null)
      box.current.scrollTop += current.element.getBoundingClientRect().top - current.top;
  }, [hidden]);
  const onScroll = () => {
    if (box.current !== null && box.current.scrollTop < box.current.clientHeight * ZONE) showEarlier();
  };
  return { hidden, showEarlier, onScroll };
}
