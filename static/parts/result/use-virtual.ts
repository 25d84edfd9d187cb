// Of a long list, the items in view: a bridge from @tanstack/virtual-core to hooks.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";

/** Items beyond the view, so that a quick scroll finds them drawn. */
const OVERSCAN = 8;

/** The items of a list that are in view of the element that scrolls it. All are `height` pixels high, until they are resized. */
export function useVirtual(options: {
  count: number;
  height: number;
  scroll: RefObject<HTMLElement | null>;
  /** Pixels of the head that covers the top. */
  head: number;
}): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const made = useRef<Virtualizer<HTMLElement, HTMLElement>>(undefined);
  const all = {
    count: options.count,
    getScrollElement: () => options.scroll.current,
    estimateSize: () => options.height,
    overscan: OVERSCAN,
    scrollPaddingStart: options.head,
    scrollPaddingEnd: options.height,
    scrollToFn: elementScroll,
    observeElementRect: observeElementRect,
    observeElementOffset: observeElementOffset,
    onChange: () => redraw(undefined),
  };
  made.current ??= new Virtualizer(all);
  const virtual = made.current;
  virtual.setOptions(all);
  useEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}
