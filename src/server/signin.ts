// The page a person without a token gets instead of the web UI, and the cookie that opens the UI's files afterwards.
// The page is whole in itself and never holds the token: its script keeps what was typed in sessionStorage, where the UI
// looks for it, and asks for the cookie. Source: reference, section 5.
import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { cookieName, isApiPath, type Rules } from "./admit.js";
import { contentPolicy } from "./headers.js";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { min-height: 90vh; display: grid; place-content: center; margin: 1rem; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
h1 { font-size: 1.25rem; margin: 0; }
p { margin: 0; }
input, button { font: inherit; padding: .5rem .75rem; border-radius: .375rem; border: 1px solid GrayText; }
[role=alert] { min-height: 1.5em; color: light-dark(#b00020, #ff8a80); }
`;

// The key is the one the web UI reads. A kept token is offered again after a restart, which forgets the cookie.
const SCRIPT = `
const form = document.querySelector("form");
const field = document.querySelector("input");
const note = document.querySelector("[role=alert]");
field.value = sessionStorage.getItem("agentd.token") ?? "";
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  note.textContent = "";
  const token = field.value.trim();
  try {
    const answer = await fetch("/-/signin", { method: "POST", headers: { authorization: "Bearer " + token } });
    if (answer.ok) {
      sessionStorage.setItem("agentd.token", token);
      if (document.body.dataset.next) location.replace(document.body.dataset.next);
      else location.reload();
      return;
    }
    note.textContent = answer.status === 401 ? "That is not the token." : "The daemon answered " + answer.status + ".";
  } catch {
    note.textContent = "The daemon does not answer, or this cannot be a token.";
  }
  field.select();
});
`;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");
const POLICY = contentPolicy({ script: hashOf(SCRIPT), style: hashOf(STYLE) });

/** `next` is where to go after signing in; "" means the page that was asked for. */
const page = (next: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in - agentd</title>
<style>${STYLE}</style>
</head>
<body data-next="${next}">
<form>
<h1>agentd</h1>
<p>This daemon was started with a token. It stays in this tab only.</p>
<label for="token">Token</label>
<input id="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
<p role="alert"></p>
</form>
<script>${SCRIPT}</script>
</body>
</html>
`;
const SAME_PAGE = page("");
const HOME_PAGE = page("/");

/** Whether a request without a token is a person opening a page. */
export function wantsPage(req: Request): boolean {
  return req.method === "GET" && /\btext\/html\b/i.test(req.headers.accept ?? "");
}

/** Sends the sign-in page, with status 401. */
export function sendSignIn(req: Request, res: Response): void {
  const body = isApiPath(req.path) ? HOME_PAGE : SAME_PAGE;
  res.setHeader("Content-Security-Policy", POLICY);
  res.writeHead(401, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "WWW-Authenticate": "Bearer",
  });
  res.end(body);
}

/** The handler of POST /-/signin: whoever got here has the token, so the browser may load the UI's files. */
export function createSignIn(rules: Rules): (req: Request, res: Response) => void {
  return (req, res) => {
    if (rules.token !== undefined)
      res.setHeader("Set-Cookie", `${cookieName(req)}=${rules.cookie}; Path=/; HttpOnly; SameSite=Strict`);
    res.writeHead(204).end();
  };
}
