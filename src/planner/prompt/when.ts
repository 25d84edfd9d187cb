// Whether a prompt asks when something is, and which fields say so. Texts in; knows nothing of records.

import type { PromptText } from "./prompt.js";

const ASKS_WHEN = /^\s*(?:and\s+)?(?:when|(?:at\s+)?what\s+time|(?:on\s+)?(?:what|which)\s+(?:days?|dates?|times?))\b/i;
/** Names of fields that hold a time. */
export const TIME_NAME = /(?:^|_)(?:dates?|days?|times?|at|on|when|weekday)$|(?:Date|Day|Time|At|On)$/;
/** Fields that say when something was done: `paid_on`, `shippedAt`. */
export const DEED_AT = /(?:ed|paid|sent|made)_(?:on|at)$|(?:ed|paid|sent|made)(?:On|At)$/;
/** What such a question calls the time that it asks for: no field of that name is meant. */
export const TIME_WORD = /^(?:day|date|time)s?$/;
/** What a prompt calls by two words or more, and asks when it is: "when does winter walk start". */
const WHEN_CALLED =
  /^\s*when(?:['’]s|\s+(?:is|are|does|do|was|were))\s+(?:(?:the|our)\s+)?(?<called>\p{L}[\p{L}'’-]*(?:\s+(?!(?:start|begin|end|open|close|happen|take|due|on)\b)\p{L}[\p{L}'’-]*)+)(?:\s+(?:start|begin|end|open|close|happen|take|due|on)\b[\p{L}\s]*)?[\s?.!]*$/iu;

const ASKS_WHO_OR_WHERE = /^\s*(?:(?:and|so)\s+)?(?:who|where)(?!\p{L})/iu;
/** A value that is a day, a month or a time. */
export const TIME_VALUE = /^\d{4}-\d{2}(?:-\d{2}|$)|^\d{1,2}:\d{2}/;

/** Whether a prompt asks who or where, which no day and no time says. */
export const asksWhoOrWhere = ({ text }: PromptText): boolean => ASKS_WHO_OR_WHERE.test(text);

/** Whether a prompt asks when something is. */
export const asksWhen = ({ text }: PromptText): boolean => ASKS_WHEN.test(text);

/** Whether it asks so of what a name at this place begins. */
export function asksWhenOf({ start }: { start: number }, { text }: PromptText): boolean {
  const called = WHEN_CALLED.exec(text)?.groups?.["called"];
  return called !== undefined && text.startsWith(called, start);
}
