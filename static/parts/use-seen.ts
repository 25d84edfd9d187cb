// Whether an element has come into view: what it costs something to find out is not asked for before.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** An element this near to what is in view is about to be. */
const NEAR = "200px";

/** Whether an element was in view, or near it; it is only watched while somebody `asks`. */
export function useSeen(box: RefObject<Element | null>, asks: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!asks || isSeen || current === null) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setSeen(true), {
      rootMargin: NEAR,
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [asks, isSeen]);
  return isSeen;
}
