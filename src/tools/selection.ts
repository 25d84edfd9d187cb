// The tools offered to the model during a turn: all of them, or those that match the prompt best and a way to find the rest, with
// definitions under the provider's budget. How a tool was found never changes what the policy says of it.
import type { Message } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";
import { READ_RESULT, SEARCH_TOOLS, UNDO } from "./builtin-tools.js";
import type { Catalogue } from "./catalogue.js";
import { fitAlike, fitRanked, tokensOf } from "./token-budget.js";

/** What decides the selection. */
export interface ToolSelectionOptions {
  catalogue: Catalogue;
  prompt: string;
  /** The conversation so far: tools it used stay. */
  earlierMessages: readonly Message[];
  maxTools: number;
  /** Tokens of all definitions together, by estimate; no limit when undefined. */
  maxTokens: number | undefined;
  /** Whether `read_result` is offered from the start. */
  offersReading: boolean;
  /** Whether `undo` is offered from the start. */
  offersUndo: boolean;
}

/** The tools offered during one turn. */
export interface ToolSelection {
  /** The same array as long as nothing changed: providers keep what they make of it. */
  tools(): readonly Tool[];
  /** Answers a `search_tools` call; what it finds is offered from then on. */
  search(query: string): JsonObject;
  /** Keeps a tool that was called for the rest of the turn. */
  use(name: string): void;
  /** Offers `read_result` from now on. */
  offerReading(): void;
  /** Offers `undo` from now on. */
  offerUndo(): void;
}

/** Tools that one search brings. */
const MAX_FOUND = 10;
/** Of the tools offered, at most this share is kept because earlier prompts used them. */
const USED_SHARE = 1 / 4;

/** A catalogue offered whole is fitted once, not once a turn. */
const fittedCatalogues = new WeakMap<Catalogue, { budget: number; tools: readonly Tool[]; fits: boolean }>();

function fitCatalogue(catalogue: Catalogue, budget: number): { tools: readonly Tool[]; fits: boolean } {
  const known = fittedCatalogues.get(catalogue);
  if (known?.budget === budget) return known;
  const { tools, cut, fits } = fitAlike(catalogue.tools, budget);
  const fitted = { budget, tools: cut ? [SEARCH_TOOLS, ...tools] : tools, fits };
  fittedCatalogues.set(catalogue, fitted);
  return fitted;
}

/** What a query finds: the tool of exactly this name, or the best matching ones. */
function find(catalogue: Catalogue, query: string): { tools: Tool[]; isExact: boolean } {
  const named = catalogue.tools.find((tool) => tool.name === query);
  return named ? { tools: [named], isExact: true } : { tools: catalogue.search(query, MAX_FOUND), isExact: false };
}

function answerOf({ tools, isExact }: { tools: Tool[]; isExact: boolean }): JsonObject {
  const brief = ({ name, description, safety }: Tool): JsonObject => ({ name, description, safety });
  const whole = (tool: Tool): JsonObject => ({ ...brief(tool), input_schema: tool.input_schema });
  return { tools: tools.map(isExact ? whole : brief) };
}

/** The answer of `search_tools` where there is no turn: a tool in full by its exact name, else the best matching ones in short. */
export function searchAnswer(catalogue: Catalogue, query: string): JsonObject {
  return answerOf(find(catalogue, query));
}

/** The selection for one turn. */
export function createToolSelection(options: ToolSelectionOptions): ToolSelection {
  const { catalogue, maxTools, earlierMessages } = options;
  const budget =
    (options.maxTokens ?? Number.POSITIVE_INFINITY) -
    tokensOf(SEARCH_TOOLS) -
    tokensOf(READ_RESULT) -
    (options.offersUndo ? tokensOf(UNDO) : 0);
  /** Found or called during this turn, the latest first: they stay, whatever else gives way. */
  let pinned: Tool[] = [];
  /** Those of them that were searched for by name. */
  const named = new Set<Tool>();
  const own = new Set([...(options.offersReading ? [READ_RESULT] : []), ...(options.offersUndo ? [UNDO] : [])]);
  const offer = (tool: Tool): void => {
    if (own.has(tool)) return;
    own.add(tool);
    list = undefined;
  };
  let list: readonly Tool[] | undefined;
  const all = catalogue.tools.length <= maxTools ? fitCatalogue(catalogue, budget) : undefined;
  const first = all?.fits ? catalogue.tools : firstChoice();

  /** What the conversation used, then what matches the prompt. */
  function firstChoice(): Tool[] {
    const used = new Set(
      earlierMessages.flatMap((message) => (message.role === "assistant" ? message.calls.map(({ name }) => name) : [])),
    );
    const kept = catalogue.tools.filter((tool) => used.has(tool.name)).slice(0, Math.ceil(maxTools * USED_SHARE));
    return [...kept, ...catalogue.search(options.prompt, maxTools)];
  }

  function choose(): readonly Tool[] {
    if (all?.fits && named.size === 0) return all.tools;
    const inFull = pinned.filter((tool) => named.has(tool));
    const candidates = [...new Set([...inFull, ...pinned, ...first])].slice(0, maxTools);
    return [SEARCH_TOOLS, ...fitRanked(candidates, budget, inFull.length).tools];
  }

  return {
    tools() {
      if (list) return list;
      const chosen = choose();
      list = own.size > 0 ? [...chosen, ...own] : chosen;
      return list;
    },
    search(query) {
      const found = find(catalogue, query);
      if (found.isExact) for (const tool of found.tools) named.add(tool);
      pinned = [...new Set([...found.tools, ...pinned])];
      list = undefined;
      return answerOf(found);
    },
    use(name) {
      const tool = catalogue.tools.find((one) => one.name === name);
      // A list that need not change stays the same one.
      if (tool && !all?.fits && !pinned.includes(tool)) pinned = [tool, ...pinned];
    },
    offerReading: () => offer(READ_RESULT),
    offerUndo: () => offer(UNDO),
  };
}
