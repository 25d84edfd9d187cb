// Secrets in a text that comes in pieces, as a model writes it: one may be parted between two of them. What may be the beginning of a
// secret is held back until the next piece says, but for its first characters, which say nothing and would delay every other word.
// A secret is put together again as it is, in base64 and in hexadecimal; what is escaped on top of that is found within a piece.
import type { SecretSearch } from "./secret-forms.js";

/** Characters of a secret's beginning that may be out. No secret that is searched for is this short. */
const FREE_CHARS = 3;

/** Redacts one text. */
export interface Pieces {
  /** Takes the next piece, returns what can be let out. */
  push(piece: string): string;
  /** At the end: what was held back. */
  rest(): string;
}

/** Spellings of known secrets by the beginning that makes one worth waiting for. */
export type SecretStarts = ReadonlyMap<string, readonly string[]>;

/** The starts of these spellings. */
export function startsOf(secrets: Iterable<string>): SecretStarts {
  const starts = new Map<string, string[]>();
  for (const secret of secrets) {
    const start = secret.slice(0, FREE_CHARS + 1);
    const alike = starts.get(start);
    if (alike) alike.push(secret);
    else starts.set(start, [secret]);
  }
  return starts;
}

/** Where the text ends in what may be the beginning of a secret; its length where it does not. */
function startedAt(text: string, starts: SecretStarts, longest: number): number {
  for (let at = Math.max(0, text.length - longest); at + FREE_CHARS < text.length; at++) {
    const secrets = starts.get(text.slice(at, at + FREE_CHARS + 1));
    if (secrets?.some((secret) => secret.startsWith(text.slice(at)))) return at;
  }
  return text.length;
}

/** A redactor of one text; `known` is asked anew for each piece, since secrets are learned meanwhile. */
export function createPieces(
  known: () => { search: Pick<SecretSearch, "find" | "longestForm">; starts: SecretStarts },
  replacement: string,
): Pieces {
  /** The last characters that are out, and what is not. */
  let out = "";
  let held = "";
  const release = (isEnd: boolean): string => {
    const { search, starts } = known();
    const text = out + held;
    let from = out.length;
    let clean = "";
    for (const [start, end] of search.find(text)) {
      if (end <= from) continue;
      clean += text.slice(from, Math.max(from, start)) + replacement;
      from = end;
    }
    const until = isEnd ? text.length : Math.max(from, startedAt(text, starts, search.longestForm));
    clean += text.slice(from, until);
    out = text.slice(Math.max(0, until - FREE_CHARS), until);
    held = text.slice(until);
    return clean;
  };
  return {
    push(piece) {
      held += piece;
      return release(false);
    },
    rest: () => release(true),
  };
}
