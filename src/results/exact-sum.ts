// Sums of decimal numbers as people add them: 0.1 and 0.2 are 0.3. Digits are added as whole numbers, apart for each count of digits
// behind the point; the result is rounded once, at the end. Pure.

/** A sum, and how many numbers it is of. */
interface ExactSum {
  add(value: number | bigint | string): void;
  readonly count: number;
  /** A bigint where a number would lose digits of a whole sum. */
  sum(): number | bigint;
  /** Undefined without numbers. */
  average(): number | undefined;
}

/** Beyond, a number of this program is no longer exact, and the part is moved into the whole. */
const SAFE = Number.MAX_SAFE_INTEGER / 2;
/** Digits of an average behind those of the sum. */
const AVERAGE_DIGITS = 20;

/** A number as a whole one and the digits behind its point; one too long for a safe integer has its digits as text. */
function digitsOf(value: number | bigint | string): { digits: string; scale: number } {
  const [mantissa = "", exponent = "0"] = String(value).toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: whole + fraction + "0".repeat(-scale), scale: 0 } : { digits: whole + fraction, scale };
}

/** A whole number over a power of ten as a number. */
function toNumber(total: bigint, scale: number): number {
  const sign = total < 0n ? "-" : "";
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, "0");
  return Number(`${sign}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`);
}

/** A sum of nothing yet. */
export function createExactSum(): ExactSum {
  /** By the digits behind the point: what is added as a number, and what went beyond. */
  const parts = new Map<number, { small: number; large: bigint }>();
  let count = 0;
  const partOf = (scale: number): { small: number; large: bigint } => {
    let part = parts.get(scale);
    if (!part) parts.set(scale, (part = { small: 0, large: 0n }));
    return part;
  };
  const whole = (): { total: bigint; scale: number } => {
    const scale = Math.max(0, ...parts.keys());
    let total = 0n;
    for (const [own, { small, large }] of parts) total += (large + BigInt(small)) * 10n ** BigInt(scale - own);
    return { total, scale };
  };
  return {
    add(value) {
      count++;
      const isSmall = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < SAFE;
      const { digits, scale } = isSmall ? { digits: "", scale: 0 } : digitsOf(value);
      const part = partOf(scale);
      const number = isSmall ? (value as number) : Number(digits);
      if (Math.abs(number) >= SAFE) part.large += BigInt(digits);
      else if (Math.abs((part.small += number)) >= SAFE) {
        part.large += BigInt(part.small);
        part.small = 0;
      }
    },
    get count() {
      return count;
    },
    sum() {
      const { total, scale } = whole();
      const isWhole = scale === 0 || total % 10n ** BigInt(scale) === 0n;
      const integer = isWhole ? total / 10n ** BigInt(scale) : undefined;
      if (integer === undefined) return toNumber(total, scale);
      return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
    },
    average() {
      if (count === 0) return undefined;
      const { total, scale } = whole();
      return toNumber((total * 10n ** BigInt(AVERAGE_DIGITS)) / BigInt(count), scale + AVERAGE_DIGITS);
    },
  };
}
