// Inputs that several of the sample shop's operations share.
import { z } from "zod";

/** Euros; rounded to cents. No `multipleOf`: to many validators 19.99 is none of 0.01, in binary fractions. */
export const money = z.number().min(0).max(1_000_000);

/** Paging of every list. */
export const limits = {
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Rows on a page"),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).describe("Rows to skip"),
};

/** A sort field; the first is the default, a leading "-" reverses the order. */
export function sortBy(fields: readonly [string, ...string[]]): z.ZodDefault<z.ZodEnum<Record<string, string>>> {
  const both = fields.flatMap((field) => [field, `-${field}`]);
  return z
    .enum(both)
    .default(fields[0])
    .describe('Field to sort by, with a leading "-" largest first') as unknown as z.ZodDefault<
    z.ZodEnum<Record<string, string>>
  >;
}

/** Today in the shop. */
export const today = (): string => new Date().toISOString().slice(0, 10);
