// Codes that people call records by, beside the keys of these: the tag "BK-107" of bike 7. Which texts of a prompt are codes, and in
// which fields of the records of a list, or arguments, they stand. Texts and records in.

import type { JsonObject } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { textsIn } from "../slots/slot.js";

/** Letters and digits, with or without signs between: with an underscore it is the key that a program made ("cus_1"). */
const CODE = /^(?=.*\p{L})(?=.*\d)(?=.{3,20}$)[\p{L}\d]+(?:[-./][\p{L}\d]+)*$/u;
/** "2026-12-05T10:00", "12kg" and "2nd" are none. */
const OTHER = /^\d{4}-\d{2}-\d{2}|^\d+\p{L}{1,3}$/u;

/** "2026-018", "12-345-6": digits alone, which are neither a month nor a day. */
const DIGITS = /^(?!\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?$)\d{1,6}(?:[-/]\d{1,6})+$/;

const isCodeText = (text: string): boolean => (CODE.test(text) && !OTHER.test(text)) || DIGITS.test(text);

/** Whether a value of a prompt may be a code. */
export const isCode = ({ kind, text }: Entity): boolean => kind === "id" && isCodeText(text);

/** Whether a code of a prompt is among some arguments: it may call a record instead. */
export function sendsCode(args: JsonObject, { entities }: PromptText): boolean {
  const sent = textsIn(args);
  return entities.some((one) => isCode(one) && sent.includes(one.text.toLowerCase()));
}

/** A code as codes are compared: "bk107" is "BK-107". */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");

/** What codes of one kind have in common: the letters that they begin with, or their form. */
const kindOf = (text: string): string =>
  /^\p{L}+/u.exec(plain(text))?.[0] ??
  plain(text)
    .replace(/\d+/g, "0")
    .replace(/\p{L}+/gu, "a");

/** The fields in which the records of a list have codes of their own; `nouns` are those of the other lists. */
export function codeFields(rows: readonly JsonObject[], nouns: ReadonlySet<string>): string[] {
  return Object.keys(rows[0] ?? {}).filter((field) => {
    // "bike_tag" is that of a bike.
    if (words(field).some((word) => nouns.has(singularOf(word)))) return false;
    const values = rows.flatMap((row) => {
      const value = row[field];
      return typeof value === "string" && value !== "" ? [value] : [];
    });
    return values.length > 0 && values.every(isCodeText) && new Set(values).size === values.length;
  });
}

/** Whether one of these fields of a record has a code. */
export const hasCode = (row: JsonObject, fields: readonly string[], code: string): boolean =>
  fields.some((field) => plain(String(row[field] ?? "")) === plain(code));

/** Whether the codes in these fields are of the kind of this one, so that it may stand on a further page. */
export const fitsCodes = (rows: readonly JsonObject[], fields: readonly string[], code: string): boolean =>
  rows.some((row) => fields.some((field) => kindOf(String(row[field] ?? "")) === kindOf(code)));

/** Whether a field has the number that people call a record of this noun by, beside its key: `number`, `tram_number`. */
export function isNumberField(field: string, noun: string): boolean {
  const parts = words(field);
  return /^(?:number|no|nr)$/.test(parts.at(-1) ?? "") && (parts.length === 1 || parts.slice(0, -1).join(" ") === noun);
}

/** The records of this noun that have such a number. */
export const numberedRows = (rows: readonly JsonObject[], number: string, noun: string): JsonObject[] =>
  rows.filter((row) =>
    Object.entries(row).some(([field, value]) => isNumberField(field, noun) && String(value) === number),
  );
