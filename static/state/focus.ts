// Where the keyboard goes when the element that had the focus is removed.

/** Puts the focus on the prompt, if it is on the page. On a touch screen this would open a keyboard over the conversation. */
export function focusPrompt(): void {
  if (matchMedia("(pointer: fine)").matches) document.getElementById("prompt")?.focus();
}
