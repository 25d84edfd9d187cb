// Reads a JSON body: only after the request was admitted, only as application/json, only up to a limit that counts inflated
// bytes. The bytes are read by Express; this file decides what is acceptable. Source: docs/reference.md, "Errors".
import { parse as parseContentType } from "content-type";
import express, { type Request, type Response } from "express";
import type { z } from "zod";
import { AppError } from "../../domain/error.js";
import { type JsonValue, parseJson } from "../../lib/json.js";
import { validate } from "./validate.js";

/** Bytes of one prompt, at every entry point. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** As body-parser calls a body over its limit. */
const TOO_LARGE = "entity.too.large";

const MIB = 1024 * 1024;

const tooLarge = (limit: number): AppError =>
  new AppError("payload_too_large", `The body is over ${limit / MIB} MiB, unpacked; it may be that long at most.`);

/** By their limits. */
const readers = new Map<number, ReturnType<typeof express.raw>>();

function readerOf(limit: number): ReturnType<typeof express.raw> {
  const reader = readers.get(limit) ?? express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
}
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * JSON is UTF-8 (RFC 8259), which many clients call utf8; another Unicode charset is let through to fail as text, anything else is
 * not JSON at all.
 */
function checkType(header: string | undefined): void {
  if (header === undefined)
    throw new AppError(
      "unsupported_media_type",
      "Send a JSON body, {} at least, with the header Content-Type: application/json.",
    );
  const { type, parameters } = parseContentType(header);
  if (type !== "application/json")
    throw new AppError("unsupported_media_type", "Send JSON with the header Content-Type: application/json.");
  const charset = parameters["charset"]?.toLowerCase() ?? "utf-8";
  if (!/^utf-?\d/.test(charset) && charset !== "us-ascii")
    throw new AppError("unsupported_media_type", `The charset ${charset} is not supported; send UTF-8.`);
}

/** The content codings of a body. Express would take more on a newer Node. */
const CODINGS = ["gzip", "deflate", "br", "identity"];

function checkCoding(header: string | undefined): void {
  if (!header || CODINGS.includes(header.toLowerCase())) return;
  throw new AppError(
    "unsupported_media_type",
    `The content encoding ${header} is not supported; send gzip, deflate, br or none.`,
  );
}

/**
 * Whether a body that is too large can be refused from its length, or once as many bytes have come; body-parser says so only when
 * all of it has come. Its bytes must be the body itself, and the connection must outlive the answer: closed under a client
 * that still sends, it takes the answer along.
 */
function isRefusedEarly({ headers }: Request, res: Response): boolean {
  return res.shouldKeepAlive && (headers["content-encoding"] || "identity").toLowerCase() === "identity";
}

/** The body's text, of `limit` bytes at most. Rejects with AppError unsupported_media_type, payload_too_large, invalid_body or bad_request. */
export async function readText(req: Request, res: Response, limit = MAX_BODY_BYTES): Promise<string> {
  checkType(req.headers["content-type"]);
  checkCoding(req.headers["content-encoding"]);
  const isEarly = isRefusedEarly(req, res);
  if (isEarly && Number(req.headers["content-length"]) > limit) throw tooLarge(limit);
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    if (isEarly)
      req.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) reject(tooLarge(limit));
      });
    readerOf(limit)(req, res, (error?: unknown) => {
      if (!error) resolve();
      else reject((error as { type?: unknown }).type === TOO_LARGE ? tooLarge(limit) : error);
    });
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes)) return "";
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AppError("invalid_body", "The body is not valid UTF-8.", { cause: error });
  }
}

/** The value of a body, or of a frame, as `what` calls it. Throws AppError invalid_body. */
export function parseBody(text: string, maxMembers?: number, what = "The body"): JsonValue {
  try {
    return parseJson(text, maxMembers);
  } catch (error) {
    const hint = text.trim() === "" ? "it is empty" : (error as Error).message;
    throw new AppError("invalid_body", `${what} is not valid JSON: ${hint}.`, { cause: error });
  }
}

/** The checked body. Rejects as `readText` does, and with AppError invalid_body for what the schema refuses. */
export async function readJson<T>(req: Request, res: Response, schema: z.ZodType<T>): Promise<T> {
  return validate(schema, parseBody(await readText(req, res)), "invalid_body");
}
