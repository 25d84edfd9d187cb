// The tokens of a daemon: which of them a request carries, and so whose word it is. Tokens are kept as digests and compared in
// constant time, each with every one that there is. Source: docs/reference.md, "Authentication and origin".
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Caller, DEFAULT_TOKEN_NAME } from "../../domain/caller.js";
import { usageError } from "../../domain/error.js";
import { type NamedToken, tokenFault } from "../../domain/token.js";

/** A token as it is kept, and what its requests may do. */
export interface KnownToken extends Caller {
  /** SHA-256. */
  digest: Buffer;
  /** Value of the cookie that admits to the web UI's files, and to nothing else. Reveals nothing of the token. */
  cookie: string;
}

/** The one token, and those with names. */
export interface TokenOptions {
  token?: string | undefined;
  tokens?: Readonly<Record<string, NamedToken>> | undefined;
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The tokens to admit; none when none is needed. Throws StartError on an unusable one. */
export function knownTokens({ token, tokens = {} }: TokenOptions): KnownToken[] {
  const all = token === undefined ? tokens : { [DEFAULT_TOKEN_NAME]: { token, readOnly: false }, ...tokens };
  return Object.entries(all).map(([name, { token: text, readOnly }]) => {
    const fault = tokenFault(text);
    const which = name === DEFAULT_TOKEN_NAME ? "The token" : `The token "${name}"`;
    if (fault !== undefined) throw usageError(`${which} ${fault}`);
    return { name, readOnly, digest: digestOf(text), cookie: randomBytes(24).toString("base64url") };
  });
}

/** The same tokens stay the same objects: browsers that signed in with one stay signed in, and its connections open. */
export function keepKnown(before: readonly KnownToken[], next: readonly KnownToken[]): KnownToken[] {
  const isSame = (a: KnownToken, b: KnownToken): boolean =>
    a.name === b.name && a.readOnly === b.readOnly && a.digest.equals(b.digest);
  return next.map((token) => before.find((known) => isSame(known, token)) ?? token);
}

/** The token that one of the texts is. */
export function tokenAmong(tokens: readonly KnownToken[], texts: readonly string[]): KnownToken | undefined {
  const digests = texts.map(digestOf);
  // No early end: how long it takes says nothing of which one it is.
  const fits = tokens.filter(({ digest }) => digests.filter((given) => timingSafeEqual(given, digest)).length > 0);
  return fits[0];
}

/** The token whose cookie one of the values is. */
export function cookieAmong(tokens: readonly KnownToken[], values: readonly string[]): KnownToken | undefined {
  const digests = values.map(digestOf);
  const fits = tokens.filter(
    ({ cookie }) => digests.filter((given) => timingSafeEqual(given, digestOf(cookie))).length > 0,
  );
  return fits[0];
}
