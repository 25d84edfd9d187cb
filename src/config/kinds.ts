// The kinds of values a setting can have: how each is written in config.json, in a variable and on the command line.
import { z } from "zod";
import type { Kind } from "./setting.js";

/** setTimeout fires at once beyond this many milliseconds. */
export const MAX_TIMER_MS = 2_147_483_647;

const nonEmpty = z.string().min(1, "must not be empty");

/** Any text but an empty one. */
export const TEXT: Kind<string> = {
  json: nonEmpty,
  fromText: (text) => text,
  option: { type: "string" },
};

/** A secret or a reference to one. */
export const SECRET: Kind<string> = {
  ...TEXT,
  json: nonEmpty.describe("A secret: env:NAME, file:PATH, or (with a warning) the value itself."),
};

/** Secrets by names of the user's choice. */
export const SECRETS: Kind<Record<string, string>> = {
  json: z.record(nonEmpty, SECRET.json),
  fromText: notAsText,
  option: { type: "string" },
  isRecord: true,
};

/** Texts; in a variable separated by commas. */
export const TEXTS: Kind<string[]> = {
  json: z.array(nonEmpty),
  fromText: (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  option: { type: "string", array: true },
};

/** On or off; in a variable true, 1, yes, on and their opposites, in any case. */
export const SWITCH: Kind<boolean> = {
  json: z.boolean(),
  fromText(text) {
    if (/^(true|1|yes|on)$/i.test(text)) return true;
    if (/^(false|0|no|off)$/i.test(text)) return false;
    throw new Error("expected true or false");
  },
  option: { type: "boolean" },
};

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    json: z.enum(words, `must be one of ${words.join(", ")}`),
    fromText: notAsText,
    option: { type: "string" },
  };
}

/** A number between two bounds, read from text. */
export function parseNumber(text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`expected a number from ${min} to ${max}`);
}

/** A whole number between two bounds. */
export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    json: z.int().min(min).max(max),
    fromText(text) {
      const value = parseNumber(text, min, max);
      if (!Number.isInteger(value)) throw new Error("expected a whole number");
      return value;
    },
    option: { type: "number", min, max },
  };
}

/** A time that a timer can wait. */
export const MILLISECONDS = wholeNumber(1, MAX_TIMER_MS);

function notAsText(): never {
  throw new Error("expected in config.json only");
}
