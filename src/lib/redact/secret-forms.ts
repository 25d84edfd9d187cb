// The forms a secret takes on its way through a target: percent-encoded for a URL or a form, escaped in JSON or HTML, with its
// quotes doubled in CSV, in base64 with something before it (Basic). Each character may take its forms by itself, so that no
// mixture is missed.

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
/** Hexadecimal digits in either case. */
const hex = (digits: string): string => digits.replace(/[a-f]/gi, (c) => `[${c.toUpperCase()}${c.toLowerCase()}]`);

const ENTITIES: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** One character in every form: as it is, %xx, JSON's and HTML's escapes. */
function character(c: string): string {
  if (/[A-Za-z0-9_.~-]/.test(c)) return escaped(c);
  const bytes = [...Buffer.from(c)].map((byte) => `%${hex(byte.toString(16).padStart(2, "0"))}`);
  const units = Array.from({ length: c.length }, (_, i) => c.charCodeAt(i).toString(16).padStart(4, "0"));
  const code = c.codePointAt(0) ?? 0;
  const entity = ENTITIES[c];
  const forms = [
    escaped(c),
    bytes.join(""),
    units.map((unit) => `\\\\u${hex(unit)}`).join(""),
    escaped(JSON.stringify(c).slice(1, -1)),
    `&#(?:0*${code}|[xX]0*${hex(code.toString(16))});`,
    ...(entity ? [`&${entity};`] : []),
    ...(c === "/" ? ["\\\\\\/"] : []),
    ...(c === " " ? ["\\+"] : []),
    ...(c === '"' ? ['""'] : []),
  ];
  // The longest first: a backslash alone is the start of an escaped one.
  return `(?:${[...new Set(forms)].reverse().join("|")})`;
}

/**
 * The part of the base64 of a text that depends on these bytes alone, for each offset they may have in a group of three; and
 * the same where the text ends with them. In base64url, too.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const start = Math.ceil((before * 8) / 6);
    const own = whole.slice(start, Math.floor(((before + bytes.length) * 8) / 6));
    const forms = [whole.slice(start), whole.slice(start).replace(/=+$/, ""), own];
    return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
  });
}

/** How every form of a secret begins: enough to tell that it may be there. */
const BEGINNING = 10;

/** Regular expressions' sources that find a secret. */
export interface SecretForms {
  /** The forms. */
  whole: string[];
  /** How they begin. */
  beginnings: string[];
}

/** A secret's forms. */
export function secretForms(secret: string): SecretForms {
  // Basic credentials of OAuth clients are form-encoded first: RFC 6749, section 2.3.1.
  const form = encodeURIComponent(secret.toWellFormed()).replaceAll("%20", "+");
  const base64 = [...new Set([secret, form])].flatMap((text) => base64Forms(Buffer.from(text)));
  const plain = [...new Set([secret, ...base64])];
  // A secret of characters that have one form only is among the plain ones.
  const mixed = /^[\w.~-]*$/.test(secret) ? [] : [...secret].map(character);
  const sources = (length: number): string[] => [
    ...(mixed.length > 0 ? [mixed.slice(0, length).join("")] : []),
    ...new Set(plain.map((text) => escaped(text.slice(0, length)))),
  ];
  return { whole: sources(Number.POSITIVE_INFINITY), beginnings: sources(BEGINNING) };
}
