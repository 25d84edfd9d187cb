// The certificate authorities that servers are checked against: those of Node, those of NODE_EXTRA_CA_CERTS and those that were
// added here. One list for all connections of the process, as Node's own is. Source: docs/reference.md, "Proxies and certificates".
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import tls, { type SecureContext } from "node:tls";

const PEM = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

let added: readonly string[] = [];
let context: SecureContext | undefined;

/** The certificates in a text of PEM. Throws Error for a text without any, and for one that cannot be read. */
export function parseCertificates(text: string): string[] {
  const blocks = text.match(PEM) ?? [];
  if (blocks.length === 0) throw new Error("there is no certificate in PEM format in it");
  for (const block of blocks) new X509Certificate(block);
  return blocks;
}

/** What Node checks against by itself. Versions that do not tell are asked for their roots, and read the variable's file again. */
function defaults(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  if (getCACertificates) return getCACertificates("default");
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  try {
    return [...tls.rootCertificates, ...(file ? parseCertificates(readFileSync(file, "utf8")) : [])];
  } catch {
    // Node itself has warned of the file, and goes on without it.
    return tls.rootCertificates;
  }
}

/** Adds authorities for the connections opened from now on, in place of those added before. */
export function useAuthorities(certificates: readonly string[]): void {
  added = certificates;
  context = undefined;
}

/** What secure connections are opened with: nothing unless authorities were added. */
export function trustOptions(): { secureContext?: SecureContext } {
  if (added.length === 0) return {};
  // Reading all of them takes milliseconds; once is enough.
  context ??= tls.createSecureContext({ ca: [...defaults(), ...added] });
  return { secureContext: context };
}
