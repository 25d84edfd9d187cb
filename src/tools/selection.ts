// Which tools the model sees during a turn: all of them, or those that fit the prompt best and a way to find the rest, with
// definitions under the provider's budget. How a tool was found never changes what the policy says of it.

import type { Message } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import type { JsonValue } from "../lib/json.js";
import { type Catalogue, READ_RESULT, SEARCH_TOOLS } from "./catalogue.js";
import { fitAlike, fitRanked, tokensOf } from "./token-budget.js";

/** What decides the choice. */
export interface ShownOptions {
  catalogue: Catalogue;
  prompt: string;
  /** The conversation so far: tools it used stay. */
  before: readonly Message[];
  maxTools: number;
  /** Tokens of all definitions together, by estimate; no limit when undefined. */
  maxTokens: number | undefined;
  /** Whether earlier results can be read again from the start. */
  reads: boolean;
}

/** The tools shown during one turn. */
export interface Shown {
  /** The same array as long as nothing changed: providers keep what they make of it. */
  tools(): readonly Tool[];
  /** Answers a `search_tools` call; what it finds is shown from then on. */
  search(query: string): JsonValue;
  /** Keeps a tool that was called for the rest of the turn. */
  use(name: string): void;
  /** Offers `read_result` from now on. */
  offerReading(): void;
}

/** Tools that one search brings. */
const FOUND_AT_ONCE = 10;

/** A catalogue shown whole is fitted once, not once a turn. */
const wholes = new WeakMap<Catalogue, { budget: number; tools: readonly Tool[]; fits: boolean }>();

function whole(catalogue: Catalogue, budget: number): { tools: readonly Tool[]; fits: boolean } {
  const known = wholes.get(catalogue);
  if (known?.budget === budget) return known;
  const { tools, cut, fits } = fitAlike(catalogue.tools, budget);
  const fresh = { budget, tools: cut ? [SEARCH_TOOLS, ...tools] : tools, fits };
  wholes.set(catalogue, fresh);
  return fresh;
}

/** The choice for one turn. */
export function createShown(options: ShownOptions): Shown {
  const { catalogue, maxTools, before } = options;
  const budget = (options.maxTokens ?? Number.POSITIVE_INFINITY) - tokensOf(SEARCH_TOOLS) - tokensOf(READ_RESULT);
  /** Found or called during this turn, the latest first: they stay, whatever else gives way. */
  let firm: Tool[] = [];
  /** Those of them that were asked for by name. */
  const asked = new Set<Tool>();
  let reads = options.reads;
  let list: readonly Tool[] | undefined;
  const all = catalogue.tools.length <= maxTools ? whole(catalogue, budget) : undefined;
  const first = all?.fits ? catalogue.tools : firstChoice();

  /** What the conversation used, then what fits the prompt. */
  function firstChoice(): Tool[] {
    const used = new Set(
      before.flatMap((message) => (message.role === "assistant" ? message.calls.map(({ name }) => name) : [])),
    );
    const kept = catalogue.tools.filter((tool) => used.has(tool.name)).slice(0, Math.ceil(maxTools / 4));
    return [...kept, ...catalogue.search(options.prompt, maxTools)];
  }

  function stay(tools: readonly Tool[]): void {
    firm = [...new Set([...tools, ...firm])];
    list = undefined;
  }

  function choose(): readonly Tool[] {
    if (all?.fits && asked.size === 0) return all.tools;
    const wanted = firm.filter((tool) => asked.has(tool));
    const candidates = [...new Set([...wanted, ...firm, ...first])].slice(0, maxTools);
    return [SEARCH_TOOLS, ...fitRanked(candidates, budget, wanted.length).tools];
  }

  return {
    tools() {
      if (list) return list;
      const base = choose();
      list = reads ? [...base, READ_RESULT] : base;
      return list;
    },
    search(query) {
      const named = catalogue.tools.find((tool) => tool.name === query);
      if (named) {
        asked.add(named);
        stay([named]);
        const { name, description, safety, input_schema } = named;
        return { tools: [{ name, description, safety, input_schema }] };
      }
      const found = catalogue.search(query, FOUND_AT_ONCE);
      stay(found);
      return { tools: found.map(({ name, description, safety }) => ({ name, description, safety })) };
    },
    use(name) {
      const tool = catalogue.tools.find((one) => one.name === name);
      // A list that need not change stays the same one.
      if (tool && !all?.fits && !firm.includes(tool)) firm = [tool, ...firm];
    },
    offerReading() {
      if (reads) return;
      reads = true;
      list = undefined;
    },
  };
}
