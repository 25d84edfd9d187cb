// Wishes in the form of a statement: "the price of product 3 should be 12", "player 7 now has a rating of 1502", "hive 4 is strong
// again", or with a verb that few tools have: "promote member 3 to captain". Text in, the command that it stands for out. A plain
// statement such as "hive 4 is strong" may be a report, and stands for none.

import { intentsOf } from "../../tools/search/synonyms.js";
import { stem } from "../../tools/search/terms.js";

/** What is, has to be, or is again. */
const IS = String.raw`(?:is\s+now|are\s+now|is\s+to\s+be|(?:should|must|has\s+to|have\s+to|needs?\s+to|ought\s+to)\s+(?:now\s+)?be)`;
const RECORD = String.raw`(?<record>\S.*?)`;
const FIELD = String.raw`(?<field>\p{L}[\p{L}\s_-]*?)`;
const VALUE = String.raw`(?<value>\S.*)`;
/** A wish is one sentence: a longer text is compared with no form, because a form may stop at every word of it. */
const MAX_LENGTH = 200;

const setField = "set the $<field> of $<record> to $<value>";
const setState = "set $<record> to $<value>";

type Form = [pattern: RegExp, command: string];
const compiled = (forms: readonly [pattern: string, command: string][]): Form[] =>
  forms.map(([pattern, command]) => [new RegExp(pattern, "iu"), command]);

/** Forms of a wish that begin with a verb, and the command that each stands for. */
const VERB_FORMS = compiled([
  [String.raw`^give\s+${RECORD}\s+(?:an?|the)\s+${FIELD}\s+of\s+${VALUE}$`, setField],
  [
    String.raw`^(?:extend|prolong|renew|bump|lift|cut)\s+(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+(?:to|until|till)\s+${VALUE}$`,
    setField,
  ],
  [
    String.raw`^(?:put|bring|push|turn)\s+(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+(?:up|down|back)\s+to\s+${VALUE}$`,
    setField,
  ],
  [
    String.raw`^(?:put|bring|push|turn)\s+(?:up|down)\s+(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+to\s+${VALUE}$`,
    setField,
  ],
  [String.raw`^(?:promote|demote|upgrade|downgrade)\s+${RECORD}\s+to\s+${VALUE}$`, setState],
]);

/** The others, the one that says most first. */
const STATEMENTS = compiled([
  [String.raw`^(?:the\s+|our\s+)?new\s+${FIELD}\s+(?:of|for)\s+${RECORD}\s+is\s+(?:now\s+)?${VALUE}$`, setField],
  [String.raw`^(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+${IS}\s+${VALUE}$`, setField],
  [String.raw`^${RECORD}['’]s?\s+${FIELD}\s+${IS}\s+${VALUE}$`, setField],
  [String.raw`^(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+(?:is|are)\s+${VALUE}\s+(?:now|again)$`, setField],
  [String.raw`^${RECORD}\s+now\s+(?:has|have)\s+(?:(?:an?|the)\s+)?${FIELD}\s+of\s+${VALUE}$`, setField],
  [String.raw`^${RECORD}\s+now\s+(?:has|have)\s+(?<value>\d[\d.,]*)\s+${FIELD}$`, setField],
  [String.raw`^${RECORD}\s+now\s+(?:has|have|works|does|is|are)\s+(?:on\s+)?(?:an?\s+)?${VALUE}$`, setState],
  [String.raw`^${RECORD}\s+(?:has|have|works|is|are)\s+(?:an?\s+)?${VALUE}\s+(?:now|again)$`, setState],
  [String.raw`^${RECORD}\s+${IS}\s+(?:an?\s+)?${VALUE}$`, setState],
]);

/** Verbs that give a measure, and the field that they speak of. */
const MEASURED: Readonly<Record<string, string>> = {
  weighs: "weight",
  costs: "price",
  lasts: "duration",
  holds: "capacity",
  seats: "capacity",
  earns: "salary",
};
const MEASURES = `(?<verb>${Object.keys(MEASURED).join("|")})`;
const AMOUNT = String.raw`(?<value>[$€£]?\d[\d.,]*(?:\s*\p{L}+)?)`;
/** "Biscuit now weighs 19.2 kg", "the desk costs 80 now". */
const MEASURE_FORMS = [
  new RegExp(String.raw`^${RECORD}\s+now\s+${MEASURES}\s+${AMOUNT}$`, "iu"),
  new RegExp(
    String.raw`^${RECORD}\s+${MEASURES}\s+(?:now\s+${AMOUNT}|(?<said>[$€£]?\d[\d.,]*(?:\s*\p{L}+)?)\s+now)$`,
    "iu",
  ),
];

/** The command that a new measure of a record stands for. */
function measureIn(said: string): string | undefined {
  const groups = MEASURE_FORMS.map((pattern) => pattern.exec(said)?.groups).find((one) => one !== undefined);
  const field = MEASURED[groups?.["verb"]?.toLowerCase() ?? ""];
  if (!groups || field === undefined) return undefined;
  return `set the ${field} of ${groups["record"] ?? ""} to ${groups["value"] ?? groups["said"] ?? ""}`;
}

/** What makes it a question, a condition, or a description of records. */
const NO_WISH =
  /\?\s*$|^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|what|which|who|whose|when|where|why|how|list|show|find|get|count|tell)\b|\b(?:who|which|that|whose|if|unless|when|not|never|no|nobody|or|but|because)\b|n['’]t\b|["“”]/i;

/** What only says again that it is a wish: "is 9 now, update it". */
const AGAIN = /\s*[,;:–-]\s*(?:so\s+)?(?:please\s+)?(?:update|note|record|enter)\s+(?:it|that|this)(?:\s+please)?$/i;

/** Where a sentence ends behind a word that is no "Dr." and another one begins. */
const NEXT_SENTENCE = /\p{L}{3}[.!?]\s+\p{Lu}/u;

/** A text without the stops at its end, read from there: an expression would begin at each of many stops. */
function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && " .!".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A wish. */
interface Wish {
  /** The command that it stands for. */
  command: string;
  /** It begins with a verb, and a tool may have the same one. */
  hasVerb: boolean;
}

/** The wish that a text is; undefined for any other text. */
export function wishIn(text: string): Wish | undefined {
  const line = text.trim().replace(/^please\s+/i, "");
  const whole = withoutStop(line.replace(/\s+/g, " ")).replace(/\s+from\s+(?:(?:now|today)\s+on|today)$/i, " now");
  const said = whole.length > MAX_LENGTH ? whole : whole.replace(AGAIN, "");
  if (said.length > MAX_LENGTH || /[\n\r]/.test(line) || NO_WISH.test(said) || NEXT_SENTENCE.test(said))
    return undefined;
  const measure = measureIn(said);
  if (measure !== undefined) return { command: measure, hasVerb: false };
  const verbForm = VERB_FORMS.find(([pattern]) => pattern.test(said));
  const form = verbForm ?? STATEMENTS.find(([pattern]) => pattern.test(said));
  return form && { command: said.replace(form[0], form[1]), hasVerb: verbForm !== undefined };
}

/** Whether a text says what is now: it begins with a name, and with no verb. */
export const tellsChange = (text: string): boolean => wishIn(text)?.hasVerb === false;

/** What was about to be done: "I was going to add a concert", "we had planned to close berth N2". */
const INTENDED =
  /^(?:(?:so|well|actually|yesterday|earlier|originally|today),?\s+)*(?:i|we|he|she|they|\p{L}+)(?:\s+(?:was|were)\s+(?:just\s+|only\s+|originally\s+)?(?:about|going|planning|supposed|meaning|intending|thinking)\s+(?:to|of)|(?:\s+(?:had|have)|['’]d)?\s+(?:almost\s+|originally\s+)?(?:wanted|meant|planned|intended)\s+to|\s+(?:almost|nearly))\b/iu;
/** What came of it. */
const TURN = /\b(?:but|however|until|though|then)\b(?<after>.*)$/iu;
/** It was given up. */
const GIVEN_UP =
  /\b(?:decided (?:against|not)|changed (?:my|our|his|her|their) minds?|no longer|never mind|not any ?more|thought better|(?:did|do|does)(?:n['’]?t| not)|let it be|left it)\b/iu;
/** What is asked for after all. */
const ASKS =
  /\?\s*$|\b(?:please|pls|show|list|find|get|tell|give|check|look|see|know|need|want|can|could|would|what|which|who|when|where|how)\b/iu;

/** What takes an earlier wish back, or tells what nearly happened: "never mind the invoice, I already paid it". */
const TAKEN_BACK =
  /^(?:oh,?\s+|ok(?:ay)?,?\s+|no,?\s+)?(?:never\s?mind|forget (?:it|that|about)|scrap that|leave it\b)/iu;
const NEARLY = /^(?:i|we|he|she|they)\s+(?:have\s+|had\s+)?(?:almost|nearly)\s+(?!forgot|missed)\p{L}+/iu;

/** Whether a clause of a text commands or asks something. */
const asksInClause = (text: string): boolean =>
  /\?\s*$/.test(text) ||
  text
    .split(/[,;:.!–]\s+|\s-\s|\b(?:but|and|then|instead)\s+/u)
    .slice(1)
    .some(
      (clause) =>
        intentsOf(stem(/^\s*(?:please\s+|just\s+)?(\p{L}+)/iu.exec(clause)?.[1]?.toLowerCase() ?? "")).size > 0,
    );

/** Whether a text tells what somebody was about to do and did not, or takes a wish back: it asks for nothing. */
export function isAbandoned(text: string): boolean {
  const said = text.trim().slice(0, MAX_LENGTH);
  if ((TAKEN_BACK.test(said) || NEARLY.test(said)) && text.length <= MAX_LENGTH) {
    const isTurned = NEARLY.test(said) && TURN.test(said);
    if (!isTurned && !asksInClause(said)) return true;
  }
  const intended = INTENDED.exec(said);
  const after = intended && TURN.exec(said.slice(intended[0].length))?.groups?.["after"];
  if (!intended || typeof after !== "string") return false;
  // "I wanted to see the open tickets, but only of machine 3" is a wish.
  const isWish = /\b(?:wanted|meant|planned|intended)\s+to$/i.test(intended[0]);
  return GIVEN_UP.test(after) ? !/[.;!?]\s+\S/.test(after) : !isWish && !ASKS.test(after);
}

/** What somebody did: "we showed Paper Tigers last year", "I have already fed Rex". */
const DONE =
  /^(?:(?:so|well|yesterday|earlier|today|last\s+\p{L}+),?\s+)*(?:i|we|he|she|they|somebody|someone)(?:['’]ve|['’]s)?\s+(?:(?:have|has|had|just|already|also|only|finally|once|never)\s+)*(?<verb>\p{L}+)\b/iu;
const PAST =
  /^(?:sold|bought|went|saw|seen|took|taken|gave|given|got|lost|found|sent|met|ate|eaten|fed|made|did|done|said|told|left|broke|came|ran|won|shown|held|lent|paid|built|brought|caught|drove|wrote|taught|kept|led|spent|slept|rode|flew|drew|sang|wore|began|grew|knew|chose|fell|felt|hid|hit|cut|read|rang|\p{L}{2,}ed)$/iu;
/** Behind these stands what is wanted, or not known. */
const WANTED =
  /^(?:need|feed|speed|proceed|lost|forgot|wanted|needed|wondered|hoped|liked|loved|asked|looked|tried|searched|thought|expected|wished|missed|preferred|supposed|intended|planned|interested)$/iu;

/** A past tense that is no participle as well, so that it describes no records: "the lessons cancelled in May" are some. */
const PRETERITE =
  /^(?:was|were|came|went|saw|took|gave|ate|did|broke|wrote|ran|drove|rode|flew|drew|sang|wore|began|grew|knew|chose|fell|blew|forgot|spoke|woke|rang|swam|drank|threw|shook|stole|got|slept)$/iu;
/** Behind these a past tense is none that describes. */
const FINITE =
  /^\s+(?:us|me|him|her|them|it|itself|himself|herself|themselves|a\s+lot|very|so|too|badly|wonderful(?:ly)?|great|awful|nice)\b/iu;
const NAMED = String.raw`(?:\p{Lu}[\p{L}\p{N}'’.-]*)(?:\s+(?:(?:of|the|and|de|van|von)\s+)?(?:\p{Lu}[\p{L}\p{N}'’.-]*|\d+))*`;
const DAY = String.raw`(?:(?:so|well|yesterday|earlier|today|this\s+morning|last\s+\p{L}+),?\s+)?`;
const HOW = String.raw`(?:\s+(?:just|already|also|only|finally|once|really|even))?`;
/** Who or what did something: a name or code, or what has an article. */
const OF_NAME = new RegExp(
  String.raw`^${DAY}(?<name>(?:[Tt]he\s+)?${NAMED})${HOW}\s+(?<verb>\p{Ll}+)\b(?<rest>.*)$`,
  "u",
);
const OF_THING = [0, 1, 2, 3].map(
  (count) =>
    new RegExp(
      String.raw`^${DAY}(?:the|our|my|everybody|everyone|somebody|someone|nobody)(?:\s+(?!(?:we|i|you|he|she|they)\b)\p{Ll}+(?:['’]s)?){${count}}(?:\s+(?:in|of|at|from|on|near|for)\s+(?:the\s+)?${NAMED})?${HOW}\s+(?<verb>\p{Ll}+)\b(?<rest>.*)$`,
      "u",
    ),
);
/** What picks records, or asks for something. */
const PICKS =
  /\b(?:who|whom|whose|which|that|what|please|pls|show|list|find|tell|want|need|like to|can you|could you|should|must|now)\b/iu;

/** "my brother's van has been at the gate": what has been is told, where nothing picks records. */
const HAS_BEEN = /^(?:has|have|had)$/iu;
const BEEN = /^\s+(?:(?:just|already|also|only|finally|really|even)\s+)?(?:been|gone|become|got)\b/iu;
/** What was done, told without who did it, and what came of it: "mended T4 so it runs again". */
const ELIDED =
  /^\p{L}{3,}ed\s+(?:(?:the|our|my)\s+\p{L}+|\p{Lu}[\p{L}\p{N}-]*|\p{L}+[-\p{N}]+)(?:\s+[\p{L}\p{N}-]+){0,2},?\s+(?:so|because|and)\s+(?:it|its|it['’]s|they|they['’]re|he|she|he['’]s|she['’]s)\s/iu;

/** Whether a text only tells what somebody or something else did: "Anna Holm called in", "BK-71 arrived yesterday". */
function isNewsOf(said: string): boolean {
  if (PICKS.test(said)) return false;
  const line = said.replace(/^(?:The|Our|My|Everybody|Everyone|Somebody|Someone|Nobody)(?=\s\p{Ll})/u, (one) =>
    one.toLowerCase(),
  );
  const { name = "", verb: did = "", rest = "" } = OF_NAME.exec(line)?.groups ?? {};
  // A capital letter at the beginning makes no name of "Orders shipped in May".
  const isCertain = /\s|\d/u.test(name) && !/^\p{L}+\s+\d+$/u.test(name);
  const isTold = (verb: string, behind: string): boolean =>
    PRETERITE.test(verb) || (PAST.test(verb) && FINITE.test(behind)) || (HAS_BEEN.test(verb) && BEEN.test(behind));
  if (name !== "" && (isTold(did, rest) || (isCertain && PAST.test(did)))) return true;
  return OF_THING.some((pattern) => {
    const { verb = "", rest: behind = "" } = pattern.exec(line)?.groups ?? {};
    return isTold(verb, behind);
  });
}

/** Whether a text only tells what somebody did, or nearly did. */
export function isReport(text: string): boolean {
  const said = text.trim().slice(0, MAX_LENGTH);
  if (text.length > MAX_LENGTH || /\?\s*$/.test(said) || asksInClause(said)) return false;
  const verb = DONE.exec(said)?.groups?.["verb"] ?? "";
  if (NEARLY.test(said) || ELIDED.test(said) || (PAST.test(verb) && !WANTED.test(verb))) return true;
  return isNewsOf(said) && wishIn(text) === undefined;
}

const FORBIDS =
  /^\s*(?:please\s+)?(?:do\s+not|don['’]?t|never)\s+(?!(?:show|list|include|count|display|tell|give|forget|want|need|have|know|get|mind|worry|bother)\b)\p{L}+\s+\p{L}[^,;.!?]*[\s.!]*$/iu;

/** Whether a prompt says what is not to be done, also by a verb that no tool is known to change by: that asks for no list. */
export const isForbidden = (text: string): boolean => FORBIDS.test(text);

const ENTERS =
  /(?:[,;.:–-]|\b(?:and|so|please|can you|could you))\s+(?:please\s+)?(?:(?:put|write|mark|note|log|enter|add)\s+(?:that|it|this|them)\s+(?:in|down|up)|(?:enter|record|note|log|update|save|register)\s+(?:that|it|this|them))(?:\s+please)?[\s.!]*$/iu;

/** Whether a prompt tells something and wants it on record: "the lamp was mended and cost 12, put that in". */
export const asksToEnter = (text: string): boolean => ENTERS.test(text);
