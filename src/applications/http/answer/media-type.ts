// What a Content-Type tells about an answer: what it is, in which character set, and whether it is made of rows.
// Source: RFC 9110, section 8.3.
import { parse } from "content-type";

/** A Content-Type, read. */
export interface MediaType {
  /** In lower case, without parameters; empty when there is none. */
  type: string;
  /** In lower case; empty when there is none. */
  charset: string;
  /** Whether the first line of CSV holds the names of its columns. Source: RFC 4180, section 3. */
  hasNames: boolean;
}

/** How rows are written in a text: a JSON text a line, JSON texts behind separators (RFC 7464), or cells (RFC 4180). */
export type RowFormat = "lines" | "sequence" | "csv" | "tsv";

const FORMATS: [RegExp, RowFormat][] = [
  [/[/+](x-)?(ndjson|jsonl|jsonlines)$/, "lines"],
  [/[/+]json-seq$/, "sequence"],
  [/[/+](x-)?csv$|^text\/comma-separated-values$/, "csv"],
  [/^text\/tab-separated-values$/, "tsv"],
];

/** Reads a Content-Type; never throws. */
export function mediaTypeOf(contentType: string): MediaType {
  const { type, parameters } = parse(contentType);
  const parameter = (name: string): string => parameters[name]?.toLowerCase() ?? "";
  return { type, charset: parameter("charset"), hasNames: parameter("header") !== "absent" };
}

/** Whether text of this charset is UTF-8; a missing one is. */
export function isUtf8(charset: string): boolean {
  return /^(utf-?8)?$/.test(charset);
}

/** Whether a type names JSON; none at all does not. */
export function isJson(type: string): boolean {
  return /[/+]json$|^(application|text)\/(x-)?javascript-object/.test(type);
}

/** How the rows of a type are written in its text; undefined when it is not made of rows. */
export function rowFormatOf(type: string): RowFormat | undefined {
  return FORMATS.find(([names]) => names.test(type))?.[1];
}
