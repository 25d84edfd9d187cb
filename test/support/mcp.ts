// MCP servers as applications, for tests: a source reads one, a transport calls its tools, as the daemon does it.
import { join } from "node:path";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { mcpSource } from "../../src/applications/mcp/source.js";
import { createMcpTransport } from "../../src/applications/mcp/transport.js";
import type { Imported, SourceInput } from "../../src/applications/source.js";
import type { ExecuteOptions, Outcome, Target, Transport } from "../../src/applications/transport.js";
import { type Action, readSchema } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { packageRoot } from "../../src/lib/package.js";
import { createRedactor } from "../../src/lib/redact/redact.js";

type Program = NonNullable<Target["program"]>;

/** A command that runs in the folder of the package. */
export const programOf = (...command: string[]): Program => ({ command, folder: packageRoot, environment: {} });

/** The server of both eras, as a program. */
export const fixtureProgram = (...args: string[]): Program =>
  programOf(process.execPath, "--import=tsx/esm", join(packageRoot, "test/support/mcp-fixture.ts"), ...args);

/** The server that misbehaves in a way. */
export const hostileProgram = (way: string, ...args: string[]): Program =>
  programOf(process.execPath, join(packageRoot, "test/support/mcp-hostile.js"), way, ...args);

/** A server of others, started with node on its own file. */
export const realProgram = (name: string, ...args: string[]): Program =>
  programOf(process.execPath, join(packageRoot, "node_modules/@modelcontextprotocol", name, "dist/index.js"), ...args);

/** An application that can be called. */
export interface McpApplication {
  imported: Imported;
  transport: Transport;
  target: Target;
  /** What the log got. */
  logged: { fields: Record<string, unknown>; message: string }[];
  action(tool: string): Action;
  call(tool: string, args?: JsonObject, options?: ExecuteOptions): Promise<Outcome>;
  close(): Promise<void>;
}

/** Reads a server and opens a transport for it. */
export async function openApplication(
  place: { program: Program } | { url: string },
  {
    input = {},
    target: more = {},
    safety,
  }: { input?: Partial<SourceInput>; target?: Partial<Target>; safety?: Action["safety"] } = {},
): Promise<McpApplication> {
  const program = "program" in place ? { program: place.program } : {};
  const location = "url" in place ? place.url : "";
  const imported = await mcpSource.read({ location, ...program, ...input });
  const { actions } = readSchema(imported.document, impliedByTransport);
  const logged: McpApplication["logged"] = [];
  const note = (fields: object, message: string): void => void logged.push({ fields: { ...fields }, message });
  const log = { debug: note, info: note, warn: note, error: note };
  const transport = createMcpTransport({ redact: createRedactor([]), log });
  const target: Target = {
    application: "things",
    baseUrl: String(imported.document["base_url"]),
    ...program,
    ...("url" in place && { location }),
    headers: {},
    schemes: {},
    credentials: {},
    timeoutMs: 5_000,
    allowFiles: false,
    ...more,
  };
  const action = (tool: string): Action => {
    const found = actions.find(({ transport: { tool: own } }) => own === tool);
    if (!found) throw new Error(`no action for ${tool}`);
    return safety ? { ...found, safety } : found;
  };
  return {
    imported,
    transport,
    target,
    logged,
    action,
    call(tool, args = {}, options = {}) {
      return transport.execute(transport.prepare(action(tool), { sent: args, shown: args }, target), target, options);
    },
    close: async () => transport.close?.(),
  };
}
