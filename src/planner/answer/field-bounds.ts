// One field of a record compared with another: "items below their minimum", "shows with more tickets sold than seats". Rows in, fewer out.

import type { JsonObject } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { isNegated } from "../prompt/negation.js";
import type { PromptText } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { CEILING, isNumeric, numericFields } from "./amounts.js";
import { fieldNamesOf, type Narrowed } from "./narrowed.js";

const FIELD_BOUND =
  /\b(below|under|above|over|beyond|exceeding|(?:less|fewer|more|greater|lower|higher|larger|smaller)\s+than)\s+(?:the\s+|its\s+|their\s+)?(\p{L}+(?:[\s_]\p{L}+)?)/giu;
const DOWN = /^(?:below|under|less|fewer|lower|smaller)/i;
/** Fields of which there is as much as a limit allows, or more. */
const USED = /balance|owed|due|debt|used|usage|current|stock|level|quantity|qty/i;
const MONEY = /price|cost|amount|fee|value/i;

const termsOf = (field: string): string[] => withoutUnit(words(field)).map(stem);

/** The only of some fields that all words of it, or by it, are said; undefined where it is none or several. */
function namedBy(said: readonly string[], fields: readonly string[]): string | undefined {
  const whole = fields.filter((field) => termsOf(field).every((term) => said.includes(term)));
  const [field, ...others] = whole.length > 0 ? whole : fields.filter((one) => isPart(said, one));
  return others.length === 0 ? field : undefined;
}

const isPart = (said: readonly string[], field: string): boolean =>
  said.length > 0 && said.every((term) => termsOf(field).includes(term));

/** The field that is compared with another one: the one that the prompt names before it, or the only amount that has such a limit. */
function comparedWith(limit: string, before: string, rows: readonly JsonObject[]): string | undefined {
  const others = numericFields(rows).filter((field) => field !== limit);
  const said = words(before).map(stem);
  const named = others.filter((field) => termsOf(field).every((term) => said.includes(term)));
  if (named.length > 0 || !CEILING.test(limit)) return named.length === 1 ? named[0] : undefined;
  const amounts = others.filter((field) => !CEILING.test(field) && MONEY.test(field) === MONEY.test(limit));
  const used = amounts.filter((field) => USED.test(field));
  const [field, ...more] = used.length > 0 ? used : amounts;
  return more.length === 0 ? field : undefined;
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
      const holds = (row: JsonObject): boolean => {
        const [value, bound] = [row[field], row[limit]];
        if (!isNumeric(value) || !isNumeric(bound)) return false;
        return isDown ? Number(value) < Number(bound) : Number(value) > Number(bound);
      };
      out.rows = out.rows.filter(holds);
      out.conditions.push(`${field} ${isDown ? "<" : ">"} ${limit}`);
      out.understood.push(whole);
      out.fields.add(field).add(limit);
    } else if (limit !== undefined || names.some((name) => name !== "" && ` ${said.join(" ")} `.includes(` ${name} `)))
      // Its words would pass for a condition that was met.
      out.unmet.push(whole);
  }
}
