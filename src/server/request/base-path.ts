// Serving below a path, where a reverse proxy passes a part of its site on as it is: `/agent/tools` is `/tools`. Everything else of the
// interface knows nothing of it, but for the addresses it gives out. Source: docs/reference.md, "Behind a reverse proxy".
import type { IncomingMessage } from "node:http";
import { AppError } from "../../domain/error.js";

/** Takes the base path off requests. */
export interface BasePath {
  /** Takes it off a request's target; a target that does not begin with it stays, and is remembered. Once for each request. */
  enter(req: IncomingMessage): void;
  /** Whether a request is not below it. */
  isOutside(req: IncomingMessage): boolean;
  /** The answer to such a request. */
  refusal(): AppError;
}

/** What stands behind the base path in a target; undefined when that does not begin with it. */
function behind(base: string, target: string): string | undefined {
  if (base === "") return target;
  if (!target.startsWith(base)) return undefined;
  const rest = target.slice(base.length);
  if (rest.startsWith("/")) return rest;
  // The path alone is its page, as with the slash.
  return rest === "" || rest.startsWith("?") ? `/${rest}` : undefined;
}

/** For a path such as `/agent`; "" takes nothing off. */
export function createBasePath(base: string): BasePath {
  const outside = new WeakSet<IncomingMessage>();
  return {
    enter(req) {
      const rest = behind(base, req.url ?? "");
      if (rest === undefined) outside.add(req);
      else req.url = rest;
    },
    isOutside: (req) => outside.has(req),
    refusal: () =>
      new AppError(
        "not_found",
        `This daemon serves below ${base}/ (--base-path). A reverse proxy in front of it must pass the path on as it is.`,
      ),
  };
}

/** A page of the web UI for a base path: its links, and what its scripts read. */
export function withBasePath(html: string, base: string): string {
  return html
    .replace('<meta name="agentd-base" content=""', `<meta name="agentd-base" content="${base}"`)
    .replaceAll(/\b(src|href|data-next)="\//g, `$1="${base}/`);
}
