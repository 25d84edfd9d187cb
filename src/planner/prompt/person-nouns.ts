// Which nouns are for persons. A word in, yes or no out.

const NOUN =
  /^(?:member|player|worker|volunteer|juror|arbiter|person|user|customer|client|guest|patient|student|teacher|employee|driver|author|artist|doctor|nurse|contact|coach|pilot|skipper|reader)$/;

/** Whether a noun is one for persons. */
export const isPersonNoun = (noun: string): boolean => NOUN.test(noun);
