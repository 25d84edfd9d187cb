// Numbers in one plain decimal form, in which those that people write are compared with values. Pure.

/** Characters of a number; longer ones are none that people compare. */
export const MAX_COMPARED = 40;
const TRIVIAL = /^-?0*[01]?$/;
const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** A decimal without the zeros that say nothing; those in front say that it is an identifier. */
export function trimmedDecimal(decimal: string): string {
  const short = decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
  return /^-0*$/.test(short) ? "0" : short;
}

/** Whether a plain number is 0 or 1, which stand for nothing in particular. */
export function isTrivialNumber(plain: string): boolean {
  return TRIVIAL.test(plain);
}

/** A value in the plain form; undefined for one that is no number, and for 0 and 1. */
export function plainNumber(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return undefined;
  if (typeof value === "string" && value.length > MAX_COMPARED) return undefined;
  const text = String(value);
  const plain = PLAIN.test(text) ? trimmedDecimal(text) : undefined;
  return plain === undefined || isTrivialNumber(plain) ? undefined : plain;
}
