// Which tools the model sees during a turn: all of them, or those that fit the prompt best and a way to find the rest, with
// definitions under the provider's budget. How a tool was found never changes what the policy says of it.
import { type Catalogue, READ_RESULT, SEARCH_TOOLS } from "./catalogue.js";
import { fitTools } from "./fit-tools.js";
import type { JsonObject, JsonValue } from "./json.js";
import type { Message } from "./message.js";
import type { Tool } from "./tool.js";

/** What decides the choice. */
export interface ShownOptions {
  catalogue: Catalogue;
  prompt: string;
  /** The conversation so far: tools it used stay. */
  before: readonly Message[];
  maxTools: number;
  /** Tokens of all definitions together; no limit when undefined. */
  maxTokens: number | undefined;
  /** Whether earlier results can be read again from the start. */
  reads: boolean;
}

/** The tools shown during one turn. */
export interface Shown {
  /** The same array as long as nothing changed: providers keep what they make of it. */
  tools(): readonly Tool[];
  /** Answers a `search_tools` call; what it finds is shown from then on. */
  search(args: JsonObject): JsonValue;
  /** Offers `read_result` from now on. */
  offerReading(): void;
}

/** Tools that one search brings. */
const FOUND_AT_ONCE = 10;

/** A catalogue shown whole is fitted once, not once a turn. */
const wholes = new WeakMap<Catalogue, { maxTokens: number; tools: readonly Tool[]; fits: boolean }>();

function whole(catalogue: Catalogue, maxTokens: number): { tools: readonly Tool[]; fits: boolean } {
  const known = wholes.get(catalogue);
  if (known?.maxTokens === maxTokens) return known;
  const { tools, cut, fits } = fitTools(catalogue.tools, maxTokens);
  const fresh = { maxTokens, tools: cut ? [SEARCH_TOOLS, ...tools] : tools, fits };
  wholes.set(catalogue, fresh);
  return fresh;
}

/** As many of these, best first, as stay under the budget when cut as far as that goes. */
function asManyAsFit(tools: readonly Tool[], maxTokens: number): readonly Tool[] {
  let count = tools.length;
  let fitted = fitTools(tools, maxTokens);
  while (!fitted.fits && count > 1) {
    count = Math.ceil(count / 2);
    fitted = fitTools(tools.slice(0, count), maxTokens);
  }
  return fitted.tools;
}

/** The choice for one turn. */
export function createShown(options: ShownOptions): Shown {
  const { catalogue, maxTools, maxTokens = Number.POSITIVE_INFINITY } = options;
  const chosen = new Map<string, Tool>();
  /** Asked for in full during this turn; exempt from cutting. */
  const full = new Set<string>();
  let reads = options.reads;
  let list: readonly Tool[] | undefined;
  const all = catalogue.tools.length <= maxTools ? whole(catalogue, maxTokens) : undefined;

  const add = (tools: readonly Tool[]): void => {
    for (const tool of tools) chosen.set(tool.name, tool);
    list = undefined;
  };
  if (!all?.fits) {
    const used = new Set(
      options.before.flatMap((message) => (message.role === "assistant" ? message.calls.map((call) => call.name) : [])),
    );
    const kept = catalogue.tools.filter((tool) => used.has(tool.name)).slice(0, Math.ceil(maxTools / 4));
    const count = Math.min(maxTools, catalogue.tools.length);
    add([...kept, ...catalogue.search(options.prompt, count - kept.length)]);
  }

  /** Best first as long as they fit; the tools a conversation used are among the first. */
  const choose = (): readonly Tool[] => {
    if (all?.fits && full.size === 0) return all.tools;
    const candidates: readonly Tool[] = all?.fits ? catalogue.tools : [...chosen.values()];
    const asked = candidates.filter((tool) => full.has(tool.name));
    const rest = candidates.filter((tool) => !full.has(tool.name));
    return [SEARCH_TOOLS, ...asked, ...asManyAsFit(rest, maxTokens)];
  };

  return {
    tools() {
      if (list) return list;
      const base = choose();
      list = reads ? [...base, READ_RESULT] : base;
      return list;
    },
    search(args) {
      const query = String(args["query"] ?? args["tool"] ?? "");
      const named = catalogue.tools.find((tool) => tool.name === query);
      if (named) {
        full.add(named.name);
        add([named]);
        const { name, description, safety, input_schema } = named;
        return { tools: [{ name, description, safety, input_schema }] };
      }
      const found = catalogue.search(query, FOUND_AT_ONCE);
      add(found);
      return { tools: found.map(({ name, description, safety }) => ({ name, description, safety })) };
    },
    offerReading() {
      if (reads) return;
      reads = true;
      list = undefined;
    },
  };
}
