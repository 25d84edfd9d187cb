// Where what a prompt calls a record by stands in the records that were read for it, in whatever field, at any depth. "I found nothing
// called so" is said only where it stands nowhere. Lists with their records in, the record as an answer or a sentence about it out.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { recordName } from "../answer/rows.js";
import { inRow, quoted } from "../answer/sentences.js";
import { keyIn, type ReadList } from "../names/called-records.js";
import { isWholeList, NAME_FIELD } from "../names/name-lists.js";
import type { Entity } from "../prompt/entities.js";
import { contentTokens, type PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { asksForRecord, namedRecordText } from "./asked-record.js";

/** A record with a field that holds a text of the prompt. */
interface HeldValue {
  list: Tool;
  row: JsonObject;
  /** The path of the field: "contact.agent". */
  field: string;
  /** The text is the whole of the field. */
  isWhole: boolean;
}

const fold = (text: string): string => words(text.normalize("NFC")).join(" ");

/** Lists within records that are looked into so deep. */
const MAX_DEPTH = 4;

/** The texts of a record with their paths. */
function textsIn(value: JsonValue | undefined, path: readonly string[] = []): [path: string, text: string][] {
  if (path.length > MAX_DEPTH) return [];
  if (typeof value === "string") return [[path.join("."), value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, path));
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name])) : [];
}

/** The records that hold a text: as the whole of a field, or else within one. */
function heldValues(text: string, lists: readonly Omit<ReadList, "mayGoOn">[]): HeldValue[] {
  const wanted = fold(text);
  if (wanted === "") return [];
  const found = lists.flatMap(({ list, rows }) =>
    rows.flatMap((row): HeldValue[] => {
      const texts = textsIn(row).map(([field, held]) => ({ field, held: fold(held) }));
      const whole = texts.find(({ held }) => held === wanted);
      const part = whole ?? texts.find(({ held }) => ` ${held} `.includes(` ${wanted} `));
      return part ? [{ list, row, field: part.field, isWhole: whole !== undefined }] : [];
    }),
  );
  const whole = found.filter(({ isWhole }) => isWhole);
  return whole.length > 0 ? whole : found;
}

/** Fields that tell one record of a list from another, beside its key. */
const CODE = /^(?:code|number|no|ref|reference|slug|sku)$|(?:_|[a-z])(?:code|number|no|ref|No|Code|Number|Ref)$/;

/** What a record is called: "studio RC". */
function called({ list, row, field }: HeldValue, tools: readonly Tool[]): string {
  const noun = resourceNoun(list);
  const code = Object.entries(row).find(
    ([name, value]) => CODE.test(name) && name !== field && typeof value === "string",
  );
  const key = keyIn(row, list, tools) ?? code?.[1];
  if (key !== undefined && key !== row[field]) return `${noun} ${String(key)}`;
  const name = NAME_FIELD.test(field) ? undefined : recordName(row);
  return name === undefined ? `one of the ${pluralOf(noun)}` : `${noun} "${name}"`;
}

/** Where a text stands, as a sentence without its end. */
function placeText(said: string, held: readonly HeldValue[], tools: readonly Tool[]): string {
  const [first, ...others] = held;
  if (!first) return "";
  const fields = [...new Set(held.map(({ field }) => field))];
  const nouns = [...new Set(held.map(({ list }) => pluralOf(resourceNoun(list))))];
  const where = others.length === 0 ? called(first, tools) : `${held.length} of the ${inRow(nouns, "and")}`;
  return `${quoted([said], "and")} ${first.isWhole ? "is" : "stands in"} the ${inRow(fields, "or")} of ${where}`;
}

/** Whether a name of a record is what the field holds, and not something else of it. */
const isNameField = ({ field, row }: HeldValue): boolean => NAME_FIELD.test(field) || row[field] === recordName(row);

/** A question that a person, or a record, answers by being the one with that value. */
const WHICH = /^\s*(?:so\s+|and\s+)?(?:who|whose|which|what)(?:['’]s)?\b/i;

/** Whether what a prompt asks of a record that it tells by a field other than its name can be placed. */
function isPlaced(
  prompt: PromptText,
  { held, name, nouns }: { held: HeldValue; name: Entity; nouns: ReadonlySet<string> },
) {
  const { row, list, field } = held;
  const place = { row, list, start: name.start, end: name.end };
  if (!asksForRecord(prompt, place, nouns)) return false;
  if (isNameField(held)) return true;
  // "phone of Rolf Beck" is not the phone of whom he is the agent of.
  const label = words(field.split(".").at(-1) ?? "").map(stem);
  const others = contentTokens(prompt).filter(({ start }) => start < name.start || start >= name.end);
  const isOfField = others.some(({ term }) => label.includes(term));
  const isBare = others.every(({ word }) => WHICH.test(word) || singularOf(word) === resourceNoun(list));
  return WHICH.test(prompt.text) && (isOfField || isBare) && !/^['’]s?\s/.test(prompt.text.slice(name.end));
}

/**
 * The text for names that no record is called by, and that stand in records all the same: the record where it is the only one and
 * what is asked of it can be placed, or where the name stands. Undefined where none of them stands anywhere.
 */
export function heldText(
  prompt: PromptText,
  { names, lists, tools }: { names: readonly Entity[]; lists: readonly ReadList[]; tools: readonly Tool[] },
): { answer?: string; why?: string } | undefined {
  const found = names.flatMap((name) => {
    const held = heldValues(name.text, lists);
    return held.length > 0 ? [{ name, held }] : [];
  });
  const [first] = found;
  if (!first) return undefined;
  const { name, held } = first;
  const [only, ...more] = held;
  const text = prompt.text.slice(name.start, name.end);
  const place = placeText(text, held, tools);
  const nouns = new Set(tools.filter(isWholeList).map(resourceNoun));
  if (only && more.length === 0 && only.isWhole && names.length === 1 && !lists.some(({ mayGoOn }) => mayGoOn))
    if (isPlaced(prompt, { held: only, name, nouns }))
      return {
        answer: `${isNameField(only) ? "" : `${place}.\n\n`}${namedRecordText(prompt, { ...only, start: name.start, end: name.end }, tools)}`,
      };
  const isOrAre = held.length > 1 ? "them" : "it";
  return { why: `${place}, and I did not understand what is wanted of ${isOrAre}, so I called nothing further.` };
}
