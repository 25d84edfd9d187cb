// What connects applications, loaded when it is first used: no start pays for it.
import type { Connector } from "../../domain/connector.js";
import type { ConnectorContext } from "./connector.js";

/** The connector of a daemon. */
export function openConnector(context: ConnectorContext): Connector {
  let loaded: Promise<Connector> | undefined;
  const load = async (): Promise<Connector> => (await import("./connector.js")).createConnector(context);
  const connector = (): Promise<Connector> => (loaded ??= load());
  return {
    preview: async (request, signal) => (await connector()).preview(request, signal),
    connect: async (request, signal) => (await connector()).connect(request, signal),
  };
}
