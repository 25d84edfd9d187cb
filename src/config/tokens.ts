// The tokens with a name: what each may do, its secret resolved. Beside them stands the one of token.ts.
// Source: docs/reference.md, "Named tokens"
import { z } from "zod";
import { DEFAULT_TOKEN_NAME } from "../domain/caller.js";
import { StartError } from "../domain/error.js";
import { type NamedToken, tokenFault } from "../domain/token.js";
import { byName, SECRET } from "./kinds.js";
import type { Found, Kind, Sources } from "./setting.js";

const TokenEntry = z.union([SECRET.json, z.strictObject({ token: SECRET.json, read_only: z.boolean().optional() })]);

/** Names go into the record, tables and messages. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const NAME_RULE =
  "is no name of a token: 1 to 64 letters, digits, dots, dashes, underscores or @, a letter or digit first";

/** Tokens by their names. */
export const TOKENS: Kind<Record<string, z.infer<typeof TokenEntry>>> = byName(
  z.record(z.string().regex(NAME, { error: ({ input }) => `"${String(input)}" ${NAME_RULE}` }), TokenEntry),
);

/** Every named token, checked. Throws StartError: an unusable token must never mean that none is needed. */
export function resolveTokens(
  { value: entries, place }: Found<z.infer<typeof TOKENS.json>>,
  { secrets }: Sources,
): Record<string, NamedToken> {
  const tokens: Record<string, NamedToken> = {};
  for (const [name, entry] of Object.entries(entries)) {
    if (name === DEFAULT_TOKEN_NAME)
      throw new StartError(`${place}.${name}: "${name}" is the name of the one \`token\`. Choose another name.`);
    const { token: reference, read_only: readOnly = false } =
      typeof entry === "string" ? { token: entry, read_only: false } : entry;
    const token = secrets.read(`${place}.${name}`, reference)?.trim();
    // Only for a command that uses no secret.
    if (token === undefined) continue;
    const fault = tokenFault(token);
    if (fault !== undefined) throw new StartError(`${place}.${name} ${fault}`);
    tokens[name] = { token, readOnly };
  }
  return tokens;
}
