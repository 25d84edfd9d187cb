// Which tools do what a prompt asks for, to what it asks it for: verb families, the thing itself before its parts, and things
// whose key the prompt gives.
import type { Tool } from "../../domain/tool.js";
import { commandsOf, intentsOfTool, isCommand } from "./command.js";
import { pathSubject } from "./path-subject.js";
import { intentsIn } from "./query.js";
import { synonymsOf } from "./synonyms.js";
import { terms } from "./terms.js";

// The numbers below were chosen on public tool-retrieval sets and everyday prompts; neighbouring values do nearly as well.
/**
 * What a tool of the asked kind of change gains, as a share of the best score, when its path leads to the thing that is to be
 * changed and to no part of it: "create a customer".
 */
const ITSELF_BONUS = 0.3;
/** What a tool gains that works on the thing whose key the prompt gives ("close issue 12"), or on a part of it that is said. */
const KEYED_BONUS = 0.6;
/** How good a tool is that only reads when a change of such a thing is commanded: there is nothing to be looked up. */
const UNASKED = 0.4;

/** Adds to the scores of a query, by position, what its verbs and keys say for a tool. */
type VerbBonus = (query: string, keys: ReadonlySet<string>, scores: Float64Array) => void;

/** The bonus for a catalogue; `keys` of a query are the things it gives a key of. */
export function createVerbBonus(tools: readonly Tool[]): VerbBonus {
  const places = tools.map(({ transport }) => pathSubject(transport.path ?? ""));
  const intents = tools.map(intentsOfTool);
  const verbs = new Set(tools.flatMap(commandsOf));

  return (query, keys, scores) => {
    const asked = intentsIn(query);
    const changes = asked.size > 0 && !asked.has("read");
    if (!changes && keys.size === 0) return;
    const best = scores.reduce((a, b) => Math.max(a, b), 0);
    const said = new Set(terms(query).flatMap((term) => [term, ...synonymsOf(term)]));
    const isSaid = (term: string): boolean => said.has(term);
    const commanded = isCommand(query, verbs);
    tools.forEach((tool, doc) => {
      const score = scores[doc] ?? 0;
      const place = places[doc];
      if (score === 0 || !place) return;
      const reads = tool.safety === "read_only";
      let by = 0;
      const itself = place.lastSegment.length > 0 && place.lastSegment.every(isSaid);
      if (changes && itself && intents[doc]?.some((intent) => asked.has(intent))) by += ITSELF_BONUS;
      if (reads !== commanded && keys.has(place.keyedNoun ?? "") && place.afterKey.every(isSaid)) by += KEYED_BONUS;
      scores[doc] = (score + best * by) * (reads && commanded && keys.size > 0 ? UNASKED : 1);
    });
  };
}
