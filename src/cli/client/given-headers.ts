// The `--header` options of `agentd sync`: read without their secrets coming back in what is said about them.
// Source: docs/reference.md, "Importing a description"
import type { GivenHeaders } from "../../applications/connect/read-location.js";
import { createSecretReader } from "../../config/secret.js";
import { usageError } from "../../domain/error.js";
import { say } from "../terminal/output.js";

/** Resolves `Name: value` texts; paths start at the current folder. Throws StartError for what is no header. */
export function headersGiven(texts: readonly string[]): GivenHeaders {
  const headers: Record<string, string> = {};
  const { env } = process;
  const warn = (sentence: string): void => say(`warning: ${sentence}`);
  const secrets = createSecretReader({ env, folder: process.cwd(), isLenient: false, warn });
  for (const text of texts) {
    const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*([\s\S]*?)\s*$/.exec(text) ?? [];
    // The text may be a secret: it is not repeated.
    if (name === undefined) throw usageError('--header takes "Name: value", such as "Authorization: env:NAME".');
    if (/^(host|content-length|connection|transfer-encoding|accept-encoding)$/i.test(name))
      throw usageError(`--header ${name} is not for you to set: the connection decides it.`);
    const [, scheme, reference] = /^(\S+)\s+((?:env|file):\S+)$/.exec(value) ?? [];
    if (reference !== undefined)
      throw usageError(`--header ${name}: ${reference} stands for the whole value; put "${scheme} " into it, too.`);
    const resolved = secrets.readHeader(`--header ${name}`, name, value);
    if (resolved === undefined) continue;
    secrets.learn(resolved);
    headers[name.toLowerCase()] = resolved;
  }
  return { headers, secrets: [...secrets.known] };
}
