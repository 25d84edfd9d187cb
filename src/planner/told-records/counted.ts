// How many of a record there are now, and what comes to that or goes from it: "add 5 to the stock of §", "20 more §", "50 § left", "raise
// the price of § by 2". A clause and the record as it is in, the field with its new value out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { takesNumber } from "../changes/told-parts.js";
import { withoutUnit } from "../prompt/units.js";
import type { Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";

const NUMBER = String.raw`(?<number>\d+(?:\.\d+)?)`;
const FIELD = String.raw`(?:the\s+)?(?<field>\p{L}[\p{L}\s_-]*?)`;
const UNIT = String.raw`(?:\s+(?<unit>\p{L}+))?(?:\s+of)?`;
const MORE: readonly RegExp[] = [
  new RegExp(String.raw`^(?:add|plus|\+)\s*${NUMBER}\s+(?:more\s+)?(?:to\s+)?${FIELD}$`, "iu"),
  new RegExp(String.raw`^(?:raise|increase|bump(?:\s+up)?|up|extend)\s+${FIELD}\s+by\s+${NUMBER}$`, "iu"),
  new RegExp(
    String.raw`^(?:(?:we\s+)?(?:got|received|bought)\s+)?${NUMBER}\s+(?:more|extra|new|additional)${UNIT}(?:\s+(?:arrived|came(?:\s+in)?|delivered|received|in\s+stock))?$`,
    "iu",
  ),
];
const LESS: readonly RegExp[] = [
  new RegExp(String.raw`^(?:take|subtract|remove|minus|deduct)\s+${NUMBER}\s+(?:off|from|of)\s+${FIELD}$`, "iu"),
  new RegExp(String.raw`^(?:lower|reduce|decrease|cut|drop)\s+${FIELD}\s+by\s+${NUMBER}$`, "iu"),
  new RegExp(String.raw`^(?:(?:we\s+)?(?:used(?:\s+up)?|sold|took|lost|broke|fed))\s+${NUMBER}${UNIT}$`, "iu"),
  new RegExp(String.raw`^${NUMBER}${UNIT}\s+(?:used(?:\s+up)?|sold|broken|gone|lost|missing)$`, "iu"),
];
const LEFT: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:(?:only|just|there\s+(?:are|is))\s+)*${NUMBER}${UNIT}\s+(?:left|remaining|in\s+stock)$`,
    "iu",
  ),
];
/** What is assumed of a record of which nothing is known. */
const ASSUMED = 1_000_000;
/** Fields that say how many there are. */
const AMOUNT =
  /^(?:stock|quantity|qty|count|on_?hand|in_?stock|(?:stock|quantity|units?)_?(?:on_?hand|left|count|level)?)$/i;

interface Clause {
  slots: readonly Slot[];
  row: JsonObject;
  /** Nothing is known of the record. */
  isAssumed?: boolean;
}

/** The only field that meets a condition, or the only one that says how many there are where nothing is said. */
function fieldFor(field: string | undefined, { slots }: Clause): Slot | undefined {
  const said = field === undefined ? undefined : words(field).map(stem).join(" ");
  const isCalled = ({ name }: Slot): boolean =>
    [words(name), [...withoutUnit(words(name))]].some((one) => one.map(stem).join(" ") === said);
  const [slot, ...others] = slots.filter(
    (one) => takesNumber(one) && (said === undefined ? AMOUNT.test(one.name) : isCalled(one)),
  );
  return others.length === 0 ? slot : undefined;
}

/** Whether a word behind a number is what the record is counted in. */
const isItsUnit = (unit: string | undefined, { row, isAssumed }: Clause): boolean =>
  unit === undefined ||
  isAssumed === true ||
  Object.values(row).some(
    (value) => typeof value === "string" && stem(value.toLowerCase()) === stem(unit.toLowerCase()),
  );

/** The new amount that a clause says. */
export function countedIn(text: string, clause: Clause): { slot: Slot; value: JsonValue }[] {
  for (const [forms, sign] of [
    [MORE, 1],
    [LESS, -1],
    [LEFT, 0],
  ] as const) {
    const groups = forms.map((one) => one.exec(text)?.groups).find((one) => one !== undefined);
    if (!groups) continue;
    const slot = fieldFor(groups["field"], clause);
    const before = clause.isAssumed ? ASSUMED : slot && clause.row[slot.name];
    const number = Number(groups["number"]);
    if (!slot || typeof before !== "number" || !isItsUnit(groups["unit"], clause)) return [];
    const after = sign === 0 ? number : Math.round((before + sign * number) * 1e6) / 1e6;
    const value = after < 0 ? undefined : toSlotValue(slot, after);
    return value === undefined ? [] : [{ slot, value }];
  }
  return [];
}
