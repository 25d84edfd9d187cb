// The tools that a prompt names by their full names, as only a program, a careful person or one who was asked which tool is meant
// writes them: `listItems`, "call listItems", "depot_delete_product 7".
import { ownName, type Tool } from "../domain/tool.js";
import { isValuePlace } from "../tools/search/value-place.js";

/** A place where a prompt names a tool, with the quotes around it and the words that say it is one. */
interface NamedTool {
  tool: Tool;
  start: number;
  end: number;
}

const NAME = /(?<![\w-])[\w-]+(?![\w-])/g;
/** A name that is no word of a language. */
const DISTINCT = /[a-z\d][A-Z]|[_-]/;
const CALLED =
  /(?:\b(?:call|use|run|invoke|execute)(?:\s+the)?(?:\s+(?:tool|function|operation))?|\b(?:tool|function|operation)(?:\s+(?:named|called))?)\s*:?\s+$/i;
const CALLED_LENGTH = 60;
const QUOTES: Readonly<Record<string, string>> = { "`": "`", '"': '"', "“": "”" };
const QUOTED = /"[^"\n]*"|“[^”\n]*”/g;

/** The tools a prompt names in full, in order; what stands where values do names none. */
export function namedTools(prompt: string, tools: readonly Tool[]): NamedTool[] {
  const quoted = [...prompt.matchAll(QUOTED)].map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
  const byName = new Map(
    tools.flatMap((tool) => (tool.transport.kind === "builtin" ? [] : [[tool.name, tool] as const])),
  );
  const found: NamedTool[] = [];
  for (const { 0: name, index } of prompt.matchAll(NAME)) {
    const tool = byName.get(name);
    if (!tool) continue;
    const quote = QUOTES[prompt[index - 1] ?? ""];
    const around = quote !== undefined && prompt[index + name.length] === quote ? 1 : 0;
    const [start, end] = [index - around, index + name.length + around];
    const called = CALLED.exec(prompt.slice(Math.max(0, start - CALLED_LENGTH), start))?.[0] ?? "";
    const isText = quoted.some((one) => one.start < index && index < one.end);
    const isCode = around > 0 && quote === "`";
    const isMeant =
      called !== "" ||
      (!isText && !isValuePlace(prompt, { start, end }) && (isCode || DISTINCT.test(name) || isAll(prompt, name)));
    if (isMeant && !(isText && around === 0)) found.push({ tool, start: start - called.length, end });
  }
  return found;
}

const isAll = (prompt: string, name: string): boolean => prompt.replace(/^\W+|\W+$/g, "") === name;

/** The prompt with what each tool is called within its application: the words of that say what it does. */
export function promptWithOwnNames(prompt: string, named: readonly NamedTool[]): string {
  let text = prompt;
  for (const { tool, start, end } of named.toReversed()) text = text.slice(0, start) + ownName(tool) + text.slice(end);
  return text;
}
