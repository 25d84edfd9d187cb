// The page a person without a token gets instead of the web UI, and the cookie that lets a browser load the UI's files
// afterwards. The page is one file of the built UI that needs no other, static/sign-in.html; it never holds the token.
// Source: docs/reference.md, "Authentication and origin".
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringifySetCookie } from "cookie";
import type { Request, Response } from "express";
import type { AppError } from "../../domain/error.js";
import { acceptedTypes } from "../request/accept.js";
import { withBasePath } from "../request/base-path.js";
import { createPacker, setCoding } from "../response/compress.js";
import { contentPolicy } from "../response/headers.js";
import { type AccessRules, cookieName, isApiPath } from "./admit.js";
import { callerOf } from "./caller.js";

/** The name of the page in the folder of the built UI. */
export const SIGN_IN_PAGE = "sign-in.html";

/** The page as it is sent. */
interface SignInPage {
  /** Reloads after signing in. */
  html: string;
  /** Goes to the web UI after signing in, for an address that is no page of it. */
  homeHtml: string;
  /** Allows the page's own script and style sheet, by their hashes, and nothing more. */
  policy: string;
}

const hashOf = (text = ""): string => createHash("sha256").update(text).digest("base64");

/** The built page; undefined when the web UI is not built here. */
async function readPage(dir: string, base: string): Promise<SignInPage | undefined> {
  const built = await readFile(join(dir, SIGN_IN_PAGE), "utf8").catch(() => undefined);
  if (built === undefined) return undefined;
  const html = withBasePath(built, base);
  return {
    html,
    homeHtml: html.replace('data-next=""', `data-next="${base}/"`),
    policy: contentPolicy({
      script: hashOf(/<script[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1]),
      style: hashOf(/<style[^>]*>([\s\S]*?)<\/style>/.exec(html)?.[1]),
    }),
  };
}

/** Whether a request without a token is a person opening a page. */
export function wantsPage(req: Request): boolean {
  return req.method === "GET" && acceptedTypes(req).includes("text/html");
}

/** Sends the sign-in page with status 401. Rejects with the refusal itself where the page is not built. */
export function createSignInPage(
  dir: string,
  base: string,
): (req: Request, res: Response, refused: AppError) => Promise<void> {
  let page: Promise<SignInPage | undefined> | undefined;
  const [pack, packHome] = [createPacker(), createPacker()];
  return async (req, res, refused) => {
    page ??= readPage(dir, base);
    const built = await page;
    if (!built) {
      page = undefined;
      throw refused;
    }
    const { body, coding } = await (isApiPath(req.path) ? packHome(req, built.homeHtml) : pack(req, built.html));
    res.setHeader("Content-Security-Policy", built.policy);
    setCoding(res, coding);
    res.writeHead(401, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "WWW-Authenticate": "Bearer",
    });
    res.end(body);
  };
}

/** The handler of POST /-/signin: the request was admitted, so it has the token, and its browser may load the UI's files. */
export function createSignIn(rules: AccessRules, basePath: string): (req: Request, res: Response) => void {
  return (req, res) => {
    const token = rules.tokens.find((one) => one === callerOf(req));
    if (token) {
      const options = { path: basePath || "/", httpOnly: true, sameSite: "strict" } as const;
      res.setHeader("Set-Cookie", stringifySetCookie(cookieName(req), token.cookie, options));
    }
    res.writeHead(204).end();
  };
}
