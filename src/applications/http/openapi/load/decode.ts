// Bytes of a file or an answer to text: unpacked when they are compressed, and read in the encoding they are in, which is seldom
// the one that is declared. Knows nothing of where the bytes came from.
import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";

/** What is known of some bytes besides themselves. */
interface Declared {
  /** The Content-Encoding of an answer. */
  encoding?: string | undefined;
  /** The charset of an answer's Content-Type. */
  charset?: string | undefined;
  /** Bytes they may have once unpacked. Beyond, RangeError. */
  most: number;
  /** Only the beginning was kept, so that a packed text may end anywhere. */
  isCut?: boolean;
}

/** A text, and how large it was when unpacked. */
interface Decoded {
  text: string;
  bytes: number;
  /** What a person should know of the encoding: it was guessed. */
  note: string | undefined;
}

/** Layers of gzip: a `.gz` file that was packed again on its way. */
const MAX_LAYERS = 3;

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function unpack(given: Buffer, { encoding = "", most, isCut = false }: Declared): Buffer {
  const bounds = { maxOutputLength: Math.max(1, most), ...(isCut && { finishFlush: constants.Z_SYNC_FLUSH }) };
  let bytes = given;
  try {
    if (/\bbr\b/i.test(encoding))
      bytes = brotliDecompressSync(bytes, {
        maxOutputLength: bounds.maxOutputLength,
        ...(isCut && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
      });
    else if (/\bdeflate\b/i.test(encoding)) bytes = inflateSync(bytes, bounds);
    // What says gzip was often unpacked by a proxy, and what does not often is: the first bytes know.
    for (let layer = 0; layer < MAX_LAYERS && isGzip(bytes); layer++) bytes = gunzipSync(bytes, bounds);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error("it is compressed, and cannot be unpacked: it is damaged or incomplete", { cause: error });
  }
  return bytes;
}

/** The encoding that a byte order mark, or the zeros of the first two characters (RFC 4627, section 3), give away. */
function markedEncoding(bytes: Buffer): string | undefined {
  const zeros = [0, 1, 2, 3].map((i) => (bytes[i] === 0 ? "0" : "x")).join("");
  const mark = bytes.subarray(0, 4).toString("hex");
  if (bytes.length >= 4 && (mark === "fffe0000" || mark === "0000feff" || zeros === "000x" || zeros === "x000"))
    throw new Error("it is in UTF-32; save it as UTF-8");
  if (mark.startsWith("fffe") || (bytes.length >= 4 && zeros === "x0x0")) return "utf-16le";
  if (mark.startsWith("feff") || (bytes.length >= 4 && zeros === "0x0x")) return "utf-16be";
  return undefined;
}

/** The encoding an HTML page or an XML text names at its beginning. */
function namedInside(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 1024).toString("latin1");
  return /<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

/** A decoder for a name, if there is such an encoding. */
function decoderOf(name: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return name === undefined ? undefined : new TextDecoder(name);
  } catch {
    return undefined;
  }
}

/**
 * The text of some bytes, without a byte order mark. Throws RangeError when they unpack to more than they may, and Error with
 * the rest of a sentence ("it is …") for what cannot be unpacked or read.
 */
export function decodeText(given: Buffer, declared: Declared): Decoded {
  const bytes = unpack(given, declared);
  const marked = markedEncoding(bytes);
  const decoded = (text: string, note?: string): Decoded => ({
    text: text.replace(/^\uFEFF/, ""),
    bytes: bytes.length,
    note,
  });
  if (marked !== undefined) return decoded(new TextDecoder(marked).decode(bytes));
  // Before what is declared: servers that say Latin-1 and send UTF-8 are many, and Latin-1 that happens to be UTF-8 is not seen.
  if (isUtf8(bytes) || declared.isCut) return decoded(bytes.toString("utf8"));
  const named = decoderOf(declared.charset ?? namedInside(bytes));
  if (named && named.encoding !== "utf-8") return decoded(named.decode(bytes));
  return decoded(
    new TextDecoder("windows-1252").decode(bytes),
    "is not in UTF-8 and was read as Latin-1 (Windows-1252); save it as UTF-8 if letters beyond ASCII are wrong",
  );
}
