// Whose word a request is: the token it came with. What a token may do is decided where its requests arrive and where they run.
import { AppError } from "./error.js";

/** Who makes a request. */
export interface Caller {
  /** The name of the token it came with; "" where no token is needed. */
  readonly name: string;
  /** Whether that token may only read: its prompts run in read_only, and it decides nothing. */
  readonly readOnly: boolean;
}

/** Who needs no token: on loopback without one, and in the process of a command. */
export const LOCAL_CALLER: Caller = { name: "", readOnly: false };

/** The name of the one token of `--token`, `AGENTD_TOKEN` and `token` in config.json. */
export const DEFAULT_TOKEN_NAME = "default";

/** What a read-only token is answered that asks for more. */
export function readOnlyRefusal(caller: Caller, what: string): AppError {
  return new AppError(
    "read_only_token",
    `The token "${caller.name}" is read-only: it may not ${what}. Use a token without "read_only" in config.json.`,
  );
}
