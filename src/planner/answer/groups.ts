// Records counted in groups: "issues per project", "the number of students by class". Of a field that is named a number is made for each
// group: "seats per district", "average age by team".

import type { JsonObject } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { groupingIn, plainGroupingIn } from "../prompt/grouping.js";
import type { PromptText } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { type AggregateKind, askedByHead, askedFor, numberOf } from "./aggregate.js";
import { numericFields } from "./amounts.js";
import { brief, markdownTable } from "./markdown.js";
import { fieldNamesOf } from "./narrowed.js";
import { withAmounts } from "./nested.js";
import { nounAmount } from "./noun-amounts.js";

/** Records in groups. */
interface Groups {
  field: string;
  table: string;
  /** The words of the prompt that ask for what is made of each group beside a count. */
  text: string;
}

/** What is made of a field for each group. */
interface Measured {
  field: string;
  kind: AggregateKind;
}

/** The field that a prompt has a number made of, by the words before its grouping; of a singular it does not say which number. */
function measuredIn(
  rows: readonly JsonObject[],
  { prompt, head, noun }: { prompt: PromptText; head: string; noun: string },
): Measured | { unknown: string } | undefined {
  const numeric = numericFields(rows);
  for (const field of numeric) {
    const asked = askedFor(field, prompt);
    if (asked) return { field, kind: asked.kind };
  }
  const headed = askedByHead(numeric, prompt);
  if (headed) return { field: headed.field, kind: headed.kind };
  const behind = /\s+of\s+(?:(?:all|the|our|my)\s+)*(\p{L}+)$/iu.exec(head);
  const isOfNoun = behind !== null && singularOf(behind[1]?.toLowerCase() ?? "") === noun;
  const said = words(isOfNoun ? head.slice(0, behind.index) : head);
  if (singularOf(said.at(-1) ?? "") === noun) {
    const own = nounAmount(rows, noun);
    return own && { field: own.field, kind: "total" };
  }
  const terms = said.map(stem);
  const isEnd = (name: readonly string[]): boolean =>
    name.length > 0 && name.every((word, at) => stem(word) === terms[terms.length - name.length + at]);
  const [field, ...others] = numeric.filter((one) => isEnd(withoutUnit(words(one))));
  if (field === undefined || others.length > 0) return undefined;
  return isPlural(said.at(-1) ?? "") ? { field, kind: "total" } : { unknown: head };
}

/** A table of how many records have each value of the field that a prompt groups them by; the words of that where there is none. */
export function groupsIn(
  given: readonly JsonObject[],
  prompt: PromptText,
  noun: string,
): Groups | { unknown: string } | undefined {
  const said = groupingIn(prompt);
  const grouping = said ?? plainGroupingIn(prompt);
  if (!grouping) return undefined;
  const rows = withAmounts(given);
  const { text, start, one, next } = grouping;
  const termsOf = (name: string): string =>
    words(name)
      .filter((word) => word !== "id")
      .map(stem)
      .join(" ");
  const fields = fieldNamesOf(rows);
  // What has a name beside its key is told by that: `customer`, and not `customer_id`.
  const named = (name: string): string | undefined =>
    fields.find((key) => words(key).map(stem).join(" ") === termsOf(name)) ??
    fields.find((key) => termsOf(key) === termsOf(name));
  const field = named(`${one} ${next}`) ?? named(one);
  if (field === undefined) return said && { unknown: text };
  // "machines by hourly rate" are rather to be in that order.
  if (!said && numericFields(rows).includes(field)) return undefined;
  const head = prompt.text.slice(0, start).trim();
  const measured = measuredIn(rows, { prompt, head, noun });
  if (measured && "unknown" in measured) return measured;
  const groups = new Map<string, JsonObject[]>();
  for (const row of rows) groups.set(brief(row[field]), [...(groups.get(brief(row[field])) ?? []), row]);
  const table = [...groups].map(([value, some]): JsonObject => {
    const count = { [field]: value, count: some.length };
    return measured
      ? { ...count, [`${measured.kind} ${measured.field}`]: numberOf(measured.kind, some, measured.field) ?? null }
      : count;
  });
  return { field, table: markdownTable(table, new Set([field])), text: measured ? head : "" };
}
