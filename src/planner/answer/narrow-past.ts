// Narrowing by what is over, or has begun, where a verb says it by itself: "surveys that ended", "passes that haven't expired yet". Rows in,
// fewer out. Without the field of a day for it the verb is no condition that was met, though a field may be called so.

import type { JsonObject } from "../../lib/json.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { negationsIn } from "../prompt/negation.js";
import { isTime } from "../prompt/span.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy } from "./narrowed.js";

const PAST =
  /\b(?:that|which|who)\s+(?:(?:ha(?:ve|s)|did)(?:n['’]?t|\s+not)?\s+)?(?:(?:already|now|yet)\s+)?(?<verb>\p{L}{2,}ed|begun|began|left|gone)(?:\s+(?:already|yet|now))?[\s?.!]*$/iu;

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** The fields that hold days, or nothing, and are called by a verb: `ends_on` for "ended", `expires` for "expired". */
function dayFieldsOf(verb: string, rows: readonly JsonObject[]): string[] {
  const isCalled = (field: string): boolean => words(field).some((word) => isAkin(stem(verb), stem(word)));
  return fieldNamesOf(rows).filter((field) => {
    const held = rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined && value !== "");
    return isCalled(field) && held.length > 0 && held.every((value) => DAY.test(String(value)));
  });
}

/** "that ended": the records with a day before today in the field of the verb, or without one where it is denied. */
export function narrowByPast(out: Narrowed, { rows, prompt, args }: NarrowedBy): void {
  const found = PAST.exec(prompt.text);
  const verb = found?.groups?.["verb"]?.toLowerCase() ?? "";
  const isMet = [...out.conditions, ...out.understood, ...Object.keys(args), ...Object.values(args).map(String)].some(
    (one) => words(one).some((word) => isAkin(stem(verb), stem(word))),
  );
  if (!found || isMet || prompt.entities.some(isTime)) return;
  const at = found.index + found[0].toLowerCase().indexOf(verb);
  const denial = negationsIn(prompt).find(({ start, end }) => at >= start && at < end);
  const [field, ...others] = dayFieldsOf(verb, rows);
  if (field === undefined || others.length > 0) {
    const isField = fieldNamesOf(rows).some((one) => words(one).some((word) => isAkin(stem(verb), stem(word))));
    if (isField && !denial) out.unmet.push(verb);
    return;
  }
  const today = prompt.today.date;
  const isOver = (row: JsonObject): boolean => DAY.test(String(row[field])) && String(row[field]).slice(0, 10) < today;
  out.rows = out.rows.filter((row) => isOver(row) !== (denial !== undefined));
  out.conditions.push(denial ? `no ${field} before ${today}` : `${field} < ${today}`);
  out.understood.push(verb, "already yet");
  if (denial) out.negations.add(denial);
  out.fields.add(field);
}
