// Tools as JSON texts, made once and not for every call: a list of 64 with their schemas is by far the largest part of a body
// and the same from call to call.
import type { Tool } from "../../domain/tool.js";
import { toJson } from "../../lib/json.js";

/** The field `tools` of a body, with a comma before it; "" without any. `toWire` is a tool as the API has it. */
export function createToolsText(toWire: (tool: Tool) => object): (tools: readonly Tool[]) => string {
  const toolTexts = new WeakMap<Tool, string>();
  const listTexts = new WeakMap<readonly Tool[], string>();
  const toolText = (tool: Tool): string => {
    let text = toolTexts.get(tool);
    if (text === undefined) {
      text = toJson(toWire(tool));
      toolTexts.set(tool, text);
    }
    return text;
  };
  return (tools) => {
    if (tools.length === 0) return "";
    let text = listTexts.get(tools);
    if (text === undefined) {
      text = `,"tools":[${tools.map(toolText).join(",")}]`;
      listTexts.set(tools, text);
    }
    return text;
  };
}
