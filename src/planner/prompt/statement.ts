// Wishes in the form of a statement: "the price of product 3 should be 12", "player 7 now has a rating of 1502", "hive 4 is strong
// again". Text in, the command that it stands for out. A plain statement such as "hive 4 is strong" may be a report, and stands for
// none.

/** What is, has to be, or is again. */
const IS = String.raw`(?:is\s+now|are\s+now|is\s+to\s+be|(?:should|must|has\s+to|have\s+to|needs?\s+to|ought\s+to)\s+(?:now\s+)?be)`;
const RECORD = String.raw`(?<record>\S.*?)`;
const FIELD = String.raw`(?<field>\p{L}[\p{L}\s_-]*?)`;
const VALUE = String.raw`(?<value>\S.*?)`;
const END = String.raw`\s*[.!]*\s*$`;

const setField = "set the $<field> of $<record> to $<value>";
const setState = "set $<record> to $<value>";

/** Forms of a wish, the one that says most first, and the command that each stands for. */
const FORMS: readonly [pattern: RegExp, command: string][] = (
  [
    [String.raw`^(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+${IS}\s+${VALUE}${END}`, setField],
    [String.raw`^${RECORD}['’]s?\s+${FIELD}\s+${IS}\s+${VALUE}${END}`, setField],
    [String.raw`^${RECORD}\s+now\s+(?:has|have)\s+(?:(?:an?|the)\s+)?${FIELD}\s+of\s+${VALUE}${END}`, setField],
    [String.raw`^give\s+${RECORD}\s+(?:an?|the)\s+${FIELD}\s+of\s+${VALUE}${END}`, setField],
    [String.raw`^${RECORD}\s+now\s+(?:has|have)\s+(?<value>\d[\d.,]*)\s+${FIELD}${END}`, setField],
    [
      String.raw`^(?:extend|prolong|renew|bump|lift|cut)\s+(?:the\s+)?${FIELD}\s+(?:of|for)\s+${RECORD}\s+(?:to|until|till)\s+${VALUE}${END}`,
      setField,
    ],
    [String.raw`^(?:promote|demote|upgrade|downgrade)\s+${RECORD}\s+to\s+${VALUE}${END}`, setState],
    [String.raw`^${RECORD}\s+now\s+(?:has|have|works|does|is|are)\s+(?:on\s+)?(?:an?\s+)?${VALUE}${END}`, setState],
    [String.raw`^${RECORD}\s+(?:has|have|works|is|are)\s+(?:an?\s+)?${VALUE}\s+(?:now|again)${END}`, setState],
    [String.raw`^${RECORD}\s+${IS}\s+(?:an?\s+)?${VALUE}${END}`, setState],
  ] as const
).map(([pattern, command]) => [new RegExp(pattern, "iu"), command]);

/** What makes it a question, a condition, or a description of records. */
const NO_WISH =
  /\?\s*$|^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|what|which|who|whose|when|where|why|how|list|show|find|get|count|tell)\b|\b(?:who|which|that|whose|if|unless|when|not|never|no|nobody|or|but|because)\b|n['’]t\b|["“”]/i;

/** The command that a statement stands for; undefined for any other text. */
export function commandIn(text: string): string | undefined {
  const said = text.replace(/^\s*please\s+/i, "").trim();
  if (NO_WISH.test(said)) return undefined;
  const form = FORMS.find(([pattern]) => pattern.test(said));
  return form && said.replace(form[0], form[1]);
}
