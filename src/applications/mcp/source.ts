// MCP servers to schema documents: the server is started or asked, its era found out, its tools listed, once. Knows nothing of data
// directories or of calls. Source: docs/mcp.md, "Connecting a server".
import { StartError, usageError } from "../../domain/error.js";
import type { Imported, Source, SourceInput } from "../source.js";
import { cleanText } from "./clean.js";
import { toServerDocument } from "./document.js";
import { ServerFailure } from "./failures.js";
import { connectTo, type ServerPlace, serverUrl } from "./server.js";

/** The first start of a program may have to download it. */
const CONNECT_MS = 120_000;

const SILENT = { info() {}, warn() {} };
const MAX_NAME = 60;

/** What is sent to the address of a server: the headers given, and a credential as a bearer token. */
function headersOf({ headers = {}, access }: SourceInput): Record<string, string> {
  const [token] = Object.values(access?.credentials ?? {});
  if (token === undefined) return headers;
  return { authorization: /^bearer /i.test(token) ? token : `Bearer ${token}`, ...headers };
}

function placeOf(input: SourceInput): ServerPlace {
  const { program, location } = input;
  if (program) return { program };
  if (location === "-" || location === "")
    throw usageError("an MCP server is given by its command, behind --, or by its address.");
  const url = serverUrl(location);
  const headers = headersOf(input);
  return { url, headers: async () => headers };
}

/** Servers of the Model Context Protocol, as programs and by address. */
export const mcpSource: Source = {
  kind: "mcp",
  async read(input: SourceInput): Promise<Imported> {
    const { trustsAnnotations = false } = input;
    const place = placeOf(input);
    const what = "url" in place ? `${place.url.origin}${place.url.pathname}` : (place.program.command[0] ?? "");
    input.onStep?.("connecting to the server");
    try {
      const connection = await connectTo(place, {
        application: "",
        era: undefined,
        log: SILENT,
        timeoutMs: CONNECT_MS,
        elicit: async () => ({ action: "cancel" }),
      });
      try {
        const { era, serverName } = connection;
        const address = "url" in place ? what : `stdio:${cleanText(serverName, MAX_NAME).replace(/[^\w.@/-]+/g, "-")}`;
        input.onStep?.("listing its tools");
        const tools = await connection.tools();
        return toServerDocument({ tools, era, address, serverName, isHttp: "url" in place, trustsAnnotations });
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      throw new StartError(`${what} cannot be read: ${error.message}`, { cause: error });
    }
  },
};
