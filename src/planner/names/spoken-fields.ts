// Whether a prompt says nothing but a name and what the records of a list have: "is vesta insured", "ole lund phone", "when did ada join".
// Texts and tools in; knows nothing of records.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { isAkin, stem, terms, words } from "../../tools/search/terms.js";
import { asksHowMuch, PRICE_WORD } from "../prompt/price-times.js";
import { contentTokens, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { measuresOfAdjective } from "../prompt/superlatives.js";
import { withoutUnit } from "../prompt/units.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, slotsOf } from "../slots/slot.js";

/** Where a name stands. */
interface Span {
  start: number;
  end: number;
}

/** Words of a question for a field that say no more of it. */
const IDLE =
  /^(?:who|whose|number|date|address|value|current|still|currently|now|already|yet|really|again|last|show|get|find)$/;
/** A question of one record, which has a verb of its own behind the name or none. */
const VERB_BEFORE = /\b(?:does|did)\s+(?:the\s+|our\s+)?$/i;
/** An article before an adjective's object is of the world: "how old is the moon". */
const HOW_THE = /^\s*how\s+(?!much\b|many\b)\p{L}+\s+(?:is|are|was)\s+(?:the|our)\s/iu;

/** What a list is narrowed, sorted or cut by is no field of its records, and what they are called is not asked for by it. */
const NO_FIELD = /^(?:q|query|search|filter|sort|order|limit|offset|page|cursor|name|named|title)(?:_|$|[A-Z])/;
/** What tells something of a record asks for nothing: "Osprey is docked now". */
const TELLS = /^\s+(?:is|are|was|were|has|have|had|will|must|needs?|goes|got|just|now)\b/i;

/** A longer prompt says more than that. */
const MOST_WORDS = 20;

/** The stems of the words that fields of a collection are called by, and those of the values that they may have. */
interface FieldTerms {
  fields: ReadonlySet<string>;
  options: ReadonlySet<string>;
}

const known = new WeakMap<readonly Tool[], Map<string, FieldTerms>>();

function termsOf(list: Tool, tools: readonly Tool[]): FieldTerms {
  const all = known.get(tools) ?? new Map<string, FieldTerms>();
  known.set(tools, all);
  const collection = collectionOf(list);
  let found = all.get(collection);
  if (!found) {
    const slots = tools
      .filter((tool) => collectionOf(tool) === collection)
      .flatMap((tool) =>
        slotsOf(tool).filter(({ name }) => !pathNames(tool).has(name) && !KEY_NAME.test(name) && !NO_FIELD.test(name)),
      );
    found = {
      fields: new Set(slots.flatMap(({ name }) => withoutUnit(words(name)).map(stem))),
      options: new Set(slots.flatMap(({ options }) => options.flatMap((one) => terms(String(one))))),
    };
    all.set(collection, found);
  }
  return found;
}

/** Whether a prompt asks of the record with a name at this place for fields that those of a list have, and says nothing else. */
export function speaksOfFields(
  list: Tool,
  name: Span,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): boolean {
  if (prompt.tokens.length > MOST_WORDS) return false;
  const { commands, negated } = readRequest(prompt);
  if (negated || commands.some(({ intents }) => [...intents].some((intent) => intent !== "read"))) return false;
  if (name.start === prompt.tokens[0]?.start && TELLS.test(prompt.text.slice(name.end))) return false;
  const { fields, options } = termsOf(list, tools);
  const others = contentTokens(prompt).filter(({ start }) => start < name.start || start >= name.end);
  const isPrice = asksHowMuch(prompt) && [...fields].some((field) => PRICE_WORD.test(field));
  // "is vesta docked", but no "what's open downtown".
  const isField = ({ word, term, start }: Token): boolean =>
    (options.has(term) && start >= name.end) ||
    [...fields].some((field) => field.length > 2 && isAkin(term, field)) ||
    (!HOW_THE.test(prompt.text) && measuresOfAdjective(word).some((measure) => fields.has(stem(measure))));
  const noun = resourceNoun(list);
  const open = others.filter((token) => !IDLE.test(token.word) && singularOf(token.word) !== noun && !isField(token));
  const said = others.some((token) => isField(token));
  const [verb, ...more] = open;
  // "what shift does ada work": the verb says nothing that the field does not.
  const behind = prompt.tokens.find(({ start }) => start >= name.end);
  const hasVerb = said && verb !== undefined && verb === behind && VERB_BEFORE.test(textBefore(prompt, name.start));
  return more.length === 0 && (verb === undefined || hasVerb) && (said || isPrice);
}
