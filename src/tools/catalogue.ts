// Tools, of one schema document or of those of several applications, ready for use: found by name, searched, and chosen for a prompt
// when there are many.
import type { Action, SchemaDocument } from "../domain/schema-document.js";
import type { Tool } from "../domain/tool.js";
import { toJson } from "../lib/json.js";
import { createSlices } from "../lib/slices.js";
import { toListedTool, toOfferedTool, toSearchedTool, toWholeTool } from "./public-form.js";
import { createGlossary, type Glossary } from "./search/glossary.js";
import { createIndex, type Ranked, type ToolIndex } from "./search/tool-index.js";

/** Everything known about what can be called, made once for all documents as they are. */
export interface Catalogue {
  /** In document order. */
  readonly actions: readonly Action[];
  /** As a model is offered them, in document order. */
  readonly tools: readonly Tool[];
  /** The operator's words for what the applications call otherwise. */
  readonly glossary: Glossary;
  /** A serialised list of tools, of all of them where none are given. Thousands of large schemas take seconds: made in slices. */
  json(tools?: readonly Tool[]): Promise<string>;
  action(name: string): Action | undefined;
  /** A tool with the whole schema of its arguments, self-contained. */
  whole(name: string): Tool | undefined;
  /** Best first. */
  search(query: string, limit: number): Tool[];
  /** What search finds, of one application where that is given, without what is far behind the best: for people, who read the list. */
  searchClosely(query: string, limit: number, application?: string): Tool[];
  /** The tools as entries of a list: as long as the whole list may be. */
  listed(tools: readonly Tool[]): Tool[];
  /** A sentence for a name that no tool has, with the nearest ones. */
  unknown(name: string): string;
}

/** The nearest names that are said of one that no tool has. */
const MAX_NEAR = 3;

/** The share of the best score that a tool needs to be near it; below it are those that share a common word as a rule. */
const NEAR_BEST = 0.2;

/** Prepares tools. The start needs none of them, so they are made when they are first looked at, and so is the search index. */
export function createCatalogue(
  { actions: all }: Pick<SchemaDocument, "actions">,
  glossary: Glossary = createGlossary([], []),
): Catalogue {
  const actions = new Map(all.map((action) => [action.name, action]));
  let made: readonly Tool[] | undefined;
  const tools = (): readonly Tool[] => (made ??= all.map(toOfferedTool));
  let byName: ReadonlyMap<string, Tool> | undefined;
  let index: ToolIndex | undefined;
  let json: Promise<string> | undefined;
  const rank = (query: string, limit: number): Ranked[] => {
    index ??= createIndex(all.map(toSearchedTool), { lenient: true });
    return index.search(glossary.explain(query), limit);
  };
  const known = (ranked: readonly Ranked[]): Tool[] => {
    byName ??= new Map(tools().map((tool) => [tool.name, tool]));
    return ranked.flatMap(({ tool }) => byName?.get(tool.name) ?? []);
  };
  const search = (query: string, limit: number): Tool[] => known(rank(query, limit));
  const searchClosely = (query: string, limit: number, application?: string): Tool[] => {
    const isWanted = ({ tool: { name } }: Ranked) => actions.get(name)?.application === application;
    const ranked = application === undefined ? rank(query, limit) : rank(query, all.length).filter(isWanted);
    const least = NEAR_BEST * (ranked[0]?.score ?? 0);
    return known(ranked.filter(({ score }) => score >= least).slice(0, limit));
  };
  const listed = (some: readonly Tool[]): Tool[] =>
    some.flatMap(({ name }) => {
      const action = actions.get(name);
      return action ? [toListedTool(action, some.length)] : [];
    });
  const serialised = async (some: readonly Tool[]): Promise<string> => {
    const slices = createSlices();
    const parts: string[] = [];
    for (const { name } of some) {
      const action = actions.get(name);
      if (action) parts.push(toJson(toListedTool(action, some.length)));
      if (slices.isOver()) await slices.pause();
    }
    return `[${parts.join(",")}]`;
  };
  return {
    actions: all,
    get tools() {
      return tools();
    },
    glossary,
    json: (some) => (some ? serialised(some) : (json ??= serialised(tools()))),
    action: (name) => actions.get(name),
    whole(name) {
      const action = actions.get(name);
      return action && toWholeTool(action);
    },
    search,
    searchClosely,
    listed,
    unknown(name) {
      const renamed = all.filter(({ aliases, ownName: own }) => own === name || aliases?.includes(name));
      const [only] = renamed;
      if (only && renamed.length === 1) return `there is no tool ${name}; it is called ${only.name}`;
      const near = (renamed.length > 1 ? renamed.slice(0, MAX_NEAR) : search(name, MAX_NEAR)).map((one) => one.name);
      return `there is no tool ${name}${near.length > 0 ? `; did you mean ${near.join(", ")}?` : ""}`;
    },
  };
}
