// A part of the page that scrolls by itself. While it overflows it can be reached and scrolled from the keyboard; where it
// overflows sideways its edge fades.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Less than this, in pixels, is rounding. */
const SLACK = 2;

/** Scrolls its children inside the page. */
export function Scroll(props: {
  class: string;
  label: string;
  /** The direction of its text, where it may be another one than that of the page: it begins at that side. */
  dir?: "rtl" | undefined;
  children: ComponentChildren;
  /** Where to put the element that scrolls, for those who move it. */
  box?: RefObject<HTMLDivElement | null>;
}) {
  const own = useRef<HTMLDivElement>(null);
  const box = props.box ?? own;
  const [more, setMore] = useState("");
  const [scrolls, setScrolls] = useState(false);
  const measure = () => {
    const { scrollLeft, scrollWidth, clientWidth, scrollHeight, clientHeight } = box.current ?? document.body;
    setScrolls(scrollWidth - clientWidth > SLACK || scrollHeight - clientHeight > SLACK);
    // Where text runs to the left it is counted from the right, below zero.
    const before = Math.abs(scrollLeft);
    const after = scrollWidth - clientWidth - before;
    setMore((before > SLACK ? " more-before" : "") + (after > SLACK ? " more-after" : ""));
  };
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    for (const node of [box.current, box.current?.firstElementChild]) if (node) observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form
    <div
      ref={box}
      class={props.class + more}
      role="group"
      aria-label={props.label}
      dir={props.dir}
      tabIndex={scrolls ? 0 : undefined}
      onScroll={measure}
    >
      {props.children}
    </div>
  );
}
