// What is folded below a line, and is made only once it is opened.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** What is made only once it is opened. */
export function Folded({ label, children }: { label: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="call-answer" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && children}
    </details>
  );
}
