// One field of a record compared with another: "items below their minimum", "shows with more tickets sold than seats". Rows in, fewer out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { comparisonsIn } from "../prompt/comparison.js";
import { isNegated } from "../prompt/negation.js";
import { PRICE_WORD } from "../prompt/price-times.js";
import type { PromptText } from "../prompt/prompt.js";
import { measuresOf } from "../prompt/superlatives.js";
import { withoutUnit } from "../prompt/units.js";
import { hasWord } from "../slots/name-words.js";
import { CEILING, isNumeric, numericFields } from "./amounts.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy } from "./narrowed.js";
import { recordName } from "./rows.js";

const FIELD_BOUND =
  /(\b(?:below|under|above|over|beyond|exceeding|(?:less|fewer|more|greater|lower|higher|larger|smaller)\s+than)\s|[<>]\s?)\s*(?:the\s+|its\s+|their\s+)?(\p{L}+(?:[\s_]\p{L}+)?)/giu;
const DOWN = /^(?:below|under|less|fewer|lower|smaller|<)/i;
/** Fields of which there is as much as a limit allows, or more. */
const USED = /balance|owed|due|debt|used|usage|current|stock|level|quantity|qty/i;
const MONEY = /(?:price|amount|value)s?$|^(?:costs?|fees?)$/;

/** Words that say of a limit no more than that it is one: "below reorder level" is below `reorder_at`. */
const OF_LIMIT = /^(?:at|level|point|limit|threshold)$/;

function withoutLimit(said: readonly string[]): readonly string[] {
  const others = said.filter((word) => !OF_LIMIT.test(word));
  return others.length > 0 ? others : said;
}

const termsOf = (field: string): string[] => withoutUnit(words(field)).map(stem);

/** The only of some fields that all words of it, or by it, are said; undefined where it is none or several. */
function namedBy(said: readonly string[], fields: readonly string[]): string | undefined {
  const exact = fields.filter((field) => termsOf(field).join(" ") === said.join(" "));
  // "below their min stock" is none of the stock.
  const whole =
    exact.length > 0 ? exact : fields.filter((field) => termsOf(field).every((term) => said.includes(term)));
  const limit = withoutLimit(said);
  const [field, ...others] =
    whole.length > 0
      ? whole
      : fields.filter((one) => isPart(said, one) || limit.join(" ") === withoutLimit(termsOf(one)).join(" "));
  return others.length === 0 ? field : undefined;
}

/** Whether a number is below another one, or above it. */
function isBeyond(value: JsonValue | undefined, bound: JsonValue | undefined, isDown: boolean): boolean {
  if (!isNumeric(value) || !isNumeric(bound)) return false;
  return isDown ? Number(value) < Number(bound) : Number(value) > Number(bound);
}

const isPart = (said: readonly string[], field: string): boolean =>
  said.length > 0 && said.every((term) => termsOf(field).includes(term));

/** The field that is compared with another one: the one that the prompt names before it, or the only amount that has such a limit. */
function comparedWith(limit: string, before: string, rows: readonly JsonObject[]): string | undefined {
  const others = numericFields(rows).filter((field) => field !== limit);
  const said = words(before).map(stem);
  const named = others.filter((field) => termsOf(field).every((term) => said.includes(term)));
  if (named.length > 0 || !CEILING.test(limit)) return named.length === 1 ? named[0] : undefined;
  const amounts = others.filter((field) => !CEILING.test(field) && hasWord(field, MONEY) === hasWord(limit, MONEY));
  const used = amounts.filter((field) => USED.test(field));
  const [field, ...more] = used.length > 0 ? used : amounts;
  return more.length === 0 ? field : undefined;
}

/** "cheaper than Huila Decaf", "older than hut 3": the measure of one of the records themselves. */
const OTHER =
  /\b(?<how>(?:more|less)\s+expensive|\p{L}+er)\s+than\s+(?:the\s+)?(?<name>[^\s,;.?!][^,;.?!]*?)[\s?.!]*$/iu;
const FEWER = /^(?:cheaper|less\s+expensive|smaller|shorter|lower|lighter|narrower|slower|younger|earlier)$/i;
const MORE =
  /^(?:more\s+expensive|dearer|costlier|bigger|larger|longer|taller|higher|heavier|wider|deeper|faster|older|later)$/i;

const DENIED = /(?:\b(?:not|no|never|nor)|n['’]t)\s$/i;
const PRICED = /^(?:cheaper|dearer|costlier|(?:more|less)\s+expensive)$/i;

/** Keeps the records that have less, or more, of a measure than another one of them; where that is not clear, it is open. */
export function narrowByOther(out: Narrowed, { rows, prompt }: Pick<NarrowedBy, "rows" | "prompt">): void {
  const { how = "", name = "" } = OTHER.exec(prompt.text)?.groups ?? {};
  if (name === "" || comparisonsIn(prompt).length > 0) return;
  const said = name.toLowerCase();
  const [other, ...more] = rows.filter((row) => recordName(row)?.toLowerCase() === said);
  const measures = measuresOf(`${how} than`);
  const isMeasure = (word: string): boolean => (PRICED.test(how) ? PRICE_WORD.test(word) : measures.includes(word));
  const isKnown = FEWER.test(how) || MORE.test(how);
  const [field, ...others] = numericFields(rows).filter((key) => isKnown && words(key).some(isMeasure));
  const bound = field === undefined ? undefined : other?.[field];
  const text = `${how} than ${name}`;
  if (
    more.length > 0 ||
    others.length > 0 ||
    field === undefined ||
    !isNumeric(bound) ||
    DENIED.test(prompt.text.slice(0, prompt.text.indexOf(text)))
  ) {
    if (other) out.unmet.push(text);
    return;
  }
  const isDown = FEWER.test(how);
  out.rows = out.rows.filter((row) => isBeyond(row[field], bound, isDown));
  out.conditions.push(`${field} ${isDown ? "<" : ">"} ${String(bound)} (${name})`);
  out.understood.push(text);
  out.fields.add(field);
}

/** Keeps the records of which one field is below, or above, another; where it is not clear which, that is open. */
export function narrowByFields(out: Narrowed, prompt: PromptText): void {
  const names = fieldNamesOf(out.rows).map((key) => words(key).map(stem).join(" "));
  for (const { 0: whole, 1: how = "", 2: named = "", index } of prompt.text.matchAll(FIELD_BOUND)) {
    const said = words(named).map(stem);
    const limit = namedBy(said, numericFields(out.rows));
    const field = limit === undefined ? undefined : comparedWith(limit, prompt.text.slice(0, index), out.rows);
    if (limit !== undefined && field !== undefined && !isNegated(index, prompt)) {
      const isDown = DOWN.test(how);
      out.rows = out.rows.filter((row) => isBeyond(row[field], row[limit], isDown));
      out.conditions.push(`${field} ${isDown ? "<" : ">"} ${limit}`);
      out.understood.push(whole);
      out.fields.add(field).add(limit);
    } else if (limit !== undefined || names.some((name) => name !== "" && ` ${said.join(" ")} `.includes(` ${name} `)))
      // Its words would pass for a condition that was met.
      out.unmet.push(whole);
  }
}
