// Finds "." and ".." among the pieces of a path in every form that some server reads as such. Many decode a path before they
// normalise it, some of them twice, and some take other characters for dots and slashes; so no encoding makes these two safe.
// Source: RFC 3986, section 5.2.4 (dot segments); RFC 3629, section 10 (overlong UTF-8).

/** Servers behind servers: each may decode the path once more. What is still encoded then is no value of a path. */
const MAX_LAYERS = 6;
/** Texts without any of these hold no piece made of dots, decoded or not. */
const MAY_HOLD_DOTS = /[.%\u0080-\uffff]/;
const PERCENT_RUN = /(?:%[\da-f]{2})+/gi;
const PERCENT_U = /%u([\da-f]{4})/gi;
/** What becomes "/" or "\" where text is converted to another character set; compatibility forms fold by themselves. */
const SLASH = /[\\\u00a5\u20a9\u2044\u2215\u2216\u29f5\u29f8]|\u20e5/g;
/** The full stop that is no compatibility form of ".". */
const FULL_STOP = /\u3002/g;
/** Where a piece ends for some server: path parameters, a query, a fragment, the end of a C string. */
const BEHIND_PIECE = /[;?#\0].*$/s;
/** Characters that some servers drop. */
const DROPPED = /[\p{Cc}\p{White_Space}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

/** UTF-8 as the most lenient decoders read it: overlong forms are the character they spell, bytes out of place are dropped. */
function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++] ?? 0;
    let left = lead < 0xc0 ? 0 : Math.min(Math.clz32(~(lead << 24)), 6) - 1;
    let code = left === 0 ? lead : lead & (0x3f >> left);
    for (; left > 0 && ((bytes[i] ?? 0) & 0xc0) === 0x80; left--) code = code * 64 + ((bytes[i++] ?? 0) & 0x3f);
    if (left === 0 && code <= 0x10ffff) text += String.fromCodePoint(code);
  }
  return text;
}

function percentDecoded(text: string): string {
  return text
    .replace(PERCENT_U, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(PERCENT_RUN, (run) => decodeUtf8(Buffer.from(run.replaceAll("%", ""), "hex")));
}

function hasDotsBetweenSlashes(text: string): boolean {
  const isDots = (piece: string): boolean => /^\.{1,2}$/.test(piece.replace(BEHIND_PIECE, "").replace(DROPPED, ""));
  return text.split("/").some(isDots);
}

function folded(text: string): string {
  return text.normalize("NFKC").replace(SLASH, "/").replace(FULL_STOP, ".");
}

/**
 * Whether a piece of a path, or of a value in it, is "." or ".." for some server: as it stands, percent-encoded however often,
 * in overlong UTF-8, before path parameters, in characters that fold to dots and slashes, or once "../" has been removed from it.
 */
export function hasDotPiece(text: string): boolean {
  if (!MAY_HOLD_DOTS.test(text)) return false;
  let layer = text;
  for (let n = 0; n < MAX_LAYERS; n++) {
    const plain = folded(layer);
    if (hasDotsBetweenSlashes(plain) || hasDotsBetweenSlashes(plain.replaceAll("../", ""))) return true;
    // Either may come first: what folds to an escape is decoded, and a mark behind an escape would fold into its last digit.
    const next = percentDecoded(layer);
    if (plain !== layer && hasDotsBetweenSlashes(folded(percentDecoded(plain)))) return true;
    if (next === layer) return false;
    layer = next;
  }
  return true;
}
