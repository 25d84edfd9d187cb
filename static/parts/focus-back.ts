// Where the keyboard goes when a part of the page takes away what had the focus.
import { useLayoutEffect, useRef } from "preact/hooks";
import { isFocusLost } from "../state/keep-focus.js";

/** A reference to the element that takes the focus when a change of `state` has removed the one that had it. */
export function useFocusBack<E extends HTMLElement>(state: unknown) {
  const element = useRef<E>(null);
  const before = useRef(state);
  useLayoutEffect(() => {
    if (before.current !== state && isFocusLost()) element.current?.focus();
    before.current = state;
  }, [state]);
  return element;
}
