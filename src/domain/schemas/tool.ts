// A tool as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { AnyObject } from "../json-schemas.js";
import { PERMISSIONS } from "../permission.js";
import { Provenance, Safety, Verb } from "../schema-document.js";

/** One entry of GET /tools. */
export const ToolSchema = z.object({
  name: z.string(),
  /** Name of the application it belongs to, "" for the one without a name. */
  application: z.string(),
  /** What it is called without the name of its application; only where `name` has that. */
  own_name: z.string().optional(),
  description: z.string(),
  /** JSON Schema of the arguments, self-contained. */
  input_schema: AnyObject,
  /** Set when `input_schema` leaves out what was too large; `GET /tools?name=` has all of it. */
  shortened: z.boolean().optional(),
  resource: z.string(),
  verb: Verb,
  safety: Safety,
  provenance: Provenance,
  /** What config.json says of it, and where; only when it says something. */
  permission: z.object({ is: z.enum(PERMISSIONS), rule: z.string() }).optional(),
  transport: z.object({
    kind: z.string(),
    /** Of an HTTP request. */
    method: z.string().optional(),
    path: z.string().optional(),
    /** Of a call of a database: `list`, `create`, `update`, `delete`, `query`, `routine`. */
    operation: z.string().optional(),
    table: z.string().optional(),
    /** What an MCP server calls the tool. */
    tool: z.string().optional(),
    /** What the columns of the table's key are called as arguments. */
    key: z.array(z.string()).optional(),
  }),
});
