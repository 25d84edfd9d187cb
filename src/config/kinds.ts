// The kinds of values a setting can have: how each is written in config.json, in a variable and on the command line.
import { z } from "zod";
import { PERMISSIONS, type PermissionTable } from "../domain/permission.js";
import type { JsonObject } from "../lib/json.js";
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
export const SECRETS: Kind<Record<string, string>> = byName(z.record(nonEmpty, SECRET.json));

/** Characters of a word of a glossary, and of what it means: every prompt goes to the model with them. */
const MAX_WORD = 60;
const MAX_MEANING = 120;

/** What people say, and what an application calls it. */
export const GLOSSARY: Kind<Record<string, string>> = byName(
  z.record(
    z
      .string()
      .max(MAX_WORD)
      .regex(/^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u, "must begin and end with a letter or a digit"),
    z.string().max(MAX_MEANING).regex(/\S/, "must not be empty"),
  ),
);

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
  return inFileOnly(z.enum(words, `must be one of ${words.join(", ")}`));
}

/** Allow, ask or deny, by names of tools. */
export const PERMISSION_TABLE: Kind<PermissionTable> = byName(
  z.record(
    z.string().regex(/^[\w*-]{1,128}$/, {
      error: ({ input }) => `"${String(input)}" is no name of a tool, and no pattern of *`,
    }),
    z.enum(PERMISSIONS, `must be one of ${PERMISSIONS.join(", ")}`),
  ),
);

/** Any JSON object; config.json alone can hold one. */
export const OBJECT: Kind<JsonObject> = byName(z.record(z.string(), z.json()));

/** A number between two bounds, read from text. */
export function parseNumber(text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`expected a number from ${min} to ${max}`);
}

/** A number between two bounds, whole or not. */
export function decimal(min: number, max: number): Kind<number> {
  return {
    json: z.number().min(min).max(max),
    fromText: (text) => parseNumber(text, min, max),
    option: { type: "number", min, max },
  };
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

/** What config.json alone can hold. */
export function inFileOnly<Value>(json: z.ZodType<Value>): Kind<Value> {
  return {
    json,
    fromText() {
      throw new Error("expected in config.json only");
    },
    option: { type: "string" },
  };
}

/** The same for an object whose members have names of the user's choice. */
export function byName<Value>(json: z.ZodType<Value>): Kind<Value> {
  return { ...inFileOnly(json), isRecord: true };
}
