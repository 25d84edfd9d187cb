// The script of the sign-in page: tries the token, stores it for the web UI and loads the page that was asked for.
// It is inlined into the page, which the daemon serves to a browser without a token, so it imports nothing.

/** Where the web UI reads the token: static/state/token.ts. */
const STORAGE_KEY = "agentd.token";

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** What stands before every path: static/state/base.ts. */
const base = find<HTMLMetaElement>('meta[name="agentd-base"]').content;
const field = find<HTMLInputElement>("#token");
const trouble = find("#trouble");

/** What is wrong; undefined once the browser may load the web UI. */
async function signIn(token: string): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { ok, status } = await fetch(`${base}/-/signin`, { method: "POST", headers });
    if (ok) return undefined;
    return status === 401 ? "That is not the token." : `The daemon answered ${status}.`;
  } catch {
    return "The daemon does not answer, or this cannot be a token.";
  }
}

// A stored token is offered again after a restart of the daemon, which invalidates the cookie.
field.value = sessionStorage.getItem(STORAGE_KEY) ?? "";
field.focus();
find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble.textContent = "";
  const token = field.value.trim();
  const failure = await signIn(token);
  if (failure !== undefined) {
    trouble.textContent = failure;
    field.select();
    return;
  }
  sessionStorage.setItem(STORAGE_KEY, token);
  const { next } = document.body.dataset;
  if (next) location.replace(next);
  else location.reload();
});
