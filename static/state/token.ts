// The token this tab signed in with. It lives in sessionStorage: gone with the tab, and never shared with another origin.
// It is never read from the address: a link must not be able to sign anybody in, or point the page at another server.
import { signal } from "@preact/signals";

/** The sign-in page the daemon serves writes the same key. */
const KEY = "agentd.token";

/** True once the daemon has answered 401: the page shows the sign-in form until a token is accepted. */
export const signedOut = signal(false);

/** The kept token, "" when there is none. */
export function keptToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Keeps a token the daemon has accepted. */
export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** Forgets the token and shows the sign-in form. */
export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  signedOut.value = true;
}
