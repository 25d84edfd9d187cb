// What superlatives measure: "the heaviest" is the one with the greatest weight, "the longest" the one with the greatest length,
// duration, distance or range. Words in, the words that fields of the records may be called by out.

import { words } from "../../tools/search/terms.js";

/** What a superlative asks for. */
interface Superlative {
  descending: boolean;
  /** Words in the names of the fields that it measures; undefined where it may be any amount, or a time. */
  measures?: readonly string[];
  byTime: boolean;
}

const LENGTHS = "length duration distance range minutes hours seconds time km days long";
const WEIGHTS = "weight mass kg lbs grams weighs";
const RATINGS = "rating rated score stars grade points";
const BIRTHS = "born birth birthday dob age";

/** The superlatives of amounts and times that are called by no field, and those of a measure. */
const TABLE: readonly [words: string, descending: boolean, measures?: string][] = [
  ["cheapest|lowest|smallest", false],
  ["most expensive|priciest|dearest|highest|largest|biggest", true],
  ["heaviest", true, WEIGHTS],
  ["lightest", false, WEIGHTS],
  ["longest", true, LENGTHS],
  ["shortest", false, `${LENGTHS} height`],
  ["tallest", true, "height tall"],
  ["deepest", true, "depth deep"],
  ["widest", true, "width wide beam"],
  ["fastest", true, "speed velocity knots kmh mph"],
  ["slowest", false, "speed velocity knots kmh mph"],
  ["hottest|warmest", true, "temperature temp celsius"],
  ["coldest|coolest", false, "temperature temp celsius"],
  ["best", true, RATINGS],
  ["worst", false, RATINGS],
];
const TIMES: readonly [words: string, descending: boolean, measures?: string][] = [
  ["newest|latest|most recent|most recently", true],
  ["oldest|earliest|longest-serving|longest serving|longest-standing", false],
  ["youngest", true, BIRTHS],
];

const known: ReadonlyMap<string, Superlative> = new Map(
  [TABLE, TIMES].flatMap((table) =>
    table.flatMap(([names, descending, measures]) =>
      names
        .split("|")
        .map((name): [string, Superlative] => [
          name,
          { descending, measures: measures?.split(" "), byTime: table === TIMES },
        ]),
    ),
  ),
);

/** Every superlative, for a pattern: the longer ones first, as others may begin them. */
export const SUPERLATIVES = [...known.keys()].toSorted((a, b) => b.length - a.length).join("|");

/** Whether a word, or two, are a superlative. */
export const isSuperlative = (said: string): boolean => known.has(said);

/** What a superlative asks for. */
export function superlative(word: string): Superlative {
  return known.get(word.toLowerCase()) ?? { descending: true, byTime: false };
}

/** The words that the date of birth of a record is called by. */
export const BIRTH = new RegExp(`^(?:${BIRTHS.replaceAll(" ", "|")})$`);

/** Whether a field says how old something is: the oldest has the most of it, where of years and days it has the least. */
export const isAge = (field: string): boolean => words(field).some((word) => /^ages?$/.test(word));

/** Comparatives that measure a distance, and no length. */
const DISTANCES = /\b(?:nearer|closer|farther|further)\b/i;

/** Words in the names of the fields that the comparative of a text measures: of the weight for "heavier than 30". */
export function measuresOf(text: string): readonly string[] {
  if (DISTANCES.test(text)) return ["distance"];
  const word = /\b(\p{L}+)er\b/iu.exec(text)?.[1]?.toLowerCase();
  return (word === undefined ? undefined : known.get(`${word}est`)?.measures) ?? [];
}

/** What adjectives of no such superlative, and words for a day of birth, measure. */
const OTHERS: Readonly<Record<string, string>> = {
  high: "height altitude elevation",
  old: `${BIRTHS} built founded year`,
  birthday: BIRTHS,
  birth: BIRTHS,
};

/** Words in the names of the fields that an adjective, or a birthday, is about: of the depth for "how deep". */
export function measuresOfAdjective(word: string): readonly string[] {
  if (Object.hasOwn(OTHERS, word)) return OTHERS[word]?.split(" ") ?? [];
  const forms = [`${word}est`, `${word}st`, `${word.replace(/y$/, "i")}est`, `${word}${word.at(-1) ?? ""}est`];
  return forms.flatMap((form) => known.get(form)?.measures ?? []);
}

/** What verbs measure beside what something costs: "which of them weighs the most". */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^weigh(?:s|ing|ed)?$/, WEIGHTS],
  [/^last(?:s|ing|ed)?$/, LENGTHS],
  [/^earn(?:s|ing|ed)?$/, "salary wage wages income earnings revenue takings pay"],
  [/^(?:holds?|holding|held|seats?|seating)$/, "capacity seats places"],
];

/** Words in the names of the fields that a verb measures; undefined for any other verb. */
export const measuresOfVerb = (verb: string): readonly string[] | undefined =>
  VERBS.find(([form]) => form.test(verb.toLowerCase()))?.[1].split(" ");
