// Changes told as a fact before, or without, the command: "SB-7 is mended now, set it to ready", "KX2 has to go in the workshop", "Ada Holm
// works at Nordfisk now". Text and tools in, the command with the record and its value out; undefined where that is not certain.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { collectionOf } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { endedState, postponed, toldField } from "./told-fields.js";
import { POLITE } from "./told-parts.js";
import { toldValue } from "./told-values.js";

const MAX_LENGTH = 200;
/** What stands before the verb is what the sentence is about: no pronoun, and nothing of another sentence. */
const RECORD = String.raw`(?<record>(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|what|who|which|where|when|why|how|if|everything|everyone|everybody|nobody|nothing|all|please|can|could|would|will|do|does|did|is|are|not)\b)[^\s,;:.?!"“”]+(?:\s[^\s,;:.?!"“”]+){0,3}?)`;
/** "SB-7 is mended now, set it to ready". */
const SET_IT = new RegExp(
  String.raw`^${RECORD}\s+(?:is|are|was|has|have|had|got|came|went)\s[^,;:.?!"“”]*[,;.!]\s*${POLITE}(?:set|switch|change|move|put|mark)\s+(?:it|him|her|them)\s+(?:(?:back\s+)?to|as)\s+(?<value>[^,;:.?!"“”]+)$`,
  "iu",
);
/** "KX2 has to go in the workshop": where something goes is one of the values of a field. What only "goes" there does so every year. */
const GOES = new RegExp(
  String.raw`^${RECORD}\s+(?:(?:has|needs?|is)\s+to\s+go|must\s+go|goes(?=.*\s(?:now|today)$))\s+(?:back\s+)?(?<place>in|into|to|on|onto|at)\s+(?:the\s+|an?\s+)?(?<value>[^,;:.?!"“”]+?)(?:\s+(?:now|today|please))?$`,
  "iu",
);
/** "Ada Holm works at Nordfisk now": not what somebody did before, or does besides. An employer has a name: nobody works for "night". */
const WORKS = new RegExp(
  String.raw`^${RECORD}\s+(?:now\s+works\s+(?:at|for)\s+(?<value>\S[^,;:.?!"“”]*)|works\s+(?:at|for)\s+(?<said>\S[^,;:.?!"“”]*?)\s+now)$`,
  "iu",
);
const CALLED =
  /^\p{Lu}[\p{L}\p{N}&.'’-]*(?:\s(?!(?:as|in|on|at|with|from|for|because|since|full|part|and|every|during)\b)\S+){0,4}$/u;
/** What makes a fact a guess, a wish, or what somebody else says; with a capital it is rather a name. */
const UNCERTAIN =
  /\b(?:would|could(?! you\b)|should|might|may|shall|will|almost|nearly|probably|possibly|hopefully|perhaps|maybe|apparently|allegedly|supposedly|thinks?|says?|said|hopes?|wants?|heard)\b/;
const EMPLOYER = /^(?:employer|company|institution|institute|organi[sz]ation|firm|workplace)(?:_?name)?$/i;
/** "Ada Holm passed her first aid today, can you update her": a switch that is called by what was done. */
const DID = new RegExp(
  String.raw`^${RECORD}\s+(?:has\s+|have\s+)?(?<deed>\p{L}+ed|done|paid|sent|got)\s+(?:his|her|their|its|the)\s+(?<what>[\p{L}\s-]+?)(?:\s+(?:now|today|just\s+now|this\s+(?:morning|afternoon|week)))?\s*[,;.!]\s*${POLITE}(?:update|note|record)\s+(?:it|him|her|them|that|this)(?:\s+please)?$`,
  "iu",
);

/** The fields that changes of records set, one for each collection that has it. */
function settable(tools: readonly Tool[], meets: (slot: Slot) => boolean): Slot[] {
  const found = new Map<string, Slot>();
  for (const tool of tools.filter(({ verb, safety }) => verb === "update" && safety !== "read_only")) {
    const keys = pathNames(tool);
    for (const slot of slotsOf(tool).filter((one) => !keys.has(one.name) && meets(one)))
      found.set(`${collectionOf(tool)} ${slot.path.join(".")}`, slot);
  }
  return [...found.values()];
}

const nameOf = ({ name }: Slot): string => words(name).join(" ");
const hasOption = ({ options }: Slot, said: string): boolean =>
  options.some((option) => words(String(option)).join(" ") === said);

/** The value of a field that "in the workshop" is: `in_workshop`, or `workshop` where no other field has that. */
function placeValue(tools: readonly Tool[], place: string, value: string): string | undefined {
  const plain = words(value).join(" ");
  const prepositions = /^in(?:to)?$/i.test(place)
    ? ["in"]
    : /^on(?:to)?$/i.test(place)
      ? ["on"]
      : [place.toLowerCase()];
  const all = [...new Set([...prepositions, "in"])].map((one) => `${one} ${plain}`);
  return [...all, plain].find((said) => settable(tools, (slot) => hasOption(slot, said)).length === 1);
}

/** The command that a told change stands for. */
export function toldChange(text: string, tools: readonly Tool[]): string | undefined {
  const said = text
    .trim()
    .replace(/[\s.!]+$/, "")
    .replace(/\s+/g, " ");
  if (said.length > MAX_LENGTH || /[\n?]/.test(text) || UNCERTAIN.test(said)) return undefined;
  const other = endedState(said, tools) ?? postponed(said, tools);
  if (other !== undefined) return other;
  if (/\b(?:if|unless|not|never|but|or|when|until)\b|n['’]t\b/i.test(said)) return undefined;
  const value = toldValue(said, tools) ?? toldField(said, tools);
  if (value !== undefined && !/^what/i.test(said)) return value;
  const set = SET_IT.exec(said)?.groups;
  if (set) return `set ${set["record"] ?? ""} to ${set["value"] ?? ""}`;
  const goes = GOES.exec(said)?.groups;
  const place = goes && placeValue(tools, goes["place"] ?? "", goes["value"] ?? "");
  if (goes && place !== undefined) return `set ${goes["record"] ?? ""} to ${place}`;
  const works = WORKS.exec(said)?.groups;
  const name = works?.["value"] ?? works?.["said"] ?? "";
  const [employer, ...others] =
    CALLED.test(name) && said !== said.toUpperCase()
      ? settable(tools, ({ name, type }) => type === "string" && EMPLOYER.test(name))
      : [];
  if (works && employer && others.length === 0)
    return `set the ${nameOf(employer)} of ${works["record"] ?? ""} to "${name}"`;
  const did = DID.exec(said)?.groups;
  const terms = did ? [did["deed"] ?? "", ...words(did["what"] ?? "")].map((one) => stem(one.toLowerCase())) : [];
  const isDone = ({ type, label }: Slot): boolean =>
    type === "boolean" && label.length === terms.length && terms.every((term) => label.includes(term));
  const [deed, ...more] = did ? settable(tools, isDone) : [];
  return did && deed && more.length === 0 ? `set the ${nameOf(deed)} of ${did["record"] ?? ""} to true` : undefined;
}
