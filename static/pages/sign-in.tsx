// The sign-in form: displayed when the daemon answers 401. The token is tried first and stored only when it is right.
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../parts/icons.js";
import { ApiError, errorText, requestJson } from "../state/api.js";
import { loadConfig } from "../state/daemon.js";
import { signedOut, storeToken } from "../state/token.js";

async function signIn(token: string): Promise<void> {
  // The cookie in the answer opens the page's own files after a reload, and nothing else.
  await requestJson("/-/signin", { method: "POST", token });
  storeToken(token);
  await loadConfig();
  signedOut.value = false;
}

/** The form for the token. */
export function SignInPage() {
  const field = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in · agentd";
    field.current?.focus();
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(token.trim());
    } catch (failure) {
      const isWrong = failure instanceof ApiError && failure.status === 401;
      setError(isWrong ? "That token is not right." : errorText(failure));
      setBusy(false);
      field.current?.select();
    }
  };

  return (
    <main class="start">
      <form class="start-card" onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Sign in to agentd</h1>
        <p class="faint">
          This daemon was started with a token. It stays in this tab and is forgotten when you close it.
        </p>
        <label for="token">Token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          required
          value={token}
          aria-invalid={error !== ""}
          aria-describedby="token-error"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p id="token-error" class="error-text" role="alert">
          {error}
        </p>
        <button type="submit" class="primary" disabled={busy || token.trim() === ""}>
          {busy ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
}
