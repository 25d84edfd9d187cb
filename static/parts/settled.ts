// Whether something that can be clicked has been where it is for long enough to be meant: a click, a key or a double click that
// was on its way to something else must not hit what has just appeared or moved there.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Longer than a double click takes, and than a person needs to stop a movement. */
const SETTLE_MS = 500;
/** Less than this, in pixels, is rounding. */
const SLACK_PX = 2;

/** Where an element was last, and since when. */
class Position {
  #left = Number.NaN;
  #top = Number.NaN;
  #since = 0;

  /** Counts from now, wherever it is. */
  restart(): void {
    this.#left = Number.NaN;
  }

  /** Looks where the element is; whether it has been there for long enough. */
  isSettled(element: Element | null): boolean {
    if (element === null) return false;
    const { left, top } = element.getBoundingClientRect();
    // Not a number is never equal, and never near.
    if (!(Math.abs(left - this.#left) <= SLACK_PX && Math.abs(top - this.#top) <= SLACK_PX)) {
      this.#left = left;
      this.#top = top;
      this.#since = performance.now();
    }
    return performance.now() - this.#since >= SETTLE_MS;
  }
}

/**
 * Follows an element. `settled` is for display, `isSettled` decides: it looks at the moment of the click. Another `content`, a
 * page that comes to the front, and a window that gets the focus count as an appearance.
 */
export function useSettled(
  element: RefObject<Element | null>,
  content: unknown,
): { settled: boolean; isSettled: () => boolean } {
  const [settled, setSettled] = useState(false);
  const { current: position } = useRef(new Position());
  const isSettled = () => position.isSettled(element.current);
  useLayoutEffect(() => {
    position.restart();
    const restart = () => position.restart();
    let frame = 0;
    const look = () => {
      setSettled(isSettled());
      frame = requestAnimationFrame(look);
    };
    look();
    document.addEventListener("visibilitychange", restart);
    addEventListener("focus", restart);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("visibilitychange", restart);
      removeEventListener("focus", restart);
    };
  }, [content]);
  return { settled, isSettled };
}
