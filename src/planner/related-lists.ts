// A question for what belongs to a record by the verb of it: "who works at station 7" asks for its workers, "what has student 4 paid"
// for the payments. Text and tools in, the request for the list out.

import type { Tool } from "../domain/tool.js";
import { pluralOf } from "../lib/plural.js";
import { isAkin, stem } from "../tools/search/terms.js";
import { isAgent } from "./prompt/agents.js";
import { plainForm } from "./prompt/verb-forms.js";
import { resourceNoun } from "./resource-noun.js";

const WHO = /^\s*who\s+(?:all\s+)?(?<verb>\p{L}+)\s+(?:at|in|for|on)\s+(?<record>\p{L}+\s+\S+?)[\s?.!]*$/iu;
const WHAT =
  /^\s*what\s+(?:has|have|did|does)\s+(?<record>\p{L}+\s+\S+)\s+(?<verb>\p{L}+)(?:\s+(?:so\s+far|until\s+now|yet|already))?[\s?.!]*$/iu;
/** What is done by verbs whose noun has another stem. */
const DEEDS: Readonly<Record<string, string>> = { buy: "purchase", sell: "sale", lend: "loan" };

/** What is done with them, of which the verb says the kind. */
const OBJECTS: Readonly<Record<string, RegExp>> = {
  drive: /^(?:car|vehicle|van|truck|lorry|bus|tram|train|taxi)$/,
  ride: /^(?:bike|bicycle|horse|pony|motorbike|motorcycle|scooter)$/,
  fly: /^(?:plane|aeroplane|airplane|aircraft|helicopter|glider|balloon)$/,
  sail: /^(?:boat|ship|vessel|yacht|dinghy)$/,
  teach: /^(?:course|class|lesson|subject)$/,
  read: /^book$/,
};

/** The request for the one list that a question means by its verb; undefined where there is none, or are several. */
export function relatedRequest(text: string, tools: readonly Tool[]): string | undefined {
  const who = WHO.exec(text)?.groups;
  const { verb = "", record = "" } = who ?? WHAT.exec(text)?.groups ?? {};
  if (verb === "") return undefined;
  const plain = plainForm(verb.toLowerCase());
  const base = (plain && DEEDS[plain]) ?? plain ?? verb.toLowerCase();
  const nouns = new Set(
    tools.filter((tool) => tool.verb === "list" && tool.safety === "read_only").map((tool) => resourceNoun(tool)),
  );
  const [noun, ...others] = [...nouns].filter((one) =>
    who
      ? isAgent(verb, one)
      : OBJECTS[base]?.test(one) === true || isAkin(stem(base), stem(one)) || one.startsWith(base),
  );
  return noun === undefined || others.length > 0 ? undefined : `list ${pluralOf(noun)} of ${record}`;
}
