// The kinds of applications this program can describe and call, one line each. What opens documents, transports or sources
// looks them up here and names no kind itself.
import type { Implied, TransportDescription } from "../domain/schema-document.js";
import { graphql } from "./graphql/kind.js";
import { http } from "./http/kind.js";
import type { ApplicationKind, TransportContext } from "./kind.js";
import { mcp } from "./mcp/kind.js";
import type { Source } from "./source.js";
import { sql } from "./sql/kind.js";
import type { Transport } from "./transport.js";

const KINDS: readonly ApplicationKind[] = [http, sql, graphql, mcp];

const UNKNOWN: Implied = { safety: "destructive", verb: "action" };

/** What the transport object of an action says by itself; an action of an unknown kind may do anything. */
export function impliedByTransport(transport: TransportDescription): Implied {
  return KINDS.find(({ kind }) => kind === transport.kind)?.implied(transport) ?? UNKNOWN;
}

/** The names of the descriptions that can be read. */
export const SOURCE_KINDS: readonly string[] = KINDS.flatMap(({ sources }) => Object.keys(sources));

/** The reader of a description, loaded now; undefined for a name that no kind has. */
export async function openSource(name: string): Promise<Source | undefined> {
  return KINDS.find(({ sources }) => Object.hasOwn(sources, name))?.sources[name]?.();
}

/** Transports by kind. */
interface Transports {
  /** Loaded at its first call and kept, unless that fails; undefined for an unknown kind. */
  get(kind: string): Promise<Transport | undefined>;
  close(): Promise<void>;
}

/** The transports of one running agent. */
export function createTransports(context: TransportContext): Transports {
  const opened = new Map<string, Promise<Transport>>();
  return {
    async get(name) {
      const transport = opened.get(name) ?? KINDS.find(({ kind }) => kind === name)?.openTransport(context);
      if (!transport) return undefined;
      opened.set(name, transport);
      transport.catch(() => opened.delete(name));
      return transport;
    },
    async close() {
      for (const transport of opened.values()) await (await transport).close?.();
    },
  };
}
