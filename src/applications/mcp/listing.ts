// The tools that a server lists: all pages, within bounds, as the server says them. Source: Model Context Protocol, "Tools".
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { ServerFailure } from "./failures.js";
import { MAX_MESSAGE_BYTES } from "./message.js";
import { pinOf } from "./pin.js";

const MAX_PAGES = 100;
/** More tools than any person would look at, or any model choose from. */
const MAX_TOOLS = 2_000;

/** Loose: the tools are kept as they came. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** A tool as its server lists it now. */
export interface LiveTool {
  tool: JsonObject;
  hash: string;
  parts: Record<string, string>;
}

const endless = (what: string): ServerFailure =>
  new ServerFailure("invalid_response", `the server's list of tools does not end: ${what}`);

/** Every tool by its name; of two of one name the first. Throws ServerFailure for a list that does not end, and the SDK's errors. */
export async function listTools(client: Client, options: RequestOptions): Promise<Map<string, LiveTool>> {
  const tools = new Map<string, LiveTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let size = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request({ method: "tools/list", params }, Page, options);
    for (const tool of found.tools as JsonValue[]) {
      if (!isObject(tool) || typeof tool["name"] !== "string" || tools.has(tool["name"])) continue;
      size += toJson(tool).length;
      tools.set(tool["name"], { tool, ...pinOf(tool) });
    }
    if (tools.size > MAX_TOOLS) throw endless(`more than ${MAX_TOOLS} tools`);
    if (size > MAX_MESSAGE_BYTES) throw endless(`more than ${MAX_MESSAGE_BYTES} bytes`);
    if (found.nextCursor === undefined) return tools;
    if (cursors.has(found.nextCursor)) throw endless("the same page comes again");
    cursor = found.nextCursor;
    cursors.add(cursor);
  }
  throw endless(`more than ${MAX_PAGES} pages`);
}
