// What tools/list answers: the tools of all applications, or, where they are too many for a client to hold, the tools that find and
// call them; and `ask`, which runs a whole prompt. Source: docs/mcp.md, "agentd as an MCP server"
import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Agent } from "../../domain/agent.js";
import type { Safety } from "../../domain/schema-document.js";
import { SESSION_ID } from "../../domain/session-id.js";
import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../../lib/json.js";

/** Beyond it clients refuse a list, or fill the model's context with it. */
const MAX_LISTED = 128;
/** Matches of one search: as many as a model reads. */
export const MAX_FOUND = 10;

/** Methods that do the same however often they are sent: RFC 9110, section 9.2.2. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
/** A server's wish to see arguments in headers is for its own clients, and agentd is the one of them here. */
const HEADER_KEY = "x-mcp-header";

/** What is listed, and under which names the daemon's own tools are. */
export interface OfferedTools {
  tools: McpTool[];
  /** Whether the applications' tools are found and called instead of listed. */
  isSearched: boolean;
  own: OwnNames;
}

/** The names of the daemon's own tools, which no application's tool has. */
interface OwnNames {
  ask: string;
  search: string;
  call: string;
}

function titleOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, next: string) => `${end} ${next.toLowerCase()}`);
  const spaced = words.replaceAll(/[_-]+/g, " ").trim();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
}

function withoutHeaders(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutHeaders);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, one]) => key !== HEADER_KEY || typeof one !== "string");
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutHeaders(one)]));
}

function inputSchemaOf(schema: JsonObject): McpTool["inputSchema"] {
  const plain = JSON.stringify(schema, (_key, one) => (typeof one === "bigint" ? Number(one) : (one as unknown)));
  const own = JSON.parse(plain) as JsonObject;
  const known = plain.includes(HEADER_KEY) ? (withoutHeaders(own) as JsonObject) : own;
  return { ...known, type: "object" } as McpTool["inputSchema"];
}

const hints = (safety: Safety, transport: Tool["transport"]): McpTool["annotations"] => ({
  readOnlyHint: safety === "read_only",
  destructiveHint: safety === "destructive",
  idempotentHint: safety === "read_only" || IDEMPOTENT.has(transport.method ?? ""),
  // A database is all there is; behind anything else may be the world.
  openWorldHint: transport.kind !== "sql",
});

/** One tool of an application, as MCP writes it. */
function toMcpTool(tool: Tool): McpTool {
  const { name, description, input_schema, safety, transport } = tool;
  const title = titleOf(name);
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(input_schema),
    annotations: { title, ...hints(safety, transport) },
  };
}

function askTool(name: string): McpTool {
  return {
    name,
    title: "Ask agentd",
    description:
      "Hands a whole task to agentd in plain words. It chooses and calls the tools of its applications itself, and answers in text. For one call of a known tool, call that tool instead.",
    inputSchema: {
      type: "object",
      properties: {
        prompt: { type: "string", minLength: 1, description: "The task or question." },
        session_id: {
          type: "string",
          pattern: SESSION_ID.source,
          description: "Continues the conversation of an earlier answer, by its session_id.",
        },
      },
      required: ["prompt"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

function searchTools({ search, call }: OwnNames, count: number): McpTool[] {
  return [
    {
      name: search,
      title: "Search tools",
      description: `Finds the tools of the applications, ${count} in all, by what they do: names, descriptions and input schemas, best first. ${call} calls them.`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", minLength: 1, description: "What the tool should do, in a few words, or its name." },
          limit: { type: "integer", minimum: 1, maximum: MAX_FOUND, description: "How many to show." },
        },
        required: ["query"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: call,
      title: "Call a tool",
      description: `Calls a tool that ${search} found. Its own safety applies.`,
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "The tool's name." },
          arguments: { type: "object", description: "What its input schema asks for." },
        },
        required: ["name"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
  ];
}

/** The whole tool of each that is listed and not denied. */
function wholeTools(agent: Agent, listed: readonly Tool[]): Tool[] {
  return listed.flatMap((tool) => (tool.permission?.is === "deny" ? [] : (agent.tool(tool.name) ?? [])));
}

/** The tools that fit a query, as a client is to call them. */
export function foundTools(agent: Agent, query: string, limit: number): McpTool[] {
  return wholeTools(agent, agent.searchTools(query, limit)).map(toMcpTool);
}

/** What is offered, made again when the tools have become others. */
export function createOffer(agent: Agent): () => Promise<OfferedTools> {
  let from: string | undefined;
  let offered: OfferedTools | undefined;
  const make = (json: string): OfferedTools => {
    const all = parseJson(json) as unknown as Tool[];
    const names = new Set(all.map(({ name }) => name));
    const free = (name: string): string => (names.has(name) ? `agentd_${name}` : name);
    const own = { ask: free("ask"), search: free("search_tools"), call: free("call_tool") };
    const callable = all.filter(({ permission }) => permission?.is !== "deny");
    const isSearched = callable.length > MAX_LISTED;
    const listed = isSearched ? searchTools(own, callable.length) : wholeTools(agent, callable).map(toMcpTool);
    return { tools: [...listed, askTool(own.ask)], isSearched, own };
  };
  return async () => {
    const json = await agent.tools();
    // A list that is shortened may read the same though the whole of a tool has changed.
    if (offered === undefined || json !== from || json.includes('"shortened":true')) offered = make(json);
    from = json;
    return offered;
  };
}
