// What one clause says of a record: "§ is urgent now", "due date of § to 20 December", "§ costs 12 euros", "deactivate §", where § stands for
// the record. Every word of a clause is read, or nothing is. A clause and the fields of the record in, fields with their values out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { takesNumber } from "../changes/told-parts.js";
import type { Today } from "../prompt/entities.js";
import { readPrompt } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { KEY_NAME, type Slot } from "../slots/slot.js";
import { countedIn } from "./counted.js";
import { amountIn, fittedValue, isIn, isPlainText, isPriced } from "./fitted.js";
import { stateIn } from "./states.js";

/** A field and its new value. */
interface Setting {
  slot: Slot;
  value: JsonValue;
}

/** What a clause is read with: the fields that may be set, the record as it is, and the others of its list. */
interface Told {
  slots: readonly Slot[];
  row: JsonObject;
  rows: readonly JsonObject[];
  today: Today;
  /** The stems of what is done to such records by actions of their own. */
  acts: ReadonlySet<string>;
  /** The record is only assumed: nothing is known of it. */
  isAssumed?: boolean;
  /** A clause before it says that something changes. */
  goesOn?: boolean;
}

const LEAD = /^(?:(?:please|pls|plz|now|ok|okay|so|and|also|can you|could you|hey|then)\s+)+/iu;
const TAIL =
  /(?:\s+(?:please|pls|plz|thanks|thank you|thx|instead|from now on|from today on|as of today|right now|now|again))+$/iu;
/** The record itself, with the word before it that only joins it to the rest. */
const ITSELF = /(?:(?<![\p{L}\p{N}])(?:of|for|on|at|in|to|with)\s+)?§(?:['’]s)?/gu;

const VERBS =
  "set|put|change|make|update|mark|move|switch|turn|give|have|let|flag|correct|fix|edit|adjust|bring|transfer|relocate|raise|lower|increase|decrease|reduce|drop|extend|shift|push|write|note|add|enter|record|leave|fill in|send|store|keep";
const LEFT = new RegExp(
  `^(?:(?:${VERBS})(?!\\p{L})\\s*)?(?:(?:back|in|on|into|onto|to|at|with|has|have|gets?|got|is|a|an|the|new|its|his|her|their|our|down|under)(?!\\p{L})\\s*)*$`,
  "iu",
);
const LINK =
  /^(?:\s*(?:[:=–]|->|→|(?:is|are|to|as|at|of|now|be|should be|must be|needs to be|has to be|becomes|changes to|changed to|has changed to|will be|number|until|till|on|:|=)(?![\p{L}\p{N}]))\s*)*/iu;
const COUNT = /^(?:(?:now|only|just|has|have|is|are|with|for|to|of|at)\s+)*(?<number>\d+(?:\.\d+)?)$/iu;
const MEASURE =
  /^(?:(?:set|put|change|make|raise|lower|reduce|increase)\s+)?(?<verb>(?:(?:is|are|now|at|to|only|costs?|sells?|for|weighs?|measures|charges?|=|:|-)\s*)*)(?<amount>[€$£]?\s?-?\d+(?:\.\d+)?\s*[\p{L}€$£²]*)$/iu;
const PLACED =
  /^(?<verb>(?:(?:move|put|transfer|bring|shift|send|relocate|place|take)\s+)?(?:(?:is|goes|go|now|back)\s+)*)(?<to>to|in|into|on|onto|at)\s+(?:the\s+)?(?<value>\S.*)$/iu;
const MOVED =
  /^(?:move|shift|postpone|push|bring|put|delay|reschedule)\s+(?:(?:back|forward|off|out)\s+)?(?:to|until|till|on)\s+(?<day>\S.*)$/iu;
const MOVES = ["move", "shift", "postpone", "delay", "reschedule"].map(stem);
const RENAMED = /^(?:rename|call)\s+(?:(?:to|into|as|it)\s+)?(?<value>\S.*)$/iu;

/** What a field may be called: "due", "due date" and "due on" of `due_on`. */
function phrasesOf({ name }: Slot): string[][] {
  const whole = words(name);
  const plain = [...withoutUnit(whole)];
  const forms = [whole, plain];
  if (/^(?:on|at|date|day|time)$/.test(plain.at(-1) ?? "") && plain.length > 1) {
    const base = plain.slice(0, -1);
    forms.push(base, [...base, "date"], [...base, "day"], [...base, "time"]);
  }
  if (/^(?:phone|mobile|telephone)$/.test(plain.at(-1) ?? "")) forms.push([...plain, "number"]);
  if (plain.join(" ") === "phone") forms.push(["number"], ["mobile"], ["telephone"]);
  if (plain.join(" ") === "email") forms.push(["e", "mail"], ["mail"], ["email", "address"]);
  return forms.map((form) => form.map(stem));
}

interface Place {
  slot: Slot;
  left: string;
  right: string;
  count: number;
}

/** Where the names of fields stand in a text: the longest, and none where two fields are called so. */
function placesOf(text: string, slots: readonly Slot[]): Place[] {
  const tokens = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: said, index }) => ({
    term: stem(said.toLowerCase()),
    start: index,
    end: index + said.length,
  }));
  const found = slots.flatMap((slot) =>
    phrasesOf(slot).flatMap((phrase) =>
      tokens.flatMap(({ start }, at): Place[] => {
        if (!phrase.every((term, i) => tokens[at + i]?.term === term)) return [];
        const end = tokens[at + phrase.length - 1]?.end ?? start;
        return [{ slot, left: text.slice(0, start), right: text.slice(end), count: phrase.length }];
      }),
    ),
  );
  const isCovered = (one: Place): boolean => found.some((other) => other.count > one.count && other.slot !== one.slot);
  return found.filter((one) => !isCovered(one));
}

function ofField(text: string, told: Told): Setting[] {
  return placesOf(text, told.slots).flatMap(({ slot, left, right }): Setting[] => {
    const number = COUNT.exec(left.trim())?.groups?.["number"];
    if (number !== undefined && right.trim() === "" && takesNumber(slot)) {
      const value = fittedValue(slot, number, { today: told.today, isMarked: false });
      return value === undefined ? [] : [{ slot, value }];
    }
    if (!LEFT.test(left.trim())) return [];
    const link = LINK.exec(right)?.[0] ?? "";
    const isMarked = /[:=–]/.test(link);
    const value = fittedValue(slot, right.slice(link.length), { today: told.today, isMarked });
    return value === undefined ? [] : [{ slot, value }];
  });
}

/** What an amount is of, by its unit or its verb: "is now 7 euros", "weighs 22.5 kg". */
function ofMeasure(text: string, { slots, today }: Told): Setting[] {
  const { verb = "", amount: said = "" } = MEASURE.exec(text)?.groups ?? {};
  const amount = amountIn(said);
  if (!amount) return [];
  const { unit, isDecimal } = amount;
  const isWeighed = (slot: Slot): boolean => takesNumber(slot) && words(slot.name).includes("weight");
  const isMeant = (slot: Slot): boolean => {
    if (/weigh/i.test(verb)) return isWeighed(slot) && (unit === undefined || isIn(slot, unit));
    if (/cost|sell|charge/i.test(verb)) return isPriced(slot) && (unit === undefined || isIn(slot, unit));
    return unit === undefined ? isDecimal && isPriced(slot) : isIn(slot, unit);
  };
  const [slot, ...others] = slots.filter(isMeant);
  const value = slot && fittedValue(slot, said, { today, isMarked: false });
  return slot && others.length === 0 && value !== undefined ? [{ slot, value }] : [];
}

/** A place that other records are at, in one field: "§ to W1". */
function ofPlace(text: string, { slots, rows, isAssumed, today }: Told): Setting[] {
  const { verb, value: place = "", to } = PLACED.exec(text)?.groups ?? {};
  if (!verb && !/^(?:to|into|onto)$/i.test(to ?? "")) return [];
  const said = place.toLowerCase();
  if (!/^[\p{Lu}\d][^\s]*(?:\s[\p{Lu}\d][^\s]*)*$/u.test(place)) return [];
  if (readPrompt(place, today).entities.some(({ kind }) => /^(?:date|time|number)$/.test(kind))) return [];
  const found = slots.filter(isPlainText).flatMap((slot, at): Setting[] => {
    if (isAssumed) return at === 0 ? [{ slot, value: place }] : [];
    const value = rows
      .map((row) => row[slot.name])
      .find((one) => typeof one === "string" && one.toLowerCase() === said);
    return value === undefined ? [] : [{ slot, value }];
  });
  return found.length === 1 ? found : [];
}

/** Another day, where such records have one and no action moves them: "move § to 6 December". */
function ofDay(text: string, { slots, acts, today }: Told): Setting[] {
  const said = MOVED.exec(text)?.groups?.["day"];
  const [slot, ...others] = slots.filter(({ format }) => format.startsWith("date"));
  if (said === undefined || !slot || others.length > 0 || MOVES.some((verb) => acts.has(verb))) return [];
  const value = fittedValue(slot, said, { today, isMarked: false });
  return value === undefined ? [] : [{ slot, value }];
}

/** A new name: "rename § to V". */
function ofName(text: string, { slots, today }: Told): Setting[] {
  const said = RENAMED.exec(text)?.groups?.["value"];
  const [slot, ...others] = slots.filter((one) => isPlainText(one) && /^(?:name|title|label)$/i.test(one.name));
  const value = said === undefined || !slot ? undefined : fittedValue(slot, said, { today, isMarked: false });
  return slot && others.length === 0 && value !== undefined ? [{ slot, value }] : [];
}

/** The fields that a clause sets; none where it says anything else, or may mean several. */
function assignmentsIn(clause: string, told: Told): Setting[] {
  if (clause.split("§").length > 2) return [];
  const whole = clause
    .trim()
    .replace(LEAD, "")
    .replace(/[\s.!]+$/, "");
  const isTold = told.goesOn === true || /(?<!\p{L})(?:now|again|instead|from now on)(?!\p{L})/iu.test(whole);
  const plain = whole.replace(TAIL, "");
  const text = plain.replace(ITSELF, " ").replace(/\s+/g, " ").trim();
  if (text === "") return [];
  const slots = told.slots.filter(({ name }) => !KEY_NAME.test(name));
  const own = { ...told, slots };
  for (const read of [
    () => ofName(text, own),
    () => countedIn(text, own),
    () => stateIn({ text, clause: plain, isTold }, own),
    () => ofField(text, own),
    () => ofMeasure(text, own),
    () => ofDay(text, own),
    () => ofPlace(text, own),
  ]) {
    const found = read();
    const [first, ...others] = found;
    if (first) return others.every((one) => one.slot === first.slot && one.value === first.value) ? [first] : [];
  }
  return [];
}

const BETWEEN_CLAUSES = /\s*[,;]\s+(?:and\s+)?|\s+and\s+/iu;

/** The fields that a text sets in one or more clauses; undefined where one of them says anything else, or one is set twice. */
export function assignmentsOf(text: string, told: Told): Setting[] | undefined {
  const [whole] = assignmentsIn(text, told);
  if (whole) return [whole];
  const clauses = text.split(BETWEEN_CLAUSES);
  if (clauses.length < 2) return undefined;
  const found = clauses.map(
    (clause, at) => assignmentsIn(clause, { ...told, goesOn: told.goesOn === true || at > 0 })[0],
  );
  const all = found.filter((one): one is Setting => one !== undefined);
  return all.length === found.length && new Set(all.map(({ slot }) => slot)).size === all.length ? all : undefined;
}
