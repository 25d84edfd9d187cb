// What is there and what has run out: "spares that are out of stock", "seeds in stock", where a field of the records says how many there
// are, or whether there are any. Rows in, fewer out; what no field says is open.

import type { JsonObject } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import { negationsIn } from "../prompt/negation.js";
import { suppliesIn } from "../prompt/supply.js";
import { numericFields } from "./amounts.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy } from "./narrowed.js";

/** Words in the names of the fields that say how many there are. */
const STOCK = /^(?:stock|stocked|inventory)$/;
const COUNTS = /^(?:quantity|qty|hand|available|availability|left|remaining|units|count)$/;
/** Fields that say how many there should be. */
const LIMIT = /^(?:min|minimum|max|maximum|reorder|threshold|target|level|capacity|value|price|date|at|order|ordered)$/;

/** The only field that says how many there are, or whether there are any. */
export function supplyField(rows: readonly JsonObject[]): string | undefined {
  const numeric = new Set(numericFields(rows));
  const fields = fieldNamesOf(rows).filter(
    (key) => numeric.has(key) || rows.every((row) => row[key] === null || typeof row[key] === "boolean"),
  );
  for (const pattern of [STOCK, COUNTS]) {
    const found = fields.filter((key) => {
      const said = words(key);
      return said.some((word) => pattern.test(word)) && !said.some((word) => LIMIT.test(word));
    });
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** Keeps the records of which there are some, or none. */
export function narrowBySupply(out: Narrowed, { rows, prompt, args, noun }: NarrowedBy): void {
  if (Object.keys(args).some((name) => words(name).some((word) => STOCK.test(word) || COUNTS.test(word)))) return;
  const supplies = suppliesIn(prompt);
  const key = supplies.length > 0 ? supplyField(rows) : undefined;
  for (const { text, index, isOut } of supplies) {
    // "the rows in stock" are those of a list that is called so.
    const isList = !isOut && noun === "stock";
    // "not in stock", "which spares do we have in stock" with a state of that name: that field has it.
    if (isList || out.conditions.some((one) => one.toLowerCase().endsWith(` ${text.toLowerCase()}`))) continue;
    if (key === undefined) {
      out.unmet.push(text);
      continue;
    }
    const reaching = negationsIn(prompt).filter(({ start, end }) => start <= index && index < end);
    // The "no" of "no stock" is a word of the condition itself.
    const wantsNone = isOut !== reaching.some(({ start }) => start < index);
    const isNone = (row: JsonObject): boolean => row[key] === false || Number(row[key] ?? 0) <= 0;
    out.rows = out.rows.filter((row) => isNone(row) === wantsNone);
    for (const one of reaching) out.negations.add(one);
    const isSwitch = rows.some((row) => typeof row[key] === "boolean");
    out.conditions.push(`${key} ${isSwitch ? `= ${wantsNone ? "no" : "yes"}` : wantsNone ? "= 0" : "> 0"}`);
    out.understood.push(text);
    out.fields.add(key);
  }
}
