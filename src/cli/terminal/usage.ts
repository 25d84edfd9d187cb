// What model calls took, in words.
import type { ModelUsage } from "../../domain/usage.js";
import { oneLine } from "./table.js";

/** Significant digits of an amount of money: a cent of a call is often worth telling. */
const DIGITS = 3;

/** A number for people: "12,345". */
export const grouped = (count: number): string => count.toLocaleString("en-US");

/** Tokens in and out. */
export const tokensText = ({ input_tokens, output_tokens }: ModelUsage): string =>
  `${grouped(input_tokens)} in, ${grouped(output_tokens)} out`;

/** Money, "" where there is no price. */
export function costText({ cost, currency = "" }: ModelUsage): string {
  return cost === undefined ? "" : `${Number(cost.toPrecision(DIGITS))} ${oneLine(currency)}`;
}

/** One model call as a line. */
export function usageLine(usage: ModelUsage): string {
  const parts = [
    `${oneLine(usage.model)}: ${tokensText(usage)}`,
    usage.cached_tokens ? `${grouped(usage.cached_tokens)} of the input cached` : "",
    usage.reasoning_tokens ? `${grouped(usage.reasoning_tokens)} of the output reasoning` : "",
    costText(usage),
  ];
  return `  ${parts.filter((part) => part !== "").join("; ")}`;
}
