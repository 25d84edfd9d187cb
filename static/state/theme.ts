// The colour scheme: the system's, unless another was chosen here.
import { signal } from "@preact/signals";
import { storedTheme, THEME_KEY, type Theme } from "./stored-theme.js";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

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
  if (theme.peek() === "system") localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, theme.peek());
  applyTheme();
}
