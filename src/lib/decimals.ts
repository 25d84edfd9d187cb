// How many digits a number has behind its point: those it was written with, not those by which a double misses them. Pure.

/** Every decimal of so many digits comes back from a double unchanged; what a double prints beyond them is noise. */
const EXACT_DIGITS = 15;

/** Digits behind the point of a number: 2 for 1.11 and for the 1.1099999999999999 that a sum leaves in its place. */
export function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const [mantissa = "", exponent = "0"] = String(Number(value.toPrecision(EXACT_DIGITS))).split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}
