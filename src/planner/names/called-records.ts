// The records that a name, or a code, of a prompt may mean among those that were read. Lists with their records in, records with their
// places in the prompt out.

import type { Tool } from "../../domain/tool.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { fieldNamesOf } from "../answer/narrowed.js";
import { idOf, splitName } from "../answer/rows.js";
import { codeFields, hasCode, isCode } from "../match/codes.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf, keyedCollection, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames } from "../slots/slot.js";
import { isWholeList, NAME_FIELD, nounBeside, OTHER_NAME } from "./name-lists.js";
import { partOf } from "./name-parts.js";
import { namePlace, withQuotes } from "./name-places.js";

/** A name of the prompt and the record that is called so. */
export interface NamedRecord {
  list: Tool;
  row: JsonObject;
  /** Where the name stands, with the noun beside it. */
  start: number;
  end: number;
  /** What stands for it: "hive 17". */
  key: string;
  id: string;
  /** It is called by a code, which is given once: it stands on no further page. */
  isCertain: boolean;
  /** What it is called, where the prompt has only a part of that. */
  whole?: string;
}

/** A list that was read for a name, as far as it was. */
export interface ReadList {
  list: Tool;
  rows: readonly JsonObject[];
  mayGoOn: boolean;
}

/** The key of a record of a list: what the tool takes in its path that reads or changes one. */
export function keyIn(row: JsonObject, list: Tool, tools: readonly Tool[]): JsonValue | undefined {
  const keys = tools.flatMap((tool) =>
    [...pathNames(tool)].filter((name) => keyedCollection(tool, name) === collectionOf(list)),
  );
  // "/holidays/{country}" takes the key of something else.
  return idOf(row, keys.find((name) => KEY_NAME.test(name)) ?? keys[0] ?? "id");
}

/** A key as a prompt says it: in quotes where it would be words like any other ("chinese-new-year"). */
const written = (key: JsonValue): string => (/^\p{Ll}\D*$/u.test(String(key)) ? `"${String(key)}"` : String(key));

/** The fields in which the records of a list have codes of their own. */
export function codeFieldsOf(list: Tool, rows: readonly JsonObject[], tools: readonly Tool[]): string[] {
  const others = tools.filter((one) => isWholeList(one) && resourceNoun(one) !== resourceNoun(list));
  return codeFields(rows, new Set(others.map(resourceNoun)));
}

/** What a record is called: the fields for that, and a name that stands in two of them. */
const namesOf = (row: JsonObject, own?: string): string[] =>
  [
    ...Object.entries(row).map(
      ([field, value]) => (NAME_FIELD.test(field) || OTHER_NAME.test(field) || field === own) && value,
    ),
    splitName(row),
  ].filter((name) => typeof name === "string");

/** All that each record of a list may be called by: its names and its codes. */
export function namesOfRows(list: Tool, rows: readonly JsonObject[], tools: readonly Tool[]): string[][] {
  const own = ownNameField(rows);
  const codes = codeFieldsOf(list, rows, tools);
  const textsOf = (row: JsonObject): string[] => codes.flatMap((field) => [row[field]].filter(isText));
  return rows.map((row) => [...new Set([...namesOf(row, own), ...textsOf(row)])].filter((name) => name.trim() !== ""));
}

const isText = (value: JsonValue | undefined): value is string => typeof value === "string";

const deleting = new WeakMap<PromptText, boolean>();

/** Whether a prompt deletes. Asked for each name and record, and read once. */
function isDeletingPrompt(prompt: PromptText): boolean {
  const known = deleting.get(prompt);
  if (known !== undefined) return known;
  const isDeleting = readRequest(prompt).commands.some(({ intents }) => intents.has("delete"));
  deleting.set(prompt, isDeleting);
  return isDeleting;
}

/** The names that a prompt may call a record by. By a further name nothing is deleted: it may be that of what belongs to the record. */
function namesToCall(row: JsonObject, { own, prompt }: { own: string | undefined; prompt: PromptText }): string[] {
  const isDeleting = isDeletingPrompt(prompt);
  const others = Object.entries(row).flatMap(([field, value]) => (OTHER_NAME.test(field) ? [value] : []));
  return namesOf(row, own).filter((name) => !isDeleting || !others.includes(name));
}

/** Texts that say more of a record than what it is called. */
const LONG = 40;

/**
 * The field that records without a field for names are called by: the first text of theirs that is another one in each. Days, keys,
 * addresses and what is said at length are no names.
 */
function ownNameField(rows: readonly JsonObject[]): string | undefined {
  if (rows.length < 2 || rows.some((row) => namesOf(row).length > 0)) return undefined;
  const field = fieldNamesOf(rows).find((one) => !KEY_NAME.test(one) && rows.every((row) => isNameText(row[one])));
  const values = new Set(rows.map((row) => String(row[field ?? ""]).toLowerCase()));
  return values.size === rows.length ? field : undefined;
}

const isNameText = (value: JsonValue | undefined): boolean =>
  typeof value === "string" && value.length <= LONG && /\p{L}{3}/u.test(value) && !/@|:\/\//.test(value);

/** A name in the genitive whose apostrophe was left out: "lenas email". */
const ofPossessive = ({ text, end }: Entity, prompt: PromptText): string | undefined =>
  /^\p{L}{2,}[^s\s]s$/iu.test(text) && /^\s+\p{L}/u.test(prompt.text.slice(end)) ? text.slice(0, -1) : undefined;

/** A name of a prompt, and the lists that were read for it. */
export interface Called {
  name: Entity;
  prompt: PromptText;
  lists: readonly ReadList[];
  tools: readonly Tool[];
}

/** The records with a name of which the prompt has a part: those that have nothing but a title beside it, or else all of them. */
export function recordsPartlyCalled({ name, prompt, lists, tools }: Called): NamedRecord[] {
  // Among those that were not shown more may have it.
  if (name.kind !== "name" || lists.some(({ mayGoOn }) => mayGoOn)) return [];
  const possessor = ofPossessive(name, prompt);
  const found = lists.flatMap(({ list, rows }) => {
    const own = ownNameField(rows);
    return rows.flatMap((row) =>
      namesToCall(row, { own, prompt }).flatMap((whole) => {
        const how = partOf(whole, name.text) ?? (possessor === undefined ? undefined : partOf(whole, possessor));
        const one = how && named({ list, row, place: name }, { name, prompt, tools });
        return one ? [{ ...one, whole, isShort: how === "title" }] : [];
      }),
    );
  });
  const short = found.filter(({ isShort }) => isShort);
  return short.length > 0
    ? short.map(({ isShort: _, whole: __, ...one }) => one)
    : found.map(({ isShort: _, ...one }) => one);
}

/** A record with its place in the prompt; undefined where it has no key. */
function named(
  { list, row, place }: { list: Tool; row: JsonObject; place: { start: number; end: number } },
  { name, prompt, tools }: Omit<Called, "lists">,
): NamedRecord | undefined {
  const id = keyIn(row, list, tools);
  if (id === undefined) return undefined;
  const span = withQuotes(place, prompt);
  const noun = nounBeside({ ...name, ...span }, prompt, list);
  const start = Math.min(span.start, noun?.start ?? span.start);
  const end = Math.max(span.end, noun?.end ?? span.end);
  return {
    list,
    row,
    start,
    end,
    key: `${resourceNoun(list)} ${written(id)}`,
    id: String(id),
    isCertain: isCode(name),
  };
}

/** Whether one record is another one of its application with some of its fields: a report tells the same thing again. */
function isSameAs(one: NamedRecord, other: NamedRecord): boolean {
  const fields = Object.entries(one.row);
  return (
    one.list.application === other.list.application &&
    one.list !== other.list &&
    fields.length < Object.keys(other.row).length &&
    fields.every(([field, value]) => toJson(other.row[field] ?? null) === toJson(value))
  );
}

/** The records that a name of the prompt may mean: those with the longest name that is in it, or that have it as a part of theirs. */
export function recordsCalled(called: Called): NamedRecord[] {
  const { name, prompt, lists, tools } = called;
  const found = lists.flatMap(({ list, rows }) => {
    const codes = isCode(name) ? codeFieldsOf(list, rows, tools) : [];
    const own = ownNameField(rows);
    return rows.flatMap((row): NamedRecord[] => {
      const keys = name.kind === "id" ? [String(keyIn(row, list, tools))] : [];
      const names = [...namesToCall(row, { own, prompt }), ...keys];
      const place = hasCode(row, codes, name.text)
        ? { start: name.start, end: name.start + name.text.length }
        : names.flatMap((one) => namePlace(one, prompt, name) ?? [])[0];
      const one = place && named({ list, row, place }, called);
      return one ? [one] : [];
    });
  });
  if (found.length === 0) return recordsPartlyCalled(called);
  const longest = Math.max(...found.map(({ start, end }) => end - start));
  const fitting = found.filter(({ start, end }) => end - start === longest);
  return fitting.filter((one) => !fitting.some((other) => isSameAs(one, other)));
}
