// Days and times of day for the slots of a change: a moment needs both, a day takes none, and a day that may be two is neither.

import type { Entity } from "../prompt/entities.js";
import type { Slot } from "./slot.js";

const isMoment = ({ type, format }: Slot): boolean => type === "string" && format === "date-time";

/** The moment that a day of a prompt gives with the time beside it; undefined without one. */
export function momentOf(slot: Slot, { kind, clock }: Entity): string | undefined {
  return isMoment(slot) && kind === "date" && clock !== undefined ? clock.moment : undefined;
}

/** Why a day of a prompt is no value of a slot that a change sets; undefined when it is one. */
export function vagueDay(slot: Slot, { kind, value, text, clock, ambiguous, through }: Entity): string | undefined {
  if (!slot.format.startsWith("date")) return undefined;
  if (kind === "time") return `"${text}" names no day.`;
  if (kind !== "date") return undefined;
  if (through !== undefined) return `"${text}" is more than a day: say which one.`;
  if (ambiguous) return `"${text}" may be two days: say it as year-month-day.`;
  const hasTime = String(value).includes("T");
  if (isMoment(slot) && !hasTime && clock === undefined) return `"${text}" says no time of day.`;
  if (slot.format === "date" && hasTime && !/T00:00/.test(String(value))) return `"${text}" says more than a day.`;
  return undefined;
}
