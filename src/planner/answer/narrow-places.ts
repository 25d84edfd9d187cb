// That no record is in a place is an answer where records say in which they are: "do we have any customers in Cardiff".

import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { isNegated } from "../prompt/negation.js";
import type { PromptText } from "../prompt/prompt.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";

/** Whether there is something at all. */
const IS_THERE = /\b(?:do|does|did)\s+(?:we|you|they|i)\s+(?:still\s+)?have\b|\b(?:is|are)\s+there\b/i;
/** A place behind its preposition, at the end; what is "in stock" is in none. */
const PLACE =
  /\b(?:in|near|around|from)\s+(?!(?:stock|use|trouble|progress|transit|service|debt|total|time|person|general|danger|order|place|hand|store|storage|charge|contact|advance)\b)(\p{L}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?)\s*[?.!]*\s*$/u;
/** Fields that say in which place a record is. */
const PLACE_FIELD = /^(?:city|town|village|country|region|county|district|city_?name|location_?city)$/i;

/** Whether a prompt asks whether any record is in, or from, a place. */
export const asksForPlace = ({ text }: PromptText): boolean => IS_THERE.test(text) && PLACE.test(text);

/** Keeps no record where all say in which places they are, and none is in the one that is asked for. */
export function narrowByPlace(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  const place = IS_THERE.test(prompt.text) ? PLACE.exec(prompt.text) : null;
  const said = place?.[1];
  if (!place || said === undefined || isStopWord(said.toLowerCase()) || isNegated(place.index, prompt)) return;
  const keys = fieldNamesOf(rows);
  const places = keys.filter(
    (key) => PLACE_FIELD.test(key) && rows.every((row) => typeof row[key] === "string" && row[key] !== ""),
  );
  const isHeld = rows.some((row) =>
    Object.values(row).some((value) => textsOfField(value).some((text) => text.includes(said.toLowerCase()))),
  );
  const isField = keys.some((key) => words(key).map(stem).includes(stem(said.toLowerCase())));
  if (places.length === 0 || isHeld || isField || out.conditions.some((one) => one.includes(said))) return;
  out.rows = [];
  out.conditions.push(`${places.join(" or ")} = ${said}`);
}
