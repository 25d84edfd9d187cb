// What a server says of its tools now, against what it said at the last sync. Nothing is called.
import type { Action } from "../../domain/schema-document.js";
import type { TransportContext } from "../kind.js";
import type { Target } from "../transport.js";
import { McpDescription } from "./description.js";
import { createServers } from "./servers.js";

/** Names of tools, as the server has them. */
interface ServerDifference {
  /** Those that are another or gone. */
  changed: string[];
  added: string[];
}

/** Connects to the server of an application and compares. Throws ServerFailure, and CallError when it is not known where it is. */
export async function inspectServer(
  target: Target,
  actions: readonly Action[],
  context: Omit<TransportContext, "spoolFolder">,
): Promise<ServerDifference> {
  const pinned = actions.flatMap(({ transport }) => {
    const { success, data } = McpDescription.safeParse(transport);
    return success ? [data] : [];
  });
  const servers = createServers(context);
  try {
    const { connection } = await servers.get(target, pinned[0]?.era ?? "legacy");
    const tools = await connection.tools();
    const known = new Set(pinned.map(({ tool }) => tool));
    return {
      changed: pinned.filter(({ tool, hash }) => tools.get(tool)?.hash !== hash).map(({ tool }) => tool),
      added: [...tools.keys()].filter((name) => !known.has(name)),
    };
  } finally {
    await servers.close();
  }
}
