// A button that opens a small panel beside it. The panel is a popover of the browser: above everything, closed by Esc and by a click
// elsewhere; its content exists only while it is open.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Pixels between the panel and its button, and the edges of the window. */
const GAP = 4;
/** A click on the button that has just closed its panel, by being outside of it, does not open it again. */
const REOPEN_MS = 300;

/** Puts the panel below its button, or above it where there is no room. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const isRtl = getComputedStyle(button).direction === "rtl";
  const left = isRtl ? at.left : at.right - width;
  const below = at.bottom + GAP;
  const top = below + height + GAP <= innerHeight ? below : at.top - GAP - height;
  panel.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  panel.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`;
}

function Panel(props: {
  button: RefObject<HTMLElement | null>;
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = panel;
    if (current === null || props.button.current === null) return;
    current.showPopover();
    place(current, props.button.current);
    current.querySelector<HTMLElement>("input, select, button")?.focus();
    const close = (event: Event) => (event as ToggleEvent).newState === "closed" && props.onClose();
    current.addEventListener("toggle", close);
    return () => current.removeEventListener("toggle", close);
  }, []);
  return (
    <div ref={panel} class="menu-panel" popover="auto" role="dialog" aria-label={props.label}>
      {props.children}
    </div>
  );
}

/** A button with a panel; `children` makes its content, and is given what closes it. */
export function Menu(props: {
  label: string;
  class: string;
  content: ComponentChildren;
  tabIndex?: number | undefined;
  children: (close: () => void) => ComponentChildren;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const closedAt = useRef(0);
  const close = () => {
    closedAt.current = performance.now();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class}
        aria-label={props.label}
        title={props.label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        tabIndex={props.tabIndex}
        onClick={() => performance.now() - closedAt.current > REOPEN_MS && setOpen(true)}
      >
        {props.content}
      </button>
      {isOpen && (
        <Panel button={button} label={props.label} onClose={close}>
          {props.children(close)}
        </Panel>
      )}
    </>
  );
}
