// Text to bytes, where a body or a part of one takes bytes. A file is only named here; it is read when the call is sent, and only where
// the operator allows uploads by path.
import { statSync } from "node:fs";
import { extname, isAbsolute } from "node:path";
import { CallError, type Target } from "../../transport.js";
import { wellFormed } from "./styles.js";

/** Bytes that are there, or a file that is read when the call is sent. */
export type Content = { bytes: string | Buffer } | { file: string };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,(.*)$/s;
const FILE = /^file:(?:\/\/)?/;
/** No path is longer on any system. */
const MAX_PATH_CHARS = 4096;

/** Media types of files by the end of their names, of those that servers tell apart. Source: IANA, Media Types. */
const TYPES = new Map(
  Object.entries({
    avif: "image/avif",
    bmp: "image/bmp",
    csv: "text/csv",
    gif: "image/gif",
    gz: "application/gzip",
    heic: "image/heic",
    jpeg: "image/jpeg",
    jpg: "image/jpeg",
    json: "application/json",
    m4a: "audio/mp4",
    mov: "video/quicktime",
    mp3: "audio/mpeg",
    mp4: "video/mp4",
    ogg: "audio/ogg",
    pdf: "application/pdf",
    png: "image/png",
    svg: "image/svg+xml",
    tif: "image/tiff",
    tiff: "image/tiff",
    txt: "text/plain",
    wav: "audio/wav",
    webm: "video/webm",
    webp: "image/webp",
    xml: "application/xml",
    zip: "application/zip",
  }),
);

function namesFile(text: string): boolean {
  if (text.length > MAX_PATH_CHARS || text.includes("\0") || !isAbsolute(text)) return false;
  try {
    return statSync(text, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** What is known of the media type: said by the text, or told by the name of a file. */
interface Typed {
  type?: string | undefined;
  ofName?: string | undefined;
}

/**
 * Text where bytes are taken: `file:PATH` where uploads are allowed, a `data:` URL, or the bytes of the text itself; with the media
 * type that the text tells. Throws CallError.
 */
export function binary(text: string, target: Target): Content & Typed {
  if (FILE.test(text)) {
    if (!target.allowFiles)
      throw new CallError(
        'uploading a file by its path is off; "target": {"allow_files": true} in config.json allows it',
      );
    const file = text.replace(FILE, "");
    return { file, ofName: TYPES.get(extname(file).slice(1).toLowerCase()) };
  }
  // Neither read silently nor sent as the content: the caller must say what was meant.
  if (target.allowFiles && namesFile(text))
    throw new CallError(`${text} is a file of this machine; write file:${text} to upload it`);
  const [, type, base64, data] = DATA_URL.exec(text) ?? [];
  if (data === undefined) return { bytes: wellFormed(text) };
  try {
    const bytes = base64 ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data));
    return { bytes, type: type || undefined };
  } catch (cause) {
    throw new CallError("a data: URL does not decode", { cause });
  }
}
