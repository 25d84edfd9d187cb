// A secret in config.json that may be a command: how it is written, and what becomes of it. Nothing is run here.
// Source: docs/configuration.md, "Secrets from a command".
import { z } from "zod";
import { StartError } from "../domain/error.js";
import { CommandSecret } from "./command-secret.js";
import { byName, inFileOnly, MILLISECONDS, SECRET } from "./kinds.js";
import type { Kind, Sources } from "./setting.js";

/** What a helper gets: programs that ask a vault answer within a second or two. */
const HELPER_TIMEOUT_MS = 10_000;

/** The fields of a command. */
export const CommandShape = {
  command: z
    .array(z.string().min(1, "must not be empty"))
    .min(1, "must name a program")
    .describe("A program and its arguments, run without a shell; it prints the secret."),
  timeout_ms: MILLISECONDS.json.optional().describe("How long it may take; 10000 by default."),
};

const ENTRY = z.union([SECRET.json, z.strictObject(CommandShape)]);

/** A secret, a reference to one, or a command. */
export type SecretEntry = string | { command?: string[] | undefined; timeout_ms?: number | undefined };

/** The same as a setting. */
export const SECRET_OR_COMMAND: Kind<z.infer<typeof ENTRY>> = inFileOnly(ENTRY);

/** Several, by names of the user's choice. */
export const SECRETS_OR_COMMANDS: Kind<Record<string, z.infer<typeof ENTRY>>> = byName(
  z.record(z.string().min(1, "must not be empty"), ENTRY),
);

/** The command that an entry names; a secret of another kind goes through `read`. Throws StartError for one without a program. */
export function secretOrCommand(
  place: string,
  entry: SecretEntry,
  { dataDir: cwd, read }: { dataDir: string; read(place: string, reference: string): string | undefined },
): string | CommandSecret | undefined {
  if (typeof entry !== "string") {
    const { command = [], timeout_ms: timeoutMs = HELPER_TIMEOUT_MS } = entry;
    return new CommandSecret(place, { command, timeoutMs, cwd });
  }
  if (!entry.startsWith("command:")) return read(place, entry);
  const command = entry.slice("command:".length).trim().split(/\s+/);
  if (command[0] === "") throw new StartError(`${place} names no program behind "command:".`);
  return new CommandSecret(place, { command, timeoutMs: HELPER_TIMEOUT_MS, cwd });
}

/** A secret, or the command that prints it. A missing one is undefined where that is a warning. */
export const readSecretOrCommand = (
  place: string,
  entry: SecretEntry,
  { secrets, dataDir }: Sources,
): string | CommandSecret | undefined => secretOrCommand(place, entry, { dataDir, read: secrets.read });
