// A held call in a few plain words: what would be done to what, by name. Made of what the tool is and of what is known of its effect, never
// of what a model says about it. Pure.
import type { Effect, RowChange } from "../../src/domain/effect.js";
import type { HeldCall } from "../../src/domain/event.js";
import type { Safety } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { wordsOf } from "../../src/lib/name-words.js";
import { pluralOf, singularOf } from "../../src/lib/plural.js";
import { actionWords, singular } from "./action-words.js";
import { fieldDifferences } from "./effect.js";

/** What a person reads first: a verb of the page's own, then names of the application's. */
interface Headline {
  /** "Delete", "Change". */
  verb: string;
  /** "product 4, Sumatra Night"; "" where nothing more is known than the tool. */
  subject: string;
  /** The fields that change, "" for none. */
  fields: string;
}

type Held = Pick<HeldCall, "tool" | "arguments" | "effect" | "request">;

/** Fields that name a record, the best first. */
const NAMES = ["name", "title", "full_name", "display_name", "label", "subject", "username", "email", "sku", "code"];
/** Fields that are told by name. */
const MAX_FIELDS = 3;
/** Characters of one name. */
const MAX_NAME = 60;
/** From so many deleted rows on, a person types how many. */
const MANY_ROWS = 10;

const VERBS: Readonly<Record<Tool["verb"], string>> = {
  list: "List",
  get: "Read",
  create: "Create",
  update: "Change",
  delete: "Delete",
  action: "Run",
};

function shortText(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : toJson(value);
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).toWellFormed()}…` : text;
}

/** What a record is called, by one of its own fields; "" when none of them names it. */
export function nameOf(record: JsonObject | null): string {
  if (record === null) return "";
  const keys = Object.keys(record);
  const own = NAMES.map((name) =>
    keys.find((key) => key.toLowerCase().replaceAll("_", "") === name.replaceAll("_", "")),
  );
  const found = own.find((key) => key !== undefined && typeof record[key] === "string" && record[key] !== "");
  return found === undefined ? "" : shortText(record[found]);
}

const keyText = (key: JsonObject): string => Object.values(key).map(shortText).join(", ");

function listed(names: readonly string[]): string {
  const more = names.length - MAX_FIELDS;
  const first = names.slice(0, MAX_FIELDS).map((name) => shortText(name));
  return more > 0 ? `${first.join(", ")} and ${more} more` : first.join(", ");
}

/** The rows of all tables that go. */
function deletedRows({ tables, changes }: Effect): number {
  const shown = changes.filter(({ after }) => after === null).length;
  return Math.max(
    shown,
    (tables ?? []).reduce((sum, table) => sum + table.deleted, 0),
  );
}

/** One change: of what, called how. */
function ofOneChange(change: RowChange, noun: string): Pick<Headline, "subject" | "fields"> {
  const { before, after, key } = change;
  const parts = [`${noun} ${keyText(key)}`.trim(), nameOf(before ?? after)];
  return {
    subject: parts.filter((part) => part !== "").join(", "),
    fields: listed(fieldDifferences(change).map(({ name }) => name)),
  };
}

/** The name of a table for so many of its rows: its last word is one or many, whatever the table is called. */
function rowsName(name: string, count: number): string {
  const last = /[a-z]+$/.exec(name)?.[0] ?? "";
  const one = singularOf(last);
  return name.slice(0, name.length - last.length) + (count === 1 ? one : pluralOf(one));
}

const counts = (effect: Effect): string =>
  (effect.tables ?? [])
    .map(({ name, inserted, updated, deleted }) => {
      const count = inserted + updated + deleted;
      return `${count.toLocaleString()} ${rowsName(name, count)}`;
    })
    .join(", ");

/** One row with what goes with it in other tables, or so many rows. */
function ofSeveral(effect: Effect, first: RowChange): Pick<Headline, "subject" | "fields"> {
  const { tables = [], changes } = effect;
  const own = tables.find(({ name }) => name === first.resource);
  const isSingle = own !== undefined && own.inserted + own.updated + own.deleted === 1;
  if (!isSingle) return { subject: counts(effect) || `${changes.length} ${first.resource}`, fields: "" };
  const rest = counts({ ...effect, tables: tables.filter((table) => table !== own) });
  const { subject, fields } = ofOneChange(first, singular(first.resource));
  return { subject: rest === "" ? subject : `${subject}, with ${rest}`, fields };
}

/** Arguments that say which record is meant. */
export function keyIn(args: JsonObject): string {
  const key = Object.entries(args).find(
    ([name, value]) => /^(id|key|uuid|sku)$|_id$|Id$/.test(name) && !isObject(value),
  );
  return key === undefined ? "" : shortText(key[1]);
}

/** The headline of a held call; `tool` is undefined for one that is gone. */
export function headlineOf({ tool: name, arguments: args, effect }: Held, tool: Tool | undefined): Headline {
  const [only, ...others] = effect?.changes ?? [];
  if (name === "undo" && !tool) {
    const subject = `call ${shortText(args["history_id"])}`;
    if (!effect || !only) return { verb: "Undo", subject, fields: "" };
    const one = others.length === 0 ? ofOneChange(only, singular(only.resource)) : ofSeveral(effect, only);
    return { verb: "Undo", subject, fields: counts(effect) || one.subject };
  }
  if (!tool) return { verb: "Call", subject: name, fields: "" };
  const isOne = only !== undefined && others.length === 0;
  const noun = singular(isOne ? only.resource : tool.resource || tool.own_name || name);
  if (tool.verb === "action" && !isOne) return ofAction(tool, args);
  const verb = tool.verb === "action" && isOne ? verbOf(only) : VERBS[tool.verb];
  if (isOne) return { verb, ...ofOneChange(only, noun) };
  if (effect && only) return { verb, ...ofSeveral(effect, only) };
  const key = tool.verb === "create" ? "" : keyIn(args);
  const subject = [`${noun} ${key}`.trim(), nameOf(args)];
  // Nothing says which one: it is about many, or all of them.
  const many = (tool.resource || "").replaceAll(/[_-]+/g, " ");
  if (tool.verb === "delete" && key === "" && subject[1] === "" && many !== "" && many !== noun)
    return { verb, subject: Object.keys(args).length === 0 ? `all ${many}` : many, fields: listed(Object.keys(args)) };
  return { verb, subject: subject.filter((part) => part !== "").join(", "), fields: "" };
}

/** Amounts among arguments: "amount 12.5". */
function amountsIn(args: JsonObject): string {
  const amounts = Object.entries(args).filter(
    ([name, value]) => wordsOf(name).includes("amount") && (typeof value === "number" || typeof value === "string"),
  );
  return listed(amounts.map(([name, value]) => `${name} ${shortText(value)}`));
}

/** What an action does is known by its words alone, and where these are not certain by its name. */
function ofAction(tool: Tool, args: JsonObject): Headline {
  const words = actionWords(tool);
  if (!words)
    return { verb: VERBS.action, subject: (tool.own_name ?? tool.name).replaceAll("_", " "), fields: nameOf(args) };
  const ofPath = words.key === undefined ? undefined : args[words.key];
  const key = ofPath !== undefined && !isObject(ofPath) ? shortText(ofPath) : keyIn(args);
  const parts = [`${singular(tool.resource)} ${key}`.trim(), nameOf(args)];
  return { verb: words.verb, subject: parts.filter((part) => part !== "").join(", "), fields: amountsIn(args) };
}

function verbOf({ before, after }: RowChange): string {
  if (before === null) return VERBS.create;
  return after === null ? VERBS.delete : VERBS.update;
}

/** A headline as one line of text. */
export function headlineText({ verb, subject, fields }: Headline): string {
  return `${verb} ${subject}${fields === "" ? "" : `: ${fields}`}`;
}

/** What a person has to type before much is destroyed: the number of rows, or what all of is deleted. Undefined where a click is enough. */
export function typedProof({ arguments: args, effect, request }: Held, tool: Tool | undefined): string | undefined {
  const rows = effect ? deletedRows(effect) : 0;
  if (rows >= MANY_ROWS) return String(rows);
  const isWholeTable = tool?.verb === "delete" && request["method"] === "DELETE" && Object.keys(args).length === 0;
  return isWholeTable && effect === undefined ? tool.resource || tool.name : undefined;
}

/** How a safety class is told in one word beside its icon. */
export const IMPORTANCE: Readonly<Record<Safety, string>> = {
  read_only: "reads",
  mutating: "changes data",
  destructive: "destroys data",
};
