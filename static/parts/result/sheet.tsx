// A dialog as large as the screen, or at its side; Esc and a click beside it close it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../icons.js";

/** A dialog that takes the screen ("whole") or its side. `tools` stand beside its title. */
export function Sheet(props: {
  title: string;
  kind: "whole" | "side";
  tools?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same
    <dialog
      ref={dialog}
      class={`sheet sheet-${props.kind}`}
      aria-label={props.title}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="sheet-inner">
        <div class="sheet-head">
          {props.tools}
          <h2>{props.title}</h2>
          <span class="spacer" />
          <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </div>
        <div class="sheet-body">{props.children}</div>
      </div>
    </dialog>
  );
}
