// Finds a secret in a text in every form that docs/security.md names: as it is, in base64 and base64url at any alignment, in
// hexadecimal, and any of these percent-encoded, escaped in JSON or HTML, or with quotes doubled in CSV, up to three of them on top
// of each other. Escapes are undone in a copy and what is found there is traced back, so that each character may have its own.
import { type Range, SHORTEST_WORD, SpellingIndex, type Words } from "./spelling-index.js";

/** Escapes on top of each other that are undone: a JSON text in a JSON text in a URL. */
const MAX_LAYERS = 3;
/** Characters that one character of a spelling may take: `\u0073`, and that escaped again. */
const LONGEST_CHARACTER = 36;

const ESCAPED = /[%&\\]/;
const ESCAPE = new RegExp(
  [
    "%[0-7][\\da-f]|%[cd][\\da-f]%[89ab][\\da-f]|%e[\\da-f](?:%[89ab][\\da-f]){2}|%f[0-7](?:%[89ab][\\da-f]){3}",
    '\\\\u[\\da-f]{4}|\\\\["\\\\/bfnrt]',
    "&(?:#0*\\d{1,7}|#x0*[\\da-f]{1,6}|amp|lt|gt|quot|apos);",
  ].join("|"),
  "gi",
);
/**
 * What CSV does to a quote, and HTML forms to a blank: undone in copies of their own, because both are ordinary text elsewhere, and
 * a text is written by one of them, both of them or neither.
 */
const DOUBLED = [/""/g, /\+/g, /""|\+/g];
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const CONTROLS: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The character an escape stands for; the escape itself when it stands for none. */
function unescaped(form: string): string {
  try {
    if (form.startsWith("%"))
      return form.length === 3 ? String.fromCharCode(Number.parseInt(form.slice(1), 16)) : decodeURIComponent(form);
    const name = form.slice(1, form.startsWith("&") ? -1 : undefined);
    if (form.startsWith("\\"))
      return /^u/i.test(name) ? String.fromCharCode(Number.parseInt(name.slice(1), 16)) : (CONTROLS[name] ?? name);
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? form;
    const isHex = /^#x/i.test(name);
    return String.fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
  } catch {
    return form;
  }
}

const undoubled = (text: string): string => (text === "+" ? " " : '"');

/** One kind of escape to undo. */
type Layer = readonly [pattern: RegExp, undo: (form: string) => string];
const UNESCAPE: Layer = [ESCAPE, unescaped];
const [QUOTES, BLANKS, BOTH] = DOUBLED.map((pattern): Layer => [pattern, undoubled]) as [Layer, Layer, Layer];

/** The ways of undoing that change a text, each in its own way. */
function undoublings(text: string): Layer[] {
  const hasBlanks = text.includes("+");
  if (!text.includes('""')) return hasBlanks ? [BLANKS] : [];
  return hasBlanks ? [QUOTES, BLANKS, BOTH] : [QUOTES];
}

/** A text with escapes undone, and where each of its characters begins in the one before. */
interface View {
  text: string;
  /** One more than there are characters; the last is the end. */
  starts: Uint32Array;
}

function viewOf(text: string, [pattern, undo]: Layer): View {
  const starts = new Uint32Array(text.length + 1);
  let at = 0;
  let from = 0;
  const out = text.replace(pattern, (form: string, offset: number) => {
    while (from < offset) starts[at++] = from++;
    const plain = undo(form);
    for (let i = 0; i < plain.length; i++) starts[at++] = offset;
    from = offset + form.length;
    return plain;
  });
  while (from <= text.length) starts[at++] = from++;
  return { text: out, starts };
}

/** The part of the base64 of some bytes that depends on them alone, for each offset they may have in a group of three; and the same where the text ends with them. */
function base64Spellings(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const start = Math.ceil((before * 8) / 6);
    const own = whole.slice(start, Math.floor(((before + bytes.length) * 8) / 6));
    const forms = [whole.slice(start), whole.slice(start).replace(/=+$/, ""), own];
    return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
  });
}

/**
 * How secrets are spelled before any escaping. None is shorter than the secret: base64 of six bytes has seven characters that
 * depend on them alone.
 */
function wordsFor(secrets: readonly string[]): Words {
  const exact = secrets.flatMap((secret) => {
    // Basic credentials of OAuth clients are form-encoded first: RFC 6749, section 2.3.1.
    const form = encodeURIComponent(secret.toWellFormed()).replaceAll("%20", "+");
    return [secret, ...[...new Set([secret, form])].flatMap((text) => base64Spellings(Buffer.from(text)))];
  });
  return { exact: [...new Set(exact)], hex: secrets.map((secret) => Buffer.from(secret).toString("hex")) };
}

/** Finds known secrets. Holds all of them. */
export interface SecretSearch {
  /** Where a text holds secrets, in order and apart from each other. */
  find(text: string): Range[];
  /** Whether a number is one, or has one among its digits. */
  isInNumber(value: number | bigint): boolean;
  /** How the secrets are spelled before any escaping. */
  readonly spellings: readonly string[];
  /** Characters that the longest form may take. */
  readonly longestForm: number;
}

function merged(ranges: Range[]): Range[] {
  const out: [start: number, end: number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

/** What is found once escapes are undone, layer by layer, at its place in the text itself. */
function findEscaped(index: SpellingIndex, text: string, first: Layer): Range[] {
  const found: Range[] = [];
  const views: View[] = [];
  let undone = text;
  for (let n = 0; n < MAX_LAYERS; n++) {
    const [pattern, undo] = n === 0 ? first : UNESCAPE;
    const next = undone.replace(pattern, undo);
    if (next === undone) break;
    undone = next;
    if (!index.has(undone)) continue;
    // Only now is it worth knowing where each character comes from.
    while (views.length <= n) views.push(viewOf(views.at(-1)?.text ?? text, views.length === 0 ? first : UNESCAPE));
    const origin = (at: number): number => views.reduceRight((position, { starts }) => starts[position] ?? 0, at);
    for (const [start, end] of index.find(undone)) found.push([origin(start), origin(end)]);
  }
  return found;
}

const NUMERIC = /^[-+]?\d+(\.\d+)?$/;

/** All digits of a number, none of them in an exponent where it is whole. */
const digitsOf = (value: number | bigint): string =>
  typeof value === "number" && Number.isInteger(value) ? String(BigInt(value)) : String(value);

const isLong = (value: number): boolean => digitsOf(value).length >= SHORTEST_WORD;

/** A search for these secrets, none of them shorter than six bytes. */
export function searchFor(secrets: readonly string[]): SecretSearch {
  const words = wordsFor(secrets);
  const all = [...words.exact, ...words.hex];
  const index = new SpellingIndex(words);
  const hasDigits = all.some((word) => NUMERIC.test(word));
  // A number written out in another way, such as 1.234567e6. Zeros before it are no part of a number.
  const numbers = new Set(
    secrets
      .filter((secret) => NUMERIC.test(secret))
      .map(Number)
      .filter(isLong),
  );
  const isDoubled = secrets.some((secret) => /[" ]/.test(secret));
  return {
    spellings: all,
    longestForm: Math.max(0, ...all.map(({ length }) => length)) * LONGEST_CHARACTER,
    find(text) {
      const escaped = ESCAPED.test(text) ? findEscaped(index, text, UNESCAPE) : [];
      const doubled = isDoubled ? undoublings(text).flatMap((layer) => findEscaped(index, text, layer)) : [];
      return merged(index.find(text).concat(escaped, doubled));
    },
    isInNumber: (value) => {
      if (!hasDigits) return false;
      return (typeof value === "number" && numbers.has(value)) || index.has(digitsOf(value));
    },
  };
}
