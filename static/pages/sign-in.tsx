// The sign-in form: shown when the daemon answers 401. The token is tried first and kept only when it is right.
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../parts/icons.js";
import { ApiError, ask, sayError } from "../state/api.js";
import { loadConfig } from "../state/daemon.js";
import { keepToken, signedOut } from "../state/token.js";

/** Asks for the token. */
export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState("");
  const [trouble, setTrouble] = useState("");
  const [trying, setTrying] = useState(false);
  useEffect(() => {
    document.title = "Sign in · agentd";
    field.current?.focus();
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    setTrying(true);
    try {
      // The cookie that comes with the answer opens the page's own files after a reload, and nothing else.
      await ask("/-/signin", { method: "POST", token: token.trim() });
      keepToken(token.trim());
      await loadConfig();
      signedOut.value = false;
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      setTrouble(wrong ? "That token is not right." : sayError(error));
      setTrying(false);
      field.current?.select();
    }
  };

  return (
    <main class="lobby">
      <form class="lobby-card" onSubmit={(event) => void submit(event)}>
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
          aria-invalid={trouble !== ""}
          aria-describedby="token-trouble"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p id="token-trouble" class="trouble" role="alert">
          {trouble}
        </p>
        <button type="submit" class="primary" disabled={trying || token.trim() === ""}>
          {trying ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
}
