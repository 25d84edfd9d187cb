// Where an MCP server is, as `agentd sync` is given it: a program and its arguments, or an address, kept as they are and used for
// calls. A secret among them would be kept and shown, so that it is refused. Source: docs/mcp.md, "Connecting a server".

import { type SyncRequest, secretsOfAddress } from "../../applications/connect/sync-request.js";
import type { ServerProgram } from "../../applications/transport.js";
import { applicationSettings } from "../../config/application.js";
import { holdsSecret } from "../../config/database-location.js";
import type { Settings } from "../../config/settings.js";
import { settingsKey } from "../../domain/application-name.js";
import { usageError } from "../../domain/error.js";
import { createRedactor, type Redactor } from "../../lib/redact/redact.js";
import { isSensitiveKey } from "../../lib/redact/sensitive-key.js";

/** The kind of description that is given by a command. */
const SERVERS = "mcp";

/** What the command line says behind the name of the command. */
interface Words {
  kind: string;
  location: string;
  more: readonly string[];
}

/** The program that the command line names; undefined for an address, and for other kinds. Throws StartError for words too many. */
export function programGiven({ kind, location, more }: Words): SyncRequest["program"] {
  const isCommand =
    kind === SERVERS && location !== "" && location !== "-" && !/^[a-z][a-z0-9+.-]+:\/\//i.test(location);
  if (isCommand) return { command: [location, ...more], folder: process.cwd() };
  if (more.length > 0)
    throw usageError(`agentd sync does not know what to do with "${more[0]}". See agentd sync --help.`);
  return undefined;
}

/** Refuses options of `sync` that a command has no use for: they may be meant for the command. Throws StartError. */
export function refuseStrayOptions(given: Readonly<Record<string, boolean>>): void {
  const stray = Object.keys(given).find((name) => given[name]);
  if (stray !== undefined)
    throw usageError(
      `--${stray} is for an address. If it belongs to the command, put -- before the command: agentd sync mcp --name NAME -- COMMAND …`,
    );
}

/** The request with the server that calls go to: config.json decides. Throws StartError where it says otherwise than the command line. */
export function withServer(request: SyncRequest, name: string, settings: Settings): SyncRequest {
  if (request.kind !== SERVERS) return request;
  const { command } = applicationSettings(settings, name);
  const place = settingsKey(name);
  const redact = createRedactor([...settings.secrets]);
  const given = request.program?.command;
  if (command && request.location !== "" && given?.join("\0") !== command.join("\0"))
    throw usageError(
      `${place}.command in config.json names another command, which is the one that calls go to. Change it there.`,
    );
  if (command) return { ...request, program: { command, folder: request.program?.folder ?? settings.dataDir } };
  if (given) refuseSecretWords(given, place, redact);
  const [secret] = given ? [] : secretsOfAddress(request.location);
  if (secret !== undefined)
    throw usageError(
      `the address holds a secret (${secret}), where it would be kept and shown. Leave it out, and put it into ${place}.headers or ${place}.auth in config.json, as {"bearer": "env:NAME"}.`,
    );
  return request;
}

/** The program to start for a request; undefined where there is none. */
export function programOfRequest(
  { program }: SyncRequest,
  name: string,
  settings: Settings,
): ServerProgram | undefined {
  return program && { ...program, environment: applicationSettings(settings, name).environment };
}

/** Keys as the services that hand them out write them. */
const KNOWN_FORM =
  /^(sk-|sk_live_|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA[A-Z0-9]{12}|AIza[\w-]{30}|eyJ[\w-]+\.[\w-]+\.)/;

/** Whether a word that is an option or a variable names a secret. */
function namesSecret(name: string): boolean {
  return isSensitiveKey(name) || /(^|[-_])(token|pat|secret|password|apikey)$/i.test(name);
}

/** Which word of a command is a secret, counted from 1; undefined when none is. */
function secretWord(command: readonly string[], redact: Redactor): number | undefined {
  const at = command.findIndex((word, i) => {
    if (KNOWN_FORM.test(word) || holdsSecret(word) || redact.text(word) !== word) return true;
    const [, name, value] = /^-{0,2}([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== "" && namesSecret(name)) return true;
    if (name !== undefined && (KNOWN_FORM.test(value ?? "") || holdsSecret(value ?? ""))) return true;
    const before = /^--?([\w-]+)$/.exec(command[i - 1] ?? "")?.[1];
    return before !== undefined && namesSecret(before) && !word.startsWith("-");
  });
  return at < 0 ? undefined : at + 1;
}

/** Refuses a command with a secret in it. Throws StartError naming the way out and not the secret. */
function refuseSecretWords(command: readonly string[], settings: string, redact: Redactor): void {
  const at = secretWord(command, redact);
  if (at === undefined) return;
  throw usageError(
    `word ${at} of the command is a secret in plain text, where it would be kept and shown. Hand it to the program as a variable: ${settings}.environment in config.json, as {"API_KEY": "env:API_KEY"}.`,
  );
}
