// A region that scrolls by itself; it can be reached and scrolled from the keyboard.
import type { ComponentChildren } from "preact";

/** Scrolls its children inside the page. */
export function Scroll(props: { class: string; label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the arrow keys could not scroll it
    <section class={props.class} aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  );
}
