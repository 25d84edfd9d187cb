// The colour scheme that was chosen in this browser. Apart from its signal, as it is read before the first paint.

export type Theme = "system" | "light" | "dark";

export const THEME_KEY = "agentd.theme";

/** The choice; "system" where there is none. */
export function storedTheme(): Theme {
  const value = localStorage.getItem(THEME_KEY);
  return value === "light" || value === "dark" ? value : "system";
}
