// Whether a read that is no list covers its prompt. A list can be narrowed after it was read, and its answer says by what it could
// not; the answer of any other read would pass for the answer to a prompt of which a part was left out.

import { ownName } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { intentsOf, spelledOut, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import type { Candidate } from "../match/candidates.js";
import { type Entity, isInside, overlaps } from "../prompt/entities.js";
import { isNegated } from "../prompt/negation.js";
import { orderIn } from "../prompt/order.js";
import { contentTokens, type PromptText, type Token } from "../prompt/prompt.js";
import { isPeriod } from "../prompt/span.js";
import { ID_LIKE, pathNames, type Slot, slotsOf } from "../slots/slot.js";

/** Words of a request that ask for nothing in particular. */
const NEUTRAL = new Set(
  (
    "given take takes took assume assuming make sure currently now right date today information info details data result results " +
    "value values total amount number numbers set following using use specific certain particular please kindly want wish need like " +
    "prefer interested know wonder wondering tell help try trying think believe approximately around roughly about upcoming last next " +
    "past recent current latest day days week weeks month months year years hour hours minute minutes second seconds identifier called " +
    "named someone something anything everything person people available existing good nice great best find calculate compute determine " +
    "identify retrieve provide check level type kind long far old big high many much unit units degree degrees percent meter meters metre " +
    "kilogram kilograms gram grams kilometer kilometers mile miles foot feet inch inches liter liters square cubic dollar dollars usd eur"
  )
    .split(" ")
    .map(stem),
);

/** Whether a tool lists a collection: a list that has to be told more than where it is computes something. */
function isCollection({ tool }: Candidate): boolean {
  const keys = pathNames(tool);
  return (
    tool.verb === "list" &&
    tool.transport.path !== undefined &&
    slotsOf(tool).every(({ required, name }) => !required || keys.has(name))
  );
}

/** Whether a tool reads what belongs to a key of a collection: "/orders/{id}", "/orders/{id}/lines", but not "/says/{text}". */
function isRecord({ tool }: Candidate): boolean {
  const [, segment = "", name = ""] = /([^/{}]*[^s]s)\/\{([^{}]+)\}/i.exec(tool.transport.path ?? "") ?? [];
  return name !== "" && (ID_LIKE.test(name) || words(name).includes(singularOf(words(segment).at(-1) ?? "")));
}

/** The words a tool is described by: its name, its texts, its parameters and their options. */
function vocabulary({ tool }: Candidate): Set<string> {
  const slot = ({ label, enclosing, description, options }: Slot): string[] => [
    ...label,
    ...enclosing,
    ...label.flatMap((term) => spelledOut(term) ?? []),
    ...terms(description),
    ...options.flatMap((one) => terms(String(one))),
  ];
  return new Set([
    ...terms(ownName(tool)),
    ...terms(tool.resource),
    ...terms(tool.transport.path ?? ""),
    ...terms(tool.description),
    ...slotsOf(tool).flatMap(slot),
  ]);
}

/** The sentences that speak of the call: those with one of its values or a word of its name. */
function isAbout({ tool, filled }: Candidate, prompt: PromptText): (position: number) => boolean {
  const own = new Set([...terms(ownName(tool)), ...terms(tool.resource)]);
  const ends = [...prompt.text.matchAll(/[.!?;](?=\s+\p{Lu})|\n/gu)].map(({ index }) => index);
  const sentence = (position: number): number => ends.filter((end) => end < position).length;
  const about = new Set([
    ...[...filled.used].map(({ start }) => sentence(start)),
    ...prompt.tokens.filter(({ term }) => own.has(term)).map(({ start }) => sentence(start)),
  ]);
  return (position) => about.size === 0 || about.has(sentence(position));
}

/** A capital that may only begin a sentence, or a unit behind a number. */
function isNoName({ kind, text, start }: Entity, { text: whole, entities }: PromptText): boolean {
  if (kind !== "name" && kind !== "path") return false;
  const before = whole.slice(0, start);
  if (kind === "name" && !/\s/.test(text) && /(?:^|[.!?:]\s+|\n\s*)["“'‘]?$/.test(before)) return true;
  const number = entities.find(
    (one) => one.kind === "number" && /^\s?(?:degrees?\s)?$/.test(whole.slice(one.end, start)),
  );
  return number !== undefined && number.end <= start && !/\s/.test(text);
}

/** Entities that a read would leave out. */
function uncoveredValues(candidate: Candidate, prompt: PromptText, knows: (term: string) => boolean): string[] {
  const used = [...candidate.filled.used];
  const order = orderIn(prompt)?.count;
  const isAboutCall = isAbout(candidate, prompt);
  const { path } = candidate.tool.transport;
  const isLost = (entity: Entity): boolean => {
    if (used.some((one) => overlaps(one, entity)) || isNoName(entity, prompt) || entity.value === order) return false;
    if (!isAboutCall(entity.start) && entity.kind === "name") return false;
    // The answer of what has no key mentions a period itself.
    if (isPeriod(entity) && path !== undefined && !path.endsWith("}")) return false;
    // The answer of one record mentions further keys itself.
    if (isRecord(candidate) && /^(?:number|id)$/.test(entity.kind)) return false;
    const own = terms(entity.text);
    return entity.kind === "number" || own.length === 0 || !own.every(knows);
  };
  return prompt.entities.filter(isLost).map(({ text }) => text);
}

/** Words that a read would leave out, in the sentences that are about it. */
function uncoveredWords(candidate: Candidate, prompt: PromptText, knows: (term: string) => boolean): string[] {
  const used = [...candidate.filled.used];
  const isAboutCall = isAbout(candidate, prompt);
  const isLost = ({ start, term, word }: Token): boolean =>
    isAboutCall(start) &&
    ![used, prompt.entities].some((spans) => isInside(start, spans)) &&
    !(NEUTRAL.has(term) || knows(term) || intentsOf(term).size > 0) &&
    word.length > 1 &&
    !/^\d|['’]/.test(word);
  return [
    ...new Set(
      contentTokens(prompt)
        .filter(isLost)
        .map(({ start, end }) => prompt.text.slice(start, end)),
    ),
  ];
}

const UNIT_SLOT = /(?:^|_)units?$/i;

/** The unit behind a number that a parameter for units does not take: "a depth of 9 fathoms". */
function uncoveredUnit({ tool, filled }: Candidate, prompt: PromptText): string[] {
  const slot = slotsOf(tool).find((one) => UNIT_SLOT.test(one.name) && !filled.filled.has(one));
  const unit = prompt.tokens.find(({ start, word }) => {
    const number = prompt.entities.find(({ kind, end }) => kind === "number" && prompt.text.slice(end, start) === " ");
    return (
      number !== undefined && !isStopWord(word) && !isInside(start, filled.used) && word !== "unit" && word !== "units"
    );
  });
  return slot && unit ? [prompt.text.slice(unit.start, unit.end)] : [];
}

/** Whether a list has a filter for a text that got none: a name that is left over may have been meant for it. */
function hasOpenText({ tool, filled }: Candidate): boolean {
  const isFilter = ({ name, type, options, format }: Slot): boolean =>
    type === "string" && options.length === 0 && format === "" && !PAGING.test(name) && !ID_LIKE.test(name);
  return filled.used.size > 0 && slotsOf(tool).some((slot) => isFilter(slot) && !filled.filled.has(slot));
}

/** Parameters of a list that take no text of the records. */
const PAGING = /sort|order|direction|page|cursor|offset|token|fields?|expand|include|format|lang/i;

/** The names that a list would leave out although another went into one of its filters. */
function uncoveredNames(candidate: Candidate, prompt: PromptText, knows: (term: string) => boolean): string[] {
  const names = prompt.entities.filter(({ kind, start }) => kind === "name" && !isNegated(start, prompt));
  return uncoveredValues(candidate, { ...prompt, entities: names }, knows);
}

/**
 * What of the prompt the answer of a read would silently leave out; nothing for a list, which is narrowed. Of one record by its
 * key every word may ask for a part, so only values count.
 */
export function uncoveredInRead(candidate: Candidate, prompt: PromptText): string[] {
  if (isCollection(candidate) && !hasOpenText(candidate)) return [];
  const known = vocabulary(candidate);
  const knows = (term: string): boolean => known.has(term) || [...synonymsOf(term)].some((one) => known.has(one));
  if (isCollection(candidate)) return uncoveredNames(candidate, prompt, knows);
  const entities = [...uncoveredValues(candidate, prompt, knows), ...uncoveredUnit(candidate, prompt)];
  return entities.length > 0 || isRecord(candidate) ? entities : uncoveredWords(candidate, prompt, knows);
}
