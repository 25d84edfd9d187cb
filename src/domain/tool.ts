// The tools a model and a person see: the actions of a schema document in their public form.
import type { z } from "zod";
import type { ToolSchema } from "./schemas/tool.js";

/** One entry of GET /tools, and what a provider is given. */
export type Tool = z.infer<typeof ToolSchema>;

/** What a tool is called within its application: the words of this name say what it does. */
export function ownName({ name, own_name }: Pick<Tool, "name" | "own_name">): string {
  return own_name ?? name;
}
