// The numbers of an answer that come from the results of its turn: a click opens the call and marks the cell, the sum or the number of
// rows, or opens the thing that the number is the id of. Loaded after an answer with numbers is finished.
import type { ComponentChildren } from "preact";
import { isObject, type JsonValue, parseJson } from "../../../src/lib/json.js";
import { wordsOf } from "../../../src/lib/name-words.js";
import { singularOf } from "../../../src/lib/plural.js";
import { tools, toolsByName } from "../../state/daemon.js";
import { markedCell } from "../../state/marked-cell.js";
import { countOf, type Searched, searchCall, totalsOf } from "../../state/number-search.js";
import { inSlices } from "../../state/slices.js";
import { openThing } from "../../state/things.js";
import type { CallItem, Turn } from "../../turn/turn.js";
import { thingTool } from "../../values/links.js";
import { numbersIn } from "../../values/numbers.js";
import { addHits, firstNumbers, type Hits, type Known, type Place, placeOf, placesIn } from "../../values/origins.js";
import { NO_ROW } from "../../values/rows.js";

/** Numbers of an answer that lead somewhere. */
export interface LinkedNumbers {
  /** A text with its numbers as links; what stands around the text may tell what its numbers are of. */
  split: (text: string, around?: { before: string; after: string }) => ComponentChildren;
  /** Where they begin in the whole answer. */
  places: readonly number[];
}

/** Numbers that become links at once: each makes its part of the answer anew. */
const STEP = 4;
/** Calls whose results are searched; of a turn with more it is not known whether a number is there twice. */
const MAX_CALLS = 24;

const AGGREGATE_WORDS = { sum: "the sum of", avg: "the average of" } as const;

function titleOf(place: Place): string {
  if (place.kind === "thing") return "Opens this record";
  if (place.kind === "cell") {
    const { tool, index, column } = place.origin;
    const where = index === NO_ROW ? tool : `row ${index + 1} of ${tool}`;
    return `Shows where this number comes from: ${column}, ${where}`;
  }
  const { tool, aggregate, column } = place.total;
  const what = aggregate === "count" ? "the number of rows" : `${AGGREGATE_WORDS[aggregate]} ${column}`;
  return `Shows where this number comes from: ${what} of ${tool}`;
}

/** A key as the tool that gets the thing takes it. */
function keyFor(tool: string, argument: string, key: string): JsonValue {
  const properties = toolsByName.peek().get(tool)?.input_schema["properties"];
  const schema = isObject(properties) ? properties[argument] : undefined;
  return isObject(schema) && (schema["type"] === "integer" || schema["type"] === "number") ? parseJson(key) : key;
}

function follow(place: Place, turn: string): void {
  switch (place.kind) {
    case "thing": {
      const { tool, argument } = place.thing;
      openThing({ tool, argument, key: keyFor(tool, argument, place.key) });
      return;
    }
    case "cell": {
      const { call_id, index, column } = place.origin;
      markedCell.value = { turn, call_id, index, column };
      return;
    }
    case "total": {
      const { call_id, column, aggregate } = place.total;
      markedCell.value = { turn, call_id, index: NO_ROW, column, aggregate };
      return;
    }
    default:
      place satisfies never;
  }
}

function Linked({ text, turn, place }: { text: string; turn: string; place: Place }) {
  return (
    <button type="button" class="origin" title={titleOf(place)} onClick={() => follow(place, turn)}>
      {text}
    </button>
  );
}

function createSplit(known: Known, turn: string): LinkedNumbers["split"] {
  return (text, { before, after } = { before: "", after: "" }) => {
    const pieces: ComponentChildren[] = [];
    let end = 0;
    for (const number of numbersIn(text)) {
      const numberEnd = number.at + number.text.length;
      const around = { before: before + text.slice(0, number.at), after: text.slice(numberEnd) + after };
      const place = placeOf(number, around, known);
      if (place === undefined) continue;
      pieces.push(text.slice(end, number.at), <Linked text={number.text} turn={turn} place={place} />);
      end = numberEnd;
    }
    return end === 0 ? text : [...pieces, text.slice(end)];
  };
}

const lastNoun = (name: string): string => singularOf(wordsOf(name).at(-1) ?? "");

function thingOf({ tool, column }: { tool: string; column: string }): ReturnType<Known["thingOf"]> {
  const from = toolsByName.peek().get(tool);
  const thing = from && thingTool(column, from, tools.peek() ?? []);
  const resource = thing && toolsByName.peek().get(thing.tool)?.resource;
  return thing === undefined || resource === undefined ? undefined : { thing, noun: lastNoun(resource) };
}

/** What is known of the numbers; undefined where the results of the turn are too many or too large. Throws as searchCall does. */
async function knownOf(calls: readonly CallItem[], wanted: ReadonlySet<string>, signal: AbortSignal) {
  const hits = new Map<string, Hits>();
  const searched = new Map<CallItem, Searched>();
  for (const call of calls) {
    const found = await searchCall(call, { wanted, signal });
    if (found === undefined) return undefined;
    searched.set(call, found);
    addHits(hits, found.hits);
  }
  const totals = [...searched].flatMap(([call, found]) => countOf(call, found));
  // A single digit is no sum and no average.
  const hasUnknown = [...wanted].some((one) => one.length > 1 && !hits.has(one));
  for (const [call, found] of hasUnknown ? searched : []) totals.push(...(await totalsOf(call, found, signal)));
  const nouns = new Map(
    Array.from(searched, ([{ id, name }, { list }]) => {
      const resource = toolsByName.peek().get(name)?.resource ?? "";
      return [id, [resource, list?.path.at(-1) ?? ""].map(lastNoun).filter((noun) => noun !== "")] as const;
    }),
  );
  return { hits, totals, nounsOf: (call_id: string) => nouns.get(call_id) ?? [], thingOf };
}

/** Finds the numbers of a finished answer; `onChange` gets them a few at a time. Throws ApiError, and AbortError when aborted. */
export async function linkNumbers(
  text: string,
  turn: Turn,
  { onChange, signal }: { onChange(found: LinkedNumbers): void; signal: AbortSignal },
): Promise<void> {
  const calls = turn.items.filter((item): item is CallItem => item.kind === "call" && item.status === "ok");
  const numbers = await inSlices(firstNumbers(text), signal);
  if (numbers.length === 0 || calls.length === 0 || calls.length > MAX_CALLS) return;
  const known = await knownOf(calls, new Set(numbers.flatMap(({ readings }) => readings)), signal);
  if (known === undefined) return;
  const places = await inSlices(placesIn(text, numbers, known), signal);
  const split = createSplit(known, turn.key);
  for (let count = STEP; ; count += STEP) {
    signal.throwIfAborted();
    onChange({ split, places: places.slice(0, count) });
    if (count >= places.length) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
