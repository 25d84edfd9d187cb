// An entry of a list in a form.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** One entry of a list; one that was added takes the focus, into its first field. */
export function Entry({ isAdded, children }: { isAdded: boolean; children: ComponentChildren }) {
  const entry = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isAdded) entry.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  return (
    <div ref={entry} class="form-item">
      {children}
    </div>
  );
}
