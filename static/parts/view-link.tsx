// A link to a view of this page, followed without loading the page again.
import type { ComponentChildren } from "preact";
import { navigate, pathOf, type View } from "../state/route.js";

/** A link to a view; `current` marks the one displayed now. */
export function ViewLink(props: { view: View; current: boolean; title?: string; children: ComponentChildren }) {
  const onClick = (event: MouseEvent) => {
    // A click with a modifier opens a new tab, as on any link.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(props.view);
  };
  return (
    <a
      href={pathOf(props.view)}
      aria-current={props.current ? "page" : undefined}
      title={props.title}
      onClick={onClick}
    >
      {props.children}
    </a>
  );
}
