// What a screen reader is told when something happens outside its focus. One polite live region shows it; see app.tsx.
import { signal } from "@preact/signals";

/** The newest announcement. */
export const announcement = signal("");

/** Longer texts are cut: they can be read in the log. */
const MAX_LENGTH = 400;

/** Says something. */
export function announce(text: string): void {
  announcement.value = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
