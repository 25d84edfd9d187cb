// The token this tab signed in with. It is stored in sessionStorage: gone with the tab, and never shared with another origin.
// It is never read from the address: a link must not be able to sign a person in, or point the page at another server.
import { signal } from "@preact/signals";

/** The sign-in page the daemon serves writes the same key. */
const STORAGE_KEY = "agentd.token";

/** True once the daemon has answered 401: the page displays the sign-in form until a token is accepted. */
export const signedOut = signal(false);

/** The stored token, "" when there is none. */
export function storedToken(): string {
  return sessionStorage.getItem(STORAGE_KEY) ?? "";
}

/** Stores a token the daemon has accepted. */
export function storeToken(token: string): void {
  sessionStorage.setItem(STORAGE_KEY, token);
}

/** Removes the token and displays the sign-in form. */
export function signOut(): void {
  sessionStorage.removeItem(STORAGE_KEY);
  signedOut.value = true;
}
