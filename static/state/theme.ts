// The colour scheme: the system's, unless another was chosen here.
import { signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "agentd.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function storedTheme(): Theme {
  const value = localStorage.getItem(STORAGE_KEY);
  return value === "light" || value === "dark" ? value : "system";
}

/** The present choice. */
export const theme = signal<Theme>(storedTheme());

/** Applies the choice to the document. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.peek();
}

/** Changes to the next choice and stores it. */
export function nextTheme(): void {
  theme.value = NEXT[theme.peek()];
  if (theme.peek() === "system") localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, theme.peek());
  applyTheme();
}
