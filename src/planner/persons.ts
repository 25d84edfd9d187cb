// Which records are persons, by their noun or by a field that only persons have.

const NOUN =
  /^(?:member|player|worker|volunteer|juror|arbiter|person|user|customer|client|guest|patient|student|teacher|employee|driver|author|artist|doctor|nurse|contact|coach|pilot|skipper|reader)$/;
const FIELD =
  /^(?:e_?mail|phone|mobile|birth|born|gender|first_?name|last_?name|surname|salary|hourly_?wage|wage|profession|job_?title)/i;

/** Whether a noun is one for persons. */
export const isPersonNoun = (noun: string): boolean => NOUN.test(noun);

/** Whether records of this noun with these fields are persons. */
export const arePersons = (noun: string, fields: readonly string[]): boolean =>
  isPersonNoun(noun) || fields.some((name) => FIELD.test(name));
