// Base64 as arguments give it. Node's own reader leaves out what it does not know, so that other bytes than were meant would be stored.

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a base64 text; undefined when it is none. */
export function fromBase64(text: string): Buffer | undefined {
  const digits = text.replace(/=+$/, "");
  if (!BASE64.test(text) || digits.length % 4 === 1) return undefined;
  if (text !== digits && text.length % 4 !== 0) return undefined;
  return Buffer.from(text, "base64");
}
