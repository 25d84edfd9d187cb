// The web UI: the files of the built bundle, compressed when it was built, and index.html for every path that is none of them, so
// that deep links work. They are the same for every client and hold no secret.
// Source: docs/reference.md, "Web UI".
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import express, { type NextFunction, type Request, type Response } from "express";
import { AppError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { withoutTrailing } from "../lib/trailing.js";
import { API_PATHS } from "./access/admit.js";
import { SIGN_IN_PAGE } from "./access/sign-in.js";
import { withBasePath } from "./request/base-path.js";
import { CODINGS, type Coding, codingFor, createPacker, setCoding } from "./response/compress.js";
import { hasTag } from "./response/respond.js";

/** Where the bundler puts files whose names hold a hash of their content. */
const HASHED = `${sep}assets${sep}`;

/** Files that are not served under their own names: one is the page of every path, the other answers a missing token. */
const PAGES: ReadonlySet<string> = new Set(["/index.html", `/${SIGN_IN_PAGE}`]);

const MISSING = new AppError("not_found", "The web UI is not built here. Run npm run build, or use the API.");

/** The compressed form of a file of the bundle, where it has one, else the file. Rejects when that is not there either. */
async function readForm(
  file: string,
  coding: Coding | undefined,
): Promise<{ bytes: Buffer; coding: Coding | undefined }> {
  if (coding) {
    const bytes = await readFile(file + coding.suffix).catch(() => undefined);
    if (bytes) return { bytes, coding };
  }
  return { bytes: await readFile(file), coding: undefined };
}

type ReadPage = (req: Request) => Promise<{ bytes: string | Uint8Array; coding: Coding | undefined }>;

/** Reads the page: as it was built and compressed, or for a base path, which the build does not know. */
function createPageReader(file: string, base: string): ReadPage {
  if (base === "") return (req) => readForm(file, codingFor(req));
  const pack = createPacker();
  return async (req) => {
    const { body, coding } = await pack(req, withBasePath(await readFile(file, "utf8"), base));
    return { bytes: body, coding };
  };
}

/**
 * The page itself, tagged by its content: packages are unpacked with the same time on every file, so a page known by its time
 * would outlive an upgrade, and name assets that are gone.
 */
async function sendPage(read: ReadPage, req: Request, res: Response): Promise<void> {
  const { bytes, coding } = await read(req).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? MISSING : error;
  });
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", "no-cache");
  setCoding(res, coding);
  if (hasTag(req.headers["if-none-match"], etag)) {
    res.removeHeader("Content-Encoding");
    res.writeHead(304).end();
    return;
  }
  res
    .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Length": Buffer.byteLength(bytes) })
    .end(bytes);
}

/** The files of the bundle but its pages, in the form that suits the client. The compressed forms have no address of their own. */
function createFiles(dir: string): (req: Request, res: Response, next: NextFunction) => void {
  const files = express.static(dir, {
    cacheControl: false,
    acceptRanges: false,
    lastModified: false,
    dotfiles: "ignore",
    index: false,
    redirect: false,
    setHeaders: (res: Response, path) => {
      const hashed = path.slice(dir.length).startsWith(HASHED);
      const coding = CODINGS.find(({ suffix }) => path.endsWith(suffix));
      res.setHeader("Cache-Control", hashed ? "max-age=31536000, immutable" : "no-cache");
      setCoding(res, coding);
      if (coding) res.type(extname(path.slice(0, -coding.suffix.length)));
    },
  });
  return (req, res, next) => {
    if (PAGES.has(req.path) || CODINGS.some(({ suffix }) => req.path.endsWith(suffix))) return next();
    const coding = codingFor(req);
    if (!coding) return files(req, res, next);
    const { url } = req;
    req.url = req.path + coding.suffix;
    files(req, res, (error?: unknown) => {
      req.url = url;
      if (error) next(error);
      else files(req, res, next);
    });
  };
}

/** The path without slashes at its end. */
export const withoutSlash = (path: string): string => withoutTrailing(path, "/");

/** Handlers that answer every GET and HEAD; mount them last. */
export function createUi(
  dir: string,
  base: string,
): ((req: Request, res: Response, next: NextFunction) => void | Promise<void>)[] {
  const page = createPageReader(join(dir, "index.html"), base);
  return [
    (req, res, next) => {
      if (req.method !== "GET" && req.method !== "HEAD") {
        res.setHeader("Allow", "GET, HEAD");
        const meant = didYouMean(withoutSlash(req.path), [...API_PATHS]);
        throw new AppError(
          "method_not_allowed",
          `This path is the web UI's, which does not take ${req.method}.${meant}`,
        );
      }
      next();
    },
    createFiles(dir),
    (req, res) => sendPage(page, req, res),
  ];
}
