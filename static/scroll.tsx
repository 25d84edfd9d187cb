// A region that scrolls by itself; it can be reached and scrolled from the keyboard. Where it goes on sideways its edge fades.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Less than this, in pixels, is rounding. */
const SLACK = 2;

/** Scrolls its children inside the page. */
export function Scroll(props: { class: string; label: string; children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  const [more, setMore] = useState("");
  const look = () => {
    const { scrollLeft, scrollWidth, clientWidth } = box.current ?? document.body;
    const before = scrollLeft > SLACK ? " more-before" : "";
    setMore(before + (scrollWidth - clientWidth - scrollLeft > SLACK ? " more-after" : ""));
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    for (const node of [box.current, box.current?.firstElementChild]) if (node) observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the arrow keys could not scroll it
    <section ref={box} class={props.class + more} aria-label={props.label} tabIndex={0} onScroll={look}>
      {props.children}
    </section>
  );
}
