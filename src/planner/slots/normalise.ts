// Normalises an entity to the notation a parameter wants: a fraction for "5%", a weight in its unit, a country's code, a date in the order its description shows.
import type { JsonValue } from "../../lib/json.js";
import { countryCode } from "../prompt/countries.js";
import type { Entity } from "../prompt/entities.js";
import { momentOf } from "./moment.js";
import type { Slot } from "./slot.js";
import { inUnitOf } from "./slot-unit.js";

const COUNTRY_CODE = /country_?code|(?:two|2).(?:letter|character|digit).*countr|countr.*(?:ISO|alpha-?2|code)/i;
const DATE_ORDER = /\b(?:Y{2,4}[-/.]M{1,2}[-/.]D{1,2}|D{1,2}[-/.]M{1,2}[-/.]Y{4}|M{1,2}[-/.]D{1,2}[-/.]Y{4})\b/i;

/** The value of an entity in the notation this slot wants. */
export function normalise(slot: Slot, entity: Entity): JsonValue {
  const { value, kind, sign } = entity;
  if (kind === "number" && slot.format.startsWith("date")) return entity.day ?? value;
  const moment = momentOf(slot, entity);
  if (moment !== undefined) return moment;
  if (slot.type === "string" && entity.whole !== undefined) return entity.whole;
  const about = `${slot.name} ${slot.description}`;
  if (sign === "%" && slot.type === "number" && typeof value === "number")
    return /percent|%/i.test(about) ? value : Number((value / 100).toPrecision(12));
  if (entity.unit && typeof value === "number") return inUnitOf(slot, value, entity.unit.text) ?? value;
  if (kind === "name" && COUNTRY_CODE.test(about)) return countryCode(String(value)) ?? value;
  const order = kind === "date" ? DATE_ORDER.exec(slot.description)?.[0] : undefined;
  const [year = "", month = "", day = ""] = String(value).slice(0, 10).split("-");
  return order ? order.replace(/Y+/i, year).replace(/M+/i, month).replace(/D+/i, day) : value;
}
