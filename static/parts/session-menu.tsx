// What can be done with a session: a menu that opens beside its entry, in front of everything, so that no list cuts it off.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** One thing to do. */
interface MenuItem {
  label: string;
  /** What screen readers say instead, where the label alone says too little. */
  name?: string;
  isDanger?: boolean;
  run(): void;
}

/** Free space between the menu and the edge of the window. */
const MARGIN = 8;

/** A menu at a button; arrows move, Enter runs, Esc and a click elsewhere close it. */
export function SessionMenu(props: {
  at: HTMLElement;
  label: string;
  items: readonly MenuItem[];
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const buttons = () => [...(box.current?.querySelectorAll("button") ?? [])];
  useLayoutEffect(() => {
    const menu = box.current;
    if (menu === null) return;
    const { bottom, top, right } = props.at.getBoundingClientRect();
    const { height, width } = menu.getBoundingClientRect();
    const isBelow = bottom + height + MARGIN < innerHeight;
    menu.style.top = `${Math.max(MARGIN, isBelow ? bottom : top - height)}px`;
    menu.style.left = `${Math.min(innerWidth - width - MARGIN, Math.max(MARGIN, right - width))}px`;
    buttons()[0]?.focus();
  }, []);
  useEffect(() => {
    const onOutside = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) props.onClose();
    };
    addEventListener("pointerdown", onOutside);
    addEventListener("resize", props.onClose);
    return () => {
      removeEventListener("pointerdown", onOutside);
      removeEventListener("resize", props.onClose);
    };
  }, []);
  const close = () => {
    props.onClose();
    props.at.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const list = buttons();
    const at = list.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to !== undefined) list.at(to % list.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} class="menu" role="menu" aria-label={props.label} tabIndex={-1} onKeyDown={onKeyDown}>
      {props.items.map(({ label, name, isDanger, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={name}
          class={isDanger ? "menu-danger" : ""}
          onClick={() => {
            close();
            run();
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
