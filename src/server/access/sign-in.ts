// The page a person without a token gets instead of the web UI, and the cookie that opens the UI's files afterwards.
// The page is whole in itself and never holds the token: its script keeps what was typed in sessionStorage, where the UI
// looks for it, and asks for the cookie. Source: reference, section 5.
import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { contentPolicy } from "../headers.js";
import { cookieName, isApiPath, type Rules } from "./admit.js";

// It looks like the UI's own form, in as few lines as that takes.
const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1e1f, #e7e9e8); --faint: light-dark(#5f6466, #939a9b); --accent: light-dark(#0f6b66, #4cb8ae);
}
* { box-sizing: border-box; }
body { margin: 0; font: 0.9375rem/1.55 system-ui, sans-serif; background: light-dark(#f6f6f4, #191c1d); color: var(--ink); }
main { display: grid; place-items: center; min-height: 100dvh; padding: 1rem; }
form {
  display: grid; gap: .7rem; width: min(23rem, 100%); padding: 1.75rem; border: 1px solid light-dark(#e2e2dd, #2c3134);
  border-radius: 12px; background: light-dark(#fff, #141617);
}
svg { width: 1.5rem; fill: none; stroke: light-dark(#fff, #08201e); stroke-width: 3; }
rect { fill: var(--accent); stroke: none; }
h1 { font-size: 1.2rem; line-height: 1.3; font-weight: 600; margin: 0; }
p { margin: 0; font-size: .8125rem; color: var(--faint); }
label { margin-top: .3rem; font-size: .8125rem; font-weight: 550; }
input, button { font: inherit; font-size: 1rem; min-height: 2.25rem; padding: .3rem .6rem; border-radius: 7px; }
input { border: 1px solid light-dark(#8c8c85, #6c757a); background: light-dark(#fff, #1e2224); color: inherit; }
button { border: 0; background: var(--accent); color: light-dark(#fff, #08201e); font-weight: 550; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
[role=alert] { color: light-dark(#b3261e, #f2857c); }
[role=alert]:empty { display: none; }
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
<title>Sign in · agentd</title>
<style>${STYLE}</style>
</head>
<body data-next="${next}">
<main>
<form>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8.5 10.5 14 16l-5.5 5.5m11 0h3"/></svg>
<h1>Sign in to agentd</h1>
<p>This daemon was started with a token. It stays in this tab and is forgotten when you close it.</p>
<label for="token">Token</label>
<input id="token" type="password" autocomplete="current-password" aria-describedby="trouble" required autofocus>
<p id="trouble" role="alert"></p>
<button>Sign in</button>
</form>
</main>
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
