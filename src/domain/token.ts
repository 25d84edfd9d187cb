// What a token must look like, wherever it comes from.

/** What is wrong with a token, as the end of a sentence; undefined when every client can send it in a header. */
export function tokenFault(token: string): string | undefined {
  if (token.trim() === "") return "is empty. Give a token, or leave it out to run without one.";
  if (/^[\x21-\x7e]+$/.test(token)) return undefined;
  return "holds a space or a character outside ASCII, which not every client sends the same way. Use printable ASCII.";
}

/** Guesses are not slowed down: 16 characters of one hexadecimal digit each are 64 bits, beyond trying over a network. */
const MIN_CHARS = 16;
/** Fewer different ones are a pattern. Of 16 random hexadecimal digits one in 30,000 has fewer. */
const MIN_DIFFERENT_CHARS = 6;

/** How to make a token that cannot be guessed, as a sentence. */
export const MAKE_TOKEN =
  "Make one with: (umask 077; openssl rand -hex 32 > token), and give it with --token-file token.";

/** Whether a token can be guessed by trying. */
export function isGuessable(token: string): boolean {
  return token.length < MIN_CHARS || new Set(token).size < MIN_DIFFERENT_CHARS;
}

/** What a token must be beyond loopback, as the middle of a sentence. */
export const STRONG_TOKEN = `at least ${MIN_CHARS} characters, ${MIN_DIFFERENT_CHARS} of them different`;

/** A token beside the one without a name of its own. */
export interface NamedToken {
  token: string;
  /** Whether it may only read. */
  readOnly: boolean;
}
