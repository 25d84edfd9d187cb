// Light or dark: what the system says, unless a person chose.
import { signal } from "@preact/signals";

/** A choice of colours. */
export type Theme = "system" | "light" | "dark";

const KEY = "agentd.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function kept(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

/** The present choice. */
export const theme = signal<Theme>(kept());

/** Makes the page follow the choice. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.peek();
}

/** Goes on to the next choice. */
export function nextTheme(): void {
  theme.value = NEXT[theme.peek()];
  if (theme.peek() === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.peek());
  applyTheme();
}
