// A new record said in everyday words: "report a fault on boat 12: torn sail", "give member 16 a fine of 50", "sign member 3 up for course
// 7". Text and tools in, the command with the names of the parameters out; undefined where not exactly one tool takes all that is said.

import type { Tool } from "../../domain/tool.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, keyNoun, type Slot, slotsOf } from "../slots/slot.js";

const KEY = String.raw`#?(?<key>\d+|[A-Z]+-?\d+)`;
const RECORD = String.raw`(?:the\s+)?(?<record>\p{L}+)\s+${KEY}`;
const REPORT = new RegExp(
  String.raw`^(?:report|log|record|file|note|enter|register|open|(?:write|note|put)\s+down)\s+(?:(?:an?|the)\s+)?(?:new\s+)?(?:(?<option>\p{L}+)\s+)?(?<noun>\p{L}+)\s+(?:on|for|with|about|to|at|in|of)\s+(?:(?:the\s+)?(?<record>\p{L}+)\s+)?${KEY}\s*(?:[:,;–-]\s*)(?<text>[^"“”;?!]+)$`,
  "iu",
);
const GIFT = new RegExp(
  String.raw`^(?:give|charge|issue)\s+${RECORD}\s+an?\s+(?<noun>\p{L}+)\s+of\s+(?<amount>[€$£]?\d+(?:\.\d+)?)$`,
  "iu",
);
const SIGNED = String.raw`(?:the\s+)?(?<one>\p{L}+)\s+#?(?<oneKey>\d+)`;
const COURSE = String.raw`(?:the\s+)?(?<other>\p{L}+)\s+#?(?<otherKey>\d+)`;
const SIGN_UP: readonly RegExp[] = [
  new RegExp(String.raw`^(?:sign|put)\s+${SIGNED}\s+(?:up|down)\s+(?:for|to|in)\s+${COURSE}$`, "iu"),
  new RegExp(
    String.raw`^(?:sign\s+up|enrol|enroll|register|subscribe)\s+${SIGNED}\s+(?:for|in|into|to|on|at)\s+${COURSE}$`,
    "iu",
  ),
];

/** Whether a text has another command behind a comma, or "and". */
export const commandsMore = (text: string, tools: readonly Tool[]): boolean =>
  text.split(/,\s*|\b(?:and|then)\s+/iu).some((clause) => {
    const term = stem(/^\p{L}+/u.exec(clause)?.[0].toLowerCase() ?? "");
    return intentsOf(term).size > 0 || tools.some((tool) => actionOf(tool) === term);
  });

const isKeyOf = ({ name }: Slot, noun: string): boolean => keyNoun(name) === noun.toLowerCase();
const isText = ({ type, options, format, name }: Slot): boolean =>
  type === "string" && options.length === 0 && format === "" && !KEY_NAME.test(name);
const neededBy = (tool: Tool): Slot[] => slotsOf(tool).filter(({ required }) => required);

/** The only tool that makes a new record and meets a condition. */
function onlyCreate(tools: readonly Tool[], meets: (tool: Tool) => boolean): Tool | undefined {
  const [tool, ...others] = tools.filter((one) => one.verb === "create" && one.safety !== "read_only" && meets(one));
  return others.length === 0 ? tool : undefined;
}

/** What is found at a record: the only tool for that takes the key of the record and one text. */
function reported(
  { noun = "", option, record, key = "", text = "" }: Record<string, string | undefined>,
  tools: readonly Tool[],
): string | undefined {
  const tool = onlyCreate(tools, (one) => resourceNoun(one) === noun.toLowerCase());
  const needed = tool ? neededBy(tool) : [];
  const keys = needed.filter(({ name }) => KEY_NAME.test(name));
  const own =
    record === undefined ? (keys.length === 1 ? keys[0] : undefined) : keys.find((slot) => isKeyOf(slot, record));
  // "a major fault" has one of the values of a field.
  const holds = ({ options }: Slot): boolean =>
    options.some((one) => String(one).toLowerCase() === option?.toLowerCase());
  const [state, ...more] = tool && option !== undefined ? slotsOf(tool).filter(holds) : [];
  const [slot, ...others] = needed.filter((one) => one !== own && one !== state);
  if (!tool || !own || !slot || others.length > 0 || !isText(slot) || commandsMore(text, tools)) return undefined;
  if (option !== undefined && (!state || more.length > 0)) return undefined;
  const also = state ? ` and ${state.name} ${option ?? ""}` : "";
  return `create ${noun} with ${own.name} ${key}${also} and ${slot.name} "${text.trim()}"`;
}

/** The only tool for a new record that needs the keys of two others, and nothing else. */
function signedUp(
  { one = "", oneKey = "", other = "", otherKey = "" }: Record<string, string>,
  tools: readonly Tool[],
) {
  const tool = onlyCreate(tools, (some) => {
    const needed = neededBy(some);
    return needed.length === 2 && [one, other].every((noun) => needed.some((slot) => isKeyOf(slot, noun)));
  });
  const [first, second] = [one, other].map((noun) => tool && neededBy(tool).find((slot) => isKeyOf(slot, noun)));
  if (!tool || !first || !second || one.toLowerCase() === other.toLowerCase()) return undefined;
  return `create ${resourceNoun(tool)} with ${first.name} ${oneKey} and ${second.name} ${otherKey}`;
}

const PERSON =
  /^(?:[Aa]dd|[Cc]reate|[Rr]egister|[Ee]nter|[Nn]ew)\s+(?:(?:an?|the)\s+)?(?:new\s+)?(?<noun>\p{L}+)(?::|\s+called|\s+named)?\s+(?<first>\p{Lu}[\p{L}'’-]+)\s+(?<last>\p{Lu}[\p{L}'’-]+)(?:\s+(?:from|in)\s+(?<town>\p{Lu}[\p{L}'’-]+))?(?<rest>,\s[^"“”]*)?$/u;

/** A person of two names, where the names are two parameters: "new student: Rosa Engel from Neuhof, class B". */
function person(
  { noun = "", first = "", last = "", town, rest = "" }: Record<string, string | undefined>,
  tools: readonly Tool[],
): string | undefined {
  const tool = onlyCreate(tools, (one) => resourceNoun(one) === noun.toLowerCase());
  const called = (pattern: RegExp): Slot | undefined => {
    const [slot, ...others] = tool ? slotsOf(tool).filter((one) => isText(one) && pattern.test(one.name)) : [];
    return others.length === 0 ? slot : undefined;
  };
  const [given, family] = [called(/^(?:first|given)_?name$/i), called(/^(?:last|family|sur)_?name$/i)];
  const place = called(/^(?:home_?)?(?:town|city|village)$/i);
  if (!tool || !given || !family || (town !== undefined && !place)) return undefined;
  // "class B" is the licence class where no other field has such a value.
  const behind = rest.replace(
    /,\s+(\p{L}+(?:\s\p{L}+)?)\s+([^\s,]+)(?=,|$)/gu,
    (whole, label: string, value: string) => {
      const [slot, ...others] = slotsOf(tool).filter(
        (one) =>
          words(label).every((word) => one.label.includes(stem(word))) &&
          one.options.some((option) => String(option) === value),
      );
      return slot && others.length === 0 ? `, ${slot.name}: ${value}` : whole;
    },
  );
  const home = place && town !== undefined ? `, ${place.name}: "${town}"` : "";
  return `create ${noun} with ${given.name}: "${first}", ${family.name}: "${last}"${home}${behind}`;
}

/** The command for a new record that names its parameters; undefined where the text is none of these forms. */
export function newRecordForm(line: string, tools: readonly Tool[]): string | undefined {
  const human = PERSON.exec(line)?.groups;
  const named = human && person(human, tools);
  if (named !== undefined) return named;
  const report = REPORT.exec(line)?.groups;
  if (report) return reported(report, tools);
  const gift = GIFT.exec(line)?.groups;
  const { noun = "", record = "", key = "", amount = "" } = gift ?? {};
  if (gift && onlyCreate(tools, (one) => resourceNoun(one) === noun.toLowerCase()))
    return `create a ${noun} of ${amount} for ${record} ${key}`;
  const sign = SIGN_UP.map((pattern) => pattern.exec(line)?.groups).find((groups) => groups !== undefined);
  return sign && signedUp(sign, tools);
}
