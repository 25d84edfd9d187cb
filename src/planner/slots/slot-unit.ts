// The unit that a parameter is in, by its name or its description, and a number of another unit in that one.
import { isUnitWord, type Unit, unitOf } from "../prompt/units.js";
import type { Slot } from "./slot.js";

/** Symbols that a name in lower case may end in and that mean nothing else there. */
const NAME_ENDING =
  /_(kg|mg|lbs?|oz|km|cm|mm|ms|sec|mins?|hrs?|ml)$|(?<=[a-z])(Kg|Mg|Lbs?|Oz|Km|Cm|Mm|Ms|Sec|Mins?|Hrs?|Ml)$/;
const DESCRIBED = /\b(?:in|unit:?|units:?)\s+([\p{L}Ωµ]+)|[([]\s*(?:in\s+)?([\p{L}Ωµ]+)\s*[)\]]/gu;

const endingOf = (name: string): string => NAME_ENDING.exec(name)?.slice(1).join("").toLowerCase() ?? "";

const known = new WeakMap<Slot, readonly Unit[]>();

/** The units that a parameter may be in: by its name one, by its description any that stands there as one, "(L)" for a sign too. */
function unitsOfSlot(slot: Slot): readonly Unit[] {
  let units = known.get(slot);
  if (!units) {
    const { name, description } = slot;
    const last = /[A-Z]?[a-z]+$/.exec(name)?.[0] ?? "";
    const named = isUnitWord(last.toLowerCase()) ? unitOf(last) : undefined;
    const symbol = unitOf(endingOf(name));
    const described = [...description.matchAll(DESCRIBED)].flatMap(
      ([, word, bracketed]) => unitOf(word ?? bracketed ?? "") ?? [],
    );
    const own = named ?? symbol;
    known.set(slot, (units = own ? [own] : described));
  }
  return units;
}

/** A number of one unit in the unit of a parameter; undefined where that is not known, or measures something else. */
export function inUnitOf(slot: Slot, value: number, written: string): number | undefined {
  const from = unitOf(written);
  const to = from && unitsOfSlot(slot).find(({ measures }) => measures === from.measures);
  if (!from || !to) return undefined;
  return from.size === to.size ? value : Number(((value * from.size) / to.size).toPrecision(12));
}
