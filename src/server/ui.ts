// The web UI: the files of the built bundle, and index.html for every path that is none of them, so that deep links work.
// Source: reference, section 4, "Any other path".
import { sep } from "node:path";
import express, { type NextFunction, type Request, type Response } from "express";
import { AppError } from "../error.js";

/** Where the bundler puts files whose names hold a hash of their content. */
const HASHED = `${sep}assets${sep}`;

const MISSING = new AppError("not_found", "The web UI is not built here. Run npm run build, or use the API.");

/** Handlers that answer every GET and HEAD; mount them last. */
export function createUi(dir: string): ((req: Request, res: Response, next: NextFunction) => void)[] {
  const common = { cacheControl: false, acceptRanges: false, dotfiles: "ignore" } as const;
  const files = express.static(dir, {
    ...common,
    index: false,
    redirect: false,
    setHeaders: (res, path) => {
      const hashed = path.slice(dir.length).startsWith(HASHED);
      res.setHeader("Cache-Control", hashed ? "max-age=31536000, immutable" : "no-cache");
    },
  });
  return [
    (req, res, next) => {
      if (req.method !== "GET" && req.method !== "HEAD") {
        res.setHeader("Allow", "GET, HEAD");
        throw new AppError("method_not_allowed", `${req.method} is not served here; the web UI takes GET.`);
      }
      try {
        decodeURIComponent(req.path);
      } catch (error) {
        throw new AppError("bad_request", "The path is not valid percent-encoding.", { cause: error });
      }
      next();
    },
    files,
    (_req, res, next) => {
      const headers = { "Cache-Control": "no-cache" };
      res.sendFile("index.html", { ...common, root: dir, headers }, (error?: Error & { status?: number }) => {
        if (error) next(error.status === 404 ? MISSING : error);
      });
    },
  ];
}
