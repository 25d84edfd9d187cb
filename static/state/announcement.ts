// The text of the page's one polite live region, for screen readers: what happens outside their focus. app.tsx renders it.
import { signal } from "@preact/signals";

/** The newest announcement. */
export const announcement = signal("");

/** Longer texts are cut: they can be read in the log. */
const MAX_LENGTH = 400;

/** Announces a text to screen readers. */
export function announce(text: string): void {
  announcement.value = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
