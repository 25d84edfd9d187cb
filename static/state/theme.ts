// The colour scheme: the system's, unless another was chosen here.
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "agentd.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function storedTheme(): Theme {
  const value = localStorage.getItem(STORAGE_KEY);
  return value === "light" || value === "dark" ? value : "system";
}

/** The present choice. */
export const theme = signal<Theme>(storedTheme());

/** Applies the choice to the document, and to the colour of the window around it. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.peek();
  const colours = document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]");
  (["light", "dark"] as const).forEach((scheme, at) => {
    const media =
      theme.peek() === "system" ? `(prefers-color-scheme: ${scheme})` : scheme === theme.peek() ? "all" : "not all";
    colours[at]?.setAttribute("media", media);
  });
}

/** Changes to the next choice and stores it. */
export function nextTheme(): void {
  setTheme(NEXT[theme.peek()]);
}

/** Changes to a choice and stores it. */
export function setTheme(next: Theme): void {
  theme.value = next;
  if (theme.peek() === "system") localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, theme.peek());
  applyTheme();
}
