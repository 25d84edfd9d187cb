// Answers in fewer bytes: which coding a client takes (RFC 9110, section 12.5.3), and texts compressed off the event loop.
// Source: docs/reference.md, "Compression".
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request } from "express";

/** A coding that is sent. */
export interface Coding {
  name: "br" | "gzip";
  /** What a file in it is called, after the name of the plain one. */
  suffix: string;
}

/** The best first. */
export const CODINGS: readonly Coding[] = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
];

/** A shorter text fits into a packet or two as it is. */
const WORTH_COMPRESSING_BYTES = 1024;
/** A fifth of the time of brotli's best, for a tenth more bytes: such a text is compressed once, while a client waits. */
const BROTLI_QUALITY = 5;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** The best coding that the client takes; undefined for none. */
export function codingFor(req: Request): Coding | undefined {
  return CODINGS.find(({ name }) => req.acceptsEncodings(name) === name);
}

/** Says that the answer depends on this header of the request, too. */
export function vary(res: ServerResponse, header: string): void {
  const named = String(res.getHeader("Vary") ?? "").split(", ");
  res.setHeader("Vary", [...new Set([...named, header])].filter((name) => name !== "").join(", "));
}

/** Says in the headers that the answer depends on what the client takes, and in which coding it is. */
export function setCoding(res: ServerResponse, coding: Coding | undefined): void {
  vary(res, "Accept-Encoding");
  if (coding) res.setHeader("Content-Encoding", coding.name);
}

function compress(text: string | Uint8Array, coding: Coding): Promise<Buffer> {
  if (coding.name === "gzip") return toGzip(text);
  return toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** A text as it is sent. */
interface Packed {
  body: string | Uint8Array;
  coding: Coding | undefined;
}

/**
 * Compresses a text that is sent again and again. What came out is kept until another text comes: one instance for each
 * document, so that a poll of it costs nothing.
 */
export function createPacker(): (req: Request, text: string | Uint8Array) => Promise<Packed> {
  let known: string | Uint8Array | undefined;
  let packed = new Map<Coding, Promise<Buffer>>();
  return async (req, text) => {
    const coding = Buffer.byteLength(text) < WORTH_COMPRESSING_BYTES ? undefined : codingFor(req);
    if (!coding) return { body: text, coding };
    if (text !== known) packed = new Map();
    known = text;
    const body = packed.get(coding) ?? compress(text, coding);
    packed.set(coding, body);
    return { body: await body, coding };
  };
}
