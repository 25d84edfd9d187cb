// What the operator wants sent to the address of an MCP server: headers as they are, and the credential as a bearer token.
// Source: docs/mcp.md, "Credentials".
import { messageOf } from "../../domain/error.js";
import { createHttpClient, Deadline } from "../http/http-client.js";
import { type Access, accessOf } from "../http/request/auth.js";
import { createCredentialSources } from "../http/request/credential-sources.js";
import type { TransportContext } from "../kind.js";
import type { Target } from "../transport.js";
import { ServerFailure } from "./failures.js";

/** What a command or a token endpoint may take. */
const CREDENTIAL_MS = 30_000;

/** Finds what to send with a request. */
interface ServerCredentials {
  /** Headers in lower case. Throws ServerFailure when a credential cannot be had. */
  headers(target: Target): Promise<Record<string, string>>;
  close(): Promise<void>;
}

function accessTo(target: Target): Access {
  const schemes = Object.keys(target.credentials).map((name) => [name, { type: "http", scheme: "bearer" }]);
  const own = { ...target, schemes: Object.fromEntries(schemes) as Target["schemes"] };
  return accessOf({ name: "this application", security: schemes.map(([name]) => ({ [String(name)]: [] })) }, own);
}

/** The credentials of all MCP applications. */
export function createServerCredentials({
  redact,
  dataDir,
  log,
}: Omit<TransportContext, "spoolFolder">): ServerCredentials {
  const client = createHttpClient();
  const sources = createCredentialSources({ client, redact, dataDir, log });
  return {
    async headers(target) {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(target.headers)) headers[name.toLowerCase()] = value.trim();
      const deadline = new Deadline(CREDENTIAL_MS);
      try {
        const found = await sources.resolve(accessTo(target).credentials, deadline);
        for (const { location, prefix, secret } of found) headers[location.name] = prefix + secret;
        return headers;
      } catch (error) {
        throw new ServerFailure("auth_failed", `no credential could be had: ${messageOf(error)}`, { cause: error });
      } finally {
        deadline.stop();
      }
    },
    close: () => client.close(),
  };
}
