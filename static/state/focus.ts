// Where the keyboard goes on: at the prompt, or at what waits next.
import type { Signal } from "@preact/signals";

/** Writes a text into the composer, for the person to change and send; its first blank is selected, so that typing fills it. */
export function propose(draft: Signal<string>, text: string, blank: string): void {
  draft.value = text;
  // Once it stands there.
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>("#prompt");
    if (field === null) return;
    const at = text.indexOf(blank);
    field.focus();
    field.setSelectionRange(at < 0 ? text.length : at, at < 0 ? text.length : at + blank.length);
  });
}

/** Puts the focus on the prompt, if it is on the page. On a touch screen this would open a keyboard over the conversation. */
export function focusPrompt(): void {
  // Nobody is taken out of a field in which they type.
  if (document.activeElement?.matches("input")) return;
  if (matchMedia("(pointer: fine)").matches) document.getElementById("prompt")?.focus();
}

/** Puts the focus on the next question in view, never on one of its buttons, or on the prompt. */
export function focusNext(): void {
  // Once what was decided is gone.
  requestAnimationFrame(() => {
    const next = document.querySelector<HTMLElement>("main :is(.confirmation, .confirmation-group)");
    if (next === null) focusPrompt();
    else if (!document.activeElement?.matches("input, textarea")) next.focus();
  });
}
