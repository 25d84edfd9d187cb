// A prepared body to bytes: reads the files it names and frames multipart parts. Source: RFC 7578.
import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../../../domain/error.js";
import type { Part, RequestBody } from "./body.js";
import type { Content } from "./content.js";

/** A file larger than this is not uploaded: it is held in memory while it is sent. */
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/** A file named in the arguments cannot be uploaded. */
export class UploadError extends Error {}

async function bytesOf(content: Content): Promise<string | Buffer> {
  if ("bytes" in content) return content.bytes;
  try {
    const info = await stat(content.file);
    if (!info.isFile()) throw new Error("it is not a file");
    if (info.size > MAX_UPLOAD_BYTES) throw new Error(`it is larger than ${MAX_UPLOAD_BYTES} bytes`);
    return await readFile(content.file);
  } catch (cause) {
    throw new UploadError(`${content.file} cannot be uploaded: ${messageOf(cause)}`, { cause });
  }
}

/** Names go into a quoted string; browsers escape exactly these three. */
const quote = (text: string): string =>
  `"${text.replace(/["\r\n]/g, (c) => (c === '"' ? "%22" : c === "\r" ? "%0D" : "%0A"))}"`;
const oneLine = (text: string): string => text.replace(/[^\x20-\x7e]/g, "");

async function frame(part: Part, boundary: string): Promise<Buffer> {
  const filename = part.filename === undefined ? "" : `; filename=${quote(part.filename)}`;
  const type = part.contentType === undefined ? "" : `Content-Type: ${oneLine(part.contentType)}\r\n`;
  const encoding =
    part.transferEncoding === undefined ? "" : `Content-Transfer-Encoding: ${oneLine(part.transferEncoding)}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quote(part.name)}${filename}\r\n${type}${encoding}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(await bytesOf(part.content)), Buffer.from("\r\n")]);
}

/** What is sent: the bytes and their content type. Throws UploadError naming a file that cannot be read. */
export async function renderBody(body: RequestBody): Promise<{ bytes: string | Buffer; contentType: string }> {
  if (!("parts" in body.content)) return { bytes: await bytesOf(body.content), contentType: body.contentType };
  const boundary = `agentd-${randomBytes(18).toString("hex")}`;
  const frames = await Promise.all(body.content.parts.map((part) => frame(part, boundary)));
  const bytes = Buffer.concat([...frames, Buffer.from(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `${body.contentType}; boundary=${boundary}` };
}
